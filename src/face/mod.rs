//! The face: shapes that a character's meshes can take.
//!
//! [`bake_units`] makes the 59 face units of the profile by turning the
//! source rig's facial bones on the morphed body, [`bake_arkit`] ARKit's 52
//! shapes from the source's own targets, fitted to that body, [`viseme_shapes`] the 15 visemes as
//! weighted sets of units. All give a [`Shape`] of the base mesh; a part
//! follows it by the rule by which it follows the base mesh at rest
//! ([`shapes_on_part`]), so lashes, teeth, tongue and whatever is fitted later
//! move with the skin.

mod arkit;

mod choice;

mod fit;

mod on_part;

mod units;

mod visemes;

pub use arkit::{ARKIT_SHAPES, bake_arkit};
pub use choice::{FaceNames, MOST_TARGETS, choose_shapes, mirrored_shape, shapes_left_out};
pub use on_part::{PartShape, shapes_on_part};
pub use units::{Shape, bake_units};
pub use visemes::{VISEMES, Viseme, viseme_shapes};

/// A vertex that a shape moves by no more than this does not count as moved,
/// in metres.
pub const SMALLEST_MOVE_M: f32 = 1e-5;
