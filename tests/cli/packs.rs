//! Packs that are missing, damaged or foreign, and the `pack` commands that
//! need no network.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

use serde_json::json;

use crate::bench::{Bench, export_bytes, spec};
use crate::common;

/// Flips one bit of a file; twice the same restores it.
fn flip(file: &mut File, at: u64, bit: u8) {
    let mut byte = [0];
    file.seek(SeekFrom::Start(at)).unwrap();
    file.read_exact(&mut byte).unwrap();
    byte[0] ^= 1 << bit;
    file.seek(SeekFrom::Start(at)).unwrap();
    file.write_all(&byte).unwrap();
}

fn open(path: &Path) -> File {
    File::options().read(true).write(true).open(path).unwrap()
}

/// A spec in one folder that names a pack in another.
fn with_pack_beside() -> Bench {
    let bench = Bench::new();
    bench.write_json("specs/ada.json", &spec(json!({ "pack": "../packs/mine.pack" })));
    bench.write("out/ada.glb", "old");
    bench.folder("packs");
    bench
}

const EXPORT: [&str; 4] = ["export", "specs/ada.json", "-o", "out"];

/// Exports where the pack has to be refused; the answer is the message
/// without the place in the spec.
#[track_caller]
fn pack_refused(bench: &Bench) -> String {
    let line = bench.refused(&EXPORT);
    let rest = line.strip_prefix("specs/ada.json: $.pack: ");
    let rest = rest.unwrap_or_else(|| panic!("the place is not named: {line}"));
    assert!(rest.contains("mine.pack"), "the pack is not named: {line}");
    rest.to_owned()
}

#[test]
fn a_missing_pack_offline_says_how_to_get_it() {
    let bench = Bench::new();
    let home = bench.folder("home");
    bench.write_json("a.json", &spec(json!({})));
    bench.write_json("b.json", &spec(json!({})));
    let mut command = bench.command(&["export", "a.json", "-o", "out", "--offline"]);
    let line = bench.refused_command(command.env("DRAMATIS_HOME", &home));
    assert!(line.starts_with("a.json: $.pack: "), "{line}");
    assert!(line.contains("hm08") && line.contains("`dramatis pack fetch`"), "{line}");
    // Every input gets its line, though the pack is looked for once.
    let mut command = bench.command(&["export", "a.json", "b.json", "-o", "out", "--offline"]);
    let faults = crate::bench::Run::of(command.env("DRAMATIS_HOME", &home)).faults();
    assert_eq!(faults.len(), 2);
    assert!(faults[1].starts_with("b.json: $.pack: "), "{faults:?}");
    // A store that does not exist yet is as good as an empty one.
    let mut command = bench.command(&["export", "a.json", "-o", "out", "--offline"]);
    bench.refused_command(command.env("DRAMATIS_HOME", bench.path("none")));
}

#[test]
fn a_pack_of_another_name_is_not_fetched() {
    let bench = Bench::new();
    let home = bench.folder("home");
    for pack in ["none", "", "none.pack", "../none.pack", "a\0b", "a\nb"] {
        bench.write_json("a.json", &spec(json!({ "pack": pack })));
        let mut command = bench.command(&["export", "a.json", "-o", "out"]);
        command.env("DRAMATIS_HOME", &home).env("PATH", &home);
        let line = bench.refused_command(&mut command);
        assert!(line.starts_with("a.json: $.pack: "), "{line}");
        assert!(line.contains("cannot find the pack"), "{line}");
    }
}

/// "expected" has to be followed by what is expected, and not by a fault.
#[test]
fn a_pack_fault_is_not_told_as_an_expectation() {
    let bench = with_pack_beside();
    let line = pack_refused(&bench);
    assert!(!line.contains(", expected specs/../packs/mine.pack"), "{line}");
    bench.write("packs/mine.pack", "junk");
    let line = pack_refused(&bench);
    assert!(!line.contains(", expected specs/../packs/mine.pack"), "{line}");
}

#[test]
fn a_pack_beside_the_spec_is_found() {
    let bench = with_pack_beside();
    bench.copy_pack("packs/mine.pack");
    bench.run(&EXPORT).ok();
    assert!(bench.read("out/ada.glb") == export_bytes(spec(json!({})).to_string(), &[]));
    // So is one by its full path, and one by its name in the store.
    for pack in [bench.path("packs/mine.pack").display().to_string(), "mine".to_owned()] {
        bench.write_json("specs/ada.json", &spec(json!({ "pack": pack })));
        std::fs::remove_file(bench.path("out/ada.glb")).unwrap();
        let mut command = bench.command(&EXPORT);
        crate::bench::Run::of(command.env("DRAMATIS_HOME", bench.path("packs"))).ok();
        assert_eq!(bench.names_in("out"), ["ada.glb"]);
    }
}

#[test]
fn files_that_are_no_packs_are_refused() {
    let bench = with_pack_beside();
    for junk in [&b""[..], b"junk", b"PK\x03\x04", &[0; 4096], b"DRAMPACX and more", b"dramPACK"] {
        bench.write("packs/mine.pack", junk);
        let line = pack_refused(&bench);
        assert!(line.contains("not a dramatis pack"), "{line}");
    }
    std::fs::remove_file(bench.path("packs/mine.pack")).unwrap();
    bench.folder("packs/mine.pack");
    pack_refused(&bench);
}

#[test]
fn truncated_and_prolonged_packs_are_refused() {
    let bench = with_pack_beside();
    let path = bench.copy_pack("packs/mine.pack");
    let file = open(&path);
    let length = file.metadata().unwrap().len();
    for cut in [length + 1, length - 1, length / 2, 4096, 65, 64, 63, 9, 8, 7, 1] {
        file.set_len(cut).unwrap();
        let line = pack_refused(&bench);
        assert!(line.contains(&format!("the file has {cut} bytes")), "{line}");
        assert!(line.contains("truncated"), "{line}");
    }
}

#[test]
fn any_flipped_bit_is_found() {
    let bench = with_pack_beside();
    let path = bench.copy_pack("packs/mine.pack");
    let mut file = open(&path);
    let length = file.metadata().unwrap().len();
    // The magic, the version, every field of the header, the table, and
    // sections from the first to the last byte.
    let header = [0, 7, 8, 11, 12, 15, 16, 23, 24, 39, 40, 55, 56, 63];
    let table = [64, 96, 104, 112, 120, 127, 128];
    let sections = (1..=20).map(|i| length * i / 20 - 1);
    for (i, at) in header.into_iter().chain(table).chain(sections).enumerate() {
        let bit = (i % 8) as u8;
        flip(&mut file, at, bit);
        let line = pack_refused(&bench);
        let told = ["damaged", "not a dramatis pack", "newer", "older", "truncated"];
        assert!(told.iter().any(|word| line.contains(word)), "byte {at}: {line}");
        flip(&mut file, at, bit);
    }
    bench.run(&EXPORT).ok();
}

#[test]
fn packs_of_other_versions_say_so() {
    let bench = with_pack_beside();
    let path = bench.copy_pack("packs/mine.pack");
    let mut file = open(&path);
    let next = dramatis::pack::format::VERSION + 1;
    for (version, word) in [(0u32, "older"), (next, "newer"), (u32::MAX, "newer")] {
        file.seek(SeekFrom::Start(8)).unwrap();
        file.write_all(&version.to_le_bytes()).unwrap();
        let line = pack_refused(&bench);
        assert!(line.contains(&format!("version {version} is {word}")), "{line}");
    }
}

#[test]
fn a_damaged_pack_in_the_store_is_kept_and_told() {
    let bench = Bench::new();
    bench.write_json("a.json", &spec(json!({})));
    bench.write("out/a.glb", "old");
    let path = bench.copy_pack("home/hm08.pack");
    let mut file = open(&path);
    let middle = file.metadata().unwrap().len() / 2;
    flip(&mut file, middle, 3);
    for flags in [&["--offline"][..], &[]] {
        let args = [&["export", "a.json", "-o", "out"], flags].concat();
        let mut command = bench.command(&args);
        command.env("DRAMATIS_HOME", bench.path("home")).env("PATH", bench.path("home"));
        let line = bench.refused_command(&mut command);
        assert!(line.starts_with("a.json: $.pack: ") && line.contains("damaged"), "{line}");
    }
}

#[test]
fn a_store_that_is_a_file_is_named() {
    let bench = Bench::new();
    bench.write_json("a.json", &spec(json!({})));
    bench.write("home", "a file");
    for args in [&["export", "a.json", "-o", "out"][..], &["pack", "fetch"], &["pack", "info"]] {
        let mut command = bench.command(args);
        command.env("DRAMATIS_HOME", bench.path("home")).env("PATH", bench.path(""));
        let line = bench.refused_command(&mut command);
        assert!(line.contains("home"), "{line}");
    }
}

#[test]
fn pack_info_lists_what_is_inside() {
    let pack = common::exporter().pack();
    let bench = Bench::new();
    let run = bench.run(&["pack", "info"]);
    run.ok();
    let meta = pack.meta();
    let first = run.out.lines().next().unwrap();
    for number in [pack.n_bytes(), meta.targets.len(), meta.sliders.len(), meta.parts.len()] {
        assert!(first.contains(&format!(" {number} ")), "{number}: {first}");
    }
    assert!(first.contains(&format!("{:032x}", pack.content_hash())), "{first}");
    let words: std::collections::BTreeSet<&str> = run.out.split_whitespace().collect();
    for part in &meta.parts {
        assert!(words.contains(part.name.as_str()), "part {}", part.name);
    }
    for slider in &meta.sliders {
        assert!(words.contains(slider.name.as_str()), "slider {}", slider.name);
    }
    for source in &meta.sources {
        assert!(words.contains(source.sha256.as_str()), "source {}", source.file);
    }
    for licence in &meta.licences {
        let line = run.out.lines().find(|line| {
            line.trim_start().starts_with(&licence.asset) && line.contains(&licence.licence)
        });
        let line = line.unwrap_or_else(|| panic!("licence of {}", licence.asset));
        assert!(line.contains(&licence.author) && line.contains(&licence.source), "{line}");
    }
    // By its name and by its path it is the same.
    assert_eq!(bench.run(&["pack", "info", "hm08"]).out, run.out);
    assert_eq!(bench.run(&["pack", "info", pack.label()]).out, run.out);
}

#[test]
fn pack_info_of_nothing_is_a_fault() {
    let bench = Bench::new();
    let home = bench.folder("home");
    bench.write("junk.pack", "junk");
    for (args, start) in [
        (&["pack", "info", "junk.pack"][..], "junk.pack: not a dramatis pack"),
        (&["pack", "info", "none.pack"], "none.pack: cannot "),
    ] {
        let line = bench.refused(args);
        assert!(line.starts_with(start), "{line}");
    }
    for args in [&["pack", "info"][..], &["pack", "info", "hm08"], &["pack", "info", "none"]] {
        let line = bench.refused_command(bench.command(args).env("DRAMATIS_HOME", &home));
        assert!(line.contains(".pack: cannot "), "{line}");
    }
}

/// The folder that MakeHuman's data lies in may well be called hm08.
#[test]
fn a_folder_named_like_a_pack_does_not_hide_the_pack() {
    common::exporter();
    let bench = Bench::new();
    bench.folder("hm08");
    bench.run(&["pack", "info"]).ok();
    bench.run(&["pack", "info", "hm08"]).ok();
}

/// Builds where the sources have to be refused, over a pack of an earlier
/// build and where there is none.
#[track_caller]
fn build_refused(bench: &Bench, sources: &[&str]) -> String {
    bench.write("old/mine.pack", "the pack of an earlier build");
    let home = bench.folder("home");
    let mut lines = Vec::new();
    for out in [Some("old/mine.pack"), Some("new/mine.pack"), None] {
        let mut args = vec!["pack", "build"];
        for source in sources {
            args.extend(["--makehuman", source]);
        }
        args.extend(out.iter().flat_map(|path| ["--out", path]));
        let mut command = bench.command(&args);
        lines.push(bench.refused_command(command.env("DRAMATIS_HOME", &home)));
    }
    assert_eq!(bench.read("old/mine.pack"), b"the pack of an earlier build");
    assert!(lines.iter().all(|line| *line == lines[0]), "{lines:?}");
    lines.remove(0)
}

#[test]
fn pack_build_refuses_what_is_no_makehuman_data() {
    let bench = Bench::new();
    bench.folder("empty");
    bench.write("junk.zip", [7; 3000]);
    bench.write("void.zip", "");
    // A zip file without an entry is its end record only.
    bench.write("bare.zip", [&b"PK\x05\x06"[..], &[0; 18]].concat());
    let line = build_refused(&bench, &["empty"]);
    assert!(line.starts_with("empty: 3dobjs/base.obj: found no such file, "), "{line}");
    let line = build_refused(&bench, &["none"]);
    assert!(line.starts_with("none: cannot read: "), "{line}");
    for zip in ["junk.zip", "void.zip"] {
        let line = build_refused(&bench, &[zip]);
        assert!(line.starts_with(&format!("{zip}: ")), "{line}");
        assert!(line.contains("expected a folder or an undamaged zip file"), "{line}");
    }
    let line = build_refused(&bench, &["bare.zip"]);
    assert!(line.starts_with("bare.zip: 3dobjs/base.obj: found no such file, "), "{line}");
    // Of several sources the bad one is named.
    let line = build_refused(&bench, &["empty", "none"]);
    assert!(line.starts_with("none: cannot read: "), "{line}");
    let line = build_refused(&bench, &["empty", "bare.zip"]);
    assert!(line.contains("empty") && line.contains("bare.zip"), "{line}");
}

#[test]
fn pack_build_names_the_file_that_is_wrong() {
    let bench = Bench::new();
    for (text, told) in
        [("junk\n", "base.obj: "), ("v 1 2\n", "line 1"), ("v 0 0 0\n", "base.obj: ")]
    {
        bench.write("data/3dobjs/base.obj", text);
        let line = build_refused(&bench, &["data"]);
        assert!(line.starts_with("data") && line.contains("3dobjs"), "{line}");
        assert!(line.contains(told) && line.contains(", expected "), "{line}");
    }
}
