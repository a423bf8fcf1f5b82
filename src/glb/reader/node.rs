//! Nodes of documents of any origin (glTF 2.0, section 3.5.2).

use glam::{DMat4, DQuat, DVec3};

use super::Json;

/// A node's transform; what is left out or damaged is the identity's.
pub fn local_matrix(node: &Json<'_>) -> DMat4 {
    match node.numbers::<16>("matrix") {
        Some(matrix) => DMat4::from_cols_array(&matrix),
        None => DMat4::from_scale_rotation_translation(
            node.numbers::<3>("scale").map_or(DVec3::ONE, DVec3::from_array),
            node.numbers::<4>("rotation").map_or(DQuat::IDENTITY, DQuat::from_array),
            node.numbers::<3>("translation").map_or(DVec3::ZERO, DVec3::from_array),
        ),
    }
}
