//! Small pictures of what is in a GLB, for people who look through many.
//!
//! ```text
//! Glb -> scene    triangles in world space at rest, with their colours
//!     -> raster   orthographic, a depth buffer, four samples a pixel
//!     -> png      sRGB
//! ```
//!
//! The picture shows shape and flat colours: textures are not sampled, and a
//! skin is shown in the pose its meshes are stored in.

mod raster;

mod scene;

use glam::Vec3;

use crate::Result;
use crate::glb::reader::Glb;
use raster::Canvas;

/// How many samples a pixel has along each side.
const SAMPLES: usize = 2;
/// What is left free around the figure, as a share of its height.
const MARGIN: f32 = 0.04;
/// How far the camera stands to the figure's left, in radians: a straight
/// front view hides noses and feet.
const TURN: f32 = 0.35;

/// A picture of the whole content, as a PNG of `width` x `height` pixels, or
/// nothing when there is no triangle to see.
///
/// # Errors
/// Those of [`crate::glb::reader::AccessorReader::open`]. A file without
/// errors in [`crate::check`] has none of them.
pub fn picture(glb: &Glb<'_>, file: &str, width: usize, height: usize) -> Result<Option<Vec<u8>>> {
    let triangles = scene::triangles(glb, file)?;
    let rotation = glam::Quat::from_rotation_y(-TURN);
    let turned = |p: Vec3| rotation * p;
    let mut low = Vec3::INFINITY;
    let mut high = Vec3::NEG_INFINITY;
    for p in triangles.iter().flat_map(|t| t.corners) {
        low = low.min(turned(p));
        high = high.max(turned(p));
    }
    let size = high - low;
    if triangles.is_empty() || !size.is_finite() || size.max_element() <= 0.0 {
        return Ok(None);
    }
    let free = 1.0 - 2.0 * MARGIN;
    let (wide, tall) = ((width * SAMPLES) as f32, (height * SAMPLES) as f32);
    let scale = (wide * free / size.x.max(1e-9)).min(tall * free / size.y.max(1e-9));
    let middle = (low + high) / 2.0;
    let mut canvas = Canvas::new(width * SAMPLES, height * SAMPLES);
    for t in &triangles {
        let on_screen = t.corners.map(|p| {
            let p = (turned(p) - middle) * scale;
            Vec3::new(wide / 2.0 + p.x, tall / 2.0 - p.y, p.z)
        });
        canvas.triangle(on_screen, t.normals.map(turned), t.colour);
    }
    Ok(Some(canvas.png(SAMPLES)))
}

#[cfg(test)]
mod tests;
