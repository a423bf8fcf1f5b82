//! What goes into a pack, before it is laid out as a file.

use bytemuck::{Pod, Zeroable};

use super::format::SectionWriter;
use super::meta::Meta;
use crate::kernels::morph::Run;
use crate::{Error, Result};

/// Everything a pack holds. `meta` lists targets, parts and images in the
/// same order as the vectors beside it.
#[derive(Debug, Clone, PartialEq)]
pub struct PackContent {
    /// Names and lists.
    pub meta: Meta,
    /// The base mesh in metres, +Y up, +Z forward, the left side at +X.
    pub positions: Vec<[f32; 3]>,
    /// Per vertex, its mirror partner (itself on the middle line).
    pub mirror: Vec<u32>,
    /// The targets.
    pub targets: Vec<TargetContent>,
    /// Per vertex, the weights of the source rig's bones.
    pub bone_weights: Vec<Vec<(u16, f32)>>,
    /// The face units as rotations of the source rig's bones, by unit.
    pub unit_rotations: Vec<UnitRotation>,
    /// Per vertex, the weights of the 65 joints, largest first.
    pub joint_weights: Vec<Vec<(u16, f32)>>,
    /// The parts.
    pub parts: Vec<PartContent>,
    /// The pictures' encoded bytes.
    pub images: Vec<Vec<u8>>,
}

/// A sparse target in integer steps of `Meta::target_unit_m`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TargetContent {
    /// Runs of moved vertices, in order, not touching one another.
    pub runs: Vec<Run>,
    /// One delta per vertex of all runs.
    pub deltas: Vec<[i16; 3]>,
}

impl TargetContent {
    /// A target from vertices in increasing order and their deltas in metres.
    ///
    /// # Errors
    /// [`Error::Limit`] when a delta is too large for the integer range.
    pub fn new(
        name: &str,
        indices: &[u32],
        deltas: &[[f64; 3]],
        unit_m: f64,
    ) -> Result<TargetContent> {
        let mut target = TargetContent::default();
        for (&vertex, delta) in indices.iter().zip(deltas) {
            match target.runs.last_mut() {
                Some(run) if run.start + run.count == vertex => run.count += 1,
                _ => target.runs.push(Run { start: vertex, count: 1 }),
            }
            let mut steps = [0i16; 3];
            for (step, d) in steps.iter_mut().zip(delta) {
                let rounded = (d / unit_m).round();
                if !rounded.is_finite() || rounded.abs() > f64::from(i16::MAX) {
                    return Err(Error::Limit {
                        what: format!("a delta of target `{name}` in steps of {unit_m} m"),
                        found: rounded.abs() as u64,
                        limit: i16::MAX as u64,
                    });
                }
                *step = rounded as i16;
            }
            target.deltas.push(steps);
        }
        Ok(target)
    }
}

/// What a face unit does to one bone of the source's default rig.
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct UnitRotation {
    /// The unit's place in the profile's list of 59.
    pub unit: u32,
    /// The bone's place in the default rig.
    pub bone: u32,
    /// A unit quaternion, x y z w, in the frame of the bone's parent, whose
    /// axes are the world's while nothing is turned.
    pub rotation: [f32; 4],
}

/// A mesh: points bound to the base mesh, vertices that split them along UV
/// seams, and triangles of vertices.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PartContent {
    /// How the points follow the base mesh.
    pub binding: Binding,
    /// The vertices of the mesh as it is written.
    pub vertices: Vec<PartVertex>,
    /// Triangles, counter-clockwise from outside.
    pub triangles: Vec<[u32; 3]>,
    /// Base vertices whose skin the part hides wherever it is worn, in
    /// increasing order.
    pub covers: Vec<u32>,
}

/// How a part's points follow the base mesh.
#[derive(Debug, Clone, PartialEq)]
pub enum Binding {
    /// Each point is a base vertex.
    Base(Vec<u32>),
    /// Each point is a weighted sum of three base vertices.
    Fit(Vec<FitPoint>),
}

impl Default for Binding {
    fn default() -> Self {
        Binding::Base(Vec::new())
    }
}

impl Binding {
    /// The number of points.
    pub fn n_points(&self) -> usize {
        match self {
            Binding::Base(points) => points.len(),
            Binding::Fit(points) => points.len(),
        }
    }
}

/// A point that follows three base vertices.
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct FitPoint {
    /// The three base vertices; may repeat one.
    pub base: [u32; 3],
    /// Their weights, which sum to 1 and may be negative.
    pub weights: [f32; 3],
    /// Added to the sum, in metres.
    pub offset: [f32; 3],
}

/// A vertex of a part: a point and its place in the texture.
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct PartVertex {
    /// Index into the part's points.
    pub point: u32,
    /// Texture coordinates in glTF's sense: (0, 0) is the upper left corner.
    pub uv: [f32; 2],
}

/// Writes a pack file into memory.
///
/// # Errors
/// [`Error::Limit`] when a count does not fit the format.
///
/// # Panics
/// When `meta` and the vectors disagree in number: that is a bug of the
/// caller, who makes both.
pub fn write_pack(content: &PackContent) -> Result<Vec<u8>> {
    let meta = &content.meta;
    assert_eq!(meta.targets.len(), content.targets.len());
    assert_eq!(meta.parts.len(), content.parts.len());
    assert_eq!(meta.images.len(), content.images.len());
    assert!(meta.targets.is_sorted(), "target keys are looked up by binary search");
    let mut w = SectionWriter::default();
    w.add("meta", serde_json::to_vec(meta).expect("a pack's meta has only plain values"));
    w.add_array("positions", &content.positions);
    w.add_array("mirror", &content.mirror);
    add_targets(&mut w, &content.targets)?;
    add_weights(&mut w, "bones", &content.bone_weights)?;
    add_weights(&mut w, "joints", &content.joint_weights)?;
    w.add_array("units", &content.unit_rotations);
    for (i, part) in content.parts.iter().enumerate() {
        match &part.binding {
            Binding::Base(points) => w.add_array(&format!("part.{i}.base"), points),
            Binding::Fit(points) => w.add_array(&format!("part.{i}.fit"), points),
        }
        w.add_array(&format!("part.{i}.vertices"), &part.vertices);
        w.add_array(&format!("part.{i}.triangles"), &part.triangles);
        w.add_array(&format!("part.{i}.covers"), &part.covers);
    }
    for (i, image) in content.images.iter().enumerate() {
        w.add(&format!("image.{i}"), image.as_slice());
    }
    w.finish()
}

/// Where a target's runs and deltas lie in their sections.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub(super) struct TargetRange {
    pub first_run: u32,
    pub n_runs: u32,
    pub first_delta: u32,
    pub n_deltas: u32,
}

fn to_u32(what: &str, n: usize) -> Result<u32> {
    u32::try_from(n).map_err(|_| Error::Limit {
        what: what.to_owned(),
        found: n as u64,
        limit: u64::from(u32::MAX),
    })
}

fn add_targets(w: &mut SectionWriter<'_>, targets: &[TargetContent]) -> Result<()> {
    let mut ranges = Vec::with_capacity(targets.len());
    let (mut runs, mut deltas) = (Vec::new(), Vec::new());
    for target in targets {
        ranges.push(TargetRange {
            first_run: to_u32("the number of target runs", runs.len())?,
            n_runs: to_u32("the number of target runs", target.runs.len())?,
            first_delta: to_u32("the number of target deltas", deltas.len())?,
            n_deltas: to_u32("the number of target deltas", target.deltas.len())?,
        });
        runs.extend_from_slice(&target.runs);
        deltas.extend_from_slice(&target.deltas);
    }
    w.add_array("target.ranges", &ranges);
    w.add_array("target.runs", &runs);
    w.add_array("target.deltas", &deltas);
    Ok(())
}

fn add_weights(w: &mut SectionWriter<'_>, name: &str, rows: &[Vec<(u16, f32)>]) -> Result<()> {
    let mut offsets = Vec::with_capacity(rows.len() + 1);
    let (mut indices, mut weights) = (Vec::new(), Vec::new());
    for row in rows {
        offsets.push(to_u32("the number of weights", indices.len())?);
        indices.extend(row.iter().map(|(i, _)| *i));
        weights.extend(row.iter().map(|(_, w)| *w));
    }
    offsets.push(to_u32("the number of weights", indices.len())?);
    w.add_array(&format!("{name}.offsets"), &offsets);
    w.add_array(&format!("{name}.indices"), &indices);
    w.add_array(&format!("{name}.weights"), &weights);
    Ok(())
}
