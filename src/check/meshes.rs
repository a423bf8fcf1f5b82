//! Meshes: attributes, indices, and what materials need of them.

use std::collections::{BTreeMap, BTreeSet};

use super::accessors::packed;
use super::buffers::number;
use super::context::{Check, Demand, Use, key_in_path};
use super::rules;
use super::{morphs, weights};
use crate::glb::reader::Json;

const TRIANGLES: usize = 4;

/// A type of an accessor's elements: `type`, `componentType`, `normalized`.
type Format = (&'static str, i64, bool);

const VEC3_F32: &[Format] = &[("VEC3", 5126, false)];
const VEC4_F32: &[Format] = &[("VEC4", 5126, false)];
const UVS: &[Format] = &[("VEC2", 5126, false), ("VEC2", 5121, true), ("VEC2", 5123, true)];
const COLOURS: &[Format] = &[
    ("VEC3", 5126, false),
    ("VEC3", 5121, true),
    ("VEC3", 5123, true),
    ("VEC4", 5126, false),
    ("VEC4", 5121, true),
    ("VEC4", 5123, true),
];
/// Deltas of UVs and colours may be negative, so signed integers serve, too.
const UV_DELTAS: &[Format] = &[
    ("VEC2", 5126, false),
    ("VEC2", 5120, true),
    ("VEC2", 5121, true),
    ("VEC2", 5122, true),
    ("VEC2", 5123, true),
];
const COLOUR_DELTAS: &[Format] = &[
    ("VEC3", 5126, false),
    ("VEC3", 5120, true),
    ("VEC3", 5121, true),
    ("VEC3", 5122, true),
    ("VEC3", 5123, true),
    ("VEC4", 5126, false),
    ("VEC4", 5120, true),
    ("VEC4", 5121, true),
    ("VEC4", 5122, true),
    ("VEC4", 5123, true),
];
const JOINTS: &[Format] = &[("VEC4", 5121, false), ("VEC4", 5123, false)];
const WEIGHTS: &[Format] = &[("VEC4", 5126, false), ("VEC4", 5121, true), ("VEC4", 5123, true)];

/// What `KHR_mesh_quantization` allows besides.
fn quantised(semantic: &str, format: (&str, i64, bool), morph: bool) -> bool {
    let (kind, component, normalized) = format;
    let signed = matches!(component, 5120 | 5122);
    let any = matches!(component, 5120..=5123);
    match semantic {
        "POSITION" => kind == "VEC3" && if morph { signed } else { any },
        "NORMAL" => kind == "VEC3" && signed && normalized,
        "TANGENT" => kind == if morph { "VEC3" } else { "VEC4" } && signed && normalized,
        "TEXCOORD" => kind == "VEC2" && if morph { signed } else { any },
        _ => false,
    }
}

/// A known semantic without its number, and the number.
pub fn semantic_of(name: &str) -> Option<(&str, Option<usize>)> {
    if matches!(name, "POSITION" | "NORMAL" | "TANGENT") {
        return Some((name, None));
    }
    let (semantic, set) = name.rsplit_once('_')?;
    let plain = set == "0" || (!set.starts_with('0') && set.bytes().all(|b| b.is_ascii_digit()));
    let known = matches!(semantic, "TEXCOORD" | "COLOR" | "JOINTS" | "WEIGHTS");
    (known && plain).then_some((semantic, Some(set.parse().ok()?)))
}

fn formats(semantic: &str, morph: bool) -> &'static [Format] {
    match semantic {
        "POSITION" | "NORMAL" => VEC3_F32,
        // A morphed tangent keeps its sign, so its deltas have no fourth.
        "TANGENT" if morph => VEC3_F32,
        "TANGENT" => VEC4_F32,
        "TEXCOORD" if morph => UV_DELTAS,
        "TEXCOORD" => UVS,
        "COLOR" if morph => COLOUR_DELTAS,
        "COLOR" => COLOURS,
        "JOINTS" => JOINTS,
        _ => WEIGHTS,
    }
}

/// The type of an accessor's elements, if it says one.
pub fn format_of<'j>(accessor: &'j Json<'_>) -> Option<(&'j str, i64, bool)> {
    let kind = accessor.get("type")?.as_str()?;
    let component = accessor.get("componentType")?.as_int()?;
    Some((kind, component, accessor.get("normalized") == Some(&Json::Bool(true))))
}

fn format_in_words((kind, component, normalized): (&str, i64, bool)) -> String {
    let component = match component {
        5120 => "i8",
        5121 => "u8",
        5122 => "i16",
        5123 => "u16",
        5125 => "u32",
        5126 => "f32",
        _ => "unknown components",
    };
    format!("{kind} of {}{component}", if normalized { "normalized " } else { "" })
}

/// Checks an attribute's or a target's accessor. `rule` names the fault when
/// the format is wrong.
pub fn vertex_data(
    check: &mut Check<'_, '_>,
    at: &str,
    index: usize,
    semantic: &str,
    morph: bool,
    shared: &mut Shared,
) {
    check.use_accessor(index, Use::Vertices, at);
    let accessor = &check.list("accessors")[index];
    let Some(format) = format_of(accessor) else { return };
    let allowed: &[(&str, i64, bool)] = formats(semantic, morph);
    let known =
        allowed.contains(&format) || (check.quantised && quantised(semantic, format, morph));
    if !known {
        let expected: Vec<String> = allowed.iter().map(|f| format_in_words(*f)).collect();
        let found = format_in_words(format);
        check.add(&rules::MESH_FORMAT, at, found, expected.join(" or "));
    }
    aligned(check, at, index, format);
    if let Some((view, value)) = check.item(accessor, "bufferView", "bufferViews")
        && value.get("byteStride").is_none()
    {
        shared.packed.entry(view).or_default().insert(index);
    }
    if semantic == "POSITION" && (accessor.get("min").is_none() || accessor.get("max").is_none()) {
        let at = format!("$.accessors[{index}]");
        if !check.has_finding_at(&at) {
            check.add(&rules::ACCESSOR_BOUNDS_MISSING, at, "positions without", "min and max");
        }
    }
}

/// An attribute of an application's own, of any type but u32.
pub fn custom(check: &mut Check<'_, '_>, at: &str, index: usize) {
    check.use_accessor(index, Use::Vertices, at);
    let Some(format) = format_of(&check.list("accessors")[index]) else { return };
    if format.1 == 5125 {
        let found = format_in_words(format);
        check.add(&rules::MESH_FORMAT, at, found, "any other components in vertex data");
    }
    aligned(check, at, index, format);
}

fn aligned(check: &mut Check<'_, '_>, at: &str, index: usize, format: (&str, i64, bool)) {
    let accessor = &check.list("accessors")[index];
    let Some(offset) = number(accessor, "byteOffset", Some(0)) else { return };
    let size = match format.1 {
        5120 | 5121 => 1,
        5122 | 5123 => 2,
        _ => 4,
    };
    let width = match format.0 {
        "SCALAR" => 1,
        "VEC2" => 2,
        "VEC3" => 3,
        _ => 4,
    };
    let Some((_, view)) = check.item(accessor, "bufferView", "bufferViews") else { return };
    let stride = number(view, "byteStride", Some(size * width)).unwrap_or(0);
    let base = number(view, "byteOffset", Some(0)).unwrap_or(0);
    let wrong = [("offset", offset), ("view's offset", base), ("element's step", stride)]
        .into_iter()
        .find(|(_, n)| !n.is_multiple_of(4));
    if let Some((what, n)) = wrong {
        let found = format!("accessor {index} with {n} as its {what}");
        check.add(&rules::MESH_ALIGN, at, found, "multiples of 4 bytes");
    }
}

/// Positions are not in metres, as they are quantised.
pub struct Quantised;

/// The lowest y of some meshes' vertices, by the bounds of their positions,
/// which are held against the vertices elsewhere; nothing without positions.
pub fn lowest<'j, 'a: 'j>(
    check: &Check<'_, 'a>,
    meshes: impl IntoIterator<Item = &'j Json<'a>>,
) -> Result<Option<f64>, Quantised> {
    let mut lowest: Option<f64> = None;
    for primitive in meshes.into_iter().flat_map(|mesh| mesh.list("primitives")) {
        let Some(attributes) = primitive.get("attributes") else { continue };
        let Some((_, accessor)) = check.item(attributes, "POSITION", "accessors") else { continue };
        if !is_float(accessor) {
            return Err(Quantised);
        }
        let low = accessor.list("min").get(1).and_then(Json::as_f64);
        lowest = [lowest, low].into_iter().flatten().reduce(f64::min);
    }
    Ok(lowest)
}

/// Whether an accessor has floats.
pub fn is_float(accessor: &Json<'_>) -> bool {
    accessor.get("componentType").and_then(Json::as_int) == Some(5126)
}

/// What all primitives share.
#[derive(Default)]
pub struct Shared {
    /// The accessors with vertex data on each view without a stride.
    packed: BTreeMap<usize, BTreeSet<usize>>,
    /// The positions that were counted.
    counted: BTreeSet<usize>,
}

/// Checks all meshes.
pub fn run(check: &mut Check<'_, '_>) {
    let mut shared = Shared::default();
    check.summary.meshes = check.list("meshes").len();
    for (m, mesh) in check.list("meshes").iter().enumerate() {
        for (p, primitive) in mesh.list("primitives").iter().enumerate() {
            let at = format!("$.meshes[{m}].primitives[{p}]");
            one(check, &at, primitive, &mut shared);
        }
        morphs::mesh(check, &format!("$.meshes[{m}]"), mesh);
    }
    for (view, accessors) in &shared.packed {
        if accessors.len() > 1 {
            let at = format!("$.bufferViews[{view}].byteStride");
            let found = format!("nothing, while {} attributes are in it", accessors.len());
            check.add(&rules::MESH_SHARED_VIEW, at, found, "a byteStride");
        }
    }
    index_order(check);
    weights::run(check);
}

fn one(check: &mut Check<'_, '_>, at: &str, primitive: &Json<'_>, shared: &mut Shared) {
    let attributes = primitive.get("attributes").and_then(Json::members).unwrap_or(&[]);
    let n_accessors = check.list("accessors").len();
    let mut sets: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    let mut count: Option<(usize, &str)> = None;
    for (name, value) in attributes {
        let at = format!("{at}.attributes.{}", key_in_path(name));
        let semantic = semantic_of(name);
        if semantic.is_none() && !name.starts_with('_') {
            let expected = "a semantic of glTF, or a name with _ in front";
            check.add(&rules::MESH_ATTRIBUTE, &at, format!("{name:?}"), expected);
        }
        if let Some((semantic, Some(set))) = semantic {
            sets.entry(semantic).or_default().insert(set);
        }
        let Some(index) = value.as_index().filter(|index| *index < n_accessors) else { continue };
        match semantic {
            Some((semantic, _)) => {
                vertex_data(check, &at, index, semantic, false, shared);
                demand(check, &at, index, semantic);
            }
            None => custom(check, &at, index),
        }
        let elements = number(&check.list("accessors")[index], "count", None);
        match (count, elements) {
            (None, Some(n)) => count = Some((n, name)),
            (Some((n, other)), Some(found)) if n != found => {
                let expected = format!("{n}, as {other} has");
                check.add(&rules::MESH_COUNT, &at, format!("{found} elements"), expected);
            }
            _ => {}
        }
    }
    attribute_sets(check, at, &sets);
    let has = |name: &str| attributes.iter().any(|(key, _)| key == name);
    if !has("POSITION") && !attributes.is_empty() {
        let at = format!("{at}.attributes");
        check.add(&rules::MESH_NO_POSITION, at, "no POSITION", "positions");
    }
    if has("TANGENT") && !has("NORMAL") {
        let at = format!("{at}.attributes");
        check.add(&rules::MESH_NO_NORMAL, at, "TANGENT without NORMAL", "both");
    }
    let vertices = count.map(|(n, _)| n);
    indices(check, at, primitive, vertices, shared);
    material(check, at, primitive, has("TANGENT"), &sets);
    morphs::primitive(check, at, primitive, attributes, vertices, shared);
}

/// Numbered sets without gaps, and as many joints as weights.
fn attribute_sets(check: &mut Check<'_, '_>, at: &str, sets: &BTreeMap<&str, BTreeSet<usize>>) {
    let at = format!("{at}.attributes");
    for (semantic, found) in sets {
        let wanted: BTreeSet<usize> = (0..found.len()).collect();
        if *found != wanted {
            let found: Vec<String> = found.iter().map(usize::to_string).collect();
            let found = format!("{semantic} {}", found.join(", "));
            check.add(&rules::MESH_SETS, &at, found, "numbers from 0 on without gaps");
        }
    }
    let n = |semantic: &str| sets.get(semantic).map_or(0, BTreeSet::len);
    if n("JOINTS") != n("WEIGHTS") {
        let found = format!("{} sets of joints and {} of weights", n("JOINTS"), n("WEIGHTS"));
        check.add(&rules::MESH_SETS, &at, found, "as many of each");
    }
}

/// What the elements of an attribute must be.
fn demand(check: &mut Check<'_, '_>, at: &str, index: usize, semantic: &str) {
    match semantic {
        "NORMAL" => check.demand(index, Demand::Unit { w: false }, at),
        "TANGENT" => check.demand(index, Demand::Unit { w: true }, at),
        "COLOR" => check.demand(index, Demand::Clamped, at),
        _ => {}
    }
}

fn indices(
    check: &mut Check<'_, '_>,
    at: &str,
    primitive: &Json<'_>,
    vertices: Option<usize>,
    shared: &mut Shared,
) {
    let mode = number(primitive, "mode", Some(TRIANGLES)).unwrap_or(TRIANGLES);
    let index = check.item(primitive, "indices", "accessors");
    if let Some((index, accessor)) = index {
        let at = format!("{at}.indices");
        check.use_accessor(index, Use::Indices, &at);
        packed(check, index, &rules::INDEX_FORMAT, &at, Use::Indices);
        let format = format_of(accessor);
        if let Some(format) = format
            && !(format.0 == "SCALAR" && matches!(format.1, 5121 | 5123 | 5125) && !format.2)
        {
            let found = format_in_words(format);
            check.add(&rules::INDEX_FORMAT, &at, found, "SCALAR of u8, u16 or u32");
        } else if let Some(vertices) = vertices {
            let triangles = mode == TRIANGLES;
            check.demand(index, Demand::Indices { vertices, triangles }, &at);
        }
    }
    let drawn = match index {
        Some((_, accessor)) => number(accessor, "count", None),
        None => vertices,
    };
    let Some(n) = drawn else { return };
    let (fits, expected) = match mode {
        0 => (n > 0, "at least 1"),
        1 => (n > 0 && n.is_multiple_of(2), "a multiple of 2"),
        2 | 3 => (n > 1, "at least 2"),
        4 => (n > 0 && n.is_multiple_of(3), "a multiple of 3"),
        5 | 6 => (n > 2, "at least 3"),
        _ => return,
    };
    if !fits {
        let found = format!("{n} vertices or indices for mode {mode}");
        check.add(&rules::MESH_MODE, at, found, expected);
    }
    let triangles = match mode {
        4 => n / 3,
        5 | 6 => n.saturating_sub(2),
        _ => 0,
    };
    check.summary.triangles = check.summary.triangles.saturating_add(triangles);
    let positions = primitive.get("attributes").and_then(|a| a.get("POSITION")?.as_index());
    if positions.is_some_and(|positions| shared.counted.insert(positions)) {
        let sum = check.summary.vertices.saturating_add(vertices.unwrap_or(0));
        check.summary.vertices = sum;
    }
}

/// The textures' UVs, and tangents for a normal map.
fn material(
    check: &mut Check<'_, '_>,
    at: &str,
    primitive: &Json<'_>,
    tangents: bool,
    sets: &BTreeMap<&str, BTreeSet<usize>>,
) {
    let Some((index, material)) = check.item(primitive, "material", "materials") else { return };
    let uvs = sets.get("TEXCOORD");
    for (path, info) in texture_infos(material) {
        let Some(set) = texture_set(info) else { continue };
        if !uvs.is_some_and(|sets| sets.contains(&set)) {
            let at = format!("{at}.attributes.TEXCOORD_{set}");
            let expected = format!("UVs, as $.materials[{index}].{path} needs them");
            check.add(&rules::MESH_UVS, at, "nothing", expected);
        }
    }
    if material.get("normalTexture").is_some() && !tangents {
        let found = format!("no TANGENT for the normal map of material {index}");
        check.add(&rules::MESH_NO_TANGENT, format!("{at}.attributes"), found, "tangents");
    }
}

/// The set of UVs that a texture uses.
fn texture_set(info: &Json<'_>) -> Option<usize> {
    let transform = info.get("extensions").and_then(|e| e.get("KHR_texture_transform"));
    match transform.and_then(|t| t.get("texCoord")) {
        Some(set) => set.as_index(),
        None => number(info, "texCoord", Some(0)),
    }
}

/// The texture infos of a material, with their paths, also those of its
/// extensions.
pub fn texture_infos<'j, 'a>(material: &'j Json<'a>) -> Vec<(String, &'j Json<'a>)> {
    let mut found = Vec::new();
    let mut inside = vec![(String::new(), material)];
    while let Some((at, value)) = inside.pop() {
        for (key, value) in value.members().unwrap_or(&[]) {
            let path = if at.is_empty() { key.to_string() } else { format!("{at}.{key}") };
            if key == "extras" || value.members().is_none() {
                continue;
            }
            match key.ends_with("Texture") {
                true => found.push((path, value)),
                false => inside.push((path, value)),
            }
        }
    }
    found
}

/// Index views follow each other in the primitives' order.
fn index_order(check: &mut Check<'_, '_>) {
    for (m, mesh) in check.list("meshes").iter().enumerate() {
        let mut before: Option<(usize, usize)> = None;
        for (p, primitive) in mesh.list("primitives").iter().enumerate() {
            let Some((_, accessor)) = check.item(primitive, "indices", "accessors") else {
                continue;
            };
            let Some((view, value)) = check.item(accessor, "bufferView", "bufferViews") else {
                continue;
            };
            let Some(offset) = number(value, "byteOffset", Some(0)) else { continue };
            if let Some((other, least)) = before
                && other != view
                && offset < least
            {
                let at = format!("$.meshes[{m}].primitives[{p}].indices");
                let found = format!("view {view} at {offset}, before view {other} at {least}");
                check.add(&rules::INDEX_ORDER, at, found, "views in the primitives' order");
            }
            before = Some((view, offset));
        }
    }
}
