//! A depth buffer, triangles in it, and the picture that comes of it.

use glam::{Vec2, Vec3, Vec4, Vec4Swizzles};

/// Where the light comes from: above, in front, from the figure's left.
const LIGHT: Vec3 = Vec3::new(0.45, 0.6, 0.66);
/// The light that reaches what faces away.
const AMBIENT: f32 = 0.25;

/// How often each pixel may be looked at on average. Faces of people lie a few
/// deep; files whose every triangle fills the picture would take minutes.
const MOST_LAYERS: usize = 400;

/// A picture that is being drawn. Colours are linear, with alpha.
pub struct Canvas {
    width: usize,
    height: usize,
    depth: Vec<f32>,
    colour: Vec<Vec4>,
    /// How many pixels may still be looked at.
    left: usize,
}

impl Canvas {
    /// An empty picture.
    pub fn new(width: usize, height: usize) -> Canvas {
        let n = width * height;
        let left = n * MOST_LAYERS;
        let (depth, colour) = (vec![f32::NEG_INFINITY; n], vec![Vec4::ZERO; n]);
        Canvas { width, height, depth, colour, left }
    }

    /// Draws a triangle: corners in pixels, y down, with z towards the eye;
    /// normals in the eye's space; a linear colour. Both sides are drawn.
    pub fn triangle(&mut self, corners: [Vec3; 3], normals: [Vec3; 3], colour: Vec3) {
        let [a, b, c] = corners.map(|p| Vec2::new(p.x, p.y));
        let area = (b - a).perp_dot(c - a);
        let low = a.min(b).min(c).max(Vec2::ZERO);
        let high = a.max(b).max(c).min(Vec2::new(self.width as f32, self.height as f32));
        // Also false for corners that are no numbers.
        if !(area.abs() > 1e-9 && low.x < high.x && low.y < high.y) {
            return;
        }
        let box_pixels = (high - low).ceil() + Vec2::ONE;
        let Some(left) = self.left.checked_sub((box_pixels.x * box_pixels.y) as usize) else {
            return;
        };
        self.left = left;
        let depths = Vec3::new(corners[0].z, corners[1].z, corners[2].z);
        for y in low.y as usize..(high.y.ceil() as usize).min(self.height) {
            for x in low.x as usize..(high.x.ceil() as usize).min(self.width) {
                let p = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
                let weights = Vec3::new(
                    (c - b).perp_dot(p - b),
                    (a - c).perp_dot(p - c),
                    (b - a).perp_dot(p - a),
                ) / area;
                let depth = weights.dot(depths);
                let at = y * self.width + x;
                if weights.min_element() < 0.0 || depth <= self.depth[at] {
                    continue;
                }
                let [n, m, o] = normals;
                let normal = (n * weights.x + m * weights.y + o * weights.z).normalize_or(Vec3::Z);
                // A back side is lit as if it were the front.
                let facing = if normal.z < 0.0 { -normal } else { normal };
                let light = AMBIENT + (1.0 - AMBIENT) * facing.dot(LIGHT.normalize()).max(0.0);
                self.depth[at] = depth;
                self.colour[at] = (colour * light).extend(1.0);
            }
        }
    }

    /// The picture as a PNG, `samples` x `samples` of its pixels to one.
    pub fn png(&self, samples: usize) -> Vec<u8> {
        let (width, height) = (self.width / samples, self.height / samples);
        let mut pixels = Vec::with_capacity(width * height * 4);
        for y in 0..height {
            for x in 0..width {
                let inside = |i: usize| {
                    let (dx, dy) = (i % samples, i / samples);
                    self.colour[(y * samples + dy) * self.width + x * samples + dx]
                };
                let n = samples * samples;
                let sum: Vec4 = (0..n).map(inside).sum();
                // Colours of covered samples only, so that edges are not dark.
                let colour = sum.xyz() / sum.w.max(1.0);
                pixels.extend(colour.to_array().map(srgb));
                pixels.push((sum.w / n as f32 * 255.0 + 0.5) as u8);
            }
        }
        let mut out = Vec::new();
        let mut encoder = png::Encoder::new(&mut out, width as u32, height as u32);
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header().expect("a vector takes all bytes");
        writer.write_image_data(&pixels).expect("as many pixels as the header says");
        writer.finish().expect("a vector takes all bytes");
        out
    }
}

/// Linear to sRGB (IEC 61966-2-1), in 8 bits.
fn srgb(linear: f32) -> u8 {
    let x = linear.clamp(0.0, 1.0);
    let encoded =
        if x <= 0.003_130_8 { 12.92 * x } else { 1.055 * libm::powf(x, 1.0 / 2.4) - 0.055 };
    (encoded * 255.0 + 0.5) as u8
}
