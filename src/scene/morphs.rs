//! A part's shapes as morph targets.

use glam::Vec3;
use serde_json::json;

use crate::Result;
use crate::character::Part;
use crate::face::{PartShape, choose_shapes};
use crate::glb::{Accessor, BufferPlan, Extras, Index, MinMax, MorphTarget};
use crate::kernels::normals::unit_or_up;
use crate::pipeline::ExportOptions;
use crate::rig::{BoundCharacter, BoundPart};

/// The shapes of a mesh, in the order of its morph targets, in the bind pose.
#[derive(Debug, Default)]
pub(super) struct Morphs {
    /// The shapes.
    pub shapes: Vec<PartShape>,
}

impl Morphs {
    /// The mesh's extras: one name per target, as three.js, Babylon, Blender,
    /// Godot and Unity's and Unreal's importers read them.
    pub fn target_names(&self) -> Extras {
        let names: Vec<&str> = self.shapes.iter().map(|s| s.name).collect();
        (!names.is_empty()).then(|| json!({ "targetNames": names }))
    }
}

/// The shapes that the options ask for and that move anything on the part,
/// without those that the file leaves out.
pub(super) fn morphs_of(
    bound: &BoundCharacter<'_>,
    part: &Part,
    options: &ExportOptions,
    left_out: &[&str],
) -> Morphs {
    if !options.face_units {
        return Morphs::default();
    }
    let mut shapes = choose_shapes(part, options.face_names, left_out);
    for shape in &mut shapes {
        bound.pose_deltas(part, &shape.points, &mut shape.deltas);
    }
    Morphs { shapes }
}

/// Adds the morph targets' accessors.
///
/// # Errors
/// As [`super::scene_document`].
pub(super) fn add_morphs(
    plan: &mut BufferPlan<'_>,
    bound: &BoundPart<'_>,
    morphs: &Morphs,
    options: &ExportOptions,
) -> Result<Vec<MorphTarget>> {
    if morphs.shapes.is_empty() {
        return Ok(Vec::new());
    }
    let split = Split::new(bound);
    let shading = options.morph_normals.then(|| Shading::new(bound));
    let mut writer = Writer { plan, name: &bound.part.mesh_name, options, split: &split };
    let mut targets = Vec::with_capacity(morphs.shapes.len());
    for shape in &morphs.shapes {
        let position = Some(writer.add("POSITION", &shape.points, &shape.deltas)?);
        let normal = match &shading {
            None => None,
            Some(shading) => {
                let (points, deltas) = shading.deltas(bound, shape);
                Some(writer.add("NORMAL", &points, &deltas)?)
            }
        };
        targets.push(MorphTarget { position, normal });
    }
    Ok(targets)
}

/// The vertices of each point: several where a texture seam splits it.
struct Split {
    starts: Vec<u32>,
    vertices: Vec<u32>,
}

impl Split {
    fn new(bound: &BoundPart<'_>) -> Split {
        let points: Vec<u32> = bound.part.vertices.iter().map(|v| v.point).collect();
        let (starts, vertices) = group_by(bound.points.len(), &points);
        Split { starts, vertices }
    }

    /// The vertices of some points with their points' deltas, in increasing
    /// order of vertex.
    fn expand(&self, points: &[u32], deltas: &[[f32; 3]]) -> (Vec<u32>, Vec<[f32; 3]>) {
        let mut pairs: Vec<(u32, [f32; 3])> = Vec::with_capacity(points.len() * 5 / 4);
        for (&point, delta) in points.iter().zip(deltas) {
            let range = self.starts[point as usize]..self.starts[point as usize + 1];
            let vertices = &self.vertices[range.start as usize..range.end as usize];
            pairs.extend(vertices.iter().map(|v| (*v, *delta)));
        }
        pairs.sort_unstable_by_key(|(v, _)| *v);
        pairs.into_iter().unzip()
    }
}

/// For each key below `n`, where the items that have it begin, and the items.
fn group_by(n: usize, keys: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0u32; n + 1];
    keys.iter().for_each(|key| starts[*key as usize + 1] += 1);
    for i in 0..n {
        starts[i + 1] += starts[i];
    }
    let mut next = starts.clone();
    let mut items = vec![0u32; keys.len()];
    for (item, key) in (0..).zip(keys) {
        let slot = &mut next[*key as usize];
        items[*slot as usize] = item;
        *slot += 1;
    }
    (starts, items)
}

struct Writer<'w, 'b> {
    plan: &'w mut BufferPlan<'b>,
    name: &'w str,
    options: &'w ExportOptions,
    split: &'w Split,
}

impl Writer<'_, '_> {
    /// A target's attribute, sparse or whole, whichever is smaller.
    fn add(
        &mut self,
        attribute: &'static str,
        points: &[u32],
        deltas: &[[f32; 3]],
    ) -> Result<Index<Accessor>> {
        let (vertices, values) = self.split.expand(points, deltas);
        let n = self.split.vertices.len();
        let bounds = match attribute {
            "POSITION" => MinMax::Write,
            _ => MinMax::Omit,
        };
        if vertices.is_empty() || self.options.dense_morphs || !sparse_is_smaller(vertices.len(), n)
        {
            let mut whole = vec![[0.0; 3]; n];
            for (&v, value) in vertices.iter().zip(&values) {
                whole[v as usize] = *value;
            }
            return self.plan.vec3_f32(self.name, attribute, whole, bounds);
        }
        self.plan.sparse_vec3_f32(self.name, attribute, n, vertices, values, bounds)
    }
}

/// Whether the indices and values of a sparse accessor take fewer bytes than
/// the whole array. The second view and the `sparse` object cost some text.
fn sparse_is_smaller(n_moved: usize, n_vertices: usize) -> bool {
    const TEXT: usize = 200;
    let index = match n_vertices {
        0..=255 => 1,
        256..=65535 => 2,
        _ => 4,
    };
    n_moved * (index + 12) + TEXT < n_vertices * 12
}

/// What it takes to shade a moved shape: the triangles around each point.
struct Shading {
    corners: Vec<[u32; 3]>,
    starts: Vec<u32>,
    triangles: Vec<u32>,
}

impl Shading {
    fn new(bound: &BoundPart<'_>) -> Shading {
        let part = bound.part;
        let corner = |v: u32| part.vertices[v as usize].point;
        let corners: Vec<[u32; 3]> = part.triangles.iter().map(|t| t.map(corner)).collect();
        let (starts, items) = group_by(bound.points.len(), corners.as_flattened());
        let triangles = items.iter().map(|corner| corner / 3).collect();
        Shading { corners, starts, triangles }
    }

    fn around(&self, point: u32) -> &[u32] {
        let p = point as usize;
        &self.triangles[self.starts[p] as usize..self.starts[p + 1] as usize]
    }

    fn normal(&self, point: u32, place: &dyn Fn(u32) -> Vec3) -> Vec3 {
        let mut sum = Vec3::ZERO;
        for &t in self.around(point) {
            let [a, b, c] = self.corners[t as usize].map(place);
            sum += (b - a).cross(c - a);
        }
        unit_or_up(sum)
    }

    /// The normals of the moved shape minus the written ones, for every point
    /// whose triangles change. Where the mesh was cut open the written normal
    /// is that of the whole skin, so the change is measured on the cut mesh
    /// and added to it.
    fn deltas(&self, bound: &BoundPart<'_>, shape: &PartShape) -> (Vec<u32>, Vec<[f32; 3]>) {
        let mut moved = vec![Vec3::ZERO; bound.points.len()];
        let mut touched = Vec::new();
        for (&point, delta) in shape.points.iter().zip(&shape.deltas) {
            moved[point as usize] = Vec3::from_array(*delta);
            let around = self.around(point).iter();
            touched.extend(around.flat_map(|t| self.corners[*t as usize]));
        }
        touched.sort_unstable();
        touched.dedup();
        let at_rest = |p: u32| Vec3::from_array(bound.points[p as usize]);
        let in_shape = |p: u32| at_rest(p) + moved[p as usize];
        let (mut points, mut deltas) = (Vec::new(), Vec::new());
        for point in touched {
            let written = Vec3::from_array(bound.normals[point as usize]);
            let change = self.normal(point, &in_shape) - self.normal(point, &at_rest);
            let delta = unit_or_up(written + change) - written;
            if delta.length() > 1e-4 {
                points.push(point);
                deltas.push(delta.to_array());
            }
        }
        (points, deltas)
    }
}
