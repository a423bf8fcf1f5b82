//! The document around the meshes: joints, skin, scene, licences.

use super::meshes::add_part;
use super::morphs::morphs_of;
use crate::face::{ARKIT_SHAPES, FaceNames, MOST_TARGETS, shapes_left_out};
use crate::glb::{Asset, BufferPlan, Index, Node, Root, Scene, Skin};
use crate::pipeline::ExportOptions;
use crate::profile::{
    ExportExtras, FACE_UNITS, GENERATOR, MIXAMO_NAMES, N_JOINTS, Naming, PARENTS, UE_JOINTS,
    copyright_line, is_mesh_name, j,
};
use crate::rig::BoundCharacter;
use crate::{Error, Result};

/// A document on its way into a file.
pub struct SceneDocument<'b> {
    /// The document.
    pub root: Root,
    /// The plan of its binary buffer.
    pub plan: BufferPlan<'b>,
    /// What a user should know.
    pub warnings: Vec<String>,
}

/// The document of a character, and the plan of its binary buffer.
///
/// # Errors
/// [`crate::Error::NotFinite`] for a mesh with such a number,
/// [`crate::Error::Limit`] for one that is too large for the format.
pub fn scene_document<'b>(
    bound: &'b BoundCharacter<'_>,
    options: &ExportOptions,
) -> Result<SceneDocument<'b>> {
    require_shapes(bound, options)?;
    let mut root = Root::default();
    let mut plan = BufferPlan::new();
    let joints = add_joints(&mut root, bound, options.naming);
    let inverse_bind =
        plan.mat4_f32("skeleton", "inverseBindMatrices", &bound.skeleton.inverse_bind[..])?;
    let skin = root.push(Skin {
        name: "skeleton".into(),
        inverse_bind_matrices: Some(inverse_bind),
        skeleton: Some(joints[j::ROOT]),
        joints: joints.clone(),
    });
    let mut top = vec![joints[j::ROOT]];
    let mut written = Vec::new();
    let parts = || bound.parts.iter().map(|p| p.part);
    let left_out = match options.face_units {
        true => shapes_left_out(parts(), options.face_names),
        false => Vec::new(),
    };
    let mut warnings = Vec::new();
    if !left_out.is_empty() {
        let most = format!("more than {MOST_TARGETS} morph targets on one mesh");
        warnings.push(format!("left out, as that would be {most}: {}", left_out.join(", ")));
    }
    for part in &bound.parts {
        let morphs = morphs_of(bound, part.part, options, &left_out);
        written.extend(morphs.shapes.iter().map(|shape| shape.name));
        let mesh = add_part(&mut root, &mut plan, part, &morphs, options)?;
        top.push(root.push(Node {
            name: part.part.mesh_name.clone(),
            mesh: Some(mesh),
            skin: Some(skin),
            ..Node::default()
        }));
    }
    let name = scene_name(&bound.character.name);
    root.scene = Some(root.push(Scene { name, nodes: top, ..Scene::default() }));
    let units = FACE_UNITS.iter().filter(|unit| written.contains(unit));
    let units = units.map(|unit| (*unit).to_owned()).collect();
    root.asset = asset(bound, options, units)?;
    Ok(SceneDocument { root, plan, warnings })
}

/// A file that was asked to carry ARKit's shapes must not come out without
/// any, as it would from a pack that lacks the source's targets for them.
fn require_shapes(bound: &BoundCharacter<'_>, options: &ExportOptions) -> Result<()> {
    let wanted =
        options.face_units && matches!(options.face_names, FaceNames::Arkit | FaceNames::Both);
    let shapes = || bound.parts.iter().flat_map(|p| &p.part.shapes);
    if wanted && !shapes().any(|s| ARKIT_SHAPES.contains(&s.name)) {
        let found = "a pack without ARKit's face targets";
        let name = &bound.character.name;
        return Err(Error::input(name, "face names", found, "one with the folder `faceunits01`"));
    }
    Ok(())
}

fn add_joints(root: &mut Root, bound: &BoundCharacter<'_>, naming: Naming) -> Vec<Index<Node>> {
    let names = naming.names();
    let indices: Vec<Index<Node>> = (0..N_JOINTS)
        .map(|i| {
            let joint = &bound.skeleton.nodes[i];
            root.push(Node {
                name: names[i].to_owned(),
                translation: Some(joint.translation),
                rotation: Some(joint.rotation),
                ..Node::default()
            })
        })
        .collect();
    for (i, parent) in PARENTS.iter().enumerate() {
        if let Some(parent) = parent {
            let node = root.get_mut(indices[usize::from(*parent)]).expect("just pushed");
            node.children.push(indices[i]);
        }
    }
    indices
}

/// The scene is named after the character. Loaders keep names apart by
/// changing the later of two equal ones, so a character may not take the
/// name of a joint or a mesh away from it.
fn scene_name(character: &str) -> String {
    let taken = UE_JOINTS.contains(&character)
        || MIXAMO_NAMES.contains(&character)
        || is_mesh_name(character);
    match taken {
        true => format!("{character}_character"),
        false => character.to_owned(),
    }
}

fn asset(bound: &BoundCharacter<'_>, options: &ExportOptions, units: Vec<String>) -> Result<Asset> {
    let licences = &bound.character.licences;
    let name = bound.character.name.as_str();
    let extras = ExportExtras::new(options.naming, bound.rest_pose, units, name, licences.clone());
    let mut value = serde_json::to_value(extras).expect("the block has only plain values");
    // A pack built by someone else may carry an incomplete manifest; a file
    // without its licences in order must not come out.
    if let Err(faults) = crate::profile::check_export_extras(&value) {
        let first = faults.into_iter().next().expect("an error has at least one fault");
        return Err(first.in_file(name));
    }
    // The profile's list has room for its own units only; a reader of other
    // shapes is told whose names they bear.
    if options.face_units && options.face_names != FaceNames::Units {
        value["faceNames"] = options.face_names.as_str().into();
    }
    let dramatis = serde_json::Map::from_iter([("dramatis".to_owned(), value)]);
    Ok(Asset {
        generator: GENERATOR.to_owned(),
        copyright: copyright_line(licences),
        extras: Some(dramatis.into()),
        ..Asset::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_character_never_takes_a_joints_or_a_meshes_name() {
        assert_eq!(scene_name("Ada"), "Ada");
        assert_eq!(scene_name("root"), "root_character");
        assert_eq!(scene_name("Head"), "Head_character");
        assert_eq!(scene_name("mixamorig:Hips"), "mixamorig:Hips_character");
        assert_eq!(scene_name("hair"), "hair_character");
    }
}
