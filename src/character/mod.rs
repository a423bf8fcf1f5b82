//! From a character spec to a whole character in the source's rest pose.
//!
//! [`build_character`] resolves the spec once: sliders become target weights,
//! asset names become parts, colours become linear light, and every asset is
//! looked up in the licence manifest. Later stages see no optional reference
//! and no name to look up.
//!
//! What is absent on purpose: no skeleton pose (that is [`crate::rig`]) and
//! no file format (that is [`crate::scene`]).

mod build;

mod colour;

mod cover;

mod finish;

mod macros;

mod morph;

mod spec;

pub use build::{Character, Part, build_character};
pub(crate) use build::{FaceSets, build_with};
pub use colour::Srgb;
pub use finish::Finish;
pub use macros::macro_targets;
pub use morph::morphed_body;
pub use spec::{Body, CharacterSpec, EyeStyle, Fabric, Garment, Race, Skin, Worn};
