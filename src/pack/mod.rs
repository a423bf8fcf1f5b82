//! The asset pack: one file that holds a body, its targets, rig, weights,
//! parts, pictures and licences, used where it lies in memory.
//!
//! [`Pack::open`] maps the file and checks every index against its bounds; it
//! copies nothing but the names. The rest of the crate may then index without
//! asking again. Every byte is checked against its checksum: small sections
//! before the pack is open, large ones meanwhile ([`Pack::verify`]).
//!
//! What is absent on purpose: nothing here knows a character, and nothing
//! writes a pack in place. [`makehuman`] is the only module that knows the
//! source's file formats and its vertex numbers.

pub mod format;

mod meta;

mod content;

mod reader;

mod verify;

pub mod fetch;

pub mod makehuman;

pub mod store;

pub use content::write_pack;
pub use content::{
    Binding, FitPoint, PackContent, PartContent, PartVertex, TargetContent, UnitRotation,
};
pub use meta::{ImageMeta, Meta, PartMeta, RigBone, Side, Slider, SliderEnds, SourceFile};
pub use reader::{Pack, PartView, PointsView, TargetView, WeightsView};
