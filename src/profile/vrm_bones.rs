//! VRM 1.0's human bones and the joints that carry them.

/// `(VRM bone, ue joint)` for each of the 52 human bones that the skeleton
/// has. These are all joints but `root` and the `_leaf` tips, and all of
/// VRM's bones but the eyes and the jaw, for which UAL has no joints.
pub const VRM_BONES: [(&str, &str); 52] = [
    ("hips", "pelvis"),
    ("spine", "spine_01"),
    ("chest", "spine_02"),
    ("upperChest", "spine_03"),
    ("neck", "neck_01"),
    ("head", "Head"),
    ("leftShoulder", "clavicle_l"),
    ("leftUpperArm", "upperarm_l"),
    ("leftLowerArm", "lowerarm_l"),
    ("leftHand", "hand_l"),
    ("leftThumbMetacarpal", "thumb_01_l"),
    ("leftThumbProximal", "thumb_02_l"),
    ("leftThumbDistal", "thumb_03_l"),
    ("leftIndexProximal", "index_01_l"),
    ("leftIndexIntermediate", "index_02_l"),
    ("leftIndexDistal", "index_03_l"),
    ("leftMiddleProximal", "middle_01_l"),
    ("leftMiddleIntermediate", "middle_02_l"),
    ("leftMiddleDistal", "middle_03_l"),
    ("leftRingProximal", "ring_01_l"),
    ("leftRingIntermediate", "ring_02_l"),
    ("leftRingDistal", "ring_03_l"),
    ("leftLittleProximal", "pinky_01_l"),
    ("leftLittleIntermediate", "pinky_02_l"),
    ("leftLittleDistal", "pinky_03_l"),
    ("leftUpperLeg", "thigh_l"),
    ("leftLowerLeg", "calf_l"),
    ("leftFoot", "foot_l"),
    ("leftToes", "ball_l"),
    ("rightShoulder", "clavicle_r"),
    ("rightUpperArm", "upperarm_r"),
    ("rightLowerArm", "lowerarm_r"),
    ("rightHand", "hand_r"),
    ("rightThumbMetacarpal", "thumb_01_r"),
    ("rightThumbProximal", "thumb_02_r"),
    ("rightThumbDistal", "thumb_03_r"),
    ("rightIndexProximal", "index_01_r"),
    ("rightIndexIntermediate", "index_02_r"),
    ("rightIndexDistal", "index_03_r"),
    ("rightMiddleProximal", "middle_01_r"),
    ("rightMiddleIntermediate", "middle_02_r"),
    ("rightMiddleDistal", "middle_03_r"),
    ("rightRingProximal", "ring_01_r"),
    ("rightRingIntermediate", "ring_02_r"),
    ("rightRingDistal", "ring_03_r"),
    ("rightLittleProximal", "pinky_01_r"),
    ("rightLittleIntermediate", "pinky_02_r"),
    ("rightLittleDistal", "pinky_03_r"),
    ("rightUpperLeg", "thigh_r"),
    ("rightLowerLeg", "calf_r"),
    ("rightFoot", "foot_r"),
    ("rightToes", "ball_r"),
];

/// The bones without any one of which VRM 1.0 refuses a humanoid.
pub const VRM_REQUIRED_BONES: [&str; 15] = [
    "hips",
    "spine",
    "head",
    "leftUpperLeg",
    "leftLowerLeg",
    "leftFoot",
    "rightUpperLeg",
    "rightLowerLeg",
    "rightFoot",
    "leftUpperArm",
    "leftLowerArm",
    "leftHand",
    "rightUpperArm",
    "rightLowerArm",
    "rightHand",
];

#[cfg(test)]
mod tests {
    use super::super::joints::{N_JOINTS, UE_JOINTS, is_weighted, joint_index};
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn the_bones_are_all_the_weighted_joints_once() {
        let joints: HashSet<&str> = VRM_BONES.iter().map(|(_, joint)| *joint).collect();
        let weighted: HashSet<&str> =
            (0..N_JOINTS).filter(|&i| is_weighted(i)).map(|i| UE_JOINTS[i]).collect();
        assert_eq!(joints, weighted);
        let bones: HashSet<&str> = VRM_BONES.iter().map(|(bone, _)| *bone).collect();
        assert_eq!(bones.len(), VRM_BONES.len());
    }

    #[test]
    fn a_bone_is_on_the_side_its_name_says() {
        for (bone, joint) in VRM_BONES {
            assert!(joint_index(joint).is_some(), "{joint}");
            assert_eq!(bone.starts_with("left"), joint.ends_with("_l"), "{bone}");
            assert_eq!(bone.starts_with("right"), joint.ends_with("_r"), "{bone}");
        }
    }

    #[test]
    fn the_bones_that_vrm_requires_are_there() {
        for bone in VRM_REQUIRED_BONES {
            assert!(VRM_BONES.iter().any(|(name, _)| *name == bone), "{bone}");
        }
    }

    #[test]
    fn thumbs_and_little_fingers_have_vrms_names() {
        let joint = |bone: &str| VRM_BONES.iter().find(|(name, _)| *name == bone).map(|b| b.1);
        assert_eq!(joint("leftThumbMetacarpal"), Some("thumb_01_l"));
        assert_eq!(joint("rightThumbDistal"), Some("thumb_03_r"));
        assert_eq!(joint("leftLittleProximal"), Some("pinky_01_l"));
        assert_eq!(joint("leftEye"), None);
        assert_eq!(joint("jaw"), None);
    }
}
