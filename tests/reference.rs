//! Right values, measured once on MakeHuman's own data by an independent
//! program: joints, heights and volumes of known characters.

mod common;

use std::collections::BTreeMap;

use dramatis::character::{Body, Character, CharacterSpec, Race, build_character, macro_targets};
use dramatis::profile::{PartKind, UE_JOINTS};
use serde_json::Value;

/// How far a coordinate may be from its right value, in metres.
const TOLERANCE_M: f64 = 5e-5;

fn default_reference() -> Value {
    serde_json::from_str(include_str!("data/reference_default.json")).unwrap()
}

/// A character without garments, so that its skin is whole.
fn bare(body: Body) -> Character {
    let mut spec = CharacterSpec::new("Reference");
    spec.body = body;
    spec.underlayer = false;
    build_character(common::exporter().pack(), &spec).unwrap()
}

fn macro_a() -> Body {
    Body {
        gender: 1.0,
        muscle: 0.7,
        weight: 0.55,
        height: 0.6,
        proportions: 0.7,
        race: Race { african: 0.0, asian: 0.0, caucasian: 1.0 },
        ..Body::default()
    }
}

fn macro_b() -> Body {
    Body {
        gender: 0.0,
        age: 0.3,
        muscle: 0.3,
        weight: 0.8,
        height: 0.4,
        proportions: 0.3,
        cupsize: 0.7,
        firmness: 0.3,
        race: Race { african: 0.5, asian: 0.5, caucasian: 0.0 },
    }
}

fn triple(value: &Value) -> [f64; 3] {
    let items = value.as_array().unwrap();
    std::array::from_fn(|i| items[i].as_f64().unwrap())
}

fn assert_near(what: &str, found: [f64; 3], expected: [f64; 3], tolerance: f64) {
    for (f, e) in found.iter().zip(expected) {
        assert!((f - e).abs() <= tolerance, "{what}: found {found:?}, expected {expected:?}");
    }
}

/// The volume inside a closed mesh, in litres (divergence theorem).
fn volume_litres(character: &Character) -> f64 {
    let body = character.parts.iter().find(|p| p.kind == PartKind::Body).unwrap();
    let point = |v: u32| body.points[body.vertices[v as usize].point as usize].map(f64::from);
    let signed = |t: &[u32; 3]| {
        let [a, b, c] = t.map(point);
        a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0])
            + a[2] * (b[0] * c[1] - b[1] * c[0])
    };
    body.triangles.iter().map(signed).sum::<f64>() / 6.0 * 1000.0
}

#[test]
fn the_default_characters_joints_stand_where_they_must() {
    let reference = default_reference();
    let character = bare(Body::default());
    let joints = reference["joints"].as_object().unwrap();
    assert_eq!(joints.len(), 65);
    for (name, joint) in UE_JOINTS.iter().zip(character.joints) {
        assert_near(name, joint, triple(&joints[*name]), TOLERANCE_M);
    }
}

#[test]
fn the_default_characters_height_and_volume_are_right() {
    let reference = default_reference();
    let character = bare(Body::default());
    let height = reference["height"].as_f64().unwrap();
    assert!((f64::from(character.height_m) - height).abs() <= TOLERANCE_M);
    let volume = volume_litres(&character);
    assert!((volume - reference["body_volume_litres"].as_f64().unwrap()).abs() < 0.01, "{volume}");
}

#[test]
fn the_default_characters_skin_is_where_it_must_be() {
    let reference = default_reference();
    let character = bare(Body::default());
    let body = character.parts.iter().find(|p| p.kind == PartKind::Body).unwrap();
    // The body's points are the first base vertices, in order.
    let samples = reference["sample_vertices_rest"].as_object().unwrap();
    let mut checked = 0;
    for (vertex, place) in samples {
        let vertex: usize = vertex.parse().unwrap();
        if vertex < body.points.len() {
            let found = body.points[vertex].map(f64::from);
            assert_near(&format!("vertex {vertex}"), found, triple(place), TOLERANCE_M);
            checked += 1;
        }
    }
    assert_eq!(checked, 11);
}

#[test]
fn the_default_characters_parts_fill_their_boxes() {
    let reference = default_reference();
    let character = bare(Body::default());
    let boxes = reference["part_bbox"].as_object().unwrap();
    for (kind, names) in [
        (PartKind::Eyes, &["eye.L", "eye.R"][..]),
        (PartKind::Eyelashes, &["lash.L", "lash.R"]),
        (PartKind::Teeth, &["teeth.lower", "teeth.upper"]),
        (PartKind::Tongue, &["tongue"]),
    ] {
        let part = character.parts.iter().find(|p| p.kind == kind).unwrap();
        for (end, pick) in [(0, f64::min as fn(f64, f64) -> f64), (1, f64::max)] {
            let over = |points: &mut dyn Iterator<Item = [f64; 3]>| {
                points.reduce(|a, b| std::array::from_fn(|i| pick(a[i], b[i]))).unwrap()
            };
            let found = over(&mut part.points.iter().map(|p| p.map(f64::from)));
            let expected = over(&mut names.iter().map(|n| triple(&boxes[*n][end])));
            assert_near(&format!("{kind:?}"), found, expected, TOLERANCE_M);
        }
    }
}

#[test]
fn known_macro_settings_give_known_bodies() {
    // (body, targets that exist and are not empty, height m, volume l)
    for (name, body, n_targets, height, volume) in
        [("A", macro_a(), 12, 1.8927, 80.39), ("B", macro_b(), 50, 1.2986, 34.64)]
    {
        let pack = common::exporter().pack();
        let weights: BTreeMap<usize, f64> = macro_targets(&body)
            .iter()
            .filter_map(|(key, weight)| Some((pack.find_target(key)?, *weight)))
            .filter(|(target, _)| !pack.target(*target).deltas.is_empty())
            .collect();
        assert_eq!(weights.len(), n_targets, "macro {name}");
        let character = bare(body);
        assert!((f64::from(character.height_m) - height).abs() < 1e-4, "{}", character.height_m);
        let found = volume_litres(&character);
        assert!((found - volume).abs() < 0.02, "macro {name}: {found} litres");
    }
}

#[test]
fn known_macro_settings_place_known_joints() {
    let places: [(&str, [f64; 3], [f64; 3]); 6] = [
        ("pelvis", [0.0, 1.0354, 0.0073], [0.0, 0.6772, 0.0229]),
        ("Head", [0.0, 1.7373, 0.0476], [0.0, 1.1676, 0.0334]),
        ("lowerarm_l", [0.3945, 1.3135, 0.0230], [0.2510, 0.8710, 0.0103]),
        ("middle_04_leaf_l", [0.6003, 1.0398, 0.3831], [0.3869, 0.6835, 0.2346]),
        ("calf_l", [0.1584, 0.5442, 0.0325], [0.1150, 0.3655, 0.0415]),
        ("ball_leaf_l", [0.2062, 0.0155, 0.2329], [0.1411, 0.0097, 0.1567]),
    ];
    let (a, b) = (bare(macro_a()), bare(macro_b()));
    for (name, in_a, in_b) in places {
        let i = UE_JOINTS.iter().position(|j| *j == name).unwrap();
        // The table has four decimals.
        assert_near(name, a.joints[i], in_a, 1e-4);
        assert_near(name, b.joints[i], in_b, 1e-4);
    }
}

#[test]
fn heights_at_the_ends_of_the_sliders_are_right() {
    let d = Body::default();
    for (what, body, height) in [
        ("male", Body { gender: 1.0, ..d }, 1.730),
        ("female", Body { gender: 0.0, ..d }, 1.590),
        ("age 0", Body { age: 0.0, ..d }, 0.602),
        ("age 0.1875", Body { age: 0.1875, ..d }, 1.309),
        ("age 1", Body { age: 1.0, ..d }, 1.637),
        ("height 0", Body { height: 0.0, ..d }, 1.292),
        ("height 1", Body { height: 1.0, ..d }, 2.382),
    ] {
        let found = bare(body).height_m;
        assert!((f64::from(found) - height).abs() < 1e-3, "{what}: {found}");
    }
}

#[test]
fn shared_reference_agrees_with_ours() {
    let Some(shared) = common::shared() else { return };
    let text = std::fs::read(shared.join("facts/makehuman/reference_default.json")).unwrap();
    let theirs: Value = serde_json::from_slice(&text).unwrap();
    let ours = default_reference();
    assert_eq!(theirs["default"]["joints"], ours["joints"]);
    assert_eq!(theirs["default"]["height"], ours["height"]);
    let joint_map = std::fs::read(shared.join("facts/makehuman/joint_map.json")).unwrap();
    let joint_map: Value = serde_json::from_slice(&joint_map).unwrap();
    for (name, vertices) in UE_JOINTS.iter().zip(&common::exporter().pack().meta().joints) {
        let expected: Vec<u32> = joint_map["joints"][name]["vertices"]
            .as_array()
            .map(|v| v.iter().map(|x| x.as_u64().unwrap() as u32).collect())
            .unwrap_or_default();
        let sorted = |mut v: Vec<u32>| {
            v.sort_unstable();
            v
        };
        assert_eq!(sorted(vertices.clone()), sorted(expected), "{name}");
    }
    let fold = std::fs::read(shared.join("facts/makehuman/bone_fold.json")).unwrap();
    let fold: Value = serde_json::from_slice(&fold).unwrap();
    let fold = fold["fold"].as_object().unwrap();
    assert_eq!(fold.len(), 163);
    for (bone, joint) in fold {
        let found = dramatis::pack::makehuman::hm08::fold_bone(bone);
        assert_eq!(found.map(|i| UE_JOINTS[usize::from(i)]), joint.as_str(), "{bone}");
    }
}
