//! Skin weights: joints that there are, each once, with weights that sum to 1.

use std::collections::BTreeMap;

use super::context::{Check, within};
use super::demands::First;
use super::meshes::semantic_of;
use super::rules;
use crate::glb::reader::{AccessorReader, Json};
use crate::glb::{AccessorType, ComponentType};

/// How far a sum of float weights may be from 1 for each weight that is not
/// 0: the Khronos validator's figure, so that both say the same.
const SUM_TOLERANCE: f32 = 2e-7;

/// The accessors of a primitive's joints and weights, set by set.
type Sets = Vec<(usize, usize)>;

/// Checks the weights of all primitives. What several primitives share is
/// read once.
pub fn run(check: &mut Check<'_, '_>) {
    let mut groups: BTreeMap<Sets, (String, Option<usize>)> = BTreeMap::new();
    let joints = joints_of_meshes(check);
    for (m, mesh) in check.list("meshes").iter().enumerate() {
        for (p, primitive) in mesh.list("primitives").iter().enumerate() {
            let attributes = primitive.get("attributes").and_then(Json::members).unwrap_or(&[]);
            let n_accessors = check.list("accessors").len();
            // One walk over the attributes, of which there may be many.
            let by_name: BTreeMap<(&str, usize), usize> = attributes
                .iter()
                .filter_map(|(name, value)| {
                    let (semantic, set) = semantic_of(name)?;
                    let index = value.as_index().filter(|index| *index < n_accessors)?;
                    Some(((semantic, set?), index))
                })
                .collect();
            let mut sets = Sets::new();
            while let (Some(joints), Some(weights)) =
                (by_name.get(&("JOINTS", sets.len())), by_name.get(&("WEIGHTS", sets.len())))
            {
                sets.push((*joints, *weights));
            }
            if sets.is_empty() {
                continue;
            }
            let at = format!("$.meshes[{m}].primitives[{p}].attributes");
            let group = groups.entry(sets).or_insert((at, joints[m]));
            // Of several skins, the one with the fewest joints is the limit.
            group.1 = [group.1, joints[m]].into_iter().flatten().min();
        }
    }
    for (sets, (at, joints)) in groups {
        one(check, &at, &sets, joints);
    }
}

/// The number of joints of the smallest skin that each mesh is used with.
fn joints_of_meshes(check: &Check<'_, '_>) -> Vec<Option<usize>> {
    let mut joints: Vec<Option<usize>> = vec![None; check.list("meshes").len()];
    for node in check.list("nodes") {
        if let (Some((mesh, _)), Some((_, skin))) =
            (check.item(node, "mesh", "meshes"), check.item(node, "skin", "skins"))
        {
            let n = skin.list("joints").len();
            joints[mesh] = Some(joints[mesh].map_or(n, |least| least.min(n)));
        }
    }
    joints
}

#[derive(Default)]
struct Faults {
    range: First,
    twice: First,
    unused: First,
    negative: First,
    sum: First,
}

fn one(check: &mut Check<'_, '_>, at: &str, sets: &[(usize, usize)], joints: Option<usize>) {
    let mut readers = Vec::new();
    for &(j, w) in sets {
        let (Some(joints), Some(weights)) = (check.open(j), check.open(w)) else { return };
        let wide = |reader: &AccessorReader<'_>| reader.kind == AccessorType::Vec4;
        let whole = joints.component != ComponentType::F32;
        if !wide(&joints) || !wide(&weights) || joints.count != weights.count || !whole {
            return; // told as a wrong format or count
        }
        readers.push((joints, weights));
    }
    // Each joint is compared with all before it of the same vertex.
    let work = readers[0].0.count.saturating_mul(8 * sets.len()).saturating_mul(sets.len());
    if !check.may_read(work, at) {
        return;
    }
    let unit = match readers[0].1.component {
        ComponentType::F32 => None,
        ComponentType::U8 => Some(255.0),
        _ => Some(65535.0),
    };
    let mut rows: Vec<_> = readers.iter().map(|(j, w)| (j.rows(), w.rows())).collect();
    let mut faults = Faults::default();
    let mut seen: Vec<u32> = Vec::new();
    for vertex in 0..readers[0].0.count {
        seen.clear();
        let (mut sum, mut used, mut finite) = (0f32, 0u16, true);
        for (joints_of, weights_of) in &mut rows {
            // Sets of other lengths have been told as wrong counts.
            let (Some(own), Some(weights)) = (joints_of.next_row(), weights_of.next_row()) else {
                continue;
            };
            for (&joint, &weight) in own.iter().zip(weights) {
                let joint = joint as u32;
                finite &= weight.is_finite();
                if joints.is_some_and(|n| joint as usize >= n) {
                    faults.range.note(vertex, || format!("joint {joint}"));
                }
                if weight < 0.0 {
                    faults.negative.note(vertex, || weight.to_string());
                }
                if weight == 0.0 {
                    if joint != 0 {
                        faults.unused.note(vertex, || format!("joint {joint} of weight 0"));
                    }
                } else if seen.contains(&joint) {
                    faults.twice.note(vertex, || format!("joint {joint} twice"));
                } else {
                    seen.push(joint);
                    used += 1;
                    sum += weight as f32;
                }
            }
        }
        let (whole, tolerance) = match unit {
            Some(unit) => (unit, 0.0),
            None => (1.0, SUM_TOLERANCE * f32::from(used)),
        };
        if finite && !within(f64::from((sum - whole).abs()), f64::from(tolerance)) {
            faults.sum.note(vertex, || format!("a sum of {sum}"));
        }
    }
    let (in_joints, in_weights) = (format!("{at}.JOINTS_0"), format!("{at}.WEIGHTS_0"));
    let less = format!("less than the skin's {} joints", joints.unwrap_or_default());
    let whole = unit.unwrap_or(1.0).to_string();
    for (fault, rule, at, expected) in [
        (faults.range, &rules::WEIGHT_JOINT, &in_joints, less.as_str()),
        (faults.twice, &rules::WEIGHT_TWICE, &in_joints, "each joint once"),
        (faults.unused, &rules::WEIGHT_UNUSED, &in_joints, "joint 0"),
        (faults.negative, &rules::WEIGHT_NEGATIVE, &in_weights, "0 or more"),
        (faults.sum, &rules::WEIGHT_SUM, &in_weights, whole.as_str()),
    ] {
        fault.tell_as(check, rule, at, "vertex", expected);
    }
}
