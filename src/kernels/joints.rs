//! Joint matrices as the vector code reads them.
//!
//! Nothing here depends on the processor: the table and the layout are the
//! same for all that have vector code.

use glam::Affine3A;

/// The four columns of a joint's matrix, each padded with a zero to four
/// floats: one cache line.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Row(pub(super) [[f32; 4]; 4]);

/// Stands for all joints that have no matrix. NaN times any weight, also 0,
/// is NaN, and so is every sum that it is part of: what it moves shows it.
static MISSING: Row = Row([[f32::NAN; 4]; 4]);

/// Copies matrices into rows.
pub(super) fn rows(matrices: &[Affine3A]) -> Vec<Row> {
    let row = |m: &Affine3A| {
        let [x, y, z] = [m.matrix3.x_axis, m.matrix3.y_axis, m.matrix3.z_axis];
        Row([x, y, z, m.translation].map(|column| [column.x, column.y, column.z, 0.0]))
    };
    matrices.iter().map(row).collect()
}

/// The row of every joint that a byte can name.
pub(super) struct Joints<'a>(pub(super) [&'a Row; 256]);

impl<'a> Joints<'a> {
    /// Of more than 256 rows the first 256.
    pub(super) fn new(rows: &'a [Row]) -> Joints<'a> {
        Joints(std::array::from_fn(|joint| rows.get(joint).unwrap_or(&MISSING)))
    }
}
