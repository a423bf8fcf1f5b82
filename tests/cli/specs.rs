//! What the program says of specs that are wrong, and that it takes the odd
//! but right ones.

use dramatis::profile::PartKind;
use serde_json::{Value, json};

use crate::bench::{Bench, export_bytes, glb_json, spec};
use crate::common;

/// Exports a spec that has to be refused, over an output of an earlier run.
/// The answer is the message without the file's name.
#[track_caller]
fn refused(text: impl AsRef<[u8]>) -> String {
    let bench = Bench::new();
    bench.write("t.json", text);
    bench.write("out/t.glb", "the output of an earlier run");
    let line = bench.refused(&["export", "t.json", "-o", "out"]);
    let text = line.strip_prefix("t.json: ");
    text.unwrap_or_else(|| panic!("the file is not named first: {line}")).to_owned()
}

#[track_caller]
fn refused_json(value: &Value) -> String {
    refused(value.to_string())
}

/// A message of the usual form.
fn found_expected(at: &str, found: &str, expected: &str) -> String {
    format!("{at}: found {found}, expected {expected}")
}

/// A spec with every key, each with a value that the reader accepts.
fn full() -> Value {
    let worn = json!({ "asset": "some_name", "colour": "#3a2a1e" });
    spec(json!({
        "authors": ["A. Maker"],
        "pack": "hm08",
        "body": {
            "gender": 0.5, "age": 0.5, "muscle": 0.5, "weight": 0.5, "height": 0.5,
            "proportions": 0.5, "cupsize": 0.5, "firmness": 0.5,
            "race": { "african": 1, "asian": 1, "caucasian": 1 },
        },
        "details": { "nose-hump-decr-incr": 0.4 },
        "skin": {
            "tone": "#c99a7c", "lips": "#a85b52", "lipColour": 0.6, "stubble": 0.0,
            "freckles": 0.0, "blush": 0.2,
        },
        "eyeStyle": "basic",
        "irisColour": "#4a6b8a",
        "brows": worn, "beard": worn, "hair": worn,
        "garments": [{ "asset": "tee", "colour": "#2f6f8f", "fabric": "cotton" }],
        "underlayer": true,
    }))
}

/// The full spec with another value at a JSON pointer.
fn full_with(pointer: &str, value: Value) -> Value {
    let mut spec = full();
    *spec.pointer_mut(pointer).unwrap_or_else(|| panic!("no {pointer}")) = value;
    spec
}

/// `/garments/0/asset` as a message writes it: `$.garments[0].asset`.
fn json_path(pointer: &str) -> String {
    let steps = pointer.split('/').skip(1);
    steps.fold("$".to_owned(), |path, step| match step.parse::<usize>() {
        Ok(index) => format!("{path}[{index}]"),
        Err(_) => format!("{path}.{step}"),
    })
}

const BODY_NUMBERS: [&str; 8] = [
    "/body/gender",
    "/body/age",
    "/body/muscle",
    "/body/weight",
    "/body/height",
    "/body/proportions",
    "/body/cupsize",
    "/body/firmness",
];

const SKIN_NUMBERS: [&str; 4] =
    ["/skin/lipColour", "/skin/stubble", "/skin/freckles", "/skin/blush"];

const RACE_NUMBERS: [&str; 3] = ["/body/race/african", "/body/race/asian", "/body/race/caucasian"];

const COLOURS: [&str; 7] = [
    "/skin/tone",
    "/skin/lips",
    "/irisColour",
    "/brows/colour",
    "/beard/colour",
    "/hair/colour",
    "/garments/0/colour",
];

#[test]
fn text_that_is_not_json_names_its_line_and_column() {
    let start = r#"{ "format": "dramatis-character", "version": 1,"#;
    let cases: [(&[u8], &str); 10] = [
        (b"", "line 1 column 0: "),
        (b" \n ", "line 2 column 1: "),
        (b"hello", "line 1 column 1: "),
        (b"{ \"format\": \"dram", "line 1 column 17: "),
        (b"{\n  \"format\": \"dramatis-character\",\n", "line 3 column 0: "),
        (b"{\n  \"body\": {\n    \"age\": ,\n", "line 3 column 12: "),
        (b"{\"name\": \"A\",}", "line 1 column 14: "),
        (b"{} {}", "line 1 column 4: "),
        (b"{\"name\": \"\xff\"}", "line 1 column "),
        // UTF-16, as some editors save.
        (b"\xff\xfe{\0}\0", "line 1 column 1: "),
    ];
    for (text, place) in cases {
        let line = refused(text);
        assert!(line.starts_with(place), "{line}");
        assert!(line.ends_with(", expected a JSON document"), "{line}");
    }
    for value in ["NaN", "Infinity", "-Infinity", "01", "+1", ".5", "0x1"] {
        let line =
            refused(format!("{start}\n\"name\": \"A\", \"body\": {{ \"age\": {value} }} }}"));
        assert!(line.starts_with("line 2 column "), "{line}");
    }
    // Nesting cannot exhaust the stack.
    let line = refused("[".repeat(100_000));
    assert!(line.starts_with("line 1 column "), "{line}");
    // Half of a character that takes two escapes.
    let line = refused(format!("{start} \"name\": \"\\ud800\" }}"));
    assert!(line.starts_with("line 1 column "), "{line}");
}

/// A message has the form "found X, expected Y"; X has to be what is there.
#[test]
fn a_syntax_fault_says_what_was_found() {
    for text in ["hello", "{\"a\": }", "{\"a\" 1}", "{\"a\": 1 \"b\": 2}", "{a: 1}", "[1 2]"] {
        let line = refused(text);
        assert!(!line.contains("found expected"), "{line}");
    }
}

#[test]
fn a_number_that_no_float_holds_is_refused() {
    for value in ["1e999", "-1e999"] {
        let text = full().to_string().replace("\"age\":0.5", &format!("\"age\":{value}"));
        assert!(text.contains(value));
        let line = refused(text);
        assert!(line.starts_with("line 1 column "), "{line}");
        assert!(line.contains("number out of range"), "{line}");
    }
}

#[test]
fn a_document_of_another_kind_is_told_apart_first() {
    let object = r#"an object with "format": "dramatis-character""#;
    for (text, found) in
        [("[]", "a list of 0"), ("[{}]", "a list of 1"), ("1", "the number 1"), ("null", "null")]
    {
        assert_eq!(refused(text), found_expected("$", found, object));
    }
    let expected = r#"the string "dramatis-character""#;
    assert_eq!(refused("{}"), found_expected("$.format", "nothing", expected));
    // The format counts before keys that another format may well have.
    let other = json!({ "format": "dramatis-stage", "version": 3, "actors": [] });
    let found = r#"the string "dramatis-stage""#;
    assert_eq!(refused_json(&other), found_expected("$.format", found, expected));
}

#[test]
fn the_version_is_one() {
    let mut missing = spec(json!({}));
    missing.as_object_mut().unwrap().remove("version");
    assert_eq!(refused_json(&missing), found_expected("$.version", "nothing", "the number 1"));
    for (version, found) in [
        (json!(2), "the number 2"),
        (json!(0), "the number 0"),
        (json!(1.5), "the number 1.5"),
        (json!("1"), "the string \"1\""),
        (json!(true), "true"),
    ] {
        let line = refused_json(&spec(json!({ "version": version })));
        assert_eq!(line, found_expected("$.version", found, "the number 1"));
    }
    let plain = export_bytes(spec(json!({})).to_string(), &[]);
    for version in ["1.0", "1e0", "10E-1"] {
        let text = format!(
            "{{\"format\": \"dramatis-character\", \"version\": {version}, \"name\": \"Ada\"}}"
        );
        assert!(export_bytes(text, &[]) == plain, "version {version}");
    }
}

#[test]
fn a_byte_order_mark_is_skipped() {
    let text = spec(json!({})).to_string();
    let marked = [b"\xef\xbb\xbf", text.as_bytes()].concat();
    assert!(export_bytes(marked, &[]) == export_bytes(text, &[]));
}

#[test]
fn a_name_is_needed_and_readable() {
    let mut missing = spec(json!({}));
    missing.as_object_mut().unwrap().remove("name");
    let expected = "the character's name";
    assert_eq!(refused_json(&missing), found_expected("$.name", "nothing", expected));
    for name in ["", "  ", "A\0", "A\nB", "A\u{7f}"] {
        let line = refused_json(&spec(json!({ "name": name })));
        let found = format!("the string {name:?}");
        let expected = "a name without control characters";
        assert_eq!(line, found_expected("$.name", &found, expected));
    }
    let name = "Ζωή \"Ada\" \\ 名前 🙂";
    let bytes = export_bytes(spec(json!({ "name": name })).to_string(), &[]);
    assert_eq!(glb_json(&bytes)["asset"]["extras"]["dramatis"]["character"], name);
}

#[test]
fn an_unknown_key_names_the_nearest() {
    for (at, extra, nearest) in [
        ("$", json!({ "garmets": [] }), "garments"),
        ("$", json!({ "eyestyle": "basic" }), "eyeStyle"),
        ("$", json!({ "Name": "Ada" }), "name"),
        ("$.body", json!({ "body": { "gendr": 0 } }), "gender"),
        ("$.body.race", json!({ "body": { "race": { "caucasion": 1 } } }), "caucasian"),
        ("$.skin", json!({ "skin": { "lipcolor": 1 } }), "lipColour"),
        ("$.hair", json!({ "hair": { "aset": "x" } }), "asset"),
        ("$.brows", json!({ "brows": { "asset": "x", "color": "#000000" } }), "colour"),
        ("$.beard", json!({ "beard": { "asset": "x", "color": "#000000" } }), "colour"),
        ("$.garments[1]", json!({ "garments": [{ "asset": "a" }, { "fabrik": "" }] }), "fabric"),
    ] {
        let line = refused_json(&spec(extra));
        assert!(line.starts_with(&format!("{at}: no key is called `")), "{line}");
        assert!(line.contains("; ") && line.contains(&format!("`{nearest}`")), "{line}");
    }
    // Line breaks in a key do not break the line, which `refused` counts.
    let line = refused_json(&spec(json!({ "one\ntwo\r\nthree": 1 })));
    assert!(line.starts_with("$: no key is called `one two three`"), "{line}");
}

#[test]
fn a_key_given_twice_is_refused() {
    for (text, key, line_number) in [
        ("{\n\"format\": \"dramatis-character\",\n\"name\": 1,\n\"name\": 2 }", "name", 4),
        ("{\n\"body\": { \"age\": 0.1,\n\"age\": 0.1 } }", "age", 3),
        ("{\n\"garments\": [ { \"asset\": \"a\", \"asset\": \"a\" } ] }", "asset", 2),
        ("{\n\"details\": { \"a at line b\": 1, \"a at line b\": 1 } }", "a at line b", 2),
    ] {
        let line = refused(text);
        assert!(line.starts_with(&format!("line {line_number} column ")), "{line}");
        assert!(line.contains(&format!("the key `{key}` twice")), "{line}");
    }
}

#[test]
fn every_key_refuses_every_wrong_type() {
    let string = |pointer: &'static str| (pointer, "a string");
    let number = |pointer: &'static str| (pointer, "a number");
    let mut keys = vec![
        ("/authors", "a list"),
        ("/body", "an object"),
        ("/body/race", "an object"),
        ("/details", "an object"),
        ("/skin", "an object"),
        ("/brows", "an object"),
        ("/beard", "an object"),
        ("/hair", "an object"),
        ("/garments", "a list"),
        ("/garments/0", "an object"),
        ("/underlayer", "true or false"),
        number("/details/nose-hump-decr-incr"),
    ];
    let strings = ["/name", "/authors/0", "/pack", "/eyeStyle", "/garments/0/fabric"];
    let assets = ["/brows/asset", "/beard/asset", "/hair/asset", "/garments/0/asset"];
    keys.extend(strings.into_iter().chain(assets).chain(COLOURS).map(string));
    keys.extend(BODY_NUMBERS.into_iter().chain(SKIN_NUMBERS).chain(RACE_NUMBERS).map(number));
    let values = [
        (json!(null), "null", ""),
        (json!(false), "false", "true or false"),
        (json!(0.25), "the number 0.25", "a number"),
        (json!("0.25"), "the string \"0.25\"", "a string"),
        (json!([]), "a list of 0", "a list"),
        (json!({}), "an object", "an object"),
    ];
    for (pointer, expected) in keys {
        // No brows, beard or hair is a choice that a spec may write down.
        let nullable = ["/brows", "/beard", "/hair"].contains(&pointer);
        for (value, found, kind) in &values {
            if *kind != expected && !(value.is_null() && nullable) {
                let line = refused_json(&full_with(pointer, value.clone()));
                assert_eq!(line, found_expected(&json_path(pointer), found, expected));
            }
        }
    }
}

#[test]
fn a_long_string_is_cut_in_the_message() {
    let line = refused_json(&full_with("/body/age", json!("é\n".repeat(10_000))));
    assert!(line.starts_with("$.body.age: found the string \"é\\n"), "{line}");
    assert!(line.len() < 300, "{line}");
}

#[test]
fn numbers_out_of_range_are_refused() {
    for pointer in BODY_NUMBERS.into_iter().chain(SKIN_NUMBERS) {
        for value in [json!(-0.001), json!(1.001), json!(1e300), json!(-5)] {
            let line = refused_json(&full_with(pointer, value.clone()));
            let found = format!("the number {}", value.as_f64().unwrap());
            let expected = "a number from 0 to 1";
            assert_eq!(line, found_expected(&json_path(pointer), &found, expected));
        }
    }
    for value in [1.001, -1.001] {
        let line = refused_json(&full_with("/details/nose-hump-decr-incr", json!(value)));
        let found = format!("the number {value}");
        let at = "$.details.nose-hump-decr-incr";
        assert_eq!(line, found_expected(at, &found, "a number from -1 to 1"));
    }
    for pointer in RACE_NUMBERS {
        let line = refused_json(&full_with(pointer, json!(-0.001)));
        assert!(line.starts_with(&found_expected(&json_path(pointer), "the number -0.001", "")));
    }
}

#[test]
fn the_ends_of_every_range_are_accepted() {
    for (end, detail) in [(0, -1), (1, 1)] {
        let body: Vec<(String, Value)> = BODY_NUMBERS
            .iter()
            .map(|pointer| (pointer.replace("/body/", ""), json!(end)))
            .collect();
        let skin: Vec<(String, Value)> = SKIN_NUMBERS
            .iter()
            .map(|pointer| (pointer.replace("/skin/", ""), json!(end)))
            .collect();
        let ends = spec(json!({
            "body": Value::Object(body.into_iter().collect()),
            "skin": Value::Object(skin.into_iter().collect()),
            "details": { "nose-hump-decr-incr": detail },
        }));
        export_bytes(ends.to_string(), &[]);
    }
}

#[test]
fn a_race_needs_a_share() {
    for race in [json!({}), json!({ "african": 0, "asian": 0.0, "caucasian": -0.0 })] {
        let line = refused_json(&spec(json!({ "body": { "race": race } })));
        let (found, expected) = ("three shares of 0", "a share above 0");
        assert_eq!(line, found_expected("$.body.race", found, expected));
    }
    // Shares are relative, and even the smallest counts.
    let race = |share: f64| spec(json!({ "body": { "race": { "asian": share } } })).to_string();
    assert!(export_bytes(race(1.0), &[]) == export_bytes(race(5e-324), &[]));
}

/// What is expected has to exclude what was found.
#[test]
fn a_share_that_is_too_large_is_told_the_limit() {
    let line = refused_json(&full_with("/body/race/asian", json!(2e6)));
    assert!(line.starts_with("$.body.race.asian: found the number 2000000, "), "{line}");
    assert!(line.contains("1000000") || line.contains("1e6"), "the limit is not named: {line}");
}

#[test]
fn malformed_colours_are_refused() {
    for pointer in COLOURS {
        for colour in ["red", "", "#c99a7", "c99a7c", "#c99a7cff", "#c99a7g", "#+99a7c", "#ééé"]
        {
            let line = refused_json(&full_with(pointer, json!(colour)));
            let found = format!("the string {colour:?}");
            let expected = "a colour like #c99a7c";
            assert_eq!(line, found_expected(&json_path(pointer), &found, expected));
        }
    }
}

#[test]
fn a_word_that_is_not_one_of_a_list_is_told_the_list() {
    let line = refused_json(&full_with("/eyeStyle", json!("manga")));
    let expected = "one of basic, anime";
    assert_eq!(line, found_expected("$.eyeStyle", "the string \"manga\"", expected));
    let line = refused_json(&full_with("/garments/0/fabric", json!("cotto")));
    assert!(line.starts_with("$.garments[0].fabric: found the string \"cotto\", "), "{line}");
    for fabric in ["cotton", "denim", "wool", "leather", "silk", "nylon"] {
        assert!(line.contains(fabric), "{line}");
    }
}

#[test]
fn an_unknown_slider_names_the_nearest() {
    common::exporter();
    for (name, nearest) in [
        ("nose-hump", "nose-hump-decr-incr"),
        ("nose-hump-decr-inc", "nose-hump-decr-incr"),
        ("l-eye-scale-decr-inc", "l-eye-scale-decr-incr"),
        // A slider of the middle has no sides.
        ("l-head-oval", "head-oval"),
    ] {
        let line = refused_json(&spec(json!({ "details": { name: 0.1 } })));
        assert!(line.starts_with("$.details"), "{line}");
        assert!(line.contains(&format!("no slider is called `{name}`; ")), "{line}");
        assert!(line.contains(&format!("`{nearest}`")), "{line}");
    }
    for name in ["", "l-", "qqqqqqqq"] {
        let line = refused_json(&spec(json!({ "details": { name: 0.1 } })));
        assert!(line.contains(&format!("no slider is called `{name}`")), "{line}");
    }
}

#[test]
fn a_sided_slider_takes_a_side() {
    let eyes = |details: Value| export_bytes(spec(json!({ "details": details })).to_string(), &[]);
    let neither = eyes(json!({}));
    let both = eyes(json!({ "eye-scale-decr-incr": 0.5 }));
    let left = eyes(json!({ "l-eye-scale-decr-incr": 0.5 }));
    let right = eyes(json!({ "r-eye-scale-decr-incr": 0.5 }));
    assert!(left != neither && right != neither && left != right && left != both);
    let apart = json!({ "l-eye-scale-decr-incr": 0.5, "r-eye-scale-decr-incr": 0.5 });
    assert!(eyes(apart) == both);
    // A side's own value replaces the common one, whatever the order.
    let replaced = json!({ "r-eye-scale-decr-incr": 0, "eye-scale-decr-incr": 0.5 });
    assert!(eyes(replaced) == left);
}

#[test]
fn a_single_shape_has_no_negative_side() {
    common::exporter();
    let line = refused_json(&spec(json!({ "details": { "head-oval": -0.1 } })));
    let expected = "a number from 0 to 1";
    let message = found_expected("$.details.head-oval", "the number -0.1", expected);
    assert!(line.starts_with(&message), "{line}");
    let oval = |v: &str| {
        let text = spec(json!({ "details": { "head-oval": 0.125 } })).to_string();
        export_bytes(text.replace("0.125", v), &[])
    };
    assert!(oval("-0.0") == oval("0"));
    assert!(oval("1") != oval("0"));
}

#[test]
fn an_unknown_garment_names_the_nearest() {
    common::exporter();
    let garments = |name: &str| {
        let all = json!([{ "asset": "underwear_top" }, { "asset": name }]);
        refused_json(&spec(json!({ "garments": all })))
    };
    for name in ["underwear_botom", "Underwear_Bottom", "underwear-bottom"] {
        let line = garments(name);
        let start = format!("$.garments[1].asset: no garment is called `{name}`; ");
        assert!(line.starts_with(&start), "{line}");
        assert!(line.contains("`underwear_bottom`"), "{line}");
    }
    // When nothing looks like it, the message lists what there is.
    let line = garments("qqqqqqqq");
    assert!(line.contains("no garment is called `qqqqqqqq`; ") && line.contains('_'), "{line}");
    // The body is a part too, but nothing to wear.
    let line = garments("body");
    assert!(line.contains("no garment is called `body`"), "{line}");
}

#[test]
fn unknown_brows_beard_and_hair_are_told_what_there_is() {
    let pack = common::exporter().pack();
    for (key, kind) in
        [("brows", PartKind::Brows), ("beard", PartKind::Beard), ("hair", PartKind::Hair)]
    {
        let line = refused_json(&spec(json!({ key: { "asset": "qqqqqqqq" } })));
        assert!(line.starts_with(&format!("$.{key}.asset: ")), "{line}");
        assert!(line.contains("`qqqqqqqq`"), "{line}");
        let known: Vec<String> = pack
            .parts()
            .filter(|p| p.meta.kind == kind)
            .map(|p| format!("`{}`", p.meta.name))
            .collect();
        match known.is_empty() {
            false => assert!(known.iter().any(|name| line.contains(name)), "{line}"),
            // A user who cannot be offered a name should hear that there is
            // none, and not go on guessing.
            true => assert!(!line.ends_with("`qqqqqqqq`"), "nothing says there is none: {line}"),
        }
    }
}

#[test]
fn a_garment_is_worn_once() {
    common::exporter();
    let tops = json!([{ "asset": "underwear_top" }, { "asset": "underwear_top" }]);
    let line = refused_json(&spec(json!({ "garments": tops })));
    assert!(line.starts_with("$.garments[1].asset: found "), "{line}");
    assert!(line.contains("\"underwear_top\" a second time, expected "), "{line}");
}

#[test]
fn a_worn_thing_needs_its_asset() {
    for (keys, at) in [
        (json!({ "hair": { "colour": "#000000" } }), "$.hair.asset"),
        (json!({ "brows": {} }), "$.brows.asset"),
        (json!({ "beard": {} }), "$.beard.asset"),
        (json!({ "garments": [{}] }), "$.garments[0].asset"),
    ] {
        let line = refused_json(&spec(keys));
        assert_eq!(line, found_expected(at, "nothing", "the name of an asset"));
    }
}
