//! How a part's surface looks: one flat colour for each, until textures are
//! baked.

use super::colour::Srgb;
use super::spec::{CharacterSpec, Fabric};
use crate::profile::PartKind;

/// A surface in glTF's metallic-roughness terms; nothing here is metal.
#[derive(Debug, Clone, PartialEq)]
pub struct Finish {
    /// Base colour, linear, and alpha.
    pub base_colour: [f32; 4],
    /// 0 mirror-like, 1 matt.
    pub roughness: f32,
    /// Whether faces are seen from both sides.
    pub double_sided: bool,
}

/// Cloth without a colour of its own.
const PLAIN_CLOTH: Srgb = Srgb([0xb8, 0xb8, 0xb8]);

impl Finish {
    /// The finish of one of the body's own parts.
    pub(super) fn of_body_part(kind: PartKind, spec: &CharacterSpec, double_sided: bool) -> Finish {
        let (colour, roughness) = match kind {
            PartKind::Eyes => (Srgb([0xee, 0xec, 0xe8]), 0.15),
            PartKind::Eyelashes => (Srgb([0x1c, 0x15, 0x12]), 0.9),
            PartKind::Teeth => (Srgb([0xe8, 0xe0, 0xd2]), 0.3),
            PartKind::Tongue => (Srgb([0xb0, 0x5f, 0x5c]), 0.4),
            _ => (spec.skin.tone, 0.55),
        };
        Finish::flat(colour, roughness, double_sided)
    }

    /// The finish of something worn.
    pub(super) fn of_cloth(
        colour: Option<Srgb>,
        fabric: Option<Fabric>,
        double_sided: bool,
    ) -> Finish {
        let roughness = match fabric {
            Some(Fabric::Silk | Fabric::Nylon) => 0.45,
            Some(Fabric::Leather) => 0.5,
            Some(Fabric::Cotton | Fabric::Denim | Fabric::Wool) | None => 0.9,
        };
        Finish::flat(colour.unwrap_or(PLAIN_CLOTH), roughness, double_sided)
    }

    fn flat(colour: Srgb, roughness: f32, double_sided: bool) -> Finish {
        let [r, g, b] = colour.to_linear();
        Finish { base_colour: [r, g, b, 1.0], roughness, double_sided }
    }
}
