//! Picking the vectors that are not zero out of dense arrays.

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use super::vector;

/// Appends the entries of `dense` that are not all zero, with their
/// positions, in order. Both 0 and -0 count as zero; NaN does not.
///
/// Made for morph targets, where nearly everything is zero: such stretches
/// are passed over about as fast as they can be read.
///
/// # Panics
/// When `dense` has more than 2^32 entries.
pub fn pack_sparse(dense: &[[f32; 3]], indices: &mut Vec<u32>, values: &mut Vec<[f32; 3]>) {
    if let Some(last) = dense.len().checked_sub(1) {
        assert!(u32::try_from(last).is_ok(), "{} entries are too many", dense.len());
    }
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    if vector::detected() {
        let (blocks, rest) = dense.as_chunks();
        // SAFETY: all that this asks is that the processor has the
        // instructions that were detected above.
        #[allow(unsafe_code)]
        unsafe {
            vector::pack(blocks, indices, values);
        }
        pack_scalar(rest, dense.len() - rest.len(), indices, values);
        return;
    }
    pack_scalar(dense, 0, indices, values);
}

/// The scalar twin of the vector code: the definition of the result, for a
/// piece that starts at `first` in the whole.
pub(super) fn pack_scalar(
    dense: &[[f32; 3]],
    first: usize,
    indices: &mut Vec<u32>,
    values: &mut Vec<[f32; 3]>,
) {
    for (i, v) in dense.iter().enumerate() {
        if *v != [0.0; 3] {
            indices.push((first + i) as u32);
            values.push(*v);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_zero_is_appended_with_its_place() {
        let mut dense = [[0.0; 3]; 100];
        dense[3] = [0.0, -0.0, 1.0];
        dense[64] = [-0.0; 3];
        dense[65] = [f32::NAN, 0.0, 0.0];
        dense[99] = [1e-45, 0.0, 0.0];
        let (mut indices, mut values) = (vec![7], vec![[7.0; 3]]);
        pack_sparse(&dense, &mut indices, &mut values);
        assert_eq!(indices, [7, 3, 65, 99]);
        assert_eq!(values[1], [0.0, 0.0, 1.0]);
        assert!(values[2][0].is_nan());
        assert_eq!(values[3], [1e-45, 0.0, 0.0]);
    }
}
