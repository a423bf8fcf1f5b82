//! The detail sliders: which target files belong together.
//!
//! A slider from −1 to 1 has one target for each direction, a slider from 0
//! to 1 has a single target. A sided slider has its targets twice, for the
//! left and the right. MPFB's `target.json` lists the sliders; the names of
//! the files say the same, for data folders without that list.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::{Error, Result};

use super::groups::{from_json, without_place};

/// The last words of file names that are the two ends of a slider, with the
/// negative end first.
const OPPOSITES: [(&str, &str); 8] = [
    ("decr", "incr"),
    ("down", "up"),
    ("in", "out"),
    ("backward", "forward"),
    ("concave", "convex"),
    ("compress", "uncompress"),
    ("pointed", "triangle"),
    ("square", "round"),
];

/// The folders whose targets are not sliders: those that the macro settings
/// choose from, facial expressions, and asymmetry.
const OTHER_FOLDERS: [&str; 3] = ["macrodetails", "expression", "asym"];

/// One slider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slider {
    /// The part of the body, as the data calls it: "nose".
    pub section: String,
    /// The slider's full name: "nose-hump-decr-incr".
    pub name: String,
    /// Whether left and right can be set apart.
    pub sided: bool,
    /// What the slider moves.
    pub shape: SliderShape,
}

/// The target files of a slider. All of them have the same sidedness.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SliderShape {
    /// −1 to 1.
    Pair {
        /// Has full effect at −1, none from 0 on.
        negative: SliderTarget,
        /// Has full effect at 1, none up to 0.
        positive: SliderTarget,
    },
    /// 0 to 1.
    Single {
        /// Has full effect at 1.
        target: SliderTarget,
    },
}

/// Keys of target files: paths relative to the targets folder without the
/// extension, such as "nose/nose-hump-decr".
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum SliderTarget {
    /// One file for the whole body.
    Whole(String),
    /// One file for each side.
    Sided {
        /// The file for the character's left, +x.
        left: String,
        /// The file for the right.
        right: String,
    },
}

/// Whether a target file belongs to a slider, by its key.
pub fn is_detail_target(key: &str) -> bool {
    let Some((folder, _)) = key.split_once('/') else { return false };
    // The breast folder also holds the files of the macro settings for cup
    // size and firmness.
    !OTHER_FOLDERS.contains(&folder) && !key.starts_with("breast/female-")
}

#[derive(Deserialize)]
struct RawCategory {
    name: String,
    #[serde(default)]
    has_left_and_right: bool,
    opposites: Option<RawOpposites>,
    #[serde(default)]
    targets: Vec<String>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "kebab-case", default)]
struct RawOpposites {
    negative_left: String,
    negative_right: String,
    negative_unsided: String,
    positive_left: String,
    positive_right: String,
    positive_unsided: String,
}

/// Reads `target.json`. The file has base names only, which are looked up
/// among `target_keys`. Where a category does not say which of its targets
/// are opposites, their names do. The order is that of the file.
pub fn parse_target_json(label: &str, bytes: &[u8], target_keys: &[String]) -> Result<Vec<Slider>> {
    let sections: Map<String, Value> = from_json(label, bytes, "an object of sections")?;
    let names = NameIndex::new(label, target_keys);
    let mut sliders = Vec::new();
    for (section, value) in &sections {
        let at = format!("$[{section:?}].categories");
        let categories = match value.get("categories") {
            Some(Value::Array(categories)) => categories.as_slice(),
            _ => return Err(Error::input(label, at, "no list", "a list of categories")),
        };
        for (i, category) in categories.iter().enumerate() {
            let at = format!("{at}[{i}]");
            let raw = RawCategory::deserialize(category)
                .map_err(|e| Error::input(label, at.as_str(), without_place(&e), "a category"))?;
            sliders.push(category_slider(label, &at, section, raw, &names)?);
        }
    }
    Ok(sliders)
}

fn category_slider(
    label: &str,
    at: &str,
    section: &str,
    raw: RawCategory,
    names: &NameIndex,
) -> Result<Slider> {
    let find = |name: &str| names.find(at, section, name);
    let fault = |found: &str, expected: &str| Error::input(label, at, found, expected);
    let (shape, sided) = match &raw.opposites {
        Some(o) => {
            let end = |whole: &str, left: &str, right: &str| match (whole, left, right) {
                ("", left, right) if !left.is_empty() && !right.is_empty() => {
                    Ok((SliderTarget::Sided { left: find(left)?, right: find(right)? }, true))
                }
                (whole, "", "") if !whole.is_empty() => {
                    Ok((SliderTarget::Whole(find(whole)?), false))
                }
                _ => Err(fault("mixed opposites", "left and right, or unsided")),
            };
            let (negative, sided) = end(&o.negative_unsided, &o.negative_left, &o.negative_right)?;
            let (positive, also) = end(&o.positive_unsided, &o.positive_left, &o.positive_right)?;
            if sided != also {
                return Err(fault("mixed opposites", "two sided ends or two unsided ends"));
            }
            (SliderShape::Pair { negative, positive }, sided)
        }
        None => {
            let keys = raw.targets.iter().map(|name| find(name)).collect::<Result<Vec<_>>>()?;
            let mut derived = sliders_by_name(keys.iter().map(String::as_str));
            match (derived.pop(), derived.pop()) {
                (Some(only), None) => (only.shape, only.sided),
                _ => return Err(fault("targets without opposites", "one shape, or two opposites")),
            }
        }
    };
    if sided != raw.has_left_and_right {
        return Err(fault("targets of the other sidedness", "what `has_left_and_right` says"));
    }
    Ok(Slider { section: section.to_owned(), name: raw.name, sided, shape })
}

/// Finds target keys by their base names.
struct NameIndex<'a> {
    label: &'a str,
    keys: HashMap<&'a str, Vec<&'a str>>,
}

impl<'a> NameIndex<'a> {
    fn new(label: &'a str, target_keys: &'a [String]) -> NameIndex<'a> {
        let mut keys: HashMap<&str, Vec<&str>> = HashMap::new();
        for key in target_keys.iter().filter(|key| is_detail_target(key)) {
            keys.entry(split_key(key).1).or_default().push(key);
        }
        NameIndex { label, keys }
    }

    /// The key with this base name. If several folders have it, the one
    /// that is called like the section is meant.
    fn find(&self, at: &str, section: &str, name: &str) -> Result<String> {
        let found = self.keys.get(name).map_or(&[] as &[&str], Vec::as_slice);
        let in_section = |key: &&&str| split_key(key).0 == section;
        match (found, found.iter().find(in_section)) {
            ([only], _) | (_, Some(only)) => Ok((*only).to_owned()),
            ([], None) => Err(Error::UnknownName {
                file: self.label.to_owned(),
                at: at.to_owned(),
                kind: "target",
                name: name.to_owned(),
                nearest: Vec::new(),
            }),
            (several, None) => Err(Error::input(
                self.label,
                at,
                format!("`{name}`, which is {}", several.join(" and ")),
                "the name of one target",
            )),
        }
    }
}

/// Finds the sliders from the names of the files alone, sorted by section
/// and name. The section is the first folder.
pub fn derive_sliders(target_keys: &[String]) -> Vec<Slider> {
    sliders_by_name(target_keys.iter().map(String::as_str).filter(|key| is_detail_target(key)))
}

fn sliders_by_name<'a>(keys: impl Iterator<Item = &'a str>) -> Vec<Slider> {
    let keys: BTreeSet<(&str, &str)> = keys.map(split_key).collect();

    // First step: left and right become one. An `l-` without an `r-` is an
    // ordinary name. The number of the side is part of the order, so that a
    // sided and an unsided shape of the same name stay apart.
    let mut shapes: BTreeMap<(&str, bool, &str), SliderTarget> = BTreeMap::new();
    for &(folder, name) in &keys {
        let partner = |own: &str, other: &str| {
            let stem = name.strip_prefix(own)?;
            let partner = format!("{other}{stem}");
            keys.contains(&(folder, partner.as_str())).then_some((stem, partner))
        };
        if let Some((stem, right)) = partner("l-", "r-") {
            let left = join_key(folder, name);
            let right = join_key(folder, &right);
            shapes.insert((folder, true, stem), SliderTarget::Sided { left, right });
        } else if partner("r-", "l-").is_none() {
            shapes.insert((folder, false, name), SliderTarget::Whole(join_key(folder, name)));
        }
    }

    // Second step: opposites become one.
    let mut sliders = Vec::new();
    for (&(folder, sided, name), target) in &shapes {
        let section = folder.split('/').next().unwrap_or(folder).to_owned();
        let opposite = |word: &str, stem: &str| {
            let name = format!("{stem}-{word}");
            shapes.get(&(folder, sided, name.as_str())).cloned()
        };
        let (slider_name, shape) = match split_opposite(name) {
            Some((stem, (negative, positive), is_negative)) => {
                let other = if is_negative { positive } else { negative };
                match (opposite(other, stem), is_negative) {
                    (Some(other), true) => (
                        format!("{stem}-{negative}-{positive}"),
                        SliderShape::Pair { negative: target.clone(), positive: other },
                    ),
                    // The negative end has made the slider.
                    (Some(_), false) => continue,
                    (None, _) => (name.to_owned(), SliderShape::Single { target: target.clone() }),
                }
            }
            None => (name.to_owned(), SliderShape::Single { target: target.clone() }),
        };
        sliders.push(Slider { section, name: slider_name, sided, shape });
    }
    sliders.sort_by(|a, b| (&a.section, &a.name, a.sided).cmp(&(&b.section, &b.name, b.sided)));
    sliders
}

/// Splits a name whose last word is an end of a slider: the stem, the two
/// words, and whether it is the negative one.
fn split_opposite(name: &str) -> Option<(&str, (&'static str, &'static str), bool)> {
    let (stem, word) = name.rsplit_once('-')?;
    let pair = *OPPOSITES.iter().find(|pair| pair.0 == word || pair.1 == word)?;
    // "head-square" and "head-round" are two of seven shapes of the head,
    // each with its own slider; "ear-shape-square" and "ear-shape-round" are
    // the ends of one.
    if pair.0 == "square" && !stem.contains('-') {
        return None;
    }
    Some((stem, pair, word == pair.0))
}

/// The folder and the base name of a key.
fn split_key(key: &str) -> (&str, &str) {
    key.rsplit_once('/').unwrap_or(("", key))
}

fn join_key(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(list: &[&str]) -> Vec<String> {
        list.iter().map(|key| (*key).to_owned()).collect()
    }

    fn whole(key: &str) -> SliderTarget {
        SliderTarget::Whole(key.to_owned())
    }

    fn both(folder: &str, name: &str) -> SliderTarget {
        SliderTarget::Sided {
            left: format!("{folder}/l-{name}"),
            right: format!("{folder}/r-{name}"),
        }
    }

    const FILES: [&str; 18] = [
        "arms/measure-wrist-circ-decr",
        "arms/measure-wrist-circ-incr",
        "asym/asym-brow-1-l",
        "breast/female-young-maxcup",
        "ears/l-ear-shape-round",
        "ears/l-ear-shape-square",
        "ears/r-ear-shape-round",
        "ears/r-ear-shape-square",
        "expression/units/asian/nose-up",
        "eyes/l-fold-concave",
        "eyes/l-fold-convex",
        "eyes/r-fold-concave",
        "eyes/r-fold-convex",
        "head/head-round",
        "head/head-square",
        "macrodetails/height/x-decr",
        "nose/nose-up",
        "nose/nose-down",
    ];

    const LIST: &str = r#"{
        "measure": {"categories": [
            {"name": "measure-wrist-circ-decr-incr", "has_left_and_right": false, "label": "x",
             "opposites": {"negative-left": "", "negative-right": "",
                           "negative-unsided": "measure-wrist-circ-decr",
                           "positive-left": "", "positive-right": "",
                           "positive-unsided": "measure-wrist-circ-incr"},
             "targets": ["measure-wrist-circ-incr", "measure-wrist-circ-decr"]}
        ]},
        "ears": {"categories": [
            {"name": "ear-shape-square-round", "has_left_and_right": true,
             "opposites": {"negative-left": "l-ear-shape-square",
                           "negative-right": "r-ear-shape-square",
                           "positive-left": "l-ear-shape-round",
                           "positive-right": "r-ear-shape-round"}}
        ]},
        "eyes": {"categories": [
            {"name": "fold-concave-convex", "has_left_and_right": true,
             "targets": ["r-fold-concave", "r-fold-convex", "l-fold-concave", "l-fold-convex"]}
        ]},
        "head": {"categories": [
            {"name": "head-round", "has_left_and_right": false, "targets": ["head-round"]},
            {"name": "head-square", "has_left_and_right": false, "targets": ["head-square"]}
        ]},
        "nose": {"categories": [
            {"name": "nose-down-up", "has_left_and_right": false,
             "opposites": {"negative-unsided": "nose-down", "positive-unsided": "nose-up"}}
        ]}
    }"#;

    #[test]
    fn the_list_is_read_in_its_order() {
        let sliders = parse_target_json("t.json", LIST.as_bytes(), &keys(&FILES)).unwrap();
        let names: Vec<&str> = sliders.iter().map(|s| s.name.as_str()).collect();
        assert_eq!(
            names,
            [
                "measure-wrist-circ-decr-incr",
                "ear-shape-square-round",
                "fold-concave-convex",
                "head-round",
                "head-square",
                "nose-down-up"
            ]
        );
        assert_eq!(sliders[0].section, "measure");
        assert!(!sliders[0].sided);
        assert_eq!(
            sliders[0].shape,
            SliderShape::Pair {
                negative: whole("arms/measure-wrist-circ-decr"),
                positive: whole("arms/measure-wrist-circ-incr"),
            }
        );
        assert!(sliders[2].sided, "a category without opposites goes by its names");
        assert_eq!(
            sliders[2].shape,
            SliderShape::Pair {
                negative: both("eyes", "fold-concave"),
                positive: both("eyes", "fold-convex"),
            }
        );
        assert_eq!(sliders[3].shape, SliderShape::Single { target: whole("head/head-round") });
    }

    #[test]
    fn the_names_of_the_files_give_the_same_sliders() {
        let files = keys(&FILES);
        let mut listed = parse_target_json("t.json", LIST.as_bytes(), &files).unwrap();
        // The file's own section is the only thing that names cannot tell.
        listed[0].section = "arms".to_owned();
        assert_eq!(derive_sliders(&files), {
            listed.sort_by(|a, b| (&a.section, &a.name).cmp(&(&b.section, &b.name)));
            listed
        });
    }

    #[test]
    fn incomplete_sets_become_single_shapes() {
        let sliders = derive_sliders(&keys(&[
            "a/l-b-incr",
            "a/c-down",
            "loose-decr",
            "a/r-x-up",
            "a/l-x-up",
        ]));
        let found: Vec<_> = sliders.iter().map(|s| (s.name.as_str(), s.sided)).collect();
        assert_eq!(found, [("c-down", false), ("l-b-incr", false), ("x-up", true)]);
        assert_eq!(sliders[2].shape, SliderShape::Single { target: both("a", "x-up") });
    }

    #[test]
    fn malformed_lists_are_errors() {
        let message = |text: &str, files: &[&str]| {
            parse_target_json("t.json", text.as_bytes(), &keys(files)).unwrap_err().to_string()
        };
        let without_nose: Vec<&str> =
            FILES.iter().copied().filter(|key| !key.starts_with("nose/")).collect();
        assert_eq!(
            message(LIST, &without_nose),
            "t.json: $[\"nose\"].categories[0]: no target is called `nose-down`"
        );
        let mut twice = without_nose;
        twice.extend(["a/nose-down", "b/nose-down", "nose/nose-up"]);
        assert!(message(LIST, &twice).contains("which is a/nose-down and b/nose-down"));

        let category = |body: &str| format!(r#"{{"nose": {{"categories": [{body}]}}}}"#);
        let half = r#"{"name": "n", "opposites": {"negative-left": "nose-down"}}"#;
        assert!(message(&category(half), &FILES).contains("mixed opposites"));
        let side = r#"{"name": "n", "has_left_and_right": true, "targets": ["nose-up"]}"#;
        assert!(message(&category(side), &FILES).contains("the other sidedness"));
        let two = r#"{"name": "n", "targets": ["nose-up", "head-round"]}"#;
        assert!(message(&category(two), &FILES).contains("targets without opposites"));
        let none = r#"{"name": "n", "targets": []}"#;
        assert!(message(&category(none), &FILES).contains("targets without opposites"));
        assert!(message(&category("7"), &FILES).contains("$[\"nose\"].categories[0]"));
        assert!(message(r#"{"nose": {}}"#, &FILES).contains("a list of categories"));
        assert!(message("[]", &FILES).contains("an object of sections"));
    }
}
