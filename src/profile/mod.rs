//! The export profile as tables: what every exported file must look like.
//!
//! This module is the contract between the writer, the checks and the tools
//! that read the files. It knows no character and does no input or output,
//! so that both sides of the contract can be built on it.
//!
//! * [`joints`] and [`j`]: the 65 joints, both namings, parents and sides.
//! * [`rest_frames`]: the joints' rest frames, from UAL.
//! * [`face_units`]: the 59 names of the morph targets.
//! * [`parts`]: the names of the meshes and their order.
//! * [`vrm_bones`]: which joint carries which of VRM's human bones.
//! * [`licence`]: one asset's licence entry and the copyright line.
//! * [`extras`] and [`check_extras`]: `asset.extras.dramatis`, written and
//!   checked.

pub mod check_extras;
pub mod extras;
pub mod face_units;
pub mod j;
pub mod joints;
pub mod licence;
pub mod parts;
pub mod rest_frames;
pub mod vrm_bones;

pub use check_extras::{ExtrasFault, check_copyright, check_export_extras};
pub use extras::{EXPORT_FORMAT, EXPORT_VERSION, ExportExtras, GENERATOR};
pub use face_units::{FACE_UNITS, face_unit_index};
pub use joints::{
    MIXAMO_NAMES, N_JOINTS, Naming, PARENTS, RestPose, UE_JOINTS, is_leaf, is_weighted,
    joint_index, mirror,
};
pub use licence::{Licence, LicenceKind, copyright_line};
pub use parts::{PartKind, is_mesh_name, mesh_name, parse_mesh_name, safe_name};
pub use rest_frames::{UAL_REST_ROTATIONS, UAL_REST_TRANSLATIONS};
pub use vrm_bones::{VRM_BONES, VRM_REQUIRED_BONES};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_have_the_profiles_sizes() {
        assert_eq!(N_JOINTS, 65);
        assert_eq!(UE_JOINTS.len(), MIXAMO_NAMES.len());
        assert_eq!(UAL_REST_ROTATIONS.len(), PARENTS.len());
        assert_eq!(FACE_UNITS.len(), 59);
    }

    #[test]
    fn no_name_needs_escaping() {
        // The joints, units and meshes go into JSON, into Mixamo's naming
        // and into engines, so they keep to a plain alphabet.
        let plain = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        assert!(UE_JOINTS.iter().all(|name| plain(name)));
        assert!(FACE_UNITS.iter().all(|name| plain(name)));
        assert!(MIXAMO_NAMES.iter().all(|name| plain(&name.replacen(':', "", 1))));
    }
}
