//! Rigs: the bones' names and parents, and where their ends lie.
//!
//! A rig file does not fix places in space. It says from which vertices each
//! end follows, so that the skeleton fits every morphed body. The absolute
//! `default_position` in MPFB's files belongs to another character and is
//! ignored.

use std::collections::{BTreeMap, HashMap};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::{Error, Result};

use super::groups::{from_json, without_place};

/// The bones of a rig.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rig {
    /// Sorted by the number of bones above, then by name: a parent always
    /// comes before its children.
    pub bones: Vec<Bone>,
}

/// One bone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bone {
    /// The name, unique in its rig.
    pub name: String,
    /// The parent's name; `None` for a root.
    pub parent: Option<String>,
    /// Where the bone begins, which is its joint.
    pub head: Place,
    /// Where it ends.
    pub tail: Place,
}

/// From which vertices a point follows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// The mean of the vertices of a group, which is named: a joint cube.
    Cube(String),
    /// One vertex.
    Vertex(u32),
    /// The mean of these vertices, of which there is at least one. A vertex
    /// may occur twice and then counts twice.
    Mean(Vec<u32>),
}

/// Reads an MPFB rig (`rig.*.json`). Both layouts are read: bones at the top
/// level, and bones in `bones`.
pub fn parse_mpfb_rig(label: &str, bytes: &[u8], n_vertices: usize) -> Result<Rig> {
    let mut top: Map<String, Value> = from_json(label, bytes, "an object of bones")?;
    let (root, raw_bones) = match top.get_mut("bones") {
        // A bone is an object as well, but one with a head.
        Some(Value::Object(bones)) if !bones.contains_key("head") => {
            ("$.bones", std::mem::take(bones))
        }
        _ => ("$", top),
    };
    let mut bones = Vec::with_capacity(raw_bones.len());
    for (name, raw) in raw_bones {
        let at = format!("{root}[{name:?}]");
        let raw: MpfbBone = from_value(label, &at, raw, "a bone with a head and a tail")?;
        let place = |end: &str, raw| mpfb_place(label, format!("{at}.{end}"), raw, n_vertices);
        bones.push(Bone {
            head: place("head", raw.head)?,
            tail: place("tail", raw.tail)?,
            // MPFB writes an empty name for no parent.
            parent: raw.parent.filter(|parent| !parent.is_empty()),
            name,
        });
    }
    sorted_rig(label, root, bones)
}

/// Reads a MakeHuman skeleton (`.mhskel`). Its joints are lists of vertices,
/// so every place is a [`Place::Mean`].
pub fn parse_mhskel(label: &str, bytes: &[u8], n_vertices: usize) -> Result<Rig> {
    let raw: MhSkel = from_json(label, bytes, "a skeleton with bones and joints")?;
    for (name, vertices) in &raw.joints {
        check_vertices(label, || format!("$.joints[{name:?}]"), vertices, n_vertices)?;
    }
    let mut bones = Vec::with_capacity(raw.bones.len());
    for (name, raw_bone) in raw.bones {
        let place = |end: &str, joint: &String| {
            let vertices = raw.joints.get(joint).ok_or_else(|| Error::UnknownName {
                file: label.to_owned(),
                at: format!("$.bones[{name:?}].{end}"),
                kind: "joint",
                name: joint.clone(),
                nearest: Vec::new(),
            })?;
            Ok(Place::Mean(vertices.clone()))
        };
        let head = place("head", &raw_bone.head)?;
        let tail = place("tail", &raw_bone.tail)?;
        let parent = raw_bone.parent.filter(|parent| !parent.is_empty());
        bones.push(Bone { name, parent, head, tail });
    }
    sorted_rig(label, "$.bones", bones)
}

#[derive(Deserialize)]
struct MpfbBone {
    parent: Option<String>,
    head: MpfbPlace,
    tail: MpfbPlace,
}

#[derive(Deserialize)]
struct MpfbPlace {
    strategy: String,
    cube_name: Option<String>,
    vertex_index: Option<u32>,
    vertex_indices: Option<Vec<u32>>,
    offset: Option<[f64; 3]>,
}

#[derive(Deserialize)]
struct MhSkel {
    bones: BTreeMap<String, MhBone>,
    joints: HashMap<String, Vec<u32>>,
}

#[derive(Deserialize)]
struct MhBone {
    parent: Option<String>,
    head: String,
    tail: String,
}

fn from_value<T: DeserializeOwned>(
    label: &str,
    at: &str,
    value: Value,
    expected: &str,
) -> Result<T> {
    serde_json::from_value(value).map_err(|e| Error::input(label, at, without_place(&e), expected))
}

fn mpfb_place(label: &str, at: String, raw: MpfbPlace, n_vertices: usize) -> Result<Place> {
    // Only the Rigify rigs have offsets. Their unit and axes are Blender's,
    // so leaving one out in silence would misplace the bone.
    if raw.offset.is_some_and(|offset| offset != [0.0; 3]) {
        let found = "an offset from the vertices";
        return Err(Error::input(label, at, found, "a place that the vertices alone give"));
    }
    let missing = |key: &str| {
        Error::input(label, at.clone(), format!("strategy {} without it", raw.strategy), key)
    };
    let place = match raw.strategy.as_str() {
        "CUBE" => Place::Cube(raw.cube_name.ok_or_else(|| missing("`cube_name`"))?),
        "VERTEX" => Place::Vertex(raw.vertex_index.ok_or_else(|| missing("`vertex_index`"))?),
        "MEAN" => Place::Mean(raw.vertex_indices.ok_or_else(|| missing("`vertex_indices`"))?),
        other => {
            let found = format!("strategy `{other}`");
            return Err(Error::input(label, at, found, "CUBE, VERTEX or MEAN"));
        }
    };
    match &place {
        Place::Cube(_) => {}
        Place::Vertex(vertex) => check_vertices(label, || at, &[*vertex], n_vertices)?,
        Place::Mean(vertices) => check_vertices(label, || at, vertices, n_vertices)?,
    }
    Ok(place)
}

fn check_vertices(
    label: &str,
    at: impl FnOnce() -> String,
    vertices: &[u32],
    n_vertices: usize,
) -> Result<()> {
    let found = match vertices.iter().find(|v| **v as usize >= n_vertices) {
        None if !vertices.is_empty() => return Ok(()),
        None => "no vertex".to_owned(),
        Some(vertex) => format!("vertex {vertex}"),
    };
    Err(Error::input(label, at(), found, format!("one or more vertices below {n_vertices}")))
}

/// Sorts the bones and checks that each has a way to a root.
fn sorted_rig(label: &str, root: &str, mut bones: Vec<Bone>) -> Result<Rig> {
    if bones.is_empty() {
        return Err(Error::input(label, root, "no bone", "one or more bones"));
    }
    let parents: HashMap<&str, Option<&str>> =
        bones.iter().map(|b| (b.name.as_str(), b.parent.as_deref())).collect();
    let mut depths: HashMap<String, usize> = HashMap::with_capacity(bones.len());
    for bone in &bones {
        let at = || format!("{root}[{:?}].parent", bone.name);
        let mut depth = 0;
        let mut above = bone.parent.as_deref();
        while let Some(name) = above {
            let Some(next) = parents.get(name) else {
                return Err(Error::UnknownName {
                    file: label.to_owned(),
                    at: at(),
                    kind: "bone",
                    name: name.to_owned(),
                    nearest: Vec::new(),
                });
            };
            depth += 1;
            if depth > bones.len() {
                let found = "a circle of parents";
                return Err(Error::input(label, at(), found, "parents that lead to a root"));
            }
            above = *next;
        }
        depths.insert(bone.name.clone(), depth);
    }
    bones.sort_by(|a, b| (depths[&a.name], &a.name).cmp(&(depths[&b.name], &b.name)));
    Ok(Rig { bones })
}

#[cfg(test)]
mod tests {
    use super::*;

    const CUBE: &str =
        r#"{"strategy": "CUBE", "cube_name": "joint-a", "default_position": [9, 9, 9]}"#;
    const VERTEX: &str = r#"{"strategy": "VERTEX", "vertex_index": 7}"#;
    const MEAN: &str = r#"{"strategy": "MEAN", "vertex_indices": [1, 2]}"#;

    fn bone(name: &str, parent: &str, head: &str, tail: &str) -> String {
        format!(r#""{name}": {{"parent": "{parent}", "roll": 1, "head": {head}, "tail": {tail}}}"#)
    }

    fn message(text: &str) -> String {
        parse_mpfb_rig("rig.json", text.as_bytes(), 10).unwrap_err().to_string()
    }

    #[test]
    fn both_mpfb_layouts_give_the_same_rig() {
        let bones = [
            bone("leaf", "b", MEAN, VERTEX),
            bone("a", "root", VERTEX, MEAN),
            bone("b", "root", CUBE, VERTEX),
            bone("root", "", CUBE, MEAN),
        ]
        .join(",");
        let flat = parse_mpfb_rig("rig.json", format!("{{{bones}}}").as_bytes(), 10).unwrap();
        let names: Vec<&str> = flat.bones.iter().map(|b| b.name.as_str()).collect();
        assert_eq!(names, ["root", "a", "b", "leaf"]);
        assert_eq!(flat.bones[0].parent, None);
        assert_eq!(flat.bones[3].parent.as_deref(), Some("b"));
        assert_eq!(flat.bones[0].head, Place::Cube("joint-a".into()));
        assert_eq!(flat.bones[0].tail, Place::Mean(vec![1, 2]));
        assert_eq!(flat.bones[1].head, Place::Vertex(7));

        let nested = format!(r#"{{"bones": {{{bones}}}, "version": 110, "is_subrig": false}}"#);
        assert_eq!(parse_mpfb_rig("rig.json", nested.as_bytes(), 10).unwrap(), flat);
    }

    #[test]
    fn strategies_that_are_not_known_are_named() {
        let text = format!("{{{}}}", bone("heel", "", r#"{"strategy": "XYZ"}"#, CUBE));
        assert_eq!(
            message(&text),
            "rig.json: $[\"heel\"].head: found strategy `XYZ`, expected CUBE, VERTEX or MEAN"
        );
        let shifted = r#"{"strategy": "VERTEX", "vertex_index": 1, "offset": [0, 0.1, 0]}"#;
        let text = format!("{{{}}}", bone("heel", "", CUBE, shifted));
        assert!(message(&text).contains("$[\"heel\"].tail: found an offset"));
    }

    #[test]
    fn malformed_bones_are_errors() {
        for (head, expected) in [
            (r#"{"strategy": "CUBE"}"#, "`cube_name`"),
            (r#"{"strategy": "VERTEX", "vertex_index": 10}"#, "vertices below 10"),
            (r#"{"strategy": "VERTEX", "vertex_index": -1}"#, "a bone with"),
            (r#"{"strategy": "MEAN", "vertex_indices": []}"#, "one or more vertices"),
            (r#"{"strategy": "MEAN", "vertex_indices": [1, 99]}"#, "vertices below 10"),
            (r#""joint""#, "a bone with"),
        ] {
            let found = message(&format!("{{{}}}", bone("a", "", head, CUBE)));
            assert!(found.starts_with("rig.json: $[\"a\"]"), "{found}");
            assert!(found.contains(expected), "{found}");
        }
        assert!(message("{}").contains("no bone"));
        assert!(message("[1]").starts_with("rig.json: line 1, column "));
    }

    #[test]
    fn parents_have_to_exist_and_lead_to_a_root() {
        let text = format!("{{{}}}", bone("a", "zz", CUBE, CUBE));
        assert_eq!(message(&text), "rig.json: $[\"a\"].parent: no bone is called `zz`");
        let text = format!("{{{},{}}}", bone("a", "b", CUBE, CUBE), bone("b", "a", CUBE, CUBE));
        assert!(message(&text).contains("a circle of parents"));
        let text = format!("{{{}}}", bone("a", "a", CUBE, CUBE));
        assert!(message(&text).contains("a circle of parents"));
    }

    #[test]
    fn a_makehuman_skeleton_is_read() {
        let text = r#"{
            "name": "x",
            "joints": {"h": [1, 2], "t": [3]},
            "bones": {
                "a": {"head": "t", "tail": "h", "parent": "z", "reference": null},
                "z": {"head": "h", "tail": "t", "parent": null}
            }
        }"#;
        let rig = parse_mhskel("x.mhskel", text.as_bytes(), 4).unwrap();
        assert_eq!(rig.bones[0].name, "z");
        assert_eq!(rig.bones[0].head, Place::Mean(vec![1, 2]));
        assert_eq!(rig.bones[1].head, Place::Mean(vec![3]));

        let message =
            |text: &str, n| parse_mhskel("x.mhskel", text.as_bytes(), n).unwrap_err().to_string();
        assert!(message(text, 3).contains("$.joints[\"t\"]: found vertex 3"));
        let lost = text.replace(r#""tail": "h""#, r#""tail": "w""#);
        assert_eq!(message(&lost, 4), "x.mhskel: $.bones[\"a\"].tail: no joint is called `w`");
        assert!(message(r#"{"bones": {}}"#, 4).contains("joints"));
    }
}
