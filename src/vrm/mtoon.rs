//! `VRMC_materials_mtoon` 1.0: cartoon shading beside the PBR materials,
//! which readers without it go on using.

use serde_json::{Value, json};

use crate::glb::{Material, Root, TextureInfo, json_f32};
use crate::profile::{PartKind, parse_mesh_name};

/// The extension's name.
const NAME: &str = "VRMC_materials_mtoon";
/// How sharp the border between light and shade is, 0 to 1.
const TOONY: f32 = 0.85;
/// Where the border lies; a little less than half of a ball is in shade.
const SHIFT: f32 = -0.05;

/// The colour in shade as a share of the lit one, linear. Skin goes warm, and
/// what is inside the face stays light, or it would look dirty.
fn shade_of(kind: Option<PartKind>) -> [f32; 3] {
    match kind {
        Some(PartKind::Body) => [0.82, 0.68, 0.64],
        Some(PartKind::Eyes | PartKind::Teeth) => [0.9, 0.9, 0.92],
        Some(PartKind::Tongue) => [0.8, 0.7, 0.7],
        _ => [0.68, 0.68, 0.74],
    }
}

/// Gives every material of a document its cartoon shading.
pub fn add(root: &mut Root) {
    for material in &mut root.materials {
        let value = mtoon(material);
        material.extensions.insert(NAME.into(), value);
    }
    if !root.materials.is_empty() {
        root.use_extension(NAME);
    }
}

fn mtoon(material: &Material) -> Value {
    let kind = parse_mesh_name(&material.name).map(|(kind, _)| kind);
    let pbr = &material.pbr_metallic_roughness;
    let [r, g, b, _] = pbr.base_color_factor;
    let [sr, sg, sb] = shade_of(kind);
    let shade = [r * sr, g * sg, b * sb];
    // The defaults of the specification make shade black, so it is written.
    let mut value = json!({
        "specVersion": "1.0",
        "transparentWithZWrite": false,
        "renderQueueOffsetNumber": 0,
        "shadeColorFactor": shade.map(json_f32),
        "shadingShiftFactor": json_f32(SHIFT),
        "shadingToonyFactor": json_f32(TOONY),
        "giEqualizationFactor": json_f32(0.9),
        "matcapFactor": [1.0, 1.0, 1.0],
        "parametricRimColorFactor": [0.0, 0.0, 0.0],
        "rimLightingMixFactor": 1.0,
        "parametricRimFresnelPowerFactor": 5.0,
        "parametricRimLiftFactor": 0.0,
        "outlineWidthMode": "none",
    });
    if let Some(TextureInfo { .. }) = &pbr.base_color_texture {
        value["shadeMultiplyTexture"] = serde_json::to_value(&pbr.base_color_texture)
            .expect("a texture info has only plain values");
    }
    value
}
