//! `expressions` (VRM 1.0, "expressions"): the presets, and one custom
//! expression per shape.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::{Map, Value};

use super::presets::{Override, PRESETS, Preset, VOWEL_VISEMES};
use crate::face::{ARKIT_SHAPES, VISEMES};
use crate::glb::{Root, json_f32};
use crate::profile::FACE_UNITS;

/// Where a shape is: the nodes with it, each with the target's index in its
/// own mesh.
type Places = BTreeMap<String, Vec<(usize, usize)>>;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Expression {
    is_binary: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    morph_target_binds: Vec<Bind>,
    override_blink: Override,
    override_look_at: Override,
    override_mouth: Override,
}

#[derive(Serialize)]
struct Bind {
    node: usize,
    index: usize,
    weight: Value,
}

/// The expressions of a document; nothing for one without morph targets.
pub fn expressions(root: &Root) -> Option<Value> {
    let places = places_of(root);
    if places.is_empty() {
        return None;
    }
    let mut preset = Map::new();
    for recipe in &PRESETS {
        let binds = binds(&places, &shapes_for(recipe, &places));
        // A preset that could not be made is left out, so that applications
        // see it is not there; neutral is what moves nothing.
        if !binds.is_empty() || recipe.name == "neutral" {
            let expression = Expression {
                is_binary: false,
                morph_target_binds: binds,
                override_blink: recipe.blink,
                override_look_at: recipe.look_at,
                override_mouth: recipe.mouth,
            };
            preset.insert(recipe.name.into(), to_value(expression));
        }
    }
    let names = FACE_UNITS.iter().chain(&ARKIT_SHAPES).copied();
    let names = names.chain(VISEMES.iter().map(|(name, _)| *name));
    let mut custom = Map::new();
    for name in names {
        // A custom expression may not have a preset's name.
        let taken = PRESETS.iter().any(|preset| preset.name == name);
        let binds = binds(&places, &[(name, 1.0)]);
        if !binds.is_empty() && !taken {
            let expression = Expression {
                is_binary: false,
                morph_target_binds: binds,
                override_blink: Override::None,
                override_look_at: Override::None,
                override_mouth: Override::None,
            };
            custom.insert(name.into(), to_value(expression));
        }
    }
    let mut all = Map::new();
    all.insert("preset".into(), preset.into());
    if !custom.is_empty() {
        all.insert("custom".into(), custom.into());
    }
    Some(all.into())
}

fn to_value(expression: Expression) -> Value {
    serde_json::to_value(expression).expect("an expression has only plain values")
}

fn places_of(root: &Root) -> Places {
    let mut places = Places::new();
    for (node, value) in root.nodes.iter().enumerate() {
        let mesh = value.mesh.and_then(|mesh| root.get(mesh));
        let names = mesh.and_then(|mesh| mesh.extras.as_ref()?.get("targetNames")?.as_array());
        for (index, name) in names.into_iter().flatten().enumerate() {
            let name = name.as_str().unwrap_or_default().to_owned();
            places.entry(name).or_default().push((node, index));
        }
    }
    places
}

/// The shapes a preset is made of, by whichever names the file carries. The
/// units go first, since they are this body's own.
fn shapes_for(preset: &Preset, places: &Places) -> Vec<(&'static str, f32)> {
    let there = |shapes: &[(&str, f32)]| {
        !shapes.is_empty() && shapes.iter().all(|(name, _)| places.contains_key(*name))
    };
    let viseme = VOWEL_VISEMES.iter().find(|(name, _)| *name == preset.name);
    match viseme {
        _ if there(preset.units) => preset.units.to_vec(),
        _ if there(preset.arkit) => preset.arkit.to_vec(),
        Some((_, viseme)) if places.contains_key(*viseme) => vec![(*viseme, 1.0)],
        _ => Vec::new(),
    }
}

fn binds(places: &Places, shapes: &[(&str, f32)]) -> Vec<Bind> {
    let mut seen = BTreeSet::new();
    let mut binds = Vec::new();
    for (name, weight) in shapes {
        for &(node, index) in places.get(*name).into_iter().flatten() {
            if seen.insert((node, index)) {
                binds.push(Bind { node, index, weight: json_f32(*weight) });
            }
        }
    }
    binds.sort_by_key(|bind| (bind.node, bind.index));
    binds
}
