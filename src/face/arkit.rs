//! ARKit's 52 face shapes, from the source's own targets.

use std::ops::Range;

use glam::{Mat3, Vec3};

use super::fit::{LidVertex, Lids, Measure, Region};
use super::units::{EYES, Scratch, Shape, bake_bone, eyeball};
use crate::pack::Pack;

/// ARKit's names (Apple, `ARFaceAnchor.BlendShapeLocation`), by region: eyes,
/// jaw, mouth, brows, cheeks, nose, tongue.
pub const ARKIT_SHAPES: [&str; 52] = [
    "eyeBlinkLeft",
    "eyeLookDownLeft",
    "eyeLookInLeft",
    "eyeLookOutLeft",
    "eyeLookUpLeft",
    "eyeSquintLeft",
    "eyeWideLeft",
    "eyeBlinkRight",
    "eyeLookDownRight",
    "eyeLookInRight",
    "eyeLookOutRight",
    "eyeLookUpRight",
    "eyeSquintRight",
    "eyeWideRight",
    "jawForward",
    "jawLeft",
    "jawRight",
    "jawOpen",
    "mouthClose",
    "mouthFunnel",
    "mouthPucker",
    "mouthLeft",
    "mouthRight",
    "mouthSmileLeft",
    "mouthSmileRight",
    "mouthFrownLeft",
    "mouthFrownRight",
    "mouthDimpleLeft",
    "mouthDimpleRight",
    "mouthStretchLeft",
    "mouthStretchRight",
    "mouthRollLower",
    "mouthRollUpper",
    "mouthShrugLower",
    "mouthShrugUpper",
    "mouthPressLeft",
    "mouthPressRight",
    "mouthLowerDownLeft",
    "mouthLowerDownRight",
    "mouthUpperUpLeft",
    "mouthUpperUpRight",
    "browDownLeft",
    "browDownRight",
    "browInnerUp",
    "browOuterUpLeft",
    "browOuterUpRight",
    "cheekPuff",
    "cheekSquintLeft",
    "cheekSquintRight",
    "noseSneerLeft",
    "noseSneerRight",
    "tongueOut",
];

/// Shapes that turn an eyeball: the unit that turns it likewise, and its
/// bone. "In" is towards the nose, so the left eye looks in to the right.
const EYE_TURNS: [(&str, &str, &str); 8] = [
    ("eyeLookDownLeft", "LeftEyeDown", "eye.L"),
    ("eyeLookInLeft", "LeftEyeturnRight", "eye.L"),
    ("eyeLookOutLeft", "LeftEyeturnLeft", "eye.L"),
    ("eyeLookUpLeft", "LeftEyeUp", "eye.L"),
    ("eyeLookDownRight", "RightEyeDown", "eye.R"),
    ("eyeLookInRight", "RightEyeturnLeft", "eye.R"),
    ("eyeLookOutRight", "RightEyeturnRight", "eye.R"),
    ("eyeLookUpRight", "RightEyeUp", "eye.R"),
];

/// Bakes the shapes that the pack has targets for, in ARKit's order, for a
/// body whose base vertices stand at `positions` (metres, source rest pose);
/// none when it has none.
///
/// Lids, brows, jaw, lips, teeth and tongue move by the source's targets.
/// Those were made on the base mesh (there the lids close exactly), so each
/// region's are scaled as the face's region is, per axis, and the lids' also
/// stretched so that they meet. On the base mesh itself nothing changes.
/// Eyeballs turn about their own bones instead: a target made on one eye would
/// dent another of a different size.
pub fn bake_arkit(pack: &Pack, positions: &[[f32; 3]]) -> Vec<Shape> {
    let targets = targets(pack);
    let fits = fits(pack, positions, &targets);
    let mut scratch = Scratch::new(positions.len());
    let mut shapes = Vec::with_capacity(targets.len());
    for target in &targets {
        let fit = &fits[target.region as usize];
        for &(vertex, delta) in &target.deltas {
            scratch.add(vertex, fit.apply(vertex, delta));
        }
        if let Some((_, unit, bone)) = EYE_TURNS.iter().find(|(shape, ..)| *shape == target.name) {
            let eyes = eyeballs(pack).flatten();
            for (vertex, delta) in bake_bone(pack, positions, unit, bone, eyes) {
                scratch.add(vertex, delta);
            }
        }
        shapes.push(scratch.take(target.name));
    }
    shapes
}

/// A shape as the source has it, without the eyeballs, in metres.
struct Target {
    name: &'static str,
    region: Region,
    /// Base vertices in increasing order.
    deltas: Vec<(u32, Vec3)>,
}

fn eyeballs(pack: &Pack) -> impl Iterator<Item = Range<u32>> {
    EYES.into_iter().flat_map(|(group, _)| eyeball(pack, group))
}

fn targets(pack: &Pack) -> Vec<Target> {
    let eyes: Vec<Range<u32>> = eyeballs(pack).collect();
    let unit_m = pack.meta().target_unit_m;
    let mut targets = Vec::new();
    for name in ARKIT_SHAPES {
        let Some(target) = pack.find_target(&format!("faceunits01/{name}")) else {
            continue;
        };
        let target = pack.target(target);
        let vertices = target.runs.iter().flat_map(|run| run.start..run.start + run.count);
        let deltas = vertices
            .zip(target.deltas)
            .filter(|(v, _)| !eyes.iter().any(|eye| eye.contains(v)))
            .map(|(v, delta)| (v, Vec3::from_array(delta.map(f32::from)) * unit_m));
        targets.push(Target { name, region: Region::of(name), deltas: deltas.collect() });
    }
    targets
}

/// How a region's targets become a face's.
struct Fit {
    scale: Vec3,
    /// For an eye, what each base vertex that its shapes move does instead.
    maps: Vec<(u32, Mat3)>,
}

impl Fit {
    fn apply(&self, vertex: u32, delta: Vec3) -> Vec3 {
        match self.maps.binary_search_by_key(&vertex, |(v, _)| *v) {
            Ok(i) => self.maps[i].1 * delta,
            Err(_) => self.scale * delta,
        }
    }
}

fn fits(pack: &Pack, positions: &[[f32; 3]], targets: &[Target]) -> [Fit; Region::ALL.len()] {
    let base = pack.positions();
    Region::ALL.map(|region| {
        let of_region = || targets.iter().filter(move |t| t.region == region);
        let mut measure = Measure::default();
        for &(v, delta) in of_region().flat_map(|t| &t.deltas) {
            measure.add(delta.length(), base[v as usize], positions[v as usize]);
        }
        let scale = measure.scale();
        let Some(blink) = of_region().find(|t| Some(t.name) == region.blink()) else {
            return Fit { scale, maps: Vec::new() };
        };
        let mut is_moved = vec![false; positions.len()];
        of_region().flat_map(|t| &t.deltas).for_each(|(v, _)| is_moved[*v as usize] = true);
        let moved: Vec<u32> = (0..).zip(&is_moved).filter(|(_, m)| **m).map(|(v, _)| v).collect();
        let base = |v: u32| Vec3::from_array(base[v as usize]);
        // Lashes cross each other when an eye closes; only skin meets.
        let skin = moved.iter().filter(|v| **v < pack.meta().n_body_vertices);
        let vertices = skin.map(|&v| LidVertex {
            base: base(v),
            face: Vec3::from_array(positions[v as usize]),
            blink: match blink.deltas.binary_search_by_key(&v, |(v, _)| *v) {
                Ok(i) => blink.deltas[i].1,
                Err(_) => Vec3::ZERO,
            },
        });
        let lids = Lids::new(&vertices.collect::<Vec<_>>(), scale);
        let maps = moved.iter().map(|&v| (v, lids.map_at(base(v), scale))).collect();
        Fit { scale, maps }
    })
}
