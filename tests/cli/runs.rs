//! Inputs and outputs of `export`: files, folders, patterns, batches, reports
//! and flags; and command lines that are wrong.

use dramatis::{MIXAMO_NAMES, UE_JOINTS};
use serde_json::{Value, json};

use crate::bench::{Bench, Run, export_bytes, glb_json, spec};
use crate::common;

#[test]
fn wrong_command_lines_exit_with_two() {
    let bench = Bench::new();
    bench.write_json("a.json", &spec(json!({})));
    let cases: [&[&str]; 17] = [
        &["check"],
        &["check", "a.json", "--html"],
        &["nope"],
        &["--nope"],
        &["export"],
        &["export", "a.json", "--nope"],
        &["export", "a.json", "--jobs", "0"],
        &["export", "a.json", "--jobs", "-1"],
        &["export", "a.json", "--jobs", "many"],
        &["export", "a.json", "--jobs"],
        &["export", "a.json", "--format", "fbx"],
        &["export", "a.json", "--naming", "unreal"],
        &["export", "a.json", "--rest-pose", "a-pose"],
        &["export", "a.json", "--offline", "--offline"],
        &["pack", "nope"],
        &["pack", "build"],
        &["pack", "info", "a", "b"],
    ];
    let before = bench.snapshot();
    for args in cases {
        bench.run(args).usage();
    }
    // Without any word the program shows its help, which is still a fault.
    for args in [&[][..], &["pack"]] {
        let run = bench.run(args);
        assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{run:?}");
        assert!(run.err.contains("Usage: dramatis"), "{run:?}");
    }
    assert!(bench.snapshot() == before);
}

#[test]
fn help_and_version_are_no_faults() {
    let bench = Bench::new();
    for args in [&["--help"][..], &["export", "--help"], &["pack", "--help"], &["--version"]] {
        let run = bench.run(args);
        run.ok();
        assert!(run.out.contains("dramatis"), "{run:?}");
    }
}

#[test]
fn a_missing_file_is_named() {
    let bench = Bench::new();
    bench.write("out/none.glb", "old");
    let line = bench.refused(&["export", "none.character.json", "-o", "out"]);
    assert!(line.starts_with("none.character.json: cannot read: "), "{line}");
    let line = bench.refused(&["export", "nowhere/none.json", "-o", "out"]);
    assert!(line.starts_with("nowhere/none.json: cannot read: "), "{line}");
}

#[test]
fn a_folder_without_specs_is_told_what_is_looked_for() {
    let bench = Bench::new();
    bench.folder("specs/more.character.json");
    bench.write("specs/notes.txt", "no spec");
    let line = bench.refused(&["export", "specs", "-o", "out"]);
    assert!(line.starts_with("specs: "), "{line}");
    assert!(line.contains("*.character.json"), "{line}");
}

#[test]
fn a_pattern_without_a_match_is_named() {
    let bench = Bench::new();
    bench.write("a.txt", "no spec");
    let line = bench.refused(&["export", "*.character.json", "-o", "out"]);
    assert!(line.starts_with("*.character.json: "), "{line}");
    assert!(line.contains("expected at least one match"), "{line}");
    let line = bench.refused(&["export", "a[.json", "-o", "out"]);
    assert!(line.starts_with("a[.json: "), "{line}");
}

#[test]
fn an_empty_input_is_a_fault_one_can_recognise() {
    let bench = Bench::new();
    let line = bench.refused(&["export", "", "-o", "out"]);
    assert!(!line.starts_with(':'), "the message begins with nothing: {line:?}");
}

#[test]
fn an_empty_file_is_not_json() {
    let bench = Bench::new();
    bench.write("empty.json", "");
    bench.write("out/empty.glb", "old");
    let line = bench.refused(&["export", "empty.json", "-o", "out"]);
    assert!(line.starts_with("empty.json: line 1 column 0: "), "{line}");
}

#[test]
fn a_file_too_large_for_a_spec_is_not_read() {
    let bench = Bench::new();
    bench.write("large.json", "");
    let file = std::fs::File::options().write(true).open(bench.path("large.json")).unwrap();
    file.set_len((16 << 20) + 1).unwrap();
    let line = bench.refused(&["export", "large.json", "-o", "out"]);
    assert!(line.starts_with("large.json: ") && line.contains("limit of 16777216"), "{line}");
}

/// A device has no length to check beforehand. The shell's limit keeps a
/// program that reads it to the end from taking the machine's whole memory.
#[test]
#[cfg(target_os = "linux")]
fn an_endless_file_is_not_read_to_its_end() {
    let bench = Bench::new();
    let script = "ulimit -v 4000000; exec \"$0\" \"$@\"";
    let run = Run::of(
        std::process::Command::new("sh")
            .args(["-c", script, env!("CARGO_BIN_EXE_dramatis")])
            .args(["export", "/dev/zero", "-o", "out"])
            .current_dir(bench.path("")),
    );
    let line = run.fault();
    assert!(line.starts_with("/dev/zero: ") && line.contains("limit"), "{line}");
}

#[test]
fn an_output_folder_that_is_a_file_is_named() {
    common::exporter();
    let bench = Bench::new();
    bench.write_json("a.json", &spec(json!({})));
    bench.write("out", "a file");
    let line = bench.refused(&["export", "a.json", "-o", "out"]);
    assert!(line.starts_with("out: cannot create the folder: "), "{line}");
    let line = bench.refused(&["export", "a.json", "-o", "out/deeper"]);
    assert!(line.starts_with("out/deeper: cannot create the folder: "), "{line}");
}

#[test]
fn a_folder_where_the_output_should_be_stays() {
    common::exporter();
    let bench = Bench::new();
    bench.write_json("a.json", &spec(json!({})));
    bench.write("out/a.glb/kept.txt", "kept");
    let line = bench.refused(&["export", "a.json", "-o", "out"]);
    assert!(line.starts_with("out/a.glb: cannot write: "), "{line}");
}

/// The input's name is as long as names may be, so the output's is too long:
/// the fault comes when the file is whole and is given its name.
#[test]
#[cfg(target_os = "linux")]
fn an_output_that_cannot_be_named_leaves_no_part() {
    common::exporter();
    let bench = Bench::new();
    let name = "a".repeat(255);
    bench.write_json(&name, &spec(json!({})));
    bench.folder("out");
    let line = bench.refused(&["export", &name, "-o", "out"]);
    assert!(line.starts_with("out/aaa") && line.contains(".glb: cannot write: "), "{line}");
}

/// A line break in a file's name does not break the line of the message.
#[test]
#[cfg(unix)]
fn a_file_name_cannot_break_the_line() {
    let bench = Bench::new();
    bench.write("one\ntwo.json", "{");
    let line = bench.refused(&["export", "one\ntwo.json", "-o", "out"]);
    assert!(line.starts_with("one two.json: line 1 column "), "{line}");
}

#[test]
fn an_output_is_replaced_only_by_a_whole_one() {
    common::exporter();
    let bench = Bench::new();
    bench.write_json("ada.json", &spec(json!({})));
    bench.run(&["export", "ada.json", "-o", "out"]).ok();
    let first = bench.read("out/ada.glb");
    bench.write_json("ada.json", &spec(json!({ "body": { "age": 2 } })));
    bench.refused(&["export", "ada.json", "-o", "out"]);
    assert!(bench.read("out/ada.glb") == first);
    bench.write_json("ada.json", &spec(json!({ "body": { "age": 1 } })));
    bench.run(&["export", "ada.json", "-o", "out"]).ok();
    assert!(bench.read("out/ada.glb") != first);
    assert_eq!(bench.names_in("out"), ["ada.glb"]);
}

/// Good and bad specs: what is written, what is said, and in which order.
fn batch() -> Bench {
    common::exporter();
    let bench = Bench::new();
    bench.write_json("specs/a.character.json", &spec(json!({ "name": "A" })));
    bench.write_json("specs/b.character.json", &spec(json!({ "body": { "age": 7 } })));
    bench.write_json("specs/c.character.json", &spec(json!({ "name": "C" })));
    bench.write("specs/d.character.json", "{");
    bench.write("specs/readme.txt", "no spec");
    bench.write("out/b.glb", "old");
    bench
}

#[test]
fn a_batch_goes_on_past_bad_inputs() {
    let bench = batch();
    for inputs in ["specs", "specs/*.json"] {
        let run = bench.run(&["export", inputs, "-o", "out"]);
        let faults = run.faults();
        assert_eq!(faults.len(), 2, "{run:?}");
        assert!(faults[0].starts_with("specs/b.character.json: $.body.age: "), "{run:?}");
        assert!(faults[1].starts_with("specs/d.character.json: line 1 column "), "{run:?}");
        let lines: Vec<&str> = run.out.lines().collect();
        assert!(lines[0].starts_with("out/a.glb: ") && lines[1].starts_with("out/c.glb: "));
        assert_eq!(lines[2..], ["2 of 4 exported"]);
        assert_eq!(bench.names_in("out"), ["a.glb", "b.glb", "c.glb"]);
        assert_eq!(bench.read("out/b.glb"), b"old");
        for (file, name) in [("out/a.glb", "A"), ("out/c.glb", "C")] {
            let root = glb_json(&bench.read(file));
            assert_eq!(root["asset"]["extras"]["dramatis"]["character"], name);
            std::fs::remove_file(bench.path(file)).unwrap();
        }
    }
}

#[test]
fn the_report_has_every_input() {
    let bench = batch();
    let report = "not/yet/there/report.json";
    let run = bench.run(&["export", "specs", "none.json", "-o", "out", "--report", report]);
    let faults = run.faults();
    assert_eq!(faults.len(), 3, "{run:?}");
    assert_eq!(bench.names_in("not/yet/there"), ["report.json"]);
    let report: Value = serde_json::from_slice(&bench.read(report)).unwrap();
    assert_eq!(report["generator"], concat!("dramatis@", env!("CARGO_PKG_VERSION")));
    let files = report["files"].as_array().unwrap();
    let inputs: Vec<&str> = files.iter().map(|f| f["input"].as_str().unwrap()).collect();
    let specs = ["a", "b", "c", "d"].map(|name| format!("specs/{name}.character.json"));
    assert_eq!(inputs[..4], specs);
    assert_eq!(inputs[4..], ["none.json"]);
    for (index, fault) in [1, 3, 4].into_iter().zip(&faults) {
        assert_eq!(files[index]["error"], **fault);
        assert!(files[index].get("output").is_none() && files[index].get("export").is_none());
    }
    for (index, output) in [(0, "out/a.glb"), (2, "out/c.glb")] {
        let file = &files[index];
        assert!(file.get("error").is_none());
        assert_eq!(file["output"], output);
        check_export_report(&file["export"], &bench.read(output));
    }
}

/// The numbers of a report against the file they are about.
fn check_export_report(export: &Value, bytes: &[u8]) {
    assert_eq!(export["bytes"], bytes.len());
    let height = export["heightM"].as_f64().unwrap();
    assert!((1.0..2.5).contains(&height), "{height}");
    let root = glb_json(bytes);
    let count = |accessor: &Value| {
        let index = usize::try_from(accessor.as_u64().unwrap()).unwrap();
        root["accessors"][index]["count"].as_u64().unwrap()
    };
    let meshes = export["meshes"].as_array().unwrap();
    let written = root["meshes"].as_array().unwrap();
    assert_eq!(meshes.len(), written.len());
    for (mesh, written) in meshes.iter().zip(written) {
        assert_eq!(mesh["name"], written["name"]);
        let primitive = &written["primitives"][0];
        assert_eq!(mesh["vertices"], count(&primitive["attributes"]["POSITION"]));
        assert_eq!(mesh["triangles"], count(&primitive["indices"]) / 3);
    }
    for key in ["vertices", "triangles"] {
        let sum: u64 = meshes.iter().map(|mesh| mesh[key].as_u64().unwrap()).sum();
        assert_eq!(export[key], sum);
    }
    for (stage, time) in export["milliseconds"].as_object().unwrap() {
        assert!(time.as_f64().is_some_and(|t| t >= 0.0), "{stage}: {time}");
    }
}

/// A program that reads the report has to know which input an error is about,
/// also when the input led to no file or to one that was refused.
#[test]
fn the_report_names_the_input_of_every_error() {
    common::exporter();
    let bench = Bench::new();
    bench.write_json("a.json", &spec(json!({})));
    bench.write_json("a.character.json", &spec(json!({})));
    bench.folder("empty");
    let inputs = ["a.json", "a.character.json", "empty", "x*.json"];
    let args = [&["export", "-o", "out", "--report", "r.json"][..], &inputs].concat();
    assert_eq!(bench.run(&args).faults().len(), 3);
    let report: Value = serde_json::from_slice(&bench.read("r.json")).unwrap();
    let files = report["files"].as_array().unwrap();
    let named: Vec<&str> = files.iter().map(|f| f["input"].as_str().unwrap()).collect();
    assert_eq!(named, inputs);
}

#[test]
fn a_report_that_cannot_be_written_is_a_fault() {
    common::exporter();
    let bench = Bench::new();
    bench.write_json("a.json", &spec(json!({})));
    bench.write("folder/kept.txt", "kept");
    let line = bench.run(&["export", "a.json", "-o", "out", "--report", "folder"]).fault();
    assert!(line.starts_with("folder: cannot write: "), "{line}");
    assert_eq!(bench.names_in("folder"), ["kept.txt"]);
    assert_eq!(bench.names_in("out"), ["a.glb"]);
    let report = "a.json/r.json";
    let line = bench.run(&["export", "a.json", "-o", "out", "--report", report]).fault();
    assert!(line.starts_with("a.json: cannot create the folder: "), "{line}");
}

#[test]
fn two_inputs_never_write_one_file() {
    common::exporter();
    for second in ["sub/a.character.json", "sub/A.json", "./a.json", "a.json"] {
        let bench = Bench::new();
        bench.write_json("a.json", &spec(json!({ "name": "First" })));
        bench.folder("sub");
        if second.starts_with("sub") {
            bench.write_json(second, &spec(json!({ "name": "Second" })));
        }
        let run = bench.run(&["export", "a.json", second, "-o", "out"]);
        let line = run.fault();
        assert!(line.starts_with(&format!("{second}: ")), "{line}");
        assert!(line.contains("the same output name as a.json"), "{line}");
        assert_eq!(bench.names_in("out"), ["a.glb"]);
        let root = glb_json(&bench.read("out/a.glb"));
        assert_eq!(root["asset"]["extras"]["dramatis"]["character"], "First");
    }
}

#[test]
fn the_output_goes_to_samples_out_by_default() {
    common::exporter();
    let bench = Bench::new();
    bench.write_json("deep/ada.character.json", &spec(json!({})));
    bench.run(&["export", "deep/ada.character.json"]).ok();
    assert_eq!(bench.names_in("samples/out"), ["ada.glb"]);
    assert_eq!(bench.names_in("deep"), ["ada.character.json"]);
}

#[test]
fn the_same_bytes_whatever_the_threads_and_the_run() {
    common::exporter();
    let bench = Bench::new();
    for i in 0..6 {
        let keys = json!({
            "name": format!("N{i}"),
            "body": { "gender": f64::from(i) / 5.0, "age": 0.3, "weight": 0.7 },
            "details": { "nose-hump-decr-incr": 0.1 * f64::from(i) },
        });
        bench.write_json(&format!("specs/n{i}.character.json"), &spec(keys));
    }
    for (out, jobs) in [("one", "1"), ("two", "2"), ("again", "2"), ("many", "16")] {
        bench.run(&["export", "specs", "-o", out, "--jobs", jobs]).ok();
        assert_eq!(bench.names_in(out).len(), 6);
    }
    bench.run(&["export", "specs", "-o", "default"]).ok();
    for name in bench.names_in("one") {
        let first = bench.read(&format!("one/{name}"));
        for out in ["two", "again", "many", "default"] {
            assert!(bench.read(&format!("{out}/{name}")) == first, "{out}/{name}");
        }
    }
}

#[test]
fn naming_and_rest_pose_are_written_down() {
    let text = spec(json!({ "name": "Ada" })).to_string();
    let mut files = Vec::new();
    for naming in ["ue", "mixamo"] {
        for rest_pose in ["t-pose", "source"] {
            let flags = ["--naming", naming, "--rest-pose", rest_pose, "--format", "glb"];
            let bytes = export_bytes(&text, &flags);
            let root = glb_json(&bytes);
            let extras = &root["asset"]["extras"]["dramatis"];
            dramatis::check_export_extras(extras).unwrap_or_else(|e| panic!("{e:?}"));
            assert_eq!(extras["naming"], naming);
            assert_eq!(extras["restPose"], rest_pose);
            assert_eq!(extras["character"], "Ada");
            let nodes: Vec<&str> = root["nodes"]
                .as_array()
                .unwrap()
                .iter()
                .filter_map(|node| node["name"].as_str())
                .collect();
            let names: Vec<&str> = match naming {
                "ue" => UE_JOINTS.to_vec(),
                _ => MIXAMO_NAMES.to_vec(),
            };
            let joints: Vec<&str> = root["skins"][0]["joints"]
                .as_array()
                .unwrap()
                .iter()
                .map(|joint| nodes[usize::try_from(joint.as_u64().unwrap()).unwrap()])
                .collect();
            assert_eq!(joints, names);
            files.push(bytes);
        }
    }
    assert!(files[0] == export_bytes(&text, &[]), "the defaults are ue and t-pose");
    assert!(files[0] != files[1] && files[0] != files[2], "the flags change nothing");
}

/// A reader that has seen enough (`dramatis ... | head`) is no reason to
/// panic, nor to leave the rest of a batch undone.
#[test]
#[cfg(unix)]
fn a_closed_standard_output_is_no_panic() {
    common::exporter();
    let bench = Bench::new();
    for name in ["a", "b", "c", "d"] {
        bench.write_json(&format!("specs/{name}.character.json"), &spec(json!({})));
    }
    let export = ["export", "specs", "-o", "out", "--jobs", "1"];
    let errors = [&["pack", "info"][..], &export].map(|args| {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = bench.command(args).stdout(writer).output().unwrap();
        String::from_utf8_lossy(&output.stderr).into_owned()
    });
    for err in &errors {
        assert!(!err.contains("panicked at") && err.lines().count() <= 1, "{errors:#?}");
    }
    assert_eq!(bench.names_in("out"), ["a.glb", "b.glb", "c.glb", "d.glb"]);
}

/// A disc that is full, unlike a reader that left, is a fault to be told.
#[test]
#[cfg(target_os = "linux")]
fn a_full_standard_output_is_a_fault() {
    common::exporter();
    let bench = Bench::new();
    bench.write_json("a.json", &spec(json!({})));
    for args in [&["pack", "info"][..], &["export", "a.json", "-o", "out"]] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let output = bench.command(args).stdout(full).output().unwrap();
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        let run = Run { code: output.status.code(), out: String::new(), err };
        run.no_panic();
        run.fault();
    }
}
