//! `humanoid.humanBones` (VRM 1.0, "humanoid").

use serde_json::{Map, Value, json};

use crate::profile::{VRM_BONES, joint_index};

/// The human bones on the joints. A joint's node has the joint's own number,
/// as the scene writes the joints first and in their order.
pub fn humanoid() -> Value {
    let bones: Map<String, Value> = VRM_BONES
        .iter()
        .map(|(bone, joint)| {
            let node = joint_index(joint).expect("the table names the profile's joints");
            ((*bone).to_owned(), json!({ "node": node }))
        })
        .collect();
    json!({ "humanBones": bones })
}
