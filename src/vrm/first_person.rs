//! `firstPerson` (VRM 1.0, "firstPerson"): what one's own camera hides.

use serde_json::{Value, json};

use crate::glb::Root;
use crate::profile::PartKind;
use crate::rig::BoundCharacter;

/// One annotation per mesh. What sits in or on the head is not seen from
/// inside it; of the body and of garments a reader takes away the triangles
/// that the head moves, which it does for `auto`.
pub fn first_person(root: &Root, bound: &BoundCharacter<'_>) -> Value {
    let meshes = root.nodes.iter().enumerate().filter(|(_, node)| node.mesh.is_some());
    let annotations: Vec<Value> = meshes
        .zip(&bound.parts)
        .map(|((node, _), part)| {
            let kind = match part.part.kind {
                PartKind::Body | PartKind::Garment => "auto",
                _ => "thirdPersonOnly",
            };
            json!({ "node": node, "type": kind })
        })
        .collect();
    json!({ "meshAnnotations": annotations })
}
