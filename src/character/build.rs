//! Putting a character together from a pack.

use super::colour::Srgb;
use super::cover::remove_covered;
use super::finish::Finish;
use super::morph::{joint_positions, morphed_positions, target_weights};
use super::spec::CharacterSpec;
use crate::face::{PartShape, Shape, bake_arkit, bake_units, shapes_on_part};
use crate::json::nearest;
use crate::kernels::normals::smooth_normals;
use crate::kernels::skin::Influences;
use crate::pack::{Binding, Pack, PartVertex, PartView, PointsView};
use crate::profile::{Licence, N_JOINTS, PartKind, mesh_name};
use crate::rig::{cut_to_four, fit_weights};
use crate::{Error, Result};

/// A character in the source's rest pose: metres, +Y up, facing +Z, its left
/// hand at +X, its lowest skin at y = 0, x and z as the source has them.
#[derive(Debug, Clone, PartialEq)]
pub struct Character {
    /// The character's name.
    pub name: String,
    /// Who made it.
    pub authors: Vec<String>,
    /// The 65 joints in the profile's order, in metres; root is at the origin.
    pub joints: [[f64; 3]; N_JOINTS],
    /// The height from the lowest to the highest skin, in metres.
    pub height_m: f32,
    /// The meshes in the profile's order.
    pub parts: Vec<Part>,
    /// Every asset in the character with its licence, the base first.
    pub licences: Vec<Licence>,
}

/// A mesh of a character. Points are what faces share; vertices split them
/// along UV seams.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// What kind of part it is.
    pub kind: PartKind,
    /// The name of its mesh, node and material.
    pub mesh_name: String,
    /// Point positions in metres.
    pub points: Vec<[f32; 3]>,
    /// Smooth unit normals of the points.
    pub normals: Vec<[f32; 3]>,
    /// The joints that move each point.
    pub influences: Vec<Influences>,
    /// The vertices.
    pub vertices: Vec<PartVertex>,
    /// Triangles of vertices, counter-clockwise from outside.
    pub triangles: Vec<[u32; 3]>,
    /// The face's shapes that move it, in the source's rest pose: the units
    /// in the profile's order, then ARKit's shapes in theirs.
    pub shapes: Vec<PartShape>,
    /// How its surface looks.
    pub finish: Finish,
}

/// Builds a character: morphs the body, dresses it, collects the licences.
///
/// # Errors
/// What [`CharacterSpec::validate`] finds; [`Error::UnknownName`] for a
/// slider or an asset the pack does not have; [`Error::UnlicensedAsset`] for
/// an asset that the pack's licence manifest does not list; [`Error::Pack`]
/// when the pack turns out to be damaged.
pub fn build_character(pack: &Pack, spec: &CharacterSpec) -> Result<Character> {
    build_with(pack, spec, FaceSets { units: true, arkit: true })
}

/// Which sets of face shapes a character is built with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FaceSets {
    pub units: bool,
    pub arkit: bool,
}

/// As [`build_character`], without the face shapes that nobody will ask for:
/// baking them takes longer than the rest.
pub(crate) fn build_with(pack: &Pack, spec: &CharacterSpec, face: FaceSets) -> Result<Character> {
    spec.validate()?;
    let chosen = choose_parts(pack, spec)?;
    let licences = collect_licences(pack, &chosen)?;
    let weights = target_weights(pack, spec)?;
    let base = morphed_positions(pack, &weights);
    let skin = &base[..pack.meta().n_body_vertices as usize];
    let height_m = skin.iter().map(|p| p[1]).fold(f32::NEG_INFINITY, f32::max);
    let worn: Vec<PartView<'_>> = chosen.iter().map(|c| c.view).collect();
    let mut shapes = Vec::new();
    if face.units {
        shapes.extend(bake_units(pack, &base));
    }
    if face.arkit {
        shapes.extend(bake_arkit(pack, &base));
    }
    let parts = chosen.iter().map(|c| build_part(pack, &base, c, &worn, &shapes)).collect();
    pack.verify()?;
    Ok(Character {
        name: spec.name.clone(),
        authors: spec.authors.clone(),
        joints: joint_positions(pack, &base),
        height_m,
        parts,
        licences,
    })
}

/// A part of the pack that the character wears or is made of.
struct Chosen<'p> {
    view: PartView<'p>,
    finish: Finish,
}

/// The parts in the profile's order: the body's own, then what is worn,
/// garments by asset name.
fn choose_parts<'p>(pack: &'p Pack, spec: &CharacterSpec) -> Result<Vec<Chosen<'p>>> {
    let mut chosen = Vec::new();
    for view in pack.parts() {
        if view.meta.kind <= PartKind::Tongue {
            let finish = Finish::of_body_part(view.meta.kind, spec, view.meta.double_sided);
            chosen.push(Chosen { view, finish });
        }
    }
    let worn = [
        (PartKind::Brows, "$.brows", "brows asset", &spec.brows),
        (PartKind::Beard, "$.beard", "beard asset", &spec.beard),
        (PartKind::Hair, "$.hair", "hair asset", &spec.hair),
    ];
    for (kind, at, what, worn) in worn {
        if let Some(worn) = worn {
            let view = find_part(pack, spec, kind, what, &format!("{at}.asset"), &worn.asset)?;
            let finish = Finish::of_cloth(worn.colour, None, view.meta.double_sided);
            chosen.push(Chosen { view, finish });
        }
    }
    for (i, garment) in spec.garments.iter().enumerate() {
        let at = format!("$.garments[{i}].asset");
        let view = find_part(pack, spec, PartKind::Garment, "garment", &at, &garment.asset)?;
        if spec.garments[..i].iter().any(|g| g.asset == garment.asset) {
            let found = format!("the garment {:?} a second time", garment.asset);
            return Err(Error::input(&spec.file, at, found, "each garment once"));
        }
        let finish = Finish::of_cloth(garment.colour, garment.fabric, view.meta.double_sided);
        chosen.push(Chosen { view, finish });
    }
    if spec.underlayer {
        add_underlayer(pack, spec, &mut chosen);
    }
    let order = |c: &Chosen<'_>| (c.view.meta.kind, mesh_name(c.view.meta.kind, &c.view.meta.name));
    chosen.sort_by_key(order);
    Ok(chosen)
}

/// The colour of the plain underwear.
const UNDERLAYER: Srgb = Srgb([0x8d, 0x92, 0x98]);

/// The names of the two garments of the underlayer.
const UNDERLAYER_GARMENTS: [&str; 2] = ["underwear_top", "underwear_bottom"];

/// Plain underwear, unless the spec wears it by name.
fn add_underlayer<'p>(pack: &'p Pack, spec: &CharacterSpec, chosen: &mut Vec<Chosen<'p>>) {
    for view in pack.parts() {
        let name = view.meta.name.as_str();
        let is_underwear =
            view.meta.kind == PartKind::Garment && UNDERLAYER_GARMENTS.contains(&name);
        if is_underwear && spec.garments.iter().all(|g| g.asset != name) {
            let finish = Finish::of_cloth(Some(UNDERLAYER), None, view.meta.double_sided);
            chosen.push(Chosen { view, finish });
        }
    }
}

fn find_part<'p>(
    pack: &'p Pack,
    spec: &CharacterSpec,
    kind: PartKind,
    what: &'static str,
    at: &str,
    name: &str,
) -> Result<PartView<'p>> {
    let of_kind = || pack.parts().filter(|p| p.meta.kind == kind);
    of_kind().find(|p| p.meta.name == name).ok_or_else(|| {
        let mut known = nearest(name, of_kind().map(|p| p.meta.name.as_str()));
        if known.is_empty() {
            // Nothing looks like it: say what there is.
            known = of_kind().map(|p| p.meta.name.clone()).take(8).collect();
        }
        if known.is_empty() {
            let expected = format!("null, since this pack has no {what}s at all");
            return Error::input(&spec.file, at, format!("the {what} `{name}`"), expected);
        }
        Error::UnknownName {
            file: spec.file.clone(),
            at: at.to_owned(),
            kind: what,
            name: name.to_owned(),
            nearest: known,
        }
    })
}

/// The base's licence and one entry for each further asset, in part order.
fn collect_licences(pack: &Pack, chosen: &[Chosen<'_>]) -> Result<Vec<Licence>> {
    let mut licences: Vec<Licence> = Vec::new();
    let base = pack.meta().base_asset.as_str();
    for asset in std::iter::once(base).chain(chosen.iter().map(|c| c.view.meta.asset.as_str())) {
        if licences.iter().all(|l| l.asset != asset) {
            let entry = pack.licence(asset);
            let entry = entry.ok_or_else(|| Error::UnlicensedAsset { asset: asset.to_owned() })?;
            licences.push(entry.clone());
        }
    }
    Ok(licences)
}

fn build_part(
    pack: &Pack,
    base: &[[f32; 3]],
    chosen: &Chosen<'_>,
    worn: &[PartView<'_>],
    shapes: &[Shape],
) -> Part {
    let view = &chosen.view;
    let joint_weights = pack.joint_weights();
    let (mut points, influences): (Vec<_>, Vec<_>) = match view.points {
        PointsView::Base(points) => points
            .iter()
            .map(|&v| (base[v as usize], cut_to_four(joint_weights.of(v as usize))))
            .unzip(),
        PointsView::Fit(points) => points
            .iter()
            .map(|p| (fit_point(base, p), cut_to_four(fit_weights(joint_weights, p))))
            .unzip(),
    };
    let corners: Vec<[u32; 3]> =
        view.triangles.iter().map(|t| t.map(|v| view.vertices[v as usize].point)).collect();
    let normals = smooth_normals(&points, &corners);
    for (point, normal) in points.iter_mut().zip(&normals) {
        for (x, n) in point.iter_mut().zip(normal) {
            *x += n * view.meta.stand_off_m;
        }
    }
    let mut part = Part {
        kind: view.meta.kind,
        mesh_name: mesh_name(view.meta.kind, &view.meta.name),
        normals,
        points,
        influences,
        vertices: view.vertices.to_vec(),
        triangles: view.triangles.to_vec(),
        shapes: Vec::new(),
        finish: chosen.finish.clone(),
    };
    let mut binding = match view.points {
        PointsView::Base(points) => Binding::Base(points.to_vec()),
        PointsView::Fit(points) => Binding::Fit(points.to_vec()),
    };
    if let (PartKind::Body, Binding::Base(base)) = (part.kind, &mut binding) {
        remove_covered(&mut part, base, worn);
    }
    part.shapes = shapes_on_part(shapes, &binding, pack.positions().len());
    part
}

fn fit_point(base: &[[f32; 3]], point: &crate::pack::FitPoint) -> [f32; 3] {
    let mut sum = point.offset;
    for (&v, &w) in point.base.iter().zip(&point.weights) {
        for (s, x) in sum.iter_mut().zip(base[v as usize]) {
            *s += w * x;
        }
    }
    sum
}
