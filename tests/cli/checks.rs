//! `check`: verdicts, lines, JSON, the page; and the page of `export`.

use serde_json::{Value, json};

use crate::bench::{Bench, export_bytes, spec};

/// A file that is good, and one with a fault.
fn with_files() -> Bench {
    let bench = Bench::new();
    let good = export_bytes(spec(json!({})).to_string(), &[]);
    let mut bad = good.clone();
    let at = bad.windows(10).position(|w| w == b"\"skeleton\"").expect("the skin's name");
    bad[at + 1] = b'S';
    bench.write("files/good.glb", good);
    bench.write("files/bad.glb", bad);
    bench.write("files/notes.txt", "no export");
    bench
}

#[test]
fn a_good_file_is_accepted_and_a_bad_one_rejected() {
    let bench = with_files();
    let run = bench.run(&["check", "files/good.glb"]);
    run.ok();
    assert_eq!(run.out, "files/good.glb: accepted, 0 errors, 0 warnings\n");

    let run = bench.run(&["check", "files/bad.glb"]);
    assert_eq!((run.code, run.err.as_str()), (Some(1), ""), "{run:?}");
    let lines: Vec<&str> = run.out.lines().collect();
    let fault = "files/bad.glb: error profile.skin: $.skins[0].name: found \"Skeleton\", \
                 expected \"skeleton\"";
    assert_eq!(lines, [fault, "files/bad.glb: rejected, 1 error, 0 warnings"]);
}

#[test]
fn folders_and_patterns_are_checked_whole() {
    let bench = with_files();
    for input in ["files", "files/*.glb"] {
        let run = bench.run(&["check", input]);
        assert_eq!(run.code, Some(1), "{run:?}");
        assert!(
            run.out.ends_with("files/good.glb: accepted, 0 errors, 0 warnings\n1 of 2 accepted\n")
        );
    }
    bench.folder("empty");
    let line = bench.refused(&["check", "empty"]);
    assert!(line.contains("*.glb or *.vrm"), "{line}");
}

#[test]
fn json_is_one_object_per_file() {
    let bench = with_files();
    bench.write("files/cut.glb", b"glTF");
    let run = bench.run(&[
        "check",
        "--json",
        "files/good.glb",
        "files/bad.glb",
        "files/cut.glb",
        "files/none.glb",
    ]);
    assert_eq!(run.code, Some(1), "{run:?}");
    let lines: Vec<Value> =
        run.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let outcomes: Vec<&str> = lines.iter().map(|l| l["outcome"].as_str().unwrap()).collect();
    assert_eq!(outcomes, ["accept", "reject", "reject", "reject"]);
    assert_eq!(lines[0]["notes"], json!([]));
    assert_eq!(lines[0]["summary"]["joints"], json!(65));
    let note = json!({"rule": "profile.skin", "severity": "error", "path": "$.skins[0].name",
        "found": "\"Skeleton\"", "expected": "\"skeleton\""});
    assert_eq!(lines[1]["notes"], json!([note]));
    assert_eq!(lines[2]["notes"][0]["rule"], "glb.container");
    assert_eq!(lines[3]["notes"][0]["rule"], "file.unreadable");
    assert!(run.err.contains("files/none.glb: cannot read"), "{run:?}");
}

#[test]
fn the_rules_can_be_listed() {
    let bench = Bench::new();
    let run = bench.run(&["check", "--rules"]);
    run.ok();
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(lines.len(), dramatis::check::RULES.len());
    assert!(
        run.out.contains("profile.floor error ours-alone The lowest vertex is at y = 0"),
        "{run:?}"
    );
}

#[test]
fn a_missing_file_is_one_line() {
    let bench = Bench::new();
    let line = bench.refused(&["check", "none.glb"]);
    assert!(line.starts_with("none.glb: cannot read: "), "{line}");
}

#[test]
fn the_page_shows_each_file_and_takes_no_ones_place() {
    let bench = with_files();
    let run = bench.run(&["check", "files", "--html", "page.html"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    let page = String::from_utf8(bench.read("page.html")).expect("UTF-8");
    assert!(page.starts_with("<!DOCTYPE html>"));
    for text in ["1 of 2 accepted", "files/good.glb", "profile.skin", "data:image/png;base64,"] {
        assert!(page.contains(text), "no {text}");
    }
    let line = bench.refused(&["check", "files/good.glb", "--html", "files/good.glb"]);
    assert!(line.contains("expected a file of its own"), "{line}");
    let line = bench.refused(&["check", "files/good.glb", "--html", "files/good.glb/page.html"]);
    assert!(line.starts_with("files/good.glb: cannot create the folder"), "{line}");
}

#[test]
fn the_report_of_an_export_is_a_page_when_its_name_says_so() {
    let bench = Bench::new();
    bench.write_json("a.json", &spec(json!({})));
    bench.write("b.json", "{");
    let run = bench.run(&["export", "a.json", "b.json", "-o", "out", "--report", "out/all.html"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    let page = String::from_utf8(bench.read("out/all.html")).expect("UTF-8");
    for text in
        ["1 of 2 accepted", "a.glb", "b.json", "data:image/png;base64,", "character", "check"]
    {
        assert!(page.contains(text), "no {text}");
    }
}
