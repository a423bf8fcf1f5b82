//! `export --format vrm|both` and `--thumbnail`.

use serde_json::json;

use crate::bench::{Bench, glb_json, spec};
use crate::common::picture;

fn with_spec() -> Bench {
    let bench = Bench::new();
    bench.write_json("ada.character.json", &spec(json!({"authors": ["A. Maker"]})));
    bench
}

#[test]
fn a_vrm_and_both_formats_are_written() {
    let bench = with_spec();
    bench.run(&["export", "ada.character.json", "-o", "one", "--format", "vrm"]).ok();
    assert_eq!(bench.names_in("one"), ["ada.vrm"]);
    let run = bench.run(&["export", "ada.character.json", "-o", "two", "--format", "both"]);
    run.ok();
    assert_eq!(bench.names_in("two"), ["ada.glb", "ada.vrm"]);
    assert!(run.out.ends_with("2 of 2 exported\n"), "{run:?}");
    assert!(bench.read("one/ada.vrm") == bench.read("two/ada.vrm"));
    bench.run(&["export", "ada.character.json", "-o", "three"]).ok();
    assert!(bench.read("two/ada.glb") == bench.read("three/ada.glb"));
    let run = bench.run(&["check", "two"]);
    run.ok();
    assert!(run.out.ends_with("2 of 2 accepted\n"), "{run:?}");
}

/// Both formats with settings that only a GLB has: the VRM keeps its own.
#[test]
fn a_vrm_has_its_own_naming_and_pose() {
    let bench = with_spec();
    for flags in [&["--naming", "mixamo"][..], &["--rest-pose", "source"]] {
        let all =
            [&["export", "ada.character.json", "-o", "out", "--format", "vrm"], flags].concat();
        let line = bench.refused(&all);
        assert!(line.contains("expected ue and t-pose, as every VRM has"), "{line}");
    }
    let flags = ["--format", "both", "--naming", "mixamo"];
    let all = [&["export", "ada.character.json", "-o", "out"], &flags[..]].concat();
    bench.run(&all).ok();
    let name = |file: &str| glb_json(&bench.read(file))["nodes"][1]["name"].clone();
    assert_eq!(name("out/ada.glb"), "mixamorig:Hips");
    assert_eq!(name("out/ada.vrm"), "pelvis");
}

#[test]
fn a_thumbnail_is_checked_before_anything_is_written() {
    let bench = with_spec();
    bench.write("square.png", picture(4, 4));
    bench.write("wide.png", picture(8, 4));
    bench.write("notes.txt", "no picture");
    let with = |picture: &str, format: &str| {
        ["export", "ada.character.json", "-o", "out", "--format", format, "--thumbnail", picture]
            .map(str::to_owned)
    };
    for (picture, format, expected) in [
        ("wide.png", "vrm", "wide.png: picture: found 8 x 4 pixels"),
        ("notes.txt", "vrm", "notes.txt: picture: found bytes of another kind"),
        ("none.png", "both", "none.png: cannot read: "),
        ("square.png", "glb", "the command line: --thumbnail: found it for GLB files"),
    ] {
        let args = with(picture, format);
        let line = bench.refused(&args.each_ref().map(String::as_str));
        assert!(line.starts_with(expected), "{line}");
    }
    let args = with("square.png", "both");
    bench.run(&args.each_ref().map(String::as_str)).ok();
    let vrm = glb_json(&bench.read("out/ada.vrm"));
    assert_eq!(vrm["extensions"]["VRMC_vrm"]["meta"]["thumbnailImage"], 0);
    assert!(glb_json(&bench.read("out/ada.glb"))["images"].is_null());
}
