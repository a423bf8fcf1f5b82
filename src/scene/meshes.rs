//! A part as a mesh: attributes per vertex, one primitive, one material.

use super::morphs::{Morphs, add_morphs};
use crate::Result;
use crate::glb::{
    Attributes, BufferPlan, Index, IndexWidth, Material, Mesh, MinMax, PbrMetallicRoughness,
    Primitive, Root,
};
use crate::pipeline::ExportOptions;
use crate::rig::BoundPart;

/// Adds a part's mesh and its material, and returns the mesh.
///
/// # Errors
/// As [`super::scene_document`].
pub(super) fn add_part<'b>(
    root: &mut Root,
    plan: &mut BufferPlan<'b>,
    bound: &'b BoundPart<'_>,
    morphs: &Morphs,
    options: &ExportOptions,
) -> Result<Index<Mesh>> {
    let part = bound.part;
    let name = part.mesh_name.as_str();
    let of_point = |get: &dyn Fn(usize) -> [f32; 3]| -> Vec<[f32; 3]> {
        part.vertices.iter().map(|v| get(v.point as usize)).collect()
    };
    let positions = of_point(&|p| bound.points[p]);
    let normals = of_point(&|p| bound.normals[p]);
    let uvs: Vec<[f32; 2]> = part.vertices.iter().map(|v| v.uv).collect();
    let influences = || part.vertices.iter().map(|v| &part.influences[v.point as usize]);
    let joints: Vec<[u8; 4]> = influences().map(|i| i.joints).collect();
    let weights: Vec<[f32; 4]> = influences().map(|i| i.weights).collect();
    let attributes = Attributes {
        position: Some(plan.vec3_f32(name, "POSITION", positions, MinMax::Write)?),
        normal: Some(plan.vec3_f32(name, "NORMAL", normals, MinMax::Omit)?),
        texcoord_0: Some(plan.vec2_f32(name, "TEXCOORD_0", uvs, MinMax::Omit)?),
        joints_0: Some(plan.joints_u8(name, joints)?),
        weights_0: Some(plan.vec4_f32(name, "WEIGHTS_0", weights, MinMax::Omit)?),
        ..Attributes::default()
    };
    let indices = plan.indices(
        name,
        part.triangles.as_flattened(),
        part.vertices.len(),
        IndexWidth::AtLeast16,
    )?;
    let material = root.push(Material {
        name: name.to_owned(),
        pbr_metallic_roughness: PbrMetallicRoughness {
            base_color_factor: part.finish.base_colour,
            metallic_factor: 0.0,
            roughness_factor: part.finish.roughness,
            ..PbrMetallicRoughness::default()
        },
        double_sided: part.finish.double_sided,
        ..Material::default()
    });
    Ok(root.push(Mesh {
        name: name.to_owned(),
        primitives: vec![Primitive {
            attributes,
            indices: Some(indices),
            material: Some(material),
            targets: add_morphs(plan, bound, morphs, options)?,
            ..Primitive::default()
        }],
        weights: vec![0.0; morphs.shapes.len()],
        extras: morphs.target_names(),
    }))
}
