//! What is particular to the base mesh hm08: its vertex ranges, which of its
//! marks are our joints, and which of its bones move with which joint.
//!
//! Vertex ranges, not group names, are hm08's stable key: every target,
//! garment and weight file of MakeHuman refers to these numbers.

use std::collections::BTreeMap;

use crate::profile::{N_JOINTS, PartKind, UE_JOINTS, joint_index};
use crate::{Error, Result};

/// The number of vertices of the base mesh.
pub const N_VERTICES: usize = 19158;

/// The body's skin: the first vertices.
pub const N_BODY_VERTICES: u32 = 13380;

/// The vertices of both eyeballs: left, then right.
pub const EYES: [std::ops::Range<usize>; 2] = [14598..14670, 14670..14742];

/// Lashes, lower and upper teeth, which move with the head alone.
pub const LASHES_AND_TEETH: std::ops::Range<usize> = 14742..15128;

/// The tongue, which moves with the head alone.
pub const TONGUE: std::ops::Range<usize> = 13380..13606;

/// The id of the base in the licence manifest.
pub const BASE_ASSET: &str = "makehuman:base/hm08";

/// The parts that are cut straight out of the base mesh: what they are and
/// the groups of faces they consist of.
pub const PARTS: [(PartKind, &[&str]); 5] = [
    (PartKind::Body, &["body"]),
    (PartKind::Eyes, &["helper-l-eye", "helper-r-eye"]),
    (
        PartKind::Eyelashes,
        &[
            "helper-l-eyelashes-1",
            "helper-l-eyelashes-2",
            "helper-r-eyelashes-1",
            "helper-r-eyelashes-2",
        ],
    ),
    (PartKind::Teeth, &["helper-upper-teeth", "helper-lower-teeth"]),
    (PartKind::Tongue, &["helper-tongue"]),
];

/// The group of faces that garments are cut from.
pub const TIGHTS: &str = "helper-tights";

/// The groups of marker cubes whose mean is where a joint stands, by the
/// joint's name in the profile; root has none. The spine stands at the
/// source's spine-3, -2 and -1, whose heights are nearest to UAL's.
fn joint_groups(joint: &str) -> Vec<String> {
    let (stem, side) = match joint.strip_suffix("_l") {
        Some(stem) => (stem, 'l'),
        None => match joint.strip_suffix("_r") {
            Some(stem) => (stem, 'r'),
            None => (joint, ' '),
        },
    };
    let middle = |name: &str| vec![format!("joint-{name}")];
    let sided = |name: &str| vec![format!("joint-{side}-{name}")];
    match stem {
        "root" => vec![],
        "pelvis" => middle("pelvis"),
        "spine_01" => middle("spine-3"),
        "spine_02" => middle("spine-2"),
        "spine_03" => middle("spine-1"),
        "neck_01" => middle("neck"),
        "Head" => middle("head"),
        "clavicle" => sided("clavicle"),
        "upperarm" => sided("shoulder"),
        "lowerarm" => sided("elbow"),
        "hand" => sided("hand"),
        "thigh" => sided("upper-leg"),
        "calf" => sided("knee"),
        "foot" => sided("ankle"),
        "ball" => (1..=5).map(|toe| format!("joint-{side}-toe-{toe}-1")).collect(),
        "ball_leaf" => sided("toe-2-4"),
        finger => {
            // `index_02` is the second mark of finger 2; `index_04_leaf` the
            // fourth, at its tip.
            let (name, rest) = finger.split_once('_').expect("a finger joint has a number");
            let number = FINGERS.iter().position(|f| *f == name).expect("a finger") + 1;
            let mark = rest.trim_end_matches("_leaf").trim_start_matches('0');
            sided(&format!("finger-{number}-{mark}"))
        }
    }
}

const FINGERS: [&str; 5] = ["thumb", "index", "middle", "ring", "pinky"];

/// For each joint of the profile the base vertices at whose mean it stands.
///
/// # Errors
/// [`Error::Input`] when a marker group is missing.
pub fn joint_vertices(file: &str, groups: &BTreeMap<String, Vec<u32>>) -> Result<Vec<Vec<u32>>> {
    let mut out = Vec::with_capacity(N_JOINTS);
    for joint in UE_JOINTS {
        let mut vertices = Vec::new();
        for name in joint_groups(joint) {
            let group = groups.get(&name).filter(|g| !g.is_empty()).ok_or_else(|| {
                let expected = format!("the vertices of group `{name}`, where `{joint}` stands");
                Error::input(file, "vertex groups", "nothing", expected)
            })?;
            vertices.extend_from_slice(group);
        }
        out.push(vertices);
    }
    Ok(out)
}

/// The joint that moves what a bone of the source's default rig moves.
pub fn fold_bone(bone: &str) -> Option<u8> {
    let (stem, side) = match bone.strip_suffix(".L") {
        Some(stem) => (stem, "_l"),
        None => match bone.strip_suffix(".R") {
            Some(stem) => (stem, "_r"),
            None => (bone, ""),
        },
    };
    // Trailing numbers tell the bones of one chain or one muscle apart.
    let digits = |c: char| c.is_ascii_digit() || c == '-';
    let kind = stem.trim_end_matches(digits);
    let number = &stem[kind.len()..];
    let joint = match (kind, number) {
        ("root" | "pelvis", "") | ("spine", "05") => "pelvis".into(),
        ("spine", "04" | "03") => "spine_01".into(),
        ("spine", "02") | ("breast", "") => "spine_02".into(),
        ("spine", "01") => "spine_03".into(),
        ("neck", _) => "neck_01".into(),
        (
            "head" | "jaw" | "eye" | "special" | "levator" | "oculi" | "temporalis" | "risorius"
            | "orbicularis" | "oris" | "tongue",
            _,
        ) => "Head".into(),
        ("clavicle" | "shoulder", _) => format!("clavicle{side}"),
        ("upperarm" | "lowerarm", _) => format!("{kind}{side}"),
        ("wrist" | "metacarpal", _) => format!("hand{side}"),
        ("finger", _) => {
            let (finger, segment) = number.split_once('-')?;
            let name = FINGERS.get(finger.parse::<usize>().ok()?.checked_sub(1)?)?;
            format!("{name}_0{segment}{side}")
        }
        ("upperleg", _) => format!("thigh{side}"),
        ("lowerleg", _) => format!("calf{side}"),
        ("foot", _) => format!("foot{side}"),
        ("toe", _) => format!("ball{side}"),
        _ => return None,
    };
    joint_index(&joint).and_then(|i| u8::try_from(i).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bones_fold_to_the_joints_of_the_facts() {
        let cases = [
            ("root", "pelvis"),
            ("spine05", "pelvis"),
            ("pelvis.L", "pelvis"),
            ("spine03", "spine_01"),
            ("breast.R", "spine_02"),
            ("spine01", "spine_03"),
            ("neck02", "neck_01"),
            ("oris06.L", "Head"),
            ("tongue07.R", "Head"),
            ("shoulder01.L", "clavicle_l"),
            ("upperarm02.R", "upperarm_r"),
            ("metacarpal4.L", "hand_l"),
            ("finger1-3.L", "thumb_03_l"),
            ("finger5-1.R", "pinky_01_r"),
            ("lowerleg02.L", "calf_l"),
            ("toe5-3.R", "ball_r"),
        ];
        for (bone, joint) in cases {
            let folded = fold_bone(bone).map(|i| UE_JOINTS[usize::from(i)]);
            assert_eq!(folded, Some(joint), "{bone}");
        }
        for unknown in ["tail", "finger6-1.L", "finger1-9.L", "wing.L", ""] {
            assert_eq!(fold_bone(unknown), None, "{unknown}");
        }
    }

    #[test]
    fn every_joint_but_root_has_marks() {
        for joint in UE_JOINTS {
            let groups = joint_groups(joint);
            assert_eq!(groups.is_empty(), joint == "root", "{joint}");
        }
        assert_eq!(joint_groups("index_04_leaf_l"), ["joint-l-finger-2-4"]);
        assert_eq!(joint_groups("thumb_01_r"), ["joint-r-finger-1-1"]);
        assert_eq!(joint_groups("ball_l").len(), 5);
    }
}
