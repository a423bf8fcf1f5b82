//! The 65 joints of the skeleton: names, parents, sides.
//!
//! The order is the profile's and is part of the contract, because
//! `JOINTS_0` in every exported mesh holds indices into it. A parent always
//! comes before its children, so one pass from 0 upwards is enough to turn
//! local frames into world frames.

use super::j;
use serde::{Deserialize, Serialize};

/// How many joints the skeleton has.
pub const N_JOINTS: usize = 65;

/// The joints' names in the `ue` naming, in the profile's order: the UE
/// mannequin's names as the Universal Animation Library spells them.
pub const UE_JOINTS: [&str; N_JOINTS] = [
    "root",
    "pelvis",
    "spine_01",
    "spine_02",
    "spine_03",
    "neck_01",
    "Head",
    "clavicle_l",
    "upperarm_l",
    "lowerarm_l",
    "hand_l",
    "thumb_01_l",
    "thumb_02_l",
    "thumb_03_l",
    "thumb_04_leaf_l",
    "index_01_l",
    "index_02_l",
    "index_03_l",
    "index_04_leaf_l",
    "middle_01_l",
    "middle_02_l",
    "middle_03_l",
    "middle_04_leaf_l",
    "ring_01_l",
    "ring_02_l",
    "ring_03_l",
    "ring_04_leaf_l",
    "pinky_01_l",
    "pinky_02_l",
    "pinky_03_l",
    "pinky_04_leaf_l",
    "thigh_l",
    "calf_l",
    "foot_l",
    "ball_l",
    "ball_leaf_l",
    "clavicle_r",
    "upperarm_r",
    "lowerarm_r",
    "hand_r",
    "thumb_01_r",
    "thumb_02_r",
    "thumb_03_r",
    "thumb_04_leaf_r",
    "index_01_r",
    "index_02_r",
    "index_03_r",
    "index_04_leaf_r",
    "middle_01_r",
    "middle_02_r",
    "middle_03_r",
    "middle_04_leaf_r",
    "ring_01_r",
    "ring_02_r",
    "ring_03_r",
    "ring_04_leaf_r",
    "pinky_01_r",
    "pinky_02_r",
    "pinky_03_r",
    "pinky_04_leaf_r",
    "thigh_r",
    "calf_r",
    "foot_r",
    "ball_r",
    "ball_leaf_r",
];

/// The same joints in the `mixamo` naming. Mixamo has nothing above the
/// hips, so `root` keeps its name.
pub const MIXAMO_NAMES: [&str; N_JOINTS] = [
    "root",
    "mixamorig:Hips",
    "mixamorig:Spine",
    "mixamorig:Spine1",
    "mixamorig:Spine2",
    "mixamorig:Neck",
    "mixamorig:Head",
    "mixamorig:LeftShoulder",
    "mixamorig:LeftArm",
    "mixamorig:LeftForeArm",
    "mixamorig:LeftHand",
    "mixamorig:LeftHandThumb1",
    "mixamorig:LeftHandThumb2",
    "mixamorig:LeftHandThumb3",
    "mixamorig:LeftHandThumb4",
    "mixamorig:LeftHandIndex1",
    "mixamorig:LeftHandIndex2",
    "mixamorig:LeftHandIndex3",
    "mixamorig:LeftHandIndex4",
    "mixamorig:LeftHandMiddle1",
    "mixamorig:LeftHandMiddle2",
    "mixamorig:LeftHandMiddle3",
    "mixamorig:LeftHandMiddle4",
    "mixamorig:LeftHandRing1",
    "mixamorig:LeftHandRing2",
    "mixamorig:LeftHandRing3",
    "mixamorig:LeftHandRing4",
    "mixamorig:LeftHandPinky1",
    "mixamorig:LeftHandPinky2",
    "mixamorig:LeftHandPinky3",
    "mixamorig:LeftHandPinky4",
    "mixamorig:LeftUpLeg",
    "mixamorig:LeftLeg",
    "mixamorig:LeftFoot",
    "mixamorig:LeftToeBase",
    "mixamorig:LeftToe_End",
    "mixamorig:RightShoulder",
    "mixamorig:RightArm",
    "mixamorig:RightForeArm",
    "mixamorig:RightHand",
    "mixamorig:RightHandThumb1",
    "mixamorig:RightHandThumb2",
    "mixamorig:RightHandThumb3",
    "mixamorig:RightHandThumb4",
    "mixamorig:RightHandIndex1",
    "mixamorig:RightHandIndex2",
    "mixamorig:RightHandIndex3",
    "mixamorig:RightHandIndex4",
    "mixamorig:RightHandMiddle1",
    "mixamorig:RightHandMiddle2",
    "mixamorig:RightHandMiddle3",
    "mixamorig:RightHandMiddle4",
    "mixamorig:RightHandRing1",
    "mixamorig:RightHandRing2",
    "mixamorig:RightHandRing3",
    "mixamorig:RightHandRing4",
    "mixamorig:RightHandPinky1",
    "mixamorig:RightHandPinky2",
    "mixamorig:RightHandPinky3",
    "mixamorig:RightHandPinky4",
    "mixamorig:RightUpLeg",
    "mixamorig:RightLeg",
    "mixamorig:RightFoot",
    "mixamorig:RightToeBase",
    "mixamorig:RightToe_End",
];

/// Each joint's parent as an index into the same order.
pub const PARENTS: [Option<u8>; N_JOINTS] = [
    None,
    Some(0),
    Some(1),
    Some(2),
    Some(3),
    Some(4),
    Some(5),
    Some(4),
    Some(7),
    Some(8),
    Some(9),
    Some(10),
    Some(11),
    Some(12),
    Some(13),
    Some(10),
    Some(15),
    Some(16),
    Some(17),
    Some(10),
    Some(19),
    Some(20),
    Some(21),
    Some(10),
    Some(23),
    Some(24),
    Some(25),
    Some(10),
    Some(27),
    Some(28),
    Some(29),
    Some(1),
    Some(31),
    Some(32),
    Some(33),
    Some(34),
    Some(4),
    Some(36),
    Some(37),
    Some(38),
    Some(39),
    Some(40),
    Some(41),
    Some(42),
    Some(39),
    Some(44),
    Some(45),
    Some(46),
    Some(39),
    Some(48),
    Some(49),
    Some(50),
    Some(39),
    Some(52),
    Some(53),
    Some(54),
    Some(39),
    Some(56),
    Some(57),
    Some(58),
    Some(1),
    Some(60),
    Some(61),
    Some(62),
    Some(63),
];

/// How many joints one side has; a joint and its partner on the other side
/// are this far apart.
const SIDE: usize = j::CLAVICLE_R - j::CLAVICLE_L;

/// The naming profile of a file's joints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Naming {
    /// The UE mannequin's names ([`UE_JOINTS`]), the default.
    #[default]
    #[serde(rename = "ue")]
    Ue,
    /// Mixamo's names ([`MIXAMO_NAMES`]).
    #[serde(rename = "mixamo")]
    Mixamo,
}

impl Naming {
    /// The joints' names in this naming, in the profile's order.
    pub fn names(self) -> &'static [&'static str; N_JOINTS] {
        match self {
            Naming::Ue => &UE_JOINTS,
            Naming::Mixamo => &MIXAMO_NAMES,
        }
    }

    /// The word that stands for this naming in a file and on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Naming::Ue => "ue",
            Naming::Mixamo => "mixamo",
        }
    }
}

/// The pose in which the meshes are bound to the skeleton.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum RestPose {
    /// Arms straight out, with UAL's own joint frames, the default. UAL's
    /// clips play on it as they are.
    #[default]
    #[serde(rename = "t-pose")]
    TPose,
    /// The source body's own rest, with UAL's frames re-aimed along its
    /// bones. Clips need retargeting.
    #[serde(rename = "source")]
    Source,
}

impl RestPose {
    /// The word that stands for this pose in a file and on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            RestPose::TPose => "t-pose",
            RestPose::Source => "source",
        }
    }
}

/// The index of the joint with this `ue` name, or `None` when there is none.
/// The match is exact (`Head` has a capital H).
pub fn joint_index(ue_name: &str) -> Option<usize> {
    UE_JOINTS.iter().position(|&name| name == ue_name)
}

/// Whether the joint is a `_leaf` tip, which only shows engines where a
/// finger or a toe ends.
///
/// # Panics
///
/// Panics when `i` is not below [`N_JOINTS`].
pub fn is_leaf(i: usize) -> bool {
    UE_JOINTS[i].contains("_leaf")
}

/// Whether vertices may have weight on the joint: on all but `root` and the
/// `_leaf` tips.
///
/// # Panics
///
/// Panics when `i` is not below [`N_JOINTS`].
pub fn is_weighted(i: usize) -> bool {
    i != j::ROOT && !is_leaf(i)
}

/// The joint's partner on the other side; a middle joint is its own.
///
/// # Panics
///
/// Panics when `i` is not below [`N_JOINTS`].
pub fn mirror(i: usize) -> usize {
    assert!(i < N_JOINTS, "joint {i} is not one of the {N_JOINTS}");
    if i < j::CLAVICLE_L {
        i
    } else if i < j::CLAVICLE_R {
        i + SIDE
    } else {
        i - SIDE
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn names_are_unique_and_parents_come_first() {
        assert_eq!(UE_JOINTS.iter().collect::<HashSet<_>>().len(), N_JOINTS);
        assert_eq!(MIXAMO_NAMES.iter().collect::<HashSet<_>>().len(), N_JOINTS);
        assert_eq!(PARENTS[j::ROOT], None);
        for (i, parent) in PARENTS.iter().enumerate().skip(1) {
            assert!((parent.expect("only root has no parent") as usize) < i, "{}", UE_JOINTS[i]);
        }
    }

    #[test]
    fn rows_of_the_table_that_are_easy_to_get_wrong() {
        let row = |name: &str| {
            let i = joint_index(name).expect(name);
            (i, PARENTS[i].map_or("none", |p| UE_JOINTS[p as usize]), MIXAMO_NAMES[i])
        };
        assert_eq!(row("root"), (0, "none", "root"));
        assert_eq!(row("pelvis"), (1, "root", "mixamorig:Hips"));
        assert_eq!(row("Head"), (6, "neck_01", "mixamorig:Head"));
        assert_eq!(row("clavicle_r"), (36, "spine_03", "mixamorig:RightShoulder"));
        assert_eq!(row("pinky_01_l"), (27, "hand_l", "mixamorig:LeftHandPinky1"));
        assert_eq!(row("thigh_r"), (60, "pelvis", "mixamorig:RightUpLeg"));
        assert_eq!(row("ball_leaf_r"), (64, "ball_r", "mixamorig:RightToe_End"));
        assert_eq!(joint_index("head"), None);
        assert_eq!(joint_index(""), None);
    }

    #[test]
    fn leaves_and_weighted_joints() {
        let leaves = (0..N_JOINTS).filter(|&i| is_leaf(i)).count();
        assert_eq!(leaves, 12);
        assert_eq!((0..N_JOINTS).filter(|&i| is_weighted(i)).count(), N_JOINTS - leaves - 1);
        for parent in PARENTS.iter().flatten() {
            assert!(!is_leaf(*parent as usize));
        }
    }

    #[test]
    fn mirror_swaps_the_sides_by_name() {
        for (i, name) in UE_JOINTS.iter().enumerate() {
            let partner = match (name.strip_suffix("_l"), name.strip_suffix("_r")) {
                (Some(stem), _) => format!("{stem}_r"),
                (_, Some(stem)) => format!("{stem}_l"),
                _ => name.to_string(),
            };
            assert_eq!(UE_JOINTS[mirror(i)], partner);
            assert_eq!(mirror(mirror(i)), i);
            let parent = |k: usize| PARENTS[k].map(usize::from);
            assert_eq!(parent(mirror(i)), parent(i).map(mirror));
        }
    }

    #[test]
    fn the_constants_are_the_names() {
        assert_eq!(UE_JOINTS[j::HEAD], "Head");
        assert_eq!(UE_JOINTS[j::HAND_L], "hand_l");
        assert_eq!(UE_JOINTS[j::CLAVICLE_R], "clavicle_r");
        assert_eq!(UE_JOINTS[j::BALL_R], "ball_r");
    }

    #[test]
    fn options_are_spelled_as_in_the_profile() {
        for naming in [Naming::Ue, Naming::Mixamo] {
            assert_eq!(serde_json::to_value(naming).unwrap(), naming.as_str());
        }
        for pose in [RestPose::TPose, RestPose::Source] {
            assert_eq!(serde_json::to_value(pose).unwrap(), pose.as_str());
        }
        assert_eq!(Naming::default().names()[1], "pelvis");
        assert_eq!(Naming::Mixamo.names()[1], "mixamorig:Hips");
        assert_eq!(RestPose::default(), RestPose::TPose);
    }
}
