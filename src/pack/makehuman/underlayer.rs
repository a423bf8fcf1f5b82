//! Plain underwear, cut from the source's tights helper.
//!
//! The tights are a suit that stands a little off the skin and follows every
//! target, so a piece of them fits every body. The lines below are drawn once
//! on the base mesh, in metres above its ground, facing +Z.

use super::cut::{Field, cut_fields};
use super::hm08::{N_BODY_VERTICES, TIGHTS};
use super::obj::Obj;
use crate::Result;
use crate::pack::PartContent;

/// The sleeveless top and the shorts.
pub struct Underlayer {
    /// `underwear_top`
    pub top: PartContent,
    /// `underwear_bottom`
    pub bottom: PartContent,
}

/// An edge of a garment: where it is cut, and how far inside of it the skin
/// is hidden, in metres. Nearer to the edge one may look under the cloth, and
/// the more so the more the cloth stands off there.
struct Edge<'f> {
    cut: Field<'f>,
    hidden_from_m: f64,
}

/// Where cloth hangs free: on a heavy belly a hem stands off by centimetres.
const LOOSE_M: f64 = 0.07;

/// Where cloth lies close, and skin left under it would come through.
const CLOSE_M: f64 = 0.015;

/// Cuts both garments. `ground` is the height of the base mesh's lowest skin
/// in the units of the `Obj` (decimetres).
///
/// # Errors
/// When the mesh has no tights.
pub fn cut_underlayer(file: &str, obj: &Obj, ground: f64) -> Result<Underlayer> {
    let hem = |p: [f64; 3]| p[1] - 1.06;
    // From the top of the shoulder down to under the armpit, leaning outwards,
    // so that the whole arm is off and the side of the chest is not.
    let armhole = |p: [f64; 3]| 0.4555 - (0.97 * p[0].abs() + 0.2425 * p[1]);
    // An ellipse about the neck's root, deeper in front than behind; about as
    // many metres away as it says.
    let neckline = |p: [f64; 3]| {
        let depth = 0.07 + 0.05 * smooth_step((p[2] + 0.02) / 0.08);
        let (x, y) = (p[0] / 0.088, (p[1] - 1.435) / depth);
        ((x * x + y * y).sqrt() - 1.0) * 0.088
    };
    // The tights end under the chin; the head is above the ellipse as well.
    let collar = |p: [f64; 3]| 1.42 - p[1];
    let waist = |p: [f64; 3]| 0.975 - p[1];
    let legs = |p: [f64; 3]| p[1] - 0.715;
    // The hands hang beside the hips in the source's rest pose.
    let hips = |p: [f64; 3]| 0.3 - p[0].abs();
    Ok(Underlayer {
        top: cut(
            file,
            obj,
            ground,
            &[
                Edge { cut: &hem, hidden_from_m: LOOSE_M },
                Edge { cut: &armhole, hidden_from_m: CLOSE_M },
                Edge { cut: &neckline, hidden_from_m: 0.025 },
                Edge { cut: &collar, hidden_from_m: 0.025 },
            ],
        )?,
        bottom: cut(
            file,
            obj,
            ground,
            &[
                Edge { cut: &waist, hidden_from_m: 0.045 },
                Edge { cut: &legs, hidden_from_m: 0.045 },
                Edge { cut: &hips, hidden_from_m: 0.0 },
            ],
        )?,
    })
}

/// A piece of the tights and the skin it hides: the tights follow the skin so
/// closely that the same lines, moved in by the hem, say what is underneath.
fn cut(file: &str, obj: &Obj, ground: f64, edges: &[Edge<'_>]) -> Result<PartContent> {
    let metres = |[x, y, z]: [f64; 3]| [x * 0.1, (y - ground) * 0.1, z * 0.1];
    let fields: Vec<Field<'_>> = edges.iter().map(|edge| edge.cut).collect();
    let mut part = cut_fields(file, obj, &[TIGHTS], metres, &fields)?;
    part.covers = (0..N_BODY_VERTICES)
        .filter(|&v| {
            let place = metres(obj.positions[v as usize]);
            edges.iter().all(|edge| (edge.cut)(place) > edge.hidden_from_m)
        })
        .collect();
    Ok(part)
}

fn smooth_step(x: f64) -> f64 {
    let x = x.clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}
