//! The properties of the document against the tables of [`super::schema`]:
//! types, ranges, words, references, and what needs what.

use std::collections::HashSet;

use super::context::{Check, key_in_path};
use super::rules;
use super::schema::{Field, Is, LISTS, ROOT, Shape};
use crate::glb::reader::Json;

/// The version of glTF that files are checked against.
const MAJOR: u64 = 2;
const MINOR: u64 = 0;

/// Checks the whole document.
pub fn run(check: &mut Check<'_, '_>) {
    let root = check.root();
    object(check, "$", root, &ROOT);
    asset(check);
    needs(check);
}

/// The list of the document that a name stands for; the names of lists live
/// as long as the program, so that marks can keep them.
fn list_name(list: &str) -> &'static str {
    LISTS.iter().find(|name| **name == list).expect("the schema names lists that there are")
}

/// Checks an object's properties.
pub fn object(check: &mut Check<'_, '_>, at: &str, value: &Json<'_>, shape: &'static Shape) {
    let Some(members) = value.members() else {
        check.add(&rules::JSON_TYPE, at, value.describe(), format!("an object: {}", shape.name));
        return;
    };
    for Field { key, required, is } in shape.fields {
        match value.get(key) {
            Some(value) => property(check, &format!("{at}.{key}"), value, is),
            None if *required => {
                let expected = format!("{}, as every {} has it", in_words(is), shape.name);
                check.add(&rules::JSON_MISSING, format!("{at}.{key}"), "nothing", expected);
            }
            None => {}
        }
    }
    for (key, value) in members {
        let at_key = || format!("{at}.{}", key_in_path(key));
        match key.as_ref() {
            "extensions" => extensions_object(check, &at_key(), value),
            "extras" => {
                if value.members().is_none() {
                    check.add(&rules::JSON_EXTRAS, at_key(), value.describe(), "an object");
                }
            }
            "name" if shape.named => property(check, &at_key(), value, &Is::Text),
            key if shape.fields.iter().any(|field| field.key == key) => {}
            _ => {
                let expected = format!("only properties of the object {}", shape.name);
                check.add(&rules::JSON_KEY, at_key(), value.describe(), expected);
            }
        }
    }
}

fn extensions_object(check: &mut Check<'_, '_>, at: &str, value: &Json<'_>) {
    match value.members() {
        None => check.add(&rules::JSON_TYPE, at, value.describe(), "an object"),
        Some(members) => {
            for (name, value) in members {
                if value.members().is_none() {
                    let at = format!("{at}.{}", key_in_path(name));
                    check.add(&rules::JSON_TYPE, at, value.describe(), "an object");
                }
            }
        }
    }
}

/// A list that is not empty; a fault is told.
fn filled<'v, 'a>(
    check: &mut Check<'_, '_>,
    at: &str,
    value: &'v Json<'a>,
    of: &str,
) -> Option<&'v [Json<'a>]> {
    match value {
        Json::List(items) if items.is_empty() => {
            check.add(&rules::JSON_EMPTY, at, "an empty list", "nothing at all");
            None
        }
        Json::List(items) => Some(items),
        other => {
            check.add(&rules::JSON_TYPE, at, other.describe(), format!("a list of {of}"));
            None
        }
    }
}

fn property(check: &mut Check<'_, '_>, at: &str, value: &Json<'_>, is: &'static Is) {
    let wrong_type = |check: &mut Check<'_, '_>| {
        check.add(&rules::JSON_TYPE, at, value.describe(), in_words(is));
    };
    match is {
        Is::Bool => {
            if !matches!(value, Json::Bool(_)) {
                wrong_type(check);
            }
        }
        Is::Text | Is::Version => {
            if value.as_str().is_none() {
                wrong_type(check);
            }
        }
        Is::Word(words) => match value.as_str() {
            None => wrong_type(check),
            Some(word) if !words.contains(&word) => {
                check.add(&rules::JSON_WORD, at, value.describe(), one_of(words));
            }
            Some(_) => {}
        },
        Is::Words => {
            let mut seen = HashSet::new();
            for (i, item) in filled(check, at, value, "texts").unwrap_or(&[]).iter().enumerate() {
                let at = format!("{at}[{i}]");
                match item.as_str() {
                    None => check.add(&rules::JSON_TYPE, at, item.describe(), "a text"),
                    Some(text) if !seen.insert(text) => {
                        check.add(&rules::JSON_TWICE, at, item.describe(), "each name once");
                    }
                    Some(_) => {}
                }
            }
        }
        Is::Texts => {
            for (i, item) in filled(check, at, value, "texts").unwrap_or(&[]).iter().enumerate() {
                if item.as_str().is_none() {
                    check.add(&rules::JSON_TYPE, format!("{at}[{i}]"), item.describe(), "a text");
                }
            }
        }
        Is::Map(shape) => match value.members() {
            None => wrong_type(check),
            Some(members) => {
                for (name, value) in members {
                    object(check, &format!("{at}.{}", key_in_path(name)), value, shape);
                }
            }
        },
        Is::Int(low, high) => match integer(check, at, value) {
            None => wrong_type(check),
            Some(x) if x < *low || x > *high => {
                check.add(&rules::JSON_RANGE, at, value.describe(), bounds(*low, *high));
            }
            Some(_) => {}
        },
        Is::Code(codes) => match integer(check, at, value) {
            None => wrong_type(check),
            Some(x) if !codes.contains(&x) => {
                let words: Vec<String> = codes.iter().map(i64::to_string).collect();
                check.add(&rules::JSON_WORD, at, value.describe(), one_of(&words));
            }
            Some(_) => {}
        },
        Is::Number(low, high) => match value.as_f64() {
            None => wrong_type(check),
            Some(x) if !(x >= *low && x <= *high) => {
                check.add(&rules::JSON_RANGE, at, value.describe(), span(*low, *high));
            }
            Some(_) => {}
        },
        Is::Numbers(lengths, low, high) => numbers(check, at, value, lengths, *low, *high),
        Is::Local => {
            if index(check, at, value).is_none() {
                wrong_type(check);
            }
        }
        Is::Index(list) => reference(check, at, value, list),
        Is::Indices(list) => {
            let mut seen = HashSet::new();
            for (i, item) in filled(check, at, value, "indices").unwrap_or(&[]).iter().enumerate() {
                let at = format!("{at}[{i}]");
                reference(check, &at, item, list);
                if item.as_index().is_some_and(|index| !seen.insert(index)) {
                    check.add(&rules::JSON_TWICE, at, item.describe(), "each index once");
                }
            }
        }
        Is::Attributes => attributes(check, at, value),
        Is::Targets => {
            for (i, item) in filled(check, at, value, "objects").unwrap_or(&[]).iter().enumerate() {
                attributes(check, &format!("{at}[{i}]"), item);
            }
        }
        Is::Object(shape) => object(check, at, value, shape),
        Is::List(shape) => {
            for (i, item) in filled(check, at, value, "objects").unwrap_or(&[]).iter().enumerate() {
                object(check, &format!("{at}[{i}]"), item, shape);
            }
        }
    }
}

/// An integer. One that is written as `1.0` is told and taken.
fn integer(check: &mut Check<'_, '_>, at: &str, value: &Json<'_>) -> Option<i64> {
    let x = value.as_int()?;
    if matches!(value, Json::Float(_)) {
        check.add(&rules::JSON_FLOAT, at, value.describe(), format!("{x} without a fraction"));
    }
    Some(x)
}

fn index(check: &mut Check<'_, '_>, at: &str, value: &Json<'_>) -> Option<usize> {
    usize::try_from(integer(check, at, value)?).ok()
}

fn reference(check: &mut Check<'_, '_>, at: &str, value: &Json<'_>, list: &str) {
    let n = check.list(list).len();
    match index(check, at, value) {
        None => {
            let expected = format!("the index of one of the {list}");
            check.add(&rules::JSON_TYPE, at, value.describe(), expected);
        }
        Some(index) if index >= n => {
            let expected = format!("the index of one of the {n} {list}");
            check.add(&rules::JSON_REFERENCE, at, index.to_string(), expected);
        }
        Some(index) => check.mark(list_name(list), index),
    }
}

fn attributes(check: &mut Check<'_, '_>, at: &str, value: &Json<'_>) {
    match value.members() {
        None => check.add(&rules::JSON_TYPE, at, value.describe(), "an object of accessors"),
        Some([]) => check.add(&rules::JSON_EMPTY, at, "an empty object", "at least one attribute"),
        Some(members) => {
            for (name, value) in members {
                reference(check, &format!("{at}.{}", key_in_path(name)), value, "accessors");
            }
        }
    }
}

fn numbers(
    check: &mut Check<'_, '_>,
    at: &str,
    value: &Json<'_>,
    lengths: &[usize],
    low: f64,
    high: f64,
) {
    let Some(items) = filled(check, at, value, "numbers") else { return };
    if !lengths.is_empty() && !lengths.contains(&items.len()) {
        let words: Vec<String> = lengths.iter().map(usize::to_string).collect();
        let expected = format!("{} numbers", one_of(&words));
        check.add(&rules::JSON_LENGTH, at, format!("{} items", items.len()), expected);
    }
    for (i, item) in items.iter().enumerate() {
        match item.as_f64() {
            None => {
                check.add(&rules::JSON_TYPE, format!("{at}[{i}]"), item.describe(), "a number");
            }
            Some(x) if !(x >= low && x <= high && x.is_finite()) => {
                let at = format!("{at}[{i}]");
                check.add(&rules::JSON_RANGE, at, item.describe(), span(low, high));
            }
            Some(_) => {}
        }
    }
}

fn in_words(is: &Is) -> String {
    match is {
        Is::Bool => "true or false".into(),
        Is::Text => "a text".into(),
        Is::Version => "a version as in \"2.0\"".into(),
        Is::Word(words) => one_of(words),
        Is::Words | Is::Texts => "a list of texts".into(),
        Is::Map(shape) => format!("an object of objects: {}", shape.name),
        Is::Int(..) | Is::Code(_) => "a whole number".into(),
        Is::Number(..) => "a number".into(),
        Is::Numbers(..) => "a list of numbers".into(),
        Is::Index(list) => format!("the index of one of the {list}"),
        Is::Local => "an index".into(),
        Is::Indices(list) => format!("a list of indices of {list}"),
        Is::Attributes => "an object of accessors".into(),
        Is::Targets => "a list of objects of accessors".into(),
        Is::Object(shape) => format!("an object: {}", shape.name),
        Is::List(shape) => format!("a list of objects: {}", shape.name),
    }
}

/// A choice, in words.
pub fn one_of<T: AsRef<str>>(words: &[T]) -> String {
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    match words.as_slice() {
        [one] => (*one).to_owned(),
        many => format!("one of {}", many.join(", ")),
    }
}

fn bounds(low: i64, high: i64) -> String {
    match high {
        (1_000_000..) => format!("{low} to 2^53 - 1"),
        _ => format!("{low} to {high}"),
    }
}

fn span(low: f64, high: f64) -> String {
    match (low, high) {
        (f64::NEG_INFINITY, _) => "a finite number".into(),
        (f64::MIN_POSITIVE, _) => "more than 0".into(),
        (low, f64::INFINITY) => format!("at least {low}"),
        (low, high) => format!("{low} to {high}"),
    }
}

fn asset(check: &mut Check<'_, '_>) {
    let Some(asset) = check.root().get("asset") else { return };
    let mut read = |key: &str| -> Option<(u64, u64)> {
        let text = asset.get(key)?.as_str()?;
        let version = text.split_once('.').and_then(|(major, minor)| {
            let number = |digits: &str| -> Option<u64> {
                let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
                plain.then(|| digits.parse().ok())?
            };
            Some((number(major)?, number(minor)?))
        });
        if version.is_none() {
            let at = format!("$.asset.{key}");
            check.add(&rules::ASSET_VERSION, at, format!("{text:?}"), "a version as in \"2.0\"");
        }
        version
    };
    let (version, least) = (read("version"), read("minVersion"));
    if let Some((major, minor)) = version {
        if (major, minor) != (MAJOR, MINOR) {
            let newer = &rules::ASSET_MINOR;
            let rule = if major == MAJOR { newer } else { &rules::ASSET_VERSION };
            check.add(rule, "$.asset.version", format!("{major}.{minor}"), "2.0");
        }
        if let Some(least) = least.filter(|least| *least > (major, minor)) {
            let found = format!("{}.{}", least.0, least.1);
            let expected = format!("at most the version, {major}.{minor}");
            check.add(&rules::ASSET_VERSION, "$.asset.minVersion", found, expected);
        }
    }
}

/// Properties that need others or exclude them.
fn needs(check: &mut Check<'_, '_>) {
    for (i, node) in check.list("nodes").iter().enumerate() {
        for key in ["skin", "weights"] {
            if node.get(key).is_some() && node.get("mesh").is_none() {
                let at = format!("$.nodes[{i}].{key}");
                check.add(
                    &rules::JSON_NEEDS,
                    at,
                    format!("{key} without mesh"),
                    "a mesh beside it",
                );
            }
        }
    }
    for (i, image) in check.list("images").iter().enumerate() {
        let at = format!("$.images[{i}]");
        match (image.get("uri"), image.get("bufferView")) {
            (Some(_), Some(_)) => {
                check.add(&rules::JSON_ONE_OF, at, "uri and bufferView", "one of the two");
            }
            (None, None) if image.get("extensions").is_none() => {
                check.add(&rules::JSON_ONE_OF, at, "neither uri nor bufferView", "one of the two");
            }
            (None, Some(_)) if image.get("mimeType").is_none() => {
                let at = format!("{at}.mimeType");
                check.add(&rules::JSON_NEEDS, at, "nothing", "the type of the view's bytes");
            }
            _ => {}
        }
    }
    for (i, camera) in check.list("cameras").iter().enumerate() {
        let kinds = ["perspective", "orthographic"];
        let given: Vec<&str> = kinds.into_iter().filter(|k| camera.get(k).is_some()).collect();
        if given.len() != 1 {
            let found = format!("{} of perspective and orthographic", given.len());
            check.add(&rules::JSON_ONE_OF, format!("$.cameras[{i}]"), found, "one of the two");
        }
        let number = |of: &str, key: &str| camera.get(of)?.get(key)?.as_f64();
        for of in kinds {
            if let (Some(far), Some(near)) = (number(of, "zfar"), number(of, "znear"))
                && far <= near
            {
                let at = format!("$.cameras[{i}].{of}.zfar");
                check.add(&rules::JSON_RANGE, at, far.to_string(), format!("more than {near}"));
            }
        }
        for key in ["xmag", "ymag"] {
            if number("orthographic", key) == Some(0.0) {
                let at = format!("$.cameras[{i}].orthographic.{key}");
                check.add(&rules::JSON_RANGE, at, "0", "not 0");
            }
        }
    }
}
