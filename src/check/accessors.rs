//! Accessors: where their bytes lie, their bounds, and what their elements
//! must be. Each accessor's elements are read once.

use super::buffers::{TARGET_INDICES, TARGET_VERTICES, number};
use super::context::{Check, Demand, Use, ViewUse};
use super::demands::{First, demanded};
use super::rules::{self, Rule};
use crate::Error;
use crate::glb::ComponentType;
use crate::glb::reader::{AccessorReader, Json};

/// Checks every accessor. The other passes must have run.
pub fn run(check: &mut Check<'_, '_>) {
    for i in 0..check.list("accessors").len() {
        one(check, i);
    }
    view_targets(check);
}

fn one(check: &mut Check<'_, '_>, index: usize) {
    let at = format!("$.accessors[{index}]");
    let accessor = &check.list("accessors")[index];
    let sparse = accessor.get("sparse");
    let view = accessor.get("bufferView");
    if view.is_none() {
        if accessor.get("byteOffset").is_some() {
            let at = format!("{at}.byteOffset");
            // The Khronos validator does not see it beside sparse.
            let alone = &rules::VIEW_OFFSET_ALONE;
            let rule = if sparse.is_some() { alone } else { &rules::JSON_NEEDS };
            check.add(rule, at, "an offset without a bufferView", "no byteOffset");
        }
        if sparse.is_none() && !check.elsewhere.contains(&index) {
            let expected = "a bufferView or sparse";
            check.add(&rules::ACCESSOR_NO_BYTES, &at, "neither bufferView nor sparse", expected);
        }
    }
    for part in ["indices", "values"] {
        let view = sparse.and_then(|s| s.get(part)).and_then(|p| p.get("bufferView"));
        if let Some(view) = view.and_then(Json::as_index) {
            let at = format!("{at}.sparse.{part}.bufferView");
            check.use_view(view, ViewUse::Other, &at);
            sparse_view(check, view, &at);
        }
    }
    alignment(check, &at, accessor);
    let reader = match check.try_open(index) {
        Some(Ok(reader)) => reader,
        Some(Err(e)) => return cannot_open(check, &at, &e),
        None => return bounds_lengths(check, &at, accessor),
    };
    if reader.normalized && matches!(reader.component, ComponentType::F32 | ComponentType::U32) {
        let at = format!("{at}.normalized");
        check.add(&rules::ACCESSOR_NORMALIZED, at, "true", "it only for bytes and shorts");
    }
    if sparse.is_some() {
        sparse_order(check, &at, &reader);
    }
    elements(check, index, &at, accessor, &reader);
}

/// The views of sparse parts have neither a stride nor a target.
fn sparse_view(check: &mut Check<'_, '_>, view: usize, at: &str) {
    let Some(view) = check.list("bufferViews").get(view) else { return };
    for (key, rule) in [("byteStride", &rules::VIEW_STRIDE), ("target", &rules::VIEW_USE)] {
        if let Some(found) = view.get(key) {
            let found = format!("a view with {key} {}", found.describe());
            check.add(rule, at, found, format!("a view without {key} for sparse elements"));
        }
    }
}

/// A fault of the reader. What the tables have named is not told again.
fn cannot_open(check: &mut Check<'_, '_>, at: &str, error: &Error) {
    let Error::Input { at: path, found, expected, .. } = error else { return };
    if check.has_finding_at(path) {
        return;
    }
    let rule: &'static Rule = match path.strip_prefix(at) {
        Some(".sparse.count") => &rules::SPARSE_COUNT,
        Some(".count") => &rules::GLB_TOO_MUCH,
        Some(rest) if rest.starts_with(".sparse.indices element") => &rules::SPARSE_ORDER,
        Some(_) => &rules::ACCESSOR_RANGE,
        // The view, its buffer, or a buffer that is another file.
        None if path.ends_with(".buffer") => return,
        None if path.starts_with("$.bufferViews[") => &rules::VIEW_RANGE,
        None => &rules::ACCESSOR_RANGE,
    };
    check.add(rule, path, found, expected);
}

/// The lengths of bounds, for an accessor whose bytes cannot be read here.
fn bounds_lengths(check: &mut Check<'_, '_>, at: &str, accessor: &Json<'_>) {
    let kind = accessor.get("type").and_then(Json::as_str).unwrap_or_default();
    let n = match kind {
        "SCALAR" => 1,
        "VEC2" => 2,
        "VEC3" => 3,
        "VEC4" | "MAT2" => 4,
        "MAT3" => 9,
        "MAT4" => 16,
        _ => return,
    };
    for key in ["min", "max"] {
        let found = accessor.list(key).len();
        let at = format!("{at}.{key}");
        if found > 0 && found != n && !check.has_finding_at(&at) {
            let expected = format!("{n} numbers, as elements have");
            check.add(&rules::JSON_LENGTH, at, format!("{found} numbers"), expected);
        }
    }
}

fn alignment(check: &mut Check<'_, '_>, at: &str, accessor: &Json<'_>) {
    let mut part = |owner: &Json<'_>, at: String, size: usize, what: &str| {
        let Some(offset) = number(owner, "byteOffset", Some(0)) else { return };
        let base = check
            .item(owner, "bufferView", "bufferViews")
            .and_then(|(_, view)| number(view, "byteOffset", Some(0)));
        let total = base.unwrap_or(0).checked_add(offset);
        if !offset.is_multiple_of(size) || total.is_none_or(|total| !total.is_multiple_of(size)) {
            let found = format!("offset {offset} in a view at {}", base.unwrap_or(0));
            let expected = format!("multiples of {size}, the size of {what}");
            check.add(&rules::ACCESSOR_ALIGN, format!("{at}.byteOffset"), found, expected);
        }
    };
    let matrix =
        accessor.get("type").and_then(Json::as_str).is_some_and(|kind| kind.starts_with("MAT"));
    let size = component_size(accessor);
    if let Some(size) = size.map(|size| if matrix { size.max(4) } else { size }) {
        part(accessor, at.into(), size, "a component or a matrix' column");
    }
    if let Some(sparse) = accessor.get("sparse") {
        if let Some(indices) = sparse.get("indices")
            && let Some(size) = component_size(indices)
        {
            part(indices, format!("{at}.sparse.indices"), size, "an index");
        }
        if let (Some(values), Some(size)) = (sparse.get("values"), size) {
            part(values, format!("{at}.sparse.values"), size, "a component");
        }
    }
}

fn component_size(owner: &Json<'_>) -> Option<usize> {
    match owner.get("componentType")?.as_int()? {
        5120 | 5121 => Some(1),
        5122 | 5123 => Some(2),
        5125 | 5126 => Some(4),
        _ => None,
    }
}

fn sparse_order(check: &mut Check<'_, '_>, at: &str, reader: &AccessorReader<'_>) {
    let mut before = None;
    for (k, index) in reader.sparse_indices().enumerate() {
        if before.is_some_and(|before| index <= before) {
            let at = format!("{at}.sparse.indices element {k}");
            let expected = format!("more than the one before, {}", before.unwrap_or(0));
            check.add(&rules::SPARSE_ORDER, at, index.to_string(), expected);
            return; // the first stands for all
        }
        before = Some(index);
    }
}

/// The least and the greatest of each component; infinite where a component
/// is not finite somewhere.
struct Extent {
    low: [f64; 16],
    high: [f64; 16],
}

impl Extent {
    /// The extent of all elements. Floats, which are most of any file, are
    /// read without the detour over doubles, and of sparse targets only what
    /// they store.
    fn of(reader: &AccessorReader<'_>) -> Extent {
        let n = reader.kind.components();
        let mut extent = Extent { low: [f64::INFINITY; 16], high: [f64::NEG_INFINITY; 16] };
        let floats = reader.component == ComponentType::F32;
        let zeros = reader.stored_among_zeros().filter(|_| floats);
        if let Some((bytes, stride)) = reader.stored().filter(|_| floats) {
            extent.take_floats(bytes, stride, n);
        } else if let Some((bytes, count)) = zeros {
            extent.take_floats(bytes, 4 * n, n);
            if count < reader.count {
                extent.low[..n].iter_mut().for_each(|x| *x = x.min(0.0));
                extent.high[..n].iter_mut().for_each(|x| *x = x.max(0.0));
            }
        } else {
            reader.for_each(|_, row| {
                for (slot, &x) in row.iter().enumerate() {
                    extent.low[slot] = extent.low[slot].min(x);
                    extent.high[slot] = extent.high[slot].max(x);
                    if !x.is_finite() {
                        extent.low[slot] = f64::NEG_INFINITY;
                    }
                }
            });
        }
        extent
    }

    fn take_floats(&mut self, bytes: &[u8], stride: usize, n: usize) {
        match n {
            1 => self.take::<1>(bytes, stride),
            2 => self.take::<2>(bytes, stride),
            3 => self.take::<3>(bytes, stride),
            4 => self.take::<4>(bytes, stride),
            9 => self.take::<9>(bytes, stride),
            _ => self.take::<16>(bytes, stride),
        }
    }

    fn take<const N: usize>(&mut self, bytes: &[u8], stride: usize) {
        let (mut low, mut high) = ([f32::INFINITY; N], [f32::NEG_INFINITY; N]);
        // A number that is not finite times 0 is NaN, and stays so in a sum.
        let mut finite = [0f32; N];
        // The last element may be shorter than the step.
        for row in bytes.chunks(stride) {
            for slot in 0..N {
                let at = 4 * slot;
                let x = f32::from_le_bytes([row[at], row[at + 1], row[at + 2], row[at + 3]]);
                low[slot] = if x < low[slot] { x } else { low[slot] };
                high[slot] = if x > high[slot] { x } else { high[slot] };
                finite[slot] += x * 0.0;
            }
        }
        for slot in 0..N {
            self.low[slot] = f64::from(low[slot]);
            self.high[slot] = f64::from(high[slot]);
            if finite[slot] != 0.0 {
                self.low[slot] = f64::NEG_INFINITY;
            }
        }
    }
}

/// Reads all elements: finite, within their bounds, and what is demanded.
fn elements(
    check: &mut Check<'_, '_>,
    index: usize,
    at: &str,
    accessor: &Json<'_>,
    reader: &AccessorReader<'_>,
) {
    let n = reader.kind.components();
    let demands = std::mem::take(&mut check.demands[index]);
    // One reading for the bounds and one for each demand.
    if !check.may_read(reader.count.saturating_mul(n).saturating_mul(1 + demands.len()), at) {
        return;
    }
    if reader.is_all_zeros() {
        return zeros(check, at, accessor, &demands);
    }
    let extent = Extent::of(reader);
    let mut infinite = First::default();
    let finite = extent.low[..n].iter().chain(&extent.high[..n]).all(|x| x.is_finite());
    if !finite {
        reader.for_each(|i, row| {
            if let Some(slot) = row.iter().position(|x| !x.is_finite()) {
                infinite.note(i, || format!("{} in component {slot}", row[slot]));
            }
        });
    }
    infinite.tell(check, &rules::ACCESSOR_FINITE, at, "finite numbers");
    for (key, found) in [("min", &extent.low[..n]), ("max", &extent.high[..n])] {
        if let Some(bounds) = accessor.get(key) {
            declared_bounds(check, &format!("{at}.{key}"), bounds, found, reader.component, finite);
        }
    }
    for (demand, place) in demands {
        demanded(check, &format!("{at} ({place})"), reader, &demand);
    }
}

/// An accessor without any bytes is all zeros, which suits few purposes.
fn zeros(check: &mut Check<'_, '_>, at: &str, accessor: &Json<'_>, demands: &[(Demand, String)]) {
    for key in ["min", "max"] {
        let bounds = accessor.list(key).iter().enumerate();
        for (slot, bound) in bounds.filter(|(_, x)| x.as_f64().is_some_and(|x| x != 0.0)) {
            let at = format!("{at}.{key}[{slot}]");
            check.add(&rules::ACCESSOR_ZEROS, at, bound.describe(), "0, as there are no bytes");
        }
    }
    for (demand, place) in demands {
        let unfit = match demand {
            Demand::Unit { .. } | Demand::BindMatrices { .. } | Demand::Quaternions { .. } => true,
            Demand::Indices { triangles, .. } => *triangles,
            Demand::Times => number(accessor, "count", None).is_some_and(|n| n > 1),
            Demand::Clamped => false,
        };
        if unfit {
            let found = "zeros, as there are no bytes";
            check.add(&rules::ACCESSOR_ZEROS, at, found, format!("bytes, as {place} needs them"));
        }
    }
}

fn declared_bounds(
    check: &mut Check<'_, '_>,
    at: &str,
    bounds: &Json<'_>,
    found: &[f64],
    component: ComponentType,
    finite: bool,
) {
    let items = bounds.items();
    if items.len() != found.len() {
        if !check.has_finding_at(at) && !items.is_empty() {
            let expected = format!("{} numbers, as elements have", found.len());
            check.add(&rules::JSON_LENGTH, at, format!("{} numbers", items.len()), expected);
        }
        return;
    }
    let range = match component {
        ComponentType::I8 => (-128.0, 127.0),
        ComponentType::U8 => (0.0, 255.0),
        ComponentType::I16 => (-32768.0, 32767.0),
        ComponentType::U16 => (0.0, 65535.0),
        ComponentType::U32 => (0.0, 4294967295.0),
        ComponentType::F32 => (f64::from(f32::MIN), f64::from(f32::MAX)),
    };
    for (slot, (item, &actual)) in items.iter().zip(found).enumerate() {
        let Some(declared) = item.as_f64() else { continue };
        let at = format!("{at}[{slot}]");
        let whole = component != ComponentType::F32;
        if !(declared >= range.0 && declared <= range.1) || (whole && declared.fract() != 0.0) {
            let expected = format!("a value of the component type, {} to {}", range.0, range.1);
            check.add(&rules::ACCESSOR_BOUNDS_TYPE, at, item.describe(), expected);
            continue;
        }
        if whole && matches!(item, Json::Float(_)) {
            let expected = format!("{declared} without a fraction");
            check.add(&rules::JSON_FLOAT, &at, item.describe(), expected);
        }
        // A text of a number stands for the nearest value of the type.
        let declared = if whole { declared } else { f64::from(declared as f32) };
        if finite && declared != actual {
            // Shortest text of the value; a zero has no sign worth telling.
            let actual = actual + 0.0;
            let expected = if whole { actual.to_string() } else { format!("{:?}", actual as f32) };
            check.add(&rules::ACCESSOR_BOUNDS, at, item.describe(), expected);
        }
    }
}

/// What the views' targets say against what they are used for.
fn view_targets(check: &mut Check<'_, '_>) {
    for i in 0..check.view_uses.len() {
        let Some((what, place)) = check.view_uses[i].clone() else { continue };
        let target = number(&check.list("bufferViews")[i], "target", None);
        let wanted = match what {
            ViewUse::Indices => Some(TARGET_INDICES),
            ViewUse::Vertices => Some(TARGET_VERTICES),
            _ => None,
        };
        let at = format!("$.bufferViews[{i}].target");
        match (target, wanted) {
            (None, Some(wanted)) => {
                let expected = format!("{wanted}, as {place} has {} in it", what.as_str());
                check.add(&rules::VIEW_TARGET, at, "nothing", expected);
            }
            (Some(target), wanted) if wanted != Some(target) && !check.has_finding_at(&at) => {
                let expected = match wanted {
                    Some(wanted) => format!("{wanted}, as {place} has {} in it", what.as_str()),
                    None => format!("none, as {place} has {} in it", what.as_str()),
                };
                check.add(&rules::VIEW_USE, at, target.to_string(), expected);
            }
            _ => {}
        }
    }
}

/// What an accessor's view must not have where its elements must be packed.
pub fn packed(check: &mut Check<'_, '_>, index: usize, rule: &'static Rule, at: &str, what: Use) {
    let accessor = &check.list("accessors")[index];
    let Some((_, view)) = check.item(accessor, "bufferView", "bufferViews") else { return };
    if let Some(stride) = view.get("byteStride") {
        let found = format!("a view with byteStride {}", stride.describe());
        check.add(rule, at, found, format!("a view without it for {}", what.as_str()));
    }
}
