//! Packs: opening, refusing, and what is in the real one.

mod common;

use std::collections::BTreeMap;

use dramatis::error::{Error, PackFault};
use dramatis::face::FaceNames;
use dramatis::pack::{
    Binding, FitPoint, Meta, Pack, PackContent, PartContent, PartMeta, PartVertex, TargetContent,
    write_pack,
};
use dramatis::profile::{Licence, LicenceKind, N_JOINTS, PartKind};
use dramatis::{CharacterSpec, ExportOptions, build_character, write_character_glb};

/// A pack as small as one can be: a body of one tetrahedron, a garment of one
/// triangle, two targets.
fn small_content() -> PackContent {
    let licence = |asset: &str, kind| Licence {
        asset: asset.into(),
        title: format!("A test {kind}"),
        kind,
        licence: "CC0-1.0".into(),
        licence_url: "https://creativecommons.org/publicdomain/zero/1.0/".into(),
        source: "made by a test".into(),
        author: "a test".into(),
        attribution: None,
        modified: None,
    };
    let part = |name: &str, kind, asset: &str| PartMeta {
        name: name.into(),
        kind,
        asset: asset.into(),
        double_sided: false,
        stand_off_m: 0.0,
    };
    let vertices = |n: u32| (0..n).map(|point| PartVertex { point, uv: [0.5, 0.5] }).collect();
    let fit = |base: [u32; 3]| FitPoint { base, weights: [0.5, 0.25, 0.25], offset: [0.0; 3] };
    let mut joints = vec![vec![0, 1, 2, 3]; N_JOINTS];
    joints[0].clear();
    PackContent {
        meta: Meta {
            name: "small".into(),
            base_asset: "test:base/small".into(),
            sources: vec![],
            n_body_vertices: 4,
            target_unit_m: 0.001,
            joints,
            bones: vec!["bone".into()],
            rigs: BTreeMap::new(),
            targets: vec!["a/down".into(), "a/up".into()],
            sliders: vec![],
            parts: vec![
                part("body", PartKind::Body, "test:base/small"),
                part("rag", PartKind::Garment, "test:garment/rag"),
            ],
            groups: BTreeMap::from([("body".into(), vec![[0, 3]])]),
            images: vec![],
            licences: vec![
                licence("test:base/small", LicenceKind::Base),
                licence("test:garment/rag", LicenceKind::Garment),
            ],
        },
        positions: vec![[0., 1., 0.], [1., 0., 0.], [-1., 0., 0.], [0., 0., 1.]],
        mirror: vec![0, 2, 1, 3],
        targets: vec![
            TargetContent::new("a/down", &[0, 1, 3], &[[0., -0.5, 0.]; 3], 0.001).unwrap(),
            TargetContent::new("a/up", &[2], &[[0.25, 0.5, 0.]], 0.001).unwrap(),
        ],
        bone_weights: vec![vec![(0, 1.0)]; 4],
        unit_rotations: vec![],
        joint_weights: vec![vec![(6, 0.75), (5, 0.25)]; 4],
        parts: vec![
            PartContent {
                binding: Binding::Base(vec![0, 1, 2, 3]),
                vertices: vertices(4),
                triangles: vec![[0, 2, 3], [0, 3, 1], [0, 1, 2], [1, 3, 2]],
                covers: vec![],
            },
            PartContent {
                binding: Binding::Fit(vec![fit([0, 1, 2]), fit([1, 2, 3]), fit([2, 3, 0])]),
                vertices: vertices(3),
                triangles: vec![[0, 1, 2]],
                covers: vec![1],
            },
        ],
        images: vec![],
    }
}

fn small() -> Vec<u8> {
    write_pack(&small_content()).unwrap()
}

fn open(bytes: &[u8]) -> Result<Pack, PackFault> {
    match Pack::from_bytes(bytes, "small.pack") {
        Ok(pack) => Ok(pack),
        Err(Error::Pack { file, fault }) => {
            assert_eq!(file, "small.pack");
            Err(fault)
        }
        Err(other) => panic!("{other}"),
    }
}

#[test]
fn a_pack_reads_back_what_was_written() {
    let content = small_content();
    let pack = open(&small()).unwrap();
    assert_eq!(pack.meta(), &content.meta);
    assert_eq!(pack.positions(), content.positions);
    assert_eq!(pack.mirror(), content.mirror);
    assert_eq!(pack.find_target("a/up"), Some(1));
    assert_eq!(pack.find_target("a/left"), None);
    let view = pack.target(0);
    assert_eq!(
        (view.runs, view.deltas),
        (&content.targets[0].runs[..], &content.targets[0].deltas[..])
    );
    assert_eq!(view.runs.len(), 2);
    let weights: Vec<_> = pack.joint_weights().of(2).collect();
    assert_eq!(weights, [(6, 0.75), (5, 0.25)]);
    assert_eq!(pack.parts().count(), 2);
    assert_eq!(pack.parts().nth(1).unwrap().covers, [1]);
}

#[test]
fn a_mapped_pack_is_the_same_as_one_in_memory() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("small.pack");
    std::fs::write(&path, small()).unwrap();
    let (mapped, owned) = (Pack::open(&path).unwrap(), open(&small()).unwrap());
    assert_eq!(mapped.content_hash(), owned.content_hash());
    assert_eq!(mapped.positions(), owned.positions());
    assert_eq!(mapped.meta(), owned.meta());
}

#[test]
fn every_truncation_is_refused() {
    let bytes = small();
    for n in 0..bytes.len() {
        let fault = open(&bytes[..n]).expect_err("a truncated pack must not open");
        let expected = matches!(fault, PackFault::Length { .. } | PackFault::Foreign);
        assert!(expected, "{n} bytes: {fault}");
    }
}

#[test]
fn every_flipped_byte_is_refused() {
    let bytes = small();
    for at in 0..bytes.len() {
        let mut bad = bytes.clone();
        bad[at] ^= 0x10;
        assert!(open(&bad).is_err(), "byte {at}");
    }
}

#[test]
fn damage_in_a_large_section_is_found_before_anything_comes_out() {
    let mut content = small_content();
    let n = 400_000;
    content.positions = vec![[0.5; 3]; n];
    content.positions[..4].copy_from_slice(&small_content().positions);
    content.mirror = (0..n as u32).collect();
    content.bone_weights = vec![vec![(0, 1.0)]; n];
    content.joint_weights = vec![vec![(6, 1.0)]; n];
    let bytes = write_pack(&content).unwrap();
    let spec = CharacterSpec::new("Test");
    assert!(build_character(&open(&bytes).unwrap(), &spec).is_ok());
    let mut bad = bytes.clone();
    let at = bytes.windows(12).position(|w| w == bytemuck::bytes_of(&[0.5f32; 3])).unwrap();
    bad[at + 2_000_000] ^= 1;
    match build_character(&open(&bad).unwrap(), &spec) {
        Err(Error::Pack { fault: PackFault::Checksum { what }, .. }) => {
            assert_eq!(what, "section `positions`");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_writers_output_is_the_same_each_time() {
    assert_eq!(small(), small());
}

#[test]
fn other_kinds_of_file_are_told_apart() {
    let dir = tempfile::tempdir().unwrap();
    let cases: [(&str, &[u8]); 3] = [
        ("empty", b""),
        ("zip", b"PK\x03\x04rest"),
        ("text", b"DRAMATIC but not a pack, and long enough to hold a header of 64 bytes"),
    ];
    for (name, bytes) in cases {
        let path = dir.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        let e = Pack::open(&path).unwrap_err().to_string();
        assert!(e.contains(name) && e.contains("not a dramatis pack"), "{e}");
    }
    let e = Pack::open(&dir.path().join("nowhere.pack")).unwrap_err().to_string();
    assert!(e.contains("nowhere.pack: cannot open"), "{e}");
    assert!(Pack::open(dir.path()).is_err());
    let mut newer = small();
    newer[8] += 1;
    let e = open(&newer).unwrap_err().to_string();
    assert!(e.contains("newer") && e.contains("update dramatis"), "{e}");
}

/// A pack whose checksums are right but whose content is not.
fn refused(change: impl FnOnce(&mut PackContent)) -> String {
    let mut content = small_content();
    change(&mut content);
    match open(&write_pack(&content).unwrap()) {
        Err(PackFault::Content { what }) => what,
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_index_is_checked_when_a_pack_is_opened() {
    let cases: [(&str, String); 13] = [
        ("mirror", refused(|c| c.mirror[0] = 4)),
        ("mirror", refused(|c| c.mirror.truncate(3))),
        ("finite", refused(|c| c.positions[1][2] = f32::NAN)),
        ("body", refused(|c| c.meta.n_body_vertices = 5)),
        ("a/up", refused(|c| c.targets[1].runs[0].start = 4)),
        ("a/up", refused(|c| c.targets[1].runs[0].count = 2)),
        ("joints", refused(|c| c.joint_weights[0][0].0 = 65)),
        ("no joint", refused(|c| c.joint_weights[3].clear())),
        ("joint vertex", refused(|c| c.meta.joints[9][0] = 9)),
        ("joint 9", refused(|c| c.meta.joints[9].clear())),
        ("part point", refused(|c| c.parts[0].binding = Binding::Base(vec![0, 1, 2, 9]))),
        ("triangle corner", refused(|c| c.parts[1].triangles[0][1] = 3)),
        ("covered vertex", refused(|c| c.parts[1].covers[0] = 4)),
    ];
    for (expected, what) in cases {
        assert!(what.contains(expected), "{expected}: {what}");
    }
}

#[test]
fn an_asset_without_a_licence_is_never_exported() {
    let mut content = small_content();
    content.meta.licences.pop();
    let pack = open(&write_pack(&content).unwrap()).unwrap();
    let mut spec = CharacterSpec::new("Test");
    assert!(build_character(&pack, &spec).is_ok());
    spec.garments.push(dramatis::character::Garment {
        asset: "rag".into(),
        colour: None,
        fabric: None,
    });
    match build_character(&pack, &spec) {
        Err(Error::UnlicensedAsset { asset }) => assert_eq!(asset, "test:garment/rag"),
        other => panic!("{other:?}"),
    }
    content.meta.licences.clear();
    let pack = open(&write_pack(&content).unwrap()).unwrap();
    match build_character(&pack, &CharacterSpec::new("Test")) {
        Err(Error::UnlicensedAsset { asset }) => assert_eq!(asset, "test:base/small"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn shapes_that_a_pack_lacks_are_an_error() {
    let pack = open(&small()).unwrap();
    let character = build_character(&pack, &CharacterSpec::new("Test")).unwrap();
    let with = |face_names| {
        let options = ExportOptions { face_names, ..ExportOptions::default() };
        write_character_glb(&character, &options)
    };
    assert!(with(FaceNames::Units).is_ok());
    for face_names in [FaceNames::Arkit, FaceNames::Both] {
        let e = with(face_names).unwrap_err().to_string();
        assert!(e.contains("without ARKit's face targets"), "{e}");
    }
}

#[test]
fn the_hm08_pack_holds_the_whole_source() {
    let pack = common::exporter().pack();
    let meta = pack.meta();
    assert_eq!(pack.positions().len(), 19158);
    let of = |folder: &str| meta.targets.iter().filter(|t| t.starts_with(folder)).count();
    assert_eq!(meta.targets.len(), 1258 + 52);
    assert_eq!((of("macrodetails/"), of("faceunits01/"), of("expression/")), (348, 52, 102));
    assert_eq!((of("asym/"), of("breast/female-")), (62, 216));
    let empty = (0..meta.targets.len()).filter(|t| pack.target(*t).deltas.is_empty()).count();
    assert_eq!(empty, 8);
    assert_eq!(meta.sliders.len(), 203);
    assert_eq!(meta.sliders.iter().filter(|s| s.ends.len() == 2).count(), 66);
    assert_eq!(meta.sliders.iter().filter(|s| s.ends[0].negative.is_none()).count(), 8);
    assert_eq!(meta.rigs["default"].len(), 163);
    assert_eq!(meta.bones.len(), 163);
    assert!(meta.images.iter().any(|i| i.name == "lips"));
    for part in pack.parts() {
        let known = match part.meta.kind {
            PartKind::Body => Some((14517, 26756)),
            PartKind::Eyes => Some((160, 280)),
            PartKind::Eyelashes => Some((250, 368)),
            PartKind::Teeth => Some((136, 192)),
            PartKind::Tongue => Some((253, 448)),
            _ => None,
        };
        if let Some(known) = known {
            let found = (part.vertices.len(), part.triangles.len());
            assert_eq!(found, known, "{}", part.meta.name);
        }
    }
    // Every part the pack has may be exported.
    for part in &meta.parts {
        assert!(pack.licence(&part.asset).is_some(), "{}", part.asset);
    }
}

#[test]
fn garments_hide_skin_of_the_trunk_only() {
    let pack = common::exporter().pack();
    let ground = pack.positions()[..13380].iter().map(|p| p[1]).fold(f32::INFINITY, f32::min);
    let mut checked = 0;
    for part in pack.parts() {
        for &v in part.covers {
            let [x, y, _] = pack.positions()[v as usize];
            let y = y - ground;
            assert!(
                x.abs() < 0.25 && y > 0.7 && y < 1.42,
                "{} hides {v} at {x} {y}",
                part.meta.name
            );
            checked += 1;
        }
    }
    assert!(checked > 500, "{checked}");
}
