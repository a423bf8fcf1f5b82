//! Turns a character description into a finished game or VTuber avatar: a GLB
//! file that every engine opens, with a 65-joint skeleton in the T-pose, PBR
//! materials and its licences inside.
//!
//! ```text
//! character spec (JSON)          asset pack (hm08.pack, memory-mapped)
//!         └──────────────┬──────────────────────┘
//!                  character   resolve the spec once; morph; dress; licences
//!                      │       (rest pose of the source, all parts, metres)
//!                     rig      place 65 joints, cut weights to 4, T-pose
//!                      │
//!                    scene     character -> glTF document (typed, spec names)
//!                      │
//!                     glb      one layout pass, one fill pass, bytes out
//! ```
//!
//! Start at [`Exporter`], or, for one file, at [`build_character`] and
//! [`write_character_glb`]. The modules below stand in the order of the data.

pub mod profile;

pub mod pack;

pub mod character;

pub mod rig;

pub mod face;

pub mod scene;

pub mod glb;

pub mod vrm;

pub mod pipeline;

pub mod check;

pub mod preview;

pub mod kernels;

pub mod json;

mod files;

pub mod error;

pub mod cli;

pub use character::{Character, CharacterSpec, build_character};
pub use error::{Error, PackFault, Result};
pub use pack::Pack;
pub use pipeline::{Export, ExportOptions, Exporter, write_character_glb};
pub use profile::{FACE_UNITS, MIXAMO_NAMES, UE_JOINTS, check_export_extras};
pub use vrm::{VrmOptions, export_character_vrm};

/// The README's example, so that it is compiled and run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
