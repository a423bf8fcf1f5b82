//! Colours as people write them and as glTF stores them.

use std::fmt;

/// A colour in sRGB, eight bits a channel: `#rrggbb`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Srgb(pub [u8; 3]);

impl Srgb {
    /// Reads `#rrggbb`; none for anything else.
    pub fn parse(text: &str) -> Option<Srgb> {
        let digits = text.strip_prefix('#').filter(|d| d.len() == 6)?;
        if !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
            return None;
        }
        let value = u32::from_str_radix(digits, 16).ok()?;
        let [_, r, g, b] = value.to_be_bytes();
        Some(Srgb([r, g, b]))
    }

    /// The three channels in linear light, 0 to 1, by the sRGB transfer
    /// function (IEC 61966-2-1). The power is computed by `libm`, whose bits
    /// do not depend on the system's own library.
    pub fn to_linear(self) -> [f32; 3] {
        self.0.map(|channel| {
            let c = f64::from(channel) / 255.0;
            let linear = if c <= 0.04045 { c / 12.92 } else { libm::pow((c + 0.055) / 1.055, 2.4) };
            linear as f32
        })
    }
}

impl fmt::Display for Srgb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [r, g, b] = self.0;
        write!(f, "#{r:02x}{g:02x}{b:02x}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_read_and_print() {
        let c = Srgb::parse("#C99a7c").unwrap();
        assert_eq!(c, Srgb([0xc9, 0x9a, 0x7c]));
        assert_eq!(c.to_string(), "#c99a7c");
        for bad in ["c99a7c", "#c99a7", "#c99a7g", "#+99a7c", "#c99a7c00", "#ééé", ""] {
            assert_eq!(Srgb::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn linear_light_has_the_known_values() {
        assert_eq!(Srgb([0, 0, 0]).to_linear(), [0.0; 3]);
        assert_eq!(Srgb([255, 255, 255]).to_linear(), [1.0; 3]);
        let mid = Srgb([188, 10, 128]).to_linear();
        assert!((mid[0] - 0.502_886).abs() < 1e-5, "{mid:?}");
        assert!((mid[1] - 0.003_035).abs() < 1e-5, "{mid:?}");
        assert!((mid[2] - 0.215_861).abs() < 1e-5, "{mid:?}");
    }
}
