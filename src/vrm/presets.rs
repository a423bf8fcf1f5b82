//! The preset expressions as weighted sets of shapes.
//!
//! VRM says what each preset is for and leaves the deformation to the model.
//! The weights were chosen by looking at three faces: vowels told apart at a
//! glance, moods that read as what they are, left and right even.

use serde::Serialize;

/// Whether an expression takes another one's place while it is on
/// (VRM 1.0, "expressions", procedural override).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Override {
    /// Both are added.
    #[default]
    None,
    /// The other one fades as this one comes on.
    Blend,
    /// The other one is off while this one is on.
    Block,
}

/// A preset: its name, the shapes it is made of, and what it overrides.
pub struct Preset {
    /// VRM's name.
    pub name: &'static str,
    /// Face units with their weights, 0 to 1.
    pub units: &'static [(&'static str, f32)],
    /// The same of ARKit's shapes, for files that carry those instead.
    pub arkit: &'static [(&'static str, f32)],
    /// Whether automatic blinking is kept out, as this one closes the lids.
    pub blink: Override,
    /// Whether lip sync is kept out, as this one opens the mouth.
    pub mouth: Override,
    /// Whether look-at is kept out, as this one closes the lids.
    pub look_at: Override,
}

const fn plain(
    name: &'static str,
    units: &'static [(&'static str, f32)],
    arkit: &'static [(&'static str, f32)],
) -> Preset {
    Preset {
        name,
        units,
        arkit,
        blink: Override::None,
        mouth: Override::None,
        look_at: Override::None,
    }
}

/// The presets in the schema's order.
pub static PRESETS: [Preset; 18] = [
    Preset {
        blink: Override::Block,
        mouth: Override::Blend,
        ..plain(
            "happy",
            &[
                ("MouthLeftPullUp", 0.65),
                ("MouthRightPullUp", 0.65),
                ("LeftCheekUp", 0.5),
                ("RightCheekUp", 0.5),
                ("LeftLowerLidUp", 0.4),
                ("RightLowerLidUp", 0.4),
                ("NasolabialDeepener", 0.25),
            ],
            &[
                ("mouthSmileLeft", 0.8),
                ("mouthSmileRight", 0.8),
                ("cheekSquintLeft", 0.5),
                ("cheekSquintRight", 0.5),
                ("eyeSquintLeft", 0.3),
                ("eyeSquintRight", 0.3),
            ],
        )
    },
    Preset {
        mouth: Override::Blend,
        ..plain(
            "angry",
            &[
                ("LeftBrowDown", 0.8),
                ("RightBrowDown", 0.8),
                ("NoseWrinkler", 0.5),
                ("LeftLowerLidUp", 0.35),
                ("RightLowerLidUp", 0.35),
                ("lowerLipUp", 0.35),
                ("MouthLeftPullDown", 0.3),
                ("MouthRightPullDown", 0.3),
            ],
            &[
                ("browDownLeft", 0.9),
                ("browDownRight", 0.9),
                ("noseSneerLeft", 0.5),
                ("noseSneerRight", 0.5),
                ("eyeSquintLeft", 0.35),
                ("eyeSquintRight", 0.35),
                ("mouthPressLeft", 0.4),
                ("mouthPressRight", 0.4),
                ("mouthFrownLeft", 0.4),
                ("mouthFrownRight", 0.4),
            ],
        )
    },
    Preset {
        mouth: Override::Blend,
        ..plain(
            "sad",
            &[
                ("LeftInnerBrowUp", 0.8),
                ("RightInnerBrowUp", 0.8),
                ("MouthLeftPullDown", 0.55),
                ("MouthRightPullDown", 0.55),
                ("lowerLipUp", 0.3),
                ("LeftUpperLidClosed", 0.2),
                ("RightUpperLidClosed", 0.2),
            ],
            &[
                ("browInnerUp", 0.9),
                ("mouthFrownLeft", 0.7),
                ("mouthFrownRight", 0.7),
                ("mouthShrugLower", 0.35),
                ("eyeBlinkLeft", 0.2),
                ("eyeBlinkRight", 0.2),
            ],
        )
    },
    Preset {
        blink: Override::Block,
        ..plain(
            "relaxed",
            &[
                ("MouthLeftPullUp", 0.3),
                ("MouthRightPullUp", 0.3),
                ("LeftUpperLidClosed", 0.35),
                ("RightUpperLidClosed", 0.35),
                ("LeftInnerBrowUp", 0.15),
                ("RightInnerBrowUp", 0.15),
            ],
            &[
                ("mouthSmileLeft", 0.35),
                ("mouthSmileRight", 0.35),
                ("eyeBlinkLeft", 0.35),
                ("eyeBlinkRight", 0.35),
                ("browInnerUp", 0.15),
            ],
        )
    },
    Preset {
        blink: Override::Block,
        mouth: Override::Blend,
        ..plain(
            "surprised",
            &[
                ("LeftInnerBrowUp", 0.8),
                ("RightInnerBrowUp", 0.8),
                ("LeftOuterBrowUp", 0.8),
                ("RightOuterBrowUp", 0.8),
                ("LeftUpperLidOpen", 0.7),
                ("RightUpperLidOpen", 0.7),
                ("JawDrop", 0.4),
                ("LipsKiss", 0.2),
            ],
            &[
                ("browInnerUp", 0.9),
                ("browOuterUpLeft", 0.8),
                ("browOuterUpRight", 0.8),
                ("eyeWideLeft", 0.8),
                ("eyeWideRight", 0.8),
                ("jawOpen", 0.35),
                ("mouthFunnel", 0.2),
            ],
        )
    },
    plain(
        "aa",
        &[("JawDrop", 0.55), ("lowerLipDown", 0.2)],
        &[("jawOpen", 0.5), ("mouthLowerDownLeft", 0.2), ("mouthLowerDownRight", 0.2)],
    ),
    plain(
        "ih",
        &[
            ("JawDrop", 0.12),
            ("MouthLeftPullSide", 0.55),
            ("MouthRightPullSide", 0.55),
            ("UpperLipUp", 0.2),
        ],
        &[
            ("jawOpen", 0.12),
            ("mouthStretchLeft", 0.5),
            ("mouthStretchRight", 0.5),
            ("mouthUpperUpLeft", 0.2),
            ("mouthUpperUpRight", 0.2),
        ],
    ),
    plain(
        "ou",
        &[
            ("JawDrop", 0.12),
            ("LipsKiss", 0.85),
            ("UpperLipForward", 0.3),
            ("lowerLipForward", 0.3),
        ],
        &[("jawOpen", 0.12), ("mouthPucker", 0.8)],
    ),
    plain(
        "ee",
        &[
            ("JawDrop", 0.25),
            ("MouthLeftPullSide", 0.35),
            ("MouthRightPullSide", 0.35),
            ("lowerLipDown", 0.15),
        ],
        &[
            ("jawOpen", 0.25),
            ("mouthStretchLeft", 0.35),
            ("mouthStretchRight", 0.35),
            ("mouthLowerDownLeft", 0.2),
            ("mouthLowerDownRight", 0.2),
        ],
    ),
    plain(
        "oh",
        &[("JawDrop", 0.38), ("LipsKiss", 0.5), ("UpperLipForward", 0.2)],
        &[("jawOpen", 0.35), ("mouthFunnel", 0.6)],
    ),
    plain(
        "blink",
        &[("LeftUpperLidClosed", 1.0), ("RightUpperLidClosed", 1.0)],
        &[("eyeBlinkLeft", 1.0), ("eyeBlinkRight", 1.0)],
    ),
    plain("blinkLeft", &[("LeftUpperLidClosed", 1.0)], &[("eyeBlinkLeft", 1.0)]),
    plain("blinkRight", &[("RightUpperLidClosed", 1.0)], &[("eyeBlinkRight", 1.0)]),
    plain(
        "lookUp",
        &[("LeftEyeUp", 1.0), ("RightEyeUp", 1.0)],
        &[("eyeLookUpLeft", 1.0), ("eyeLookUpRight", 1.0)],
    ),
    plain(
        "lookDown",
        &[("LeftEyeDown", 1.0), ("RightEyeDown", 1.0)],
        &[("eyeLookDownLeft", 1.0), ("eyeLookDownRight", 1.0)],
    ),
    plain(
        "lookLeft",
        &[("LeftEyeturnLeft", 1.0), ("RightEyeturnLeft", 1.0)],
        &[("eyeLookOutLeft", 1.0), ("eyeLookInRight", 1.0)],
    ),
    plain(
        "lookRight",
        &[("LeftEyeturnRight", 1.0), ("RightEyeturnRight", 1.0)],
        &[("eyeLookInLeft", 1.0), ("eyeLookOutRight", 1.0)],
    ),
    plain("neutral", &[], &[]),
];

/// Visemes that stand for the vowels in files that carry them as shapes.
pub const VOWEL_VISEMES: [(&str, &str); 5] =
    [("aa", "aa"), ("ih", "I"), ("ou", "U"), ("ee", "E"), ("oh", "O")];
