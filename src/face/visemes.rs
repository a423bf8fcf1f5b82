//! The 15 visemes of the Oculus lip-sync set, as weighted sets of units.

use glam::Vec3;

use super::on_part::PartShape;

/// A viseme: its name and the units it is made of, with their weights.
pub type Viseme = (&'static str, &'static [(&'static str, f32)]);

/// The visemes in the set's order. The weights were chosen by looking at
/// three faces: what a mouth does for the sound, no lip through the teeth.
pub const VISEMES: [Viseme; 15] = [
    ("sil", &[("lowerLipUp", 0.35)]),
    ("PP", &[("lowerLipUp", 0.8)]),
    ("FF", &[("lowerLipBackward", 0.55), ("lowerLipUp", 0.35), ("UpperLipUp", 0.3)]),
    ("TH", &[("JawDrop", 0.14), ("TongueOut", 0.3), ("TonguePointUp", 0.2)]),
    ("DD", &[("JawDrop", 0.12), ("TonguePointUp", 0.5), ("UpperLipUp", 0.15)]),
    ("kk", &[("JawDrop", 0.18), ("lowerLipDown", 0.12), ("UpperLipUp", 0.12)]),
    (
        "CH",
        &[
            ("JawDrop", 0.06),
            ("LipsKiss", 0.45),
            ("UpperLipForward", 0.35),
            ("lowerLipForward", 0.4),
        ],
    ),
    (
        "SS",
        &[
            ("MouthLeftPullSide", 0.3),
            ("MouthRightPullSide", 0.3),
            ("lowerLipDown", 0.3),
            ("UpperLipUp", 0.25),
        ],
    ),
    ("nn", &[("JawDrop", 0.1), ("TonguePointUp", 0.6), ("UpperLipUp", 0.1)]),
    ("RR", &[("JawDrop", 0.12), ("LipsKiss", 0.35), ("lowerLipForward", 0.25)]),
    ("aa", &[("JawDrop", 0.55), ("lowerLipDown", 0.2)]),
    ("E", &[("JawDrop", 0.22), ("MouthLeftPullSide", 0.4), ("MouthRightPullSide", 0.4)]),
    (
        "I",
        &[
            ("JawDrop", 0.1),
            ("MouthLeftPullSide", 0.45),
            ("MouthRightPullSide", 0.45),
            ("UpperLipUp", 0.25),
            ("lowerLipForward", 0.15),
        ],
    ),
    ("O", &[("JawDrop", 0.35), ("LipsKiss", 0.5), ("UpperLipForward", 0.2)]),
    (
        "U",
        &[
            ("JawDrop", 0.12),
            ("LipsKiss", 0.85),
            ("UpperLipForward", 0.3),
            ("lowerLipForward", 0.3),
        ],
    ),
];

/// The visemes that move anything on a part, as the weighted sums of its
/// units.
pub fn viseme_shapes(units: &[PartShape], n_points: usize) -> Vec<PartShape> {
    let mut sums = vec![Vec3::ZERO; n_points];
    let mut out = Vec::new();
    for (name, recipe) in VISEMES {
        for (unit, weight) in recipe {
            for shape in units.iter().filter(|s| s.name == *unit) {
                for (&point, delta) in shape.points.iter().zip(&shape.deltas) {
                    sums[point as usize] += Vec3::from_array(*delta) * *weight;
                }
            }
        }
        let mut shape = PartShape { name, ..PartShape::default() };
        for (point, sum) in (0..).zip(&mut sums) {
            let delta = std::mem::take(sum);
            if delta.length() > super::SMALLEST_MOVE_M {
                shape.points.push(point);
                shape.deltas.push(delta.to_array());
            }
        }
        if !shape.points.is_empty() {
            out.push(shape);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::FACE_UNITS;

    #[test]
    fn visemes_are_made_of_known_units() {
        for (name, recipe) in VISEMES {
            assert!(!recipe.is_empty(), "{name}");
            for (unit, weight) in recipe {
                assert!(FACE_UNITS.contains(unit), "{name}: {unit}");
                assert!((0.0..=1.0).contains(weight), "{name}: {unit}");
            }
        }
    }
}
