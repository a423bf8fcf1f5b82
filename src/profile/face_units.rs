//! The 59 face units: the names of the morph targets.

/// The face units in the profile's order, in MakeHuman's own spelling
/// (`lowerLipUp` and `LeftEyeturnRight` included). A mesh's targets follow
/// this order and are named exactly so in `extras.targetNames`.
pub const FACE_UNITS: [&str; 59] = [
    "LeftBrowDown",
    "RightBrowDown",
    "LeftOuterBrowUp",
    "RightOuterBrowUp",
    "LeftInnerBrowUp",
    "RightInnerBrowUp",
    "NoseWrinkler",
    "LeftUpperLidOpen",
    "RightUpperLidOpen",
    "LeftUpperLidClosed",
    "RightUpperLidClosed",
    "LeftLowerLidUp",
    "RightLowerLidUp",
    "LeftEyeDown",
    "RightEyeDown",
    "LeftEyeUp",
    "RightEyeUp",
    "LeftEyeturnRight",
    "RightEyeturnRight",
    "LeftEyeturnLeft",
    "RightEyeturnLeft",
    "LeftCheekUp",
    "RightCheekUp",
    "CheeksPump",
    "CheeksSuck",
    "NasolabialDeepener",
    "ChinLeft",
    "ChinRight",
    "ChinDown",
    "ChinForward",
    "lowerLipUp",
    "lowerLipDown",
    "lowerLipBackward",
    "lowerLipForward",
    "UpperLipUp",
    "UpperLipBackward",
    "UpperLipForward",
    "UpperLipStretched",
    "JawDrop",
    "JawDropStretched",
    "LipsKiss",
    "MouthMoveLeft",
    "MouthMoveRight",
    "MouthLeftPullUp",
    "MouthRightPullUp",
    "MouthLeftPullSide",
    "MouthRightPullSide",
    "MouthLeftPullDown",
    "MouthRightPullDown",
    "MouthLeftPlatysma",
    "MouthRightPlatysma",
    "TongueOut",
    "TongueUshape",
    "TongueUp",
    "TongueDown",
    "TongueLeft",
    "TongueRight",
    "TonguePointUp",
    "TonguePointDown",
];

/// The place of the face unit with this name in [`FACE_UNITS`], or `None`
/// when there is none. The match is exact.
pub fn face_unit_index(name: &str) -> Option<usize> {
    FACE_UNITS.iter().position(|&unit| unit == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_has_its_own_place() {
        for (i, unit) in FACE_UNITS.iter().enumerate() {
            assert_eq!(face_unit_index(unit), Some(i), "{unit} stands twice");
        }
        assert_eq!(face_unit_index("LeftBrowDown"), Some(0));
        assert_eq!(face_unit_index("lowerLipUp"), Some(30));
        assert_eq!(face_unit_index("TonguePointDown"), Some(58));
        assert_eq!(face_unit_index("LowerLipUp"), None);
        assert_eq!(face_unit_index("LeftEyeTurnRight"), None);
    }

    #[test]
    fn every_sided_unit_has_a_partner() {
        for unit in FACE_UNITS {
            // Units that move the whole mouth, chin or tongue sideways have
            // the side at another place in their name.
            if let Some(rest) = unit.strip_prefix("Left") {
                assert!(face_unit_index(&format!("Right{rest}")).is_some(), "{unit}");
            }
        }
    }
}
