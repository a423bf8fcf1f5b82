//! The morphed body: base mesh plus weighted targets, standing on the floor.

use std::collections::{BTreeMap, BTreeSet};

use super::macros::macro_targets;
use super::spec::CharacterSpec;
use crate::json::nearest;
use crate::kernels::morph::add_target;
use crate::pack::{Pack, Side, Slider};
use crate::profile::N_JOINTS;
use crate::{Error, Result};

/// The targets a spec applies, by index in the pack, with weights other than
/// zero, in index order.
///
/// # Errors
/// [`Error::UnknownName`] for a slider the pack does not have, and
/// [`Error::Input`] for a negative value of a single shape.
pub fn target_weights(pack: &Pack, spec: &CharacterSpec) -> Result<BTreeMap<usize, f64>> {
    let mut weights = BTreeMap::new();
    let mut add = |target: usize, weight: f64| {
        if weight != 0.0 {
            *weights.entry(target).or_insert(0.0) += weight;
        }
    };
    for (key, weight) in macro_targets(&spec.body) {
        // A combination without a file contributes nothing.
        if let Some(target) = pack.find_target(&key) {
            add(target, weight);
        }
    }
    for (slider, value) in slider_values(pack, spec)? {
        let (slider, end) = slider;
        let ends = &pack.meta().sliders[slider].ends[end];
        match ends.negative {
            Some(negative) => {
                add(negative as usize, (-value).max(0.0));
                add(ends.positive as usize, value.max(0.0));
            }
            None => add(ends.positive as usize, value),
        }
    }
    Ok(weights)
}

/// Values by slider and end. A side's own value (`l-...`, `r-...`) replaces,
/// on that side, what the slider says for both.
fn slider_values(pack: &Pack, spec: &CharacterSpec) -> Result<BTreeMap<(usize, usize), f64>> {
    let sliders = &pack.meta().sliders;
    let by_name: BTreeMap<&str, usize> =
        sliders.iter().enumerate().map(|(i, s)| (s.name.as_str(), i)).collect();
    let mut both = BTreeMap::new();
    let mut sided = BTreeMap::new();
    for (name, &value) in &spec.details {
        let (index, side) = find_slider(&by_name, sliders, name)
            .ok_or_else(|| unknown_slider(spec, sliders, name))?;
        for (end, ends) in sliders[index].ends.iter().enumerate() {
            if side.is_some() && ends.side != side {
                continue;
            }
            if ends.negative.is_none() && value < 0.0 {
                return Err(Error::input(
                    &spec.file,
                    format!("$.details.{name}"),
                    format!("the number {value}"),
                    "a number from 0 to 1, since this slider is a single shape",
                ));
            }
            let values = if side.is_some() { &mut sided } else { &mut both };
            values.insert((index, end), value);
        }
    }
    both.extend(sided);
    Ok(both)
}

/// A slider by the name a spec gives: its own, or, for a sided slider, with
/// `l-` or `r-` in front.
fn find_slider(
    by_name: &BTreeMap<&str, usize>,
    sliders: &[Slider],
    name: &str,
) -> Option<(usize, Option<Side>)> {
    if let Some(&index) = by_name.get(name) {
        return Some((index, None));
    }
    let (side, rest) = [(Side::Left, "l-"), (Side::Right, "r-")]
        .into_iter()
        .find_map(|(side, prefix)| Some((side, name.strip_prefix(prefix)?)))?;
    let &index = by_name.get(rest)?;
    sliders[index].ends.iter().any(|e| e.side == Some(side)).then_some((index, Some(side)))
}

fn unknown_slider(spec: &CharacterSpec, sliders: &[Slider], name: &str) -> Error {
    let mut names = BTreeSet::new();
    for slider in sliders {
        names.insert(slider.name.clone());
        for ends in &slider.ends {
            match ends.side {
                Some(Side::Left) => names.insert(format!("l-{}", slider.name)),
                Some(Side::Right) => names.insert(format!("r-{}", slider.name)),
                None => continue,
            };
        }
    }
    Error::UnknownName {
        file: spec.file.clone(),
        at: "$.details".into(),
        kind: "slider",
        name: name.to_owned(),
        nearest: nearest(name, names.iter().map(String::as_str)),
    }
}

/// The base mesh of a character as [`super::build_character`] starts from it:
/// every base vertex in metres, in the source's rest pose, the lowest skin at
/// y = 0.
///
/// # Errors
/// As [`super::build_character`], for the body and its details.
pub fn morphed_body(pack: &Pack, spec: &CharacterSpec) -> Result<Vec<[f32; 3]>> {
    spec.validate()?;
    let positions = morphed_positions(pack, &target_weights(pack, spec)?);
    pack.verify()?;
    Ok(positions)
}

/// The base mesh (helpers and joint cubes included) in metres, morphed, with
/// the lowest skin at y = 0. Its x and z are the source's own.
pub fn morphed_positions(pack: &Pack, weights: &BTreeMap<usize, f64>) -> Vec<[f32; 3]> {
    let mut positions = pack.positions().to_vec();
    let unit = pack.meta().target_unit_m;
    for (&target, &weight) in weights {
        let view = pack.target(target);
        add_target(&mut positions, view.runs, view.deltas, unit, weight as f32);
    }
    let skin = &positions[..pack.meta().n_body_vertices as usize];
    let ground = skin.iter().map(|p| p[1]).fold(f32::INFINITY, f32::min);
    for p in &mut positions {
        p[1] -= ground;
    }
    positions
}

/// Where the 65 joints stand on a morphed body: at the means of their base
/// vertices; root on the floor at the source's origin.
pub fn joint_positions(pack: &Pack, positions: &[[f32; 3]]) -> [[f64; 3]; N_JOINTS] {
    let mut joints = [[0.0; 3]; N_JOINTS];
    for (joint, vertices) in joints.iter_mut().zip(&pack.meta().joints) {
        for &v in vertices {
            for (sum, x) in joint.iter_mut().zip(positions[v as usize]) {
                *sum += f64::from(x) / vertices.len() as f64;
            }
        }
    }
    joints
}
