//! What a pack says of itself: the JSON section `meta`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::profile::{Licence, PartKind};

/// The names and lists of a pack; the arrays lie in the other sections.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Meta {
    /// The pack's name, which a character spec asks for (`hm08`).
    pub name: String,
    /// The licence manifest's id of the base body (`makehuman:base/hm08`).
    pub base_asset: String,
    /// What the pack was built from, with checksums.
    pub sources: Vec<SourceFile>,
    /// The first vertices of the base mesh are the body's skin: this many.
    pub n_body_vertices: u32,
    /// One step of a target's integer deltas, in metres.
    pub target_unit_m: f32,
    /// Where each of the 65 joints of the profile stands: at the mean of
    /// these base vertices after morphing. Root has none (it stands on the
    /// floor under the pelvis).
    pub joints: Vec<Vec<u32>>,
    /// The bones that the section `bones` gives weights for.
    pub bones: Vec<String>,
    /// The source's own rigs by name; `default` is the one of `bones`.
    pub rigs: BTreeMap<String, Vec<RigBone>>,
    /// Keys of all targets, sorted: paths in the source without extension.
    pub targets: Vec<String>,
    /// The detail sliders.
    pub sliders: Vec<Slider>,
    /// Meshes in file order.
    pub parts: Vec<PartMeta>,
    /// Named vertex groups as inclusive ranges.
    pub groups: BTreeMap<String, Vec<[u32; 2]>>,
    /// Pictures (region masks), in the order of their sections.
    pub images: Vec<ImageMeta>,
    /// The licence manifest: what may be exported, and under what terms.
    pub licences: Vec<Licence>,
}

/// A file the pack was built from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceFile {
    /// Its name.
    pub file: String,
    /// Its SHA-256, in lower-case hexadecimal.
    pub sha256: String,
}

/// A bone of a source rig.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RigBone {
    /// The bone's name.
    pub name: String,
    /// The index of its parent in the same rig; always smaller than its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<u32>,
    /// The base vertices whose mean is its head.
    pub head: Vec<u32>,
    /// The base vertices whose mean is its tail.
    pub tail: Vec<u32>,
}

/// A side of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The character's left, +X.
    Left,
    /// The character's right, -X.
    Right,
}

/// A detail slider: a category of the source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Slider {
    /// The section it stands in (`nose`).
    pub section: String,
    /// The name a spec's `details` uses (`nose-hump-decr-incr`).
    pub name: String,
    /// Its ends: one without a side, or one for each side.
    pub ends: Vec<SliderEnds>,
}

/// What the two ends of a slider are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SliderEnds {
    /// The side, or none for a slider of the middle or of both sides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side: Option<Side>,
    /// The target that a value of -1 applies; none for a single shape,
    /// whose values are 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub negative: Option<u32>,
    /// The target that a value of 1 applies.
    pub positive: u32,
}

/// A mesh of the pack.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PartMeta {
    /// Its asset name (`body`, `underwear_top`).
    pub name: String,
    /// What kind of part it is.
    pub kind: PartKind,
    /// Its id in the licence manifest.
    pub asset: String,
    /// Whether its faces are seen from both sides.
    pub double_sided: bool,
    /// How far it stands off its own fitted shape, along its normals, in
    /// metres: cloth lies on the skin, not in it.
    #[serde(default)]
    pub stand_off_m: f32,
}

/// A picture of the pack.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ImageMeta {
    /// Its name (`lips`).
    pub name: String,
    /// Its media type (`image/jpeg`).
    pub mime_type: String,
}
