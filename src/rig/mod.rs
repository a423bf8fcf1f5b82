//! The 65-joint skeleton: where joints stand, who moves what, the T-pose.
//!
//! [`bind`] takes a character in the source's rest pose and gives it in the
//! pose it is bound in, with every joint's local transform and inverse bind
//! matrix. Joint positions come from the pack's joint map; weights were
//! folded to the 65 joints when the pack was built and are cut to four here.

mod bind;

mod skeleton;

mod turns;

mod weights;

pub use bind::{BoundCharacter, BoundPart, bind};
pub use skeleton::{JointNode, Skeleton};
pub use weights::{cut_to_four, fit_weights};
