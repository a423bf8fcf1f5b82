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
    /// Whether automatic blinking is kept out, as this one moves the lids.
    pub blink: Override,
    /// Whether lip sync is kept out, as this one opens or draws the mouth.
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
///
/// A mood overrides what it would break at its full weight. It overrides
/// blinking when it moves the upper lid by 0.2 or more, either way, or the
/// lower one by 0.5: a blink on top would miss the closed pose or go past it,
/// and the eyeball shows through the lid. It overrides the mouth when it opens
/// the jaw by 0.3 or more or draws up the lips by 0.5 (ARKit's smile by 0.6): a
/// jaw that drops on top tears the lips open and pushes the lower teeth through
/// the skin. It would override look-at if it closed the upper lid by half. All
/// of them blend, as two sets that fade into each other stay between the two
/// poses, and a slight smile still blinks and talks.
pub static PRESETS: [Preset; 18] = [
    Preset {
        blink: Override::Blend,
        mouth: Override::Blend,
        ..plain(
            "happy",
            &[
                ("MouthLeftPullUp", 0.25),
                ("MouthRightPullUp", 0.25),
                ("UpperLipStretched", 0.5),
                ("lowerLipDown", 0.1),
                ("LeftCheekUp", 0.9),
                ("RightCheekUp", 0.9),
                ("LeftLowerLidUp", 0.55),
                ("RightLowerLidUp", 0.55),
            ],
            &[
                ("mouthSmileLeft", 0.85),
                ("mouthSmileRight", 0.85),
                ("mouthUpperUpLeft", 0.35),
                ("mouthUpperUpRight", 0.35),
                ("mouthLowerDownLeft", 0.25),
                ("mouthLowerDownRight", 0.25),
                ("cheekSquintLeft", 0.5),
                ("cheekSquintRight", 0.5),
                ("eyeSquintLeft", 0.5),
                ("eyeSquintRight", 0.5),
            ],
        )
    },
    plain(
        "angry",
        &[
            ("LeftBrowDown", 0.9),
            ("RightBrowDown", 0.9),
            ("NoseWrinkler", 0.5),
            ("LeftLowerLidUp", 0.4),
            ("RightLowerLidUp", 0.4),
            ("MouthLeftPlatysma", 0.4),
            ("MouthRightPlatysma", 0.4),
            ("lowerLipUp", 0.3),
        ],
        &[
            ("browDownLeft", 1.0),
            ("browDownRight", 1.0),
            ("browOuterUpLeft", 0.35),
            ("browOuterUpRight", 0.35),
            ("noseSneerLeft", 0.7),
            ("noseSneerRight", 0.7),
            ("eyeSquintLeft", 0.4),
            ("eyeSquintRight", 0.4),
            ("mouthPressLeft", 0.3),
            ("mouthPressRight", 0.3),
            ("mouthFrownLeft", 0.6),
            ("mouthFrownRight", 0.6),
        ],
    ),
    // Brows no higher than this: they lift the upper lids, and a blink would
    // let the eyeballs through.
    plain(
        "sad",
        &[
            ("LeftInnerBrowUp", 0.5),
            ("RightInnerBrowUp", 0.5),
            ("LeftUpperLidClosed", 0.1),
            ("RightUpperLidClosed", 0.1),
            ("LeftLowerLidUp", 0.25),
            ("RightLowerLidUp", 0.25),
            ("MouthLeftPlatysma", 0.6),
            ("MouthRightPlatysma", 0.6),
            ("lowerLipUp", 0.4),
        ],
        &[
            ("browInnerUp", 1.0),
            ("browDownLeft", 0.15),
            ("browDownRight", 0.15),
            ("eyeBlinkLeft", 0.1),
            ("eyeBlinkRight", 0.1),
            ("eyeSquintLeft", 0.3),
            ("eyeSquintRight", 0.3),
            ("mouthFrownLeft", 0.8),
            ("mouthFrownRight", 0.8),
            ("mouthShrugLower", 0.4),
        ],
    ),
    // Corners no higher than this, so that the vowels can be spoken with it and
    // the lower teeth stay behind the skin.
    Preset {
        blink: Override::Blend,
        ..plain(
            "relaxed",
            &[
                ("MouthLeftPullUp", 0.2),
                ("MouthRightPullUp", 0.2),
                ("LeftCheekUp", 0.4),
                ("RightCheekUp", 0.4),
                ("LeftUpperLidClosed", 0.2),
                ("RightUpperLidClosed", 0.2),
                ("LeftLowerLidUp", 0.25),
                ("RightLowerLidUp", 0.25),
                ("LeftInnerBrowUp", 0.1),
                ("RightInnerBrowUp", 0.1),
                ("LeftOuterBrowUp", 0.1),
                ("RightOuterBrowUp", 0.1),
            ],
            &[
                ("mouthSmileLeft", 0.5),
                ("mouthSmileRight", 0.5),
                ("eyeBlinkLeft", 0.2),
                ("eyeBlinkRight", 0.2),
                ("eyeSquintLeft", 0.2),
                ("eyeSquintRight", 0.2),
                ("browInnerUp", 0.2),
            ],
        )
    },
    Preset {
        blink: Override::Blend,
        mouth: Override::Blend,
        ..plain(
            "surprised",
            &[
                ("LeftInnerBrowUp", 0.6),
                ("RightInnerBrowUp", 0.6),
                ("LeftOuterBrowUp", 0.45),
                ("RightOuterBrowUp", 0.45),
                ("LeftUpperLidOpen", 0.55),
                ("RightUpperLidOpen", 0.55),
                ("JawDrop", 0.45),
                ("LipsKiss", 0.3),
            ],
            &[
                ("browInnerUp", 1.0),
                ("browOuterUpLeft", 0.6),
                ("browOuterUpRight", 0.6),
                ("eyeWideLeft", 0.7),
                ("eyeWideRight", 0.7),
                ("jawOpen", 0.4),
                ("mouthPucker", 0.3),
                ("mouthFunnel", 0.1),
            ],
        )
    },
    plain(
        "aa",
        &[
            ("JawDrop", 0.65),
            ("MouthLeftPullSide", 0.15),
            ("MouthRightPullSide", 0.15),
            ("UpperLipUp", 0.1),
            ("lowerLipDown", 0.1),
        ],
        &[
            ("jawOpen", 0.6),
            ("mouthStretchLeft", 0.3),
            ("mouthStretchRight", 0.3),
            ("mouthUpperUpLeft", 0.2),
            ("mouthUpperUpRight", 0.2),
        ],
    ),
    plain(
        "ih",
        &[
            ("JawDrop", 0.1),
            ("MouthLeftPullSide", 0.45),
            ("MouthRightPullSide", 0.45),
            ("UpperLipUp", 0.25),
            ("lowerLipForward", 0.15),
        ],
        &[
            ("jawOpen", 0.05),
            ("mouthStretchLeft", 0.4),
            ("mouthStretchRight", 0.4),
            ("mouthSmileLeft", 0.25),
            ("mouthSmileRight", 0.25),
            ("mouthUpperUpLeft", 0.25),
            ("mouthUpperUpRight", 0.25),
            ("mouthLowerDownLeft", 0.2),
            ("mouthLowerDownRight", 0.2),
        ],
    ),
    plain(
        "ou",
        &[
            ("JawDrop", 0.1),
            ("LipsKiss", 1.0),
            ("UpperLipForward", 0.15),
            ("lowerLipForward", 0.15),
        ],
        &[("jawOpen", 0.12), ("mouthPucker", 1.0), ("mouthFunnel", 0.15)],
    ),
    plain(
        "ee",
        &[
            ("JawDrop", 0.32),
            ("MouthLeftPullSide", 0.5),
            ("MouthRightPullSide", 0.5),
            ("UpperLipUp", 0.15),
            ("lowerLipDown", 0.1),
        ],
        &[
            ("jawOpen", 0.28),
            ("mouthStretchLeft", 0.5),
            ("mouthStretchRight", 0.5),
            ("mouthSmileLeft", 0.2),
            ("mouthSmileRight", 0.2),
            ("mouthUpperUpLeft", 0.3),
            ("mouthUpperUpRight", 0.3),
            ("mouthLowerDownLeft", 0.1),
            ("mouthLowerDownRight", 0.1),
        ],
    ),
    plain(
        "oh",
        &[("JawDrop", 0.48), ("LipsKiss", 0.9), ("UpperLipForward", 0.1)],
        &[("jawOpen", 0.5), ("mouthPucker", 0.9), ("mouthFunnel", 0.15)],
    ),
    // The profile has blinks be the upper lids alone. On some faces a sliver
    // of the inner corner stays open, which a lower lid at 0.5 would close.
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

/// The presets that a look-at by expression drives.
pub const LOOKS: [&str; 4] = ["lookUp", "lookDown", "lookLeft", "lookRight"];

/// Visemes that stand for the vowels in files that carry them as shapes.
pub const VOWEL_VISEMES: [(&str, &str); 5] =
    [("aa", "aa"), ("ih", "I"), ("ou", "U"), ("ee", "E"), ("oh", "O")];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::face::ARKIT_SHAPES;
    use crate::face::mirrored_shape;
    use crate::profile::FACE_UNITS;

    type Set = &'static [(&'static str, f32)];

    const MOODS: [&str; 5] = ["happy", "angry", "sad", "relaxed", "surprised"];

    fn preset(name: &str) -> &'static Preset {
        PRESETS.iter().find(|preset| preset.name == name).unwrap()
    }

    fn weight(set: Set, name: &str) -> f32 {
        set.iter().find(|(shape, _)| *shape == name).map_or(0.0, |(_, weight)| *weight)
    }

    #[test]
    fn names_are_the_eighteen_of_vrm() {
        let names: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
        let vrm = "happy angry sad relaxed surprised aa ih ou ee oh blink blinkLeft blinkRight \
                   lookUp lookDown lookLeft lookRight neutral";
        assert_eq!(names, vrm.split_whitespace().collect::<Vec<_>>());
    }

    #[test]
    fn sets_are_made_of_known_shapes_once_each_with_weights_up_to_one() {
        for preset in &PRESETS {
            let sets = [(preset.units, &FACE_UNITS[..]), (preset.arkit, &ARKIT_SHAPES[..])];
            for (set, known) in sets {
                assert_eq!(set.is_empty(), preset.name == "neutral", "{}", preset.name);
                for (i, (shape, weight)) in set.iter().enumerate() {
                    assert!(known.contains(shape), "{}: {shape}", preset.name);
                    assert!(*weight > 0.0 && *weight <= 1.0, "{}: {shape}", preset.name);
                    let again = set[..i].iter().any(|(other, _)| other == shape);
                    assert!(!again, "{}: {shape} twice", preset.name);
                }
            }
        }
    }

    #[test]
    fn left_and_right_are_even() {
        let one_sided = ["blinkLeft", "blinkRight", "lookLeft", "lookRight"];
        for preset in PRESETS.iter().filter(|preset| !one_sided.contains(&preset.name)) {
            for set in [preset.units, preset.arkit] {
                for (shape, value) in set {
                    if let Some(other) = mirrored_shape(shape) {
                        assert_eq!(*value, weight(set, &other), "{}: {shape}", preset.name);
                    }
                }
            }
        }
    }

    #[test]
    fn one_sided_blinks_are_the_halves_of_blink() {
        for sets in [|p: &Preset| p.units, |p: &Preset| p.arkit] {
            let halves = [sets(preset("blinkLeft")), sets(preset("blinkRight"))].concat();
            let whole = sets(preset("blink"));
            assert_eq!(halves.len(), whole.len());
            assert!(whole.iter().all(|shape| halves.contains(shape)));
        }
    }

    #[test]
    fn looks_turn_both_eyes_the_same_way() {
        for (look, unit, arkit) in [
            ("lookUp", "EyeUp", ["eyeLookUpLeft", "eyeLookUpRight"]),
            ("lookDown", "EyeDown", ["eyeLookDownLeft", "eyeLookDownRight"]),
            ("lookLeft", "EyeturnLeft", ["eyeLookOutLeft", "eyeLookInRight"]),
            ("lookRight", "EyeturnRight", ["eyeLookInLeft", "eyeLookOutRight"]),
        ] {
            let look = preset(look);
            for side in ["Left", "Right"] {
                assert_eq!(weight(look.units, &format!("{side}{unit}")), 1.0, "{}", look.name);
            }
            assert!(arkit.iter().all(|shape| weight(look.arkit, shape) == 1.0), "{}", look.name);
            let eyes = look.units.iter().filter(|(name, _)| name.contains("Eye"));
            assert_eq!(eyes.count(), 2, "{}", look.name);
        }
    }

    #[test]
    fn vowels_are_different() {
        let vowels = VOWEL_VISEMES.map(|(name, _)| preset(name));
        let far = |a: Set, b: Set| {
            a.iter().chain(b).any(|(n, _)| (weight(a, n) - weight(b, n)).abs() >= 0.15)
        };
        for (i, a) in vowels.iter().enumerate() {
            for b in &vowels[..i] {
                assert!(far(a.units, b.units), "{} {}", a.name, b.name);
                assert!(far(a.arkit, b.arkit), "{} {}", a.name, b.name);
            }
        }
    }

    #[test]
    fn overrides_follow_from_the_weights() {
        for preset in &PRESETS {
            let (u, a) = (|n| weight(preset.units, n), |n| weight(preset.arkit, n));
            let mood = MOODS.contains(&preset.name);
            // Upper lid closed, upper lid opened, lower lid raised; jaw
            // dropped, lips drawn up and how far that may go.
            let sets = [
                (
                    [u("LeftUpperLidClosed"), u("LeftUpperLidOpen"), u("LeftLowerLidUp")],
                    [u("JawDrop"), u("MouthLeftPullUp") + u("UpperLipStretched"), 0.5],
                ),
                (
                    [a("eyeBlinkLeft"), a("eyeWideLeft"), a("eyeSquintLeft")],
                    [a("jawOpen"), a("mouthSmileLeft"), 0.6],
                ),
            ];
            for ([closed, opened, lower], [jaw, drawn, limit]) in sets {
                let expect = |on: bool| if mood && on { Override::Blend } else { Override::None };
                let lids = closed >= 0.2 || opened >= 0.2 || lower >= 0.5;
                assert_eq!(preset.blink, expect(lids), "{}", preset.name);
                assert_eq!(preset.mouth, expect(jaw >= 0.3 || drawn >= limit), "{}", preset.name);
                assert_eq!(preset.look_at, expect(closed >= 0.5), "{}", preset.name);
            }
        }
    }
}
