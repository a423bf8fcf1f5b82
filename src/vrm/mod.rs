//! VRM 1.0 (`VRMC_vrm`): the profile's file plus what VTuber applications
//! need. One file per chapter of the specification (vrm-c/vrm-specification).
//!
//! ```text
//! scene document -> humanoid     the 52 human bones on the joints
//!                   expressions  presets and one per shape, mesh by mesh
//!                   look_at      by expression, with the eyes' own angles
//!                   first_person what one's own camera hides
//!                   meta         name, authors, licences, permissions
//! ```
//!
//! A VRM always has the `ue` naming and the T-pose (profile, "What VRM
//! adds"). UAL's root is turned by -90 degrees, which VRM 1.0 allows.

mod expressions;

mod first_person;

mod humanoid;

mod look_at;

mod meta;

mod mtoon;

pub mod presets;

mod thumbnail;

use serde::Serialize;
use serde_json::Value;

use crate::Result;
use crate::character::Character;
use crate::face::FaceNames;
use crate::glb::write_glb;
use crate::pipeline::ExportOptions;
use crate::profile::{Naming, RestPose};
use crate::rig::{BoundCharacter, bind};
use crate::scene::{SceneDocument, scene_document};

pub use meta::{Permissions, permissions_of};
pub use thumbnail::Thumbnail;

/// The extension's name.
pub const VRMC_VRM: &str = "VRMC_vrm";
/// The version of the extension that is written.
const SPEC_VERSION: &str = "1.0";

/// How a character is written as a VRM.
#[derive(Debug, Clone, PartialEq)]
pub struct VrmOptions {
    /// Whether the face goes out as morph targets. Default: yes. Without
    /// them there are neither expressions nor look-at.
    pub face_units: bool,
    /// Whose names the morph targets bear. Default: the profile's units.
    pub face_names: FaceNames,
    /// Whether morph targets are written whole instead of sparse; UniVRM is
    /// known to have trouble with sparse ones. Default: no.
    pub dense_morphs: bool,
    /// Whether morph targets carry normals too. Default: no.
    pub morph_normals: bool,
    /// Whether materials carry MToon's cartoon shading beside PBR. Default:
    /// no, as the profile has PBR only.
    pub mtoon: bool,
    /// The version of the avatar, for display. Default: none.
    pub version: Option<String>,
    /// A picture for lists of avatars. Default: none.
    pub thumbnail: Option<Thumbnail>,
}

impl Default for VrmOptions {
    fn default() -> VrmOptions {
        VrmOptions::from(&ExportOptions::default())
    }
}

impl From<&ExportOptions> for VrmOptions {
    /// The options that a VRM shares with a GLB; it has its own naming and
    /// pose.
    fn from(options: &ExportOptions) -> VrmOptions {
        VrmOptions {
            face_units: options.face_units,
            face_names: options.face_names,
            dense_morphs: options.dense_morphs,
            morph_normals: options.morph_normals,
            mtoon: false,
            version: None,
            thumbnail: None,
        }
    }
}

impl VrmOptions {
    /// The options of the GLB that a VRM is.
    pub fn export_options(&self) -> ExportOptions {
        ExportOptions {
            naming: Naming::Ue,
            rest_pose: RestPose::TPose,
            face_units: self.face_units,
            face_names: self.face_names,
            dense_morphs: self.dense_morphs,
            morph_normals: self.morph_normals,
        }
    }
}

/// Writes a character as a VRM 1.0 file.
///
/// The same character and options give the same bytes, on any machine and any
/// number of threads.
///
/// # Errors
/// As [`crate::write_character_glb`].
pub fn export_character_vrm(character: &Character, options: &VrmOptions) -> Result<Vec<u8>> {
    let bound = bind(character, RestPose::TPose);
    let SceneDocument { root, plan, .. } = vrm_document(&bound, options)?;
    write_glb(&root, plan)
}

/// The document of a bound character with the extension.
///
/// # Errors
/// As [`scene_document`].
pub fn vrm_document<'b>(
    bound: &'b BoundCharacter<'_>,
    options: &VrmOptions,
) -> Result<SceneDocument<'b>> {
    let mut document = scene_document(bound, &options.export_options())?;
    let SceneDocument { root, plan, warnings } = &mut document;
    let image = match &options.thumbnail {
        Some(thumbnail) => Some(thumbnail.add(root, plan)?),
        None => None,
    };
    let (meta, told) = meta::meta(bound.character, options, image);
    warnings.extend(told);
    let expressions = expressions::expressions(root);
    let extension = Vrm {
        spec_version: SPEC_VERSION,
        meta,
        humanoid: humanoid::humanoid(),
        first_person: first_person::first_person(root, bound),
        // A look-at needs the expressions that it drives.
        look_at: expressions
            .as_ref()
            .filter(|all| presets::LOOKS.iter().all(|look| all["preset"].get(look).is_some()))
            .and_then(|_| look_at::look_at(bound)),
        expressions,
    };
    if options.mtoon {
        mtoon::add(root);
    }
    root.use_extension(VRMC_VRM);
    let value = serde_json::to_value(extension).expect("the extension has only plain values");
    root.extensions.insert(VRMC_VRM.into(), value);
    Ok(document)
}

/// `extensions.VRMC_vrm` (VRMC_vrm.schema).
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Vrm {
    spec_version: &'static str,
    meta: meta::Meta,
    humanoid: Value,
    first_person: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    look_at: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expressions: Option<Value>,
}
