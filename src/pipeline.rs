//! The way of the data, one call and one reason per stage.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::Result;
use crate::character::{Character, CharacterSpec, FaceSets, build_with};
use crate::face::FaceNames;
use crate::glb::write_glb;
use crate::pack::Pack;
use crate::profile::{Naming, RestPose};
use crate::rig::{BoundCharacter, bind};
use crate::scene::{SceneDocument, scene_document};
use crate::vrm::{VrmOptions, vrm_document};

/// How a character is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportOptions {
    /// Whose names the joints bear. Default: UE's, as UAL spells them.
    pub naming: Naming,
    /// The pose the mesh is bound in. Default: the T-pose.
    pub rest_pose: RestPose,
    /// Whether the face goes out as morph targets. Default: yes.
    pub face_units: bool,
    /// Whose names the morph targets bear. Default: the profile's units.
    pub face_names: FaceNames,
    /// Whether morph targets are written whole instead of sparse, for
    /// importers that cannot read sparse accessors. Default: no.
    pub dense_morphs: bool,
    /// Whether morph targets carry normals too. Default: no.
    pub morph_normals: bool,
}

impl ExportOptions {
    /// The face shapes that these options can write.
    fn face_sets(&self) -> FaceSets {
        let units = self.face_names != FaceNames::Arkit;
        let arkit = matches!(self.face_names, FaceNames::Arkit | FaceNames::Both);
        FaceSets { units: self.face_units && units, arkit: self.face_units && arkit }
    }
}

impl Default for ExportOptions {
    fn default() -> ExportOptions {
        ExportOptions {
            naming: Naming::default(),
            rest_pose: RestPose::default(),
            face_units: true,
            face_names: FaceNames::default(),
            dense_morphs: false,
            morph_normals: false,
        }
    }
}

/// Keeps a pack across many exports. Cheap to clone and to share between
/// threads; each export works on its own memory.
#[derive(Debug, Clone)]
pub struct Exporter {
    pack: Arc<Pack>,
}

/// A finished export.
#[derive(Debug, Clone)]
pub struct Export {
    /// The GLB file.
    pub bytes: Vec<u8>,
    /// What is in it.
    pub stats: Stats,
    /// How long each stage took.
    pub times: StageTimes,
    /// What a user should know: for instance, shapes that did not fit.
    pub warnings: Vec<String>,
}

/// What is in an exported file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Stats {
    /// The meshes' names, in file order, with their numbers.
    pub meshes: Vec<MeshStats>,
    /// The body's height in metres, before the T-pose straightens its legs.
    pub height_m: f32,
}

/// The numbers of a mesh.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MeshStats {
    /// Its name.
    pub name: String,
    /// Vertices as written, split along UV seams.
    pub n_vertices: usize,
    /// Triangles.
    pub n_triangles: usize,
}

/// The time each stage took, in the order of the data.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct StageTimes {
    /// Resolving the spec, morphing and dressing.
    pub character: Duration,
    /// The skeleton and the re-pose.
    pub rig: Duration,
    /// The glTF document and the plan of its buffer.
    pub scene: Duration,
    /// Filling the file.
    pub glb: Duration,
}

impl Exporter {
    /// An exporter for the characters of one pack.
    pub fn new(pack: Pack) -> Exporter {
        Exporter { pack: Arc::new(pack) }
    }

    /// The pack.
    pub fn pack(&self) -> &Pack {
        &self.pack
    }

    /// A character spec as a GLB file.
    ///
    /// # Errors
    /// As [`crate::build_character`] and [`write_character_glb`].
    pub fn export(&self, spec: &CharacterSpec, options: &ExportOptions) -> Result<Export> {
        let (character, time) = self.build(spec, options)?;
        finish(&character, time, options.rest_pose, |bound| scene_document(bound, options))
    }

    /// A character spec as a VRM 1.0 file.
    ///
    /// # Errors
    /// As [`crate::build_character`] and [`crate::export_character_vrm`].
    pub fn export_vrm(&self, spec: &CharacterSpec, options: &VrmOptions) -> Result<Export> {
        let (character, time) = self.build(spec, &options.export_options())?;
        finish(&character, time, RestPose::TPose, |bound| vrm_document(bound, options))
    }

    /// A character spec as a GLB and as a VRM file, built once. The face of
    /// both goes by the options of the first.
    ///
    /// # Errors
    /// As [`Exporter::export`].
    pub fn export_both(
        &self,
        spec: &CharacterSpec,
        options: &ExportOptions,
        vrm: &VrmOptions,
    ) -> Result<(Export, Export)> {
        let (character, time) = self.build(spec, options)?;
        let face = VrmOptions::from(options);
        let VrmOptions { face_units, face_names, dense_morphs, morph_normals, .. } = face;
        let face_of =
            VrmOptions { face_units, face_names, dense_morphs, morph_normals, ..vrm.clone() };
        let glb =
            finish(&character, time, options.rest_pose, |bound| scene_document(bound, options))?;
        let vrm = finish(&character, time, RestPose::TPose, |bound| vrm_document(bound, &face_of))?;
        Ok((glb, vrm))
    }

    /// Resolves the spec once: morphs the body, dresses it, collects licences.
    fn build(
        &self,
        spec: &CharacterSpec,
        options: &ExportOptions,
    ) -> Result<(Character, Duration)> {
        let mut clock = Clock::start();
        let character = build_with(&self.pack, spec, options.face_sets())?;
        Ok((character, clock.lap()))
    }
}

/// From a built character to its file.
fn finish(
    character: &Character,
    character_time: Duration,
    rest_pose: RestPose,
    document: impl for<'b> FnOnce(&'b BoundCharacter<'_>) -> Result<SceneDocument<'b>>,
) -> Result<Export> {
    let mut clock = Clock::start();
    // Place the joints and re-pose every mesh by linear-blend skinning.
    let bound = bind(character, rest_pose);
    let rig = clock.lap();
    // Describe it all in glTF's terms and lay the buffer out.
    let SceneDocument { root, plan, warnings } = document(&bound)?;
    let scene = clock.lap();
    // Fill the file in one pass.
    let bytes = write_glb(&root, plan)?;
    let times = StageTimes { character: character_time, rig, scene, glb: clock.lap() };
    Ok(Export { bytes, stats: stats(&bound), times, warnings })
}

/// Writes a character as a GLB file (profile, "The file").
///
/// The same character and options give the same bytes, on any machine and
/// any number of threads.
///
/// # Errors
/// [`crate::Error::NotFinite`] or [`crate::Error::Limit`] for a mesh that
/// glTF cannot hold, and [`crate::Error::Input`] for an incomplete licence.
pub fn write_character_glb(character: &Character, options: &ExportOptions) -> Result<Vec<u8>> {
    let bound = bind(character, options.rest_pose);
    let SceneDocument { root, plan, .. } = scene_document(&bound, options)?;
    write_glb(&root, plan)
}

fn stats(bound: &BoundCharacter<'_>) -> Stats {
    let meshes = bound.parts.iter().map(|p| MeshStats {
        name: p.part.mesh_name.clone(),
        n_vertices: p.part.vertices.len(),
        n_triangles: p.part.triangles.len(),
    });
    Stats { meshes: meshes.collect(), height_m: bound.character.height_m }
}

/// Times stages one after another.
struct Clock(Instant);

impl Clock {
    fn start() -> Clock {
        Clock(Instant::now())
    }

    fn lap(&mut self) -> Duration {
        let now = Instant::now();
        let lap = now - self.0;
        self.0 = now;
        lap
    }
}
