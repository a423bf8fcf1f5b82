//! The triangles of a document where they are at rest.

use std::collections::HashMap;
use std::sync::Arc;

use glam::{DVec3, Mat4, Vec3};

use crate::Result;
use crate::glb::reader::{AccessorReader, Glb, Json, local_matrix};

/// The mode of triangles.
const TRIANGLES: usize = 4;
/// So many triangles are enough for a small picture of anything.
const MOST_TRIANGLES: usize = 2_000_000;

/// A triangle to draw.
pub struct Triangle {
    /// In world space, in metres.
    pub corners: [Vec3; 3],
    /// Of length 1, or of length 0 where the file has none.
    pub normals: [Vec3; 3],
    /// Linear.
    pub colour: Vec3,
}

/// All triangles of the scene's nodes.
pub fn triangles(glb: &Glb<'_>, file: &str) -> Result<Vec<Triangle>> {
    let mut out = Vec::new();
    let scene = glb.json.get("scene").and_then(Json::as_index).unwrap_or(0);
    let nodes = glb.json.list("nodes");
    let roots = glb.json.list("scenes").get(scene).map_or(&[][..], |scene| scene.list("nodes"));
    let mut waiting: Vec<(usize, Mat4)> =
        roots.iter().filter_map(Json::as_index).map(|node| (node, Mat4::IDENTITY)).collect();
    let mut parts = Parts { glb, file, vectors: HashMap::new() };
    let mut seen = vec![false; nodes.len()];
    while let Some((index, above)) = waiting.pop() {
        // A node that is reached twice is a fault, or a way without an end.
        let Some(node) = nodes.get(index).filter(|_| !std::mem::replace(&mut seen[index], true))
        else {
            continue;
        };
        let here = above * local_matrix(node).as_mat4();
        let children = node.list("children").iter().filter_map(Json::as_index);
        waiting.extend(children.map(|child| (child, here)));
        let mesh = node.get("mesh").and_then(Json::as_index);
        let Some(mesh) = mesh.and_then(|mesh| glb.json.list("meshes").get(mesh)) else { continue };
        // A skin's joints stand for the node's own place, and at rest they
        // leave the vertices where they are stored.
        let place = if node.get("skin").is_some() { Mat4::IDENTITY } else { here };
        for primitive in mesh.list("primitives") {
            parts.add(&mut out, primitive, place)?;
            if out.len() >= MOST_TRIANGLES {
                return Ok(out);
            }
        }
    }
    Ok(out)
}

/// What has been read of the file, for meshes that many nodes show.
struct Parts<'g, 'a> {
    glb: &'g Glb<'a>,
    file: &'g str,
    vectors: HashMap<usize, Arc<Vec<Vec3>>>,
}

impl Parts<'_, '_> {
    fn vectors(&mut self, index: usize) -> Result<Arc<Vec<Vec3>>> {
        if let Some(known) = self.vectors.get(&index) {
            return Ok(known.clone());
        }
        let reader = AccessorReader::open(self.glb, self.file, index)?;
        let mut out = Vec::with_capacity(reader.count.min(self.glb.bin.len()));
        reader.for_each(|_, row| {
            let at = |slot: usize| row.get(slot).copied().unwrap_or(0.0) as f32;
            out.push(Vec3::new(at(0), at(1), at(2)));
        });
        let out = Arc::new(out);
        self.vectors.insert(index, out.clone());
        Ok(out)
    }

    fn add(&mut self, out: &mut Vec<Triangle>, primitive: &Json<'_>, place: Mat4) -> Result<()> {
        let mode = primitive.get("mode").and_then(Json::as_index).unwrap_or(TRIANGLES);
        let attribute = |name: &str| primitive.get("attributes")?.get(name)?.as_index();
        let Some(positions) = attribute("POSITION").filter(|_| mode == TRIANGLES) else {
            return Ok(());
        };
        let positions = self.vectors(positions)?;
        let normals = attribute("NORMAL").map(|normals| self.vectors(normals)).transpose()?;
        let colour = colour_of(self.glb, primitive);
        let mut corner = [0usize; 3];
        let mut push = |i: usize, index: usize| {
            corner[i % 3] = index;
            let beyond = || corner.iter().any(|at| *at >= positions.len());
            if i % 3 < 2 || out.len() >= MOST_TRIANGLES || beyond() {
                return;
            }
            let corners = corner.map(|at| place.transform_point3(positions[at]));
            let flat = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
            let normals = corner.map(|at| match normals.as_ref().and_then(|n| n.get(at)) {
                Some(normal) => place.transform_vector3(*normal).normalize_or_zero(),
                None => flat.normalize_or_zero(),
            });
            out.push(Triangle { corners, normals, colour });
        };
        match primitive.get("indices").and_then(Json::as_index) {
            Some(indices) => {
                let reader = AccessorReader::open(self.glb, self.file, indices)?;
                reader.for_each(|i, row| push(i, row[0] as usize));
            }
            None => (0..positions.len()).for_each(|i| push(i, i)),
        }
        Ok(())
    }
}

/// The base colour's factor, linear; white without one.
fn colour_of(glb: &Glb<'_>, primitive: &Json<'_>) -> Vec3 {
    let factor = || {
        let material = primitive.get("material")?.as_index()?;
        let material = glb.json.list("materials").get(material)?;
        material.get("pbrMetallicRoughness")?.numbers::<4>("baseColorFactor")
    };
    factor().map_or(Vec3::ONE, |[r, g, b, _]| DVec3::new(r, g, b).as_vec3())
}
