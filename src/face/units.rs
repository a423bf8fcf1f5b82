//! Baking the face units on a morphed body.

use std::ops::Range;

use glam::{DAffine3, DQuat, DVec3, Vec3};

use super::SMALLEST_MOVE_M;
use crate::pack::{Pack, RigBone, UnitRotation};
use crate::profile::FACE_UNITS;

/// The groups of the eyeballs, and the bones that turn them.
pub(super) const EYES: [(&str, &str); 2] = [("helper-l-eye", "eye.L"), ("helper-r-eye", "eye.R")];

/// The base vertices of an eyeball. Groups are names for people, which nobody
/// compares with the mesh when a pack is opened.
pub(super) fn eyeball(pack: &Pack, group: &str) -> impl Iterator<Item = Range<u32>> {
    let end = pack.positions().len() as u32;
    let ranges = pack.meta().groups.get(group).into_iter().flatten();
    ranges.map(move |r| r[0].min(end)..r[1].saturating_add(1).min(end))
}

/// A shape of the base mesh: the vertices it moves, in increasing order, and
/// how far each moves at full weight, in metres, in the source's rest pose.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Shape {
    /// Its name.
    pub name: &'static str,
    /// Base vertices.
    pub vertices: Vec<u32>,
    /// One delta per vertex.
    pub deltas: Vec<[f32; 3]>,
}

/// Bakes the 59 units for a body whose base vertices stand at `positions`
/// (metres, source rest pose), in the profile's order.
///
/// Bones turn about their heads, eyes about their centres; a bone's frame is aligned with the world at
/// rest and carried along by its parent. A vertex moves by the weighted sum
/// of what its bones do to it, over all its bones: cutting to four would err
/// by up to 8 mm in the face.
pub fn bake_units(pack: &Pack, positions: &[[f32; 3]]) -> Vec<Shape> {
    let Some(rig) = pack.meta().rigs.get("default") else {
        return Vec::new();
    };
    let columns = Columns::new(pack, rig.len());
    let heads = heads(pack, rig, positions);
    let mut scratch = Scratch::new(positions.len());
    let rotations = pack.unit_rotations();
    let mut shapes = Vec::with_capacity(FACE_UNITS.len());
    for (unit, name) in (0..).zip(FACE_UNITS) {
        let start = rotations.partition_point(|r| r.unit < unit);
        let end = rotations.partition_point(|r| r.unit <= unit);
        for (bone, motion) in pose(rig, &heads, &rotations[start..end]) {
            let motion = Motion::new(&motion);
            for &(vertex, weight) in columns.of(bone) {
                let p = Vec3::from_array(positions[vertex as usize]);
                scratch.add(vertex, motion.delta(p) * weight);
            }
        }
        shapes.push(scratch.take(name));
    }
    shapes
}

/// What one bone of a unit alone does to some vertices. See [`bake_units`].
pub(super) fn bake_bone(
    pack: &Pack,
    positions: &[[f32; 3]],
    unit: &str,
    bone: &str,
    vertices: impl Iterator<Item = u32>,
) -> Vec<(u32, Vec3)> {
    let rig = pack.meta().rigs.get("default").map_or(&[][..], Vec::as_slice);
    let unit = FACE_UNITS.iter().position(|u| *u == unit);
    let of_bone =
        |r: &&UnitRotation| Some(r.unit as usize) == unit && rig[r.bone as usize].name == bone;
    let Some(rotation) = pack.unit_rotations().iter().find(of_bone) else {
        return Vec::new();
    };
    let heads = heads(pack, rig, positions);
    let posed = pose(rig, &heads, &[*rotation]);
    let Some((_, posed)) = posed.iter().find(|(i, _)| *i == rotation.bone as usize) else {
        return Vec::new();
    };
    let motion = Motion::new(posed);
    let weights = pack.bone_weights();
    vertices
        .filter_map(|v| {
            let mut of_vertex = weights.of(v as usize);
            let (_, weight) = of_vertex.find(|(b, _)| u32::from(*b) == rotation.bone)?;
            Some((v, motion.delta(Vec3::from_array(positions[v as usize])) * weight))
        })
        .collect()
}

/// A bone's motion: where its head was and where it is, and its turn.
struct Posed {
    head: DVec3,
    now: DAffine3,
}

/// The bones that some rotations move, children included, with their motion.
fn pose(rig: &[RigBone], heads: &[DVec3], rotations: &[UnitRotation]) -> Vec<(usize, Posed)> {
    let mut posed: Vec<Option<Posed>> = Vec::with_capacity(rig.len());
    for (i, bone) in rig.iter().enumerate() {
        let turn = rotations.iter().find(|r| r.bone as usize == i);
        let turn = turn.map(|r| DQuat::from_array(r.rotation.map(f64::from)).normalize());
        // Parents come first, so whether one moves is known.
        let parent = bone.parent.and_then(|p| posed[p as usize].as_ref());
        posed.push(match (parent, turn) {
            (None, None) => None,
            (parent, turn) => {
                let head = heads[i];
                let (carried, base) = match parent {
                    None => (head, DAffine3::IDENTITY),
                    Some(p) => (p.now.transform_point3(head - p.head), p.now),
                };
                let turn = base.matrix3 * glam::DMat3::from_quat(turn.unwrap_or(DQuat::IDENTITY));
                Some(Posed { head, now: DAffine3 { matrix3: turn, translation: carried } })
            }
        });
    }
    posed.into_iter().enumerate().filter_map(|(i, p)| Some((i, p?))).collect()
}

/// Where the bones turn: at their heads, but eyes, and the lids that slide
/// over them, about the eyeball's own centre. The source's joint of an eye
/// stands there too until a slider moves the one without the other:
/// `head-scale-horiz` leaves it up to 3.2 mm in front, and the eyeball would
/// swing through its socket.
fn heads(pack: &Pack, rig: &[RigBone], positions: &[[f32; 3]]) -> Vec<DVec3> {
    let base = pack.positions();
    let mut heads: Vec<DVec3> = rig.iter().map(|bone| mean(&bone.head, positions)).collect();
    for (group, bone) in EYES {
        let ball: Vec<u32> = eyeball(pack, group).flatten().collect();
        let Some(eye) = rig.iter().find(|b| b.name == bone && !ball.is_empty()) else {
            continue;
        };
        let centre = mean(&ball, positions) + (mean(&eye.head, base) - mean(&ball, base));
        for (head, _) in heads.iter_mut().zip(rig).filter(|(_, b)| b.head == eye.head) {
            *head = centre;
        }
    }
    heads
}

fn mean(vertices: &[u32], positions: &[[f32; 3]]) -> DVec3 {
    let sum: DVec3 =
        vertices.iter().map(|v| DVec3::from_array(positions[*v as usize].map(f64::from))).sum();
    sum / vertices.len() as f64
}

/// A bone's motion as a displacement, so that small motions far from the
/// origin keep their digits.
struct Motion {
    head: Vec3,
    shift: Vec3,
    turn: glam::Mat3,
}

impl Motion {
    fn new(posed: &Posed) -> Motion {
        Motion {
            head: posed.head.as_vec3(),
            shift: (posed.now.translation - posed.head).as_vec3(),
            turn: (posed.now.matrix3 - glam::DMat3::IDENTITY).as_mat3(),
        }
    }

    fn delta(&self, p: Vec3) -> Vec3 {
        self.turn * (p - self.head) + self.shift
    }
}

/// For each bone that a unit may move, the vertices it pulls.
struct Columns {
    of_bone: Vec<Vec<(u32, f32)>>,
}

impl Columns {
    fn new(pack: &Pack, n_bones: usize) -> Columns {
        let rig = &pack.meta().rigs["default"];
        let mut wanted = vec![false; n_bones];
        pack.unit_rotations().iter().for_each(|r| wanted[r.bone as usize] = true);
        for i in 0..n_bones {
            wanted[i] |= rig[i].parent.is_some_and(|p| wanted[p as usize]);
        }
        let mut of_bone = vec![Vec::new(); n_bones];
        let weights = pack.bone_weights();
        for v in 0..pack.positions().len() {
            for (bone, weight) in weights.of(v) {
                if wanted[usize::from(bone)] {
                    of_bone[usize::from(bone)].push((v as u32, weight));
                }
            }
        }
        Columns { of_bone }
    }

    fn of(&self, bone: usize) -> &[(u32, f32)] {
        &self.of_bone[bone]
    }
}

/// Sums of deltas per vertex, emptied after each shape.
pub(super) struct Scratch {
    sums: Vec<Vec3>,
    touched: Vec<u32>,
    is_touched: Vec<bool>,
}

impl Scratch {
    pub fn new(n_vertices: usize) -> Scratch {
        Scratch {
            sums: vec![Vec3::ZERO; n_vertices],
            touched: Vec::new(),
            is_touched: vec![false; n_vertices],
        }
    }

    pub fn add(&mut self, vertex: u32, delta: Vec3) {
        let v = vertex as usize;
        if !self.is_touched[v] {
            self.is_touched[v] = true;
            self.touched.push(vertex);
        }
        self.sums[v] += delta;
    }

    /// The shape that was summed up; what hardly moves is left out.
    pub fn take(&mut self, name: &'static str) -> Shape {
        self.touched.sort_unstable();
        let mut shape = Shape { name, ..Shape::default() };
        for &vertex in &self.touched {
            let v = vertex as usize;
            if self.sums[v].length() > SMALLEST_MOVE_M {
                shape.vertices.push(vertex);
                shape.deltas.push(self.sums[v].to_array());
            }
            self.sums[v] = Vec3::ZERO;
            self.is_touched[v] = false;
        }
        self.touched.clear();
        shape
    }
}
