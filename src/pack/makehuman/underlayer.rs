//! Plain underwear, cut from the source's tights helper.
//!
//! The tights are a suit that stands a little off the skin and follows every
//! target, so a piece of them fits every body. The lines below are drawn once
//! on the base mesh, in metres above its ground, facing +Z.

use super::cut::cut_fields;
use super::hm08::TIGHTS;
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

/// Cuts both garments. `ground` is the height of the base mesh's lowest skin
/// in the units of the `Obj` (decimetres).
///
/// # Errors
/// When the mesh has no tights.
pub fn cut_underlayer(file: &str, obj: &Obj, ground: f64) -> Result<Underlayer> {
    let metres = |[x, y, z]: [f64; 3]| [x * 0.1, (y - ground) * 0.1, z * 0.1];
    let hem = |p: [f64; 3]| p[1] - 1.06;
    // From the top of the shoulder down to under the armpit, leaning outwards,
    // so that the whole arm is off and the side of the chest is not.
    let armhole = |p: [f64; 3]| 0.4555 - (0.97 * p[0].abs() + 0.2425 * p[1]);
    // An ellipse about the neck's root, deeper in front than behind.
    let neckline = |p: [f64; 3]| {
        let depth = 0.07 + 0.05 * smooth_step((p[2] + 0.02) / 0.08);
        let (x, y) = (p[0] / 0.088, (p[1] - 1.435) / depth);
        x * x + y * y - 1.0
    };
    let waist = |p: [f64; 3]| 0.975 - p[1];
    let legs = |p: [f64; 3]| p[1] - 0.715;
    Ok(Underlayer {
        top: cut_fields(file, obj, &[TIGHTS], metres, &[&hem, &armhole, &neckline])?,
        bottom: cut_fields(file, obj, &[TIGHTS], metres, &[&waist, &legs])?,
    })
}

fn smooth_step(x: f64) -> f64 {
    let x = x.clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}
