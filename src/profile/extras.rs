//! `asset.extras.dramatis`: the block in which a file says what it is.

use super::joints::{Naming, RestPose};
use super::licence::Licence;
use serde::Serialize;

/// The block's `format`.
pub const EXPORT_FORMAT: &str = "dramatis-export";

/// The block's `version`, which is also the profile's.
pub const EXPORT_VERSION: u32 = 1;

/// What wrote the file, `dramatis@<version>`.
pub const GENERATOR: &str = concat!("dramatis@", env!("CARGO_PKG_VERSION"));

/// The block as it is written. Its fields are in the schema's order, which is
/// therefore the order of the keys in the file.
#[derive(Serialize, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct ExportExtras {
    /// Always [`EXPORT_FORMAT`].
    pub format: &'static str,
    /// Always [`EXPORT_VERSION`].
    pub version: u32,
    /// What wrote the file, [`GENERATOR`].
    pub generator: String,
    /// The naming of the joints.
    pub naming: Naming,
    /// The pose the meshes are bound in.
    pub rest_pose: RestPose,
    /// The face units on the meshes, exactly; empty for a file without them.
    pub face_units: Vec<String>,
    /// The character's name.
    pub character: String,
    /// One entry for each asset in the file.
    pub licences: Vec<Licence>,
}

impl ExportExtras {
    /// The block of a file that this program writes.
    pub fn new(
        naming: Naming,
        rest_pose: RestPose,
        face_units: Vec<String>,
        character: impl Into<String>,
        licences: Vec<Licence>,
    ) -> ExportExtras {
        ExportExtras {
            format: EXPORT_FORMAT,
            version: EXPORT_VERSION,
            generator: GENERATOR.to_owned(),
            naming,
            rest_pose,
            face_units,
            character: character.into(),
            licences,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::check_extras::check_export_extras;
    use super::super::face_units::FACE_UNITS;
    use super::super::licence::LicenceKind;
    use super::*;

    fn base() -> Licence {
        Licence {
            asset: "makehuman:base/hm08".into(),
            title: "MakeHuman base mesh".into(),
            kind: LicenceKind::Base,
            licence: "CC0-1.0".into(),
            licence_url: "https://creativecommons.org/publicdomain/zero/1.0/".into(),
            source: "https://example.org/".into(),
            author: "The MakeHuman team".into(),
            attribution: None,
            modified: Some(true),
        }
    }

    #[test]
    fn what_is_written_passes_the_check() {
        for naming in [Naming::Ue, Naming::Mixamo] {
            for rest_pose in [RestPose::TPose, RestPose::Source] {
                for units in [&FACE_UNITS[..], &[]] {
                    let units = units.iter().map(|unit| unit.to_string()).collect();
                    let extras = ExportExtras::new(naming, rest_pose, units, "Ada", vec![base()]);
                    let value = serde_json::to_value(&extras).unwrap();
                    assert_eq!(check_export_extras(&value), Ok(()));
                }
            }
        }
    }

    #[test]
    fn the_keys_are_the_schemas_in_its_order() {
        let extras =
            ExportExtras::new(Naming::Ue, RestPose::TPose, Vec::new(), "Ada", vec![base()]);
        let text = serde_json::to_string(&extras).unwrap();
        assert!(text.starts_with(&format!(
            "{{\"format\":\"dramatis-export\",\"version\":1,\"generator\":\"{GENERATOR}\",\
             \"naming\":\"ue\",\"restPose\":\"t-pose\",\"faceUnits\":[],\
             \"character\":\"Ada\",\"licences\":[{{\"asset\":"
        )));
    }
}
