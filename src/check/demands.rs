//! What the elements of an accessor must be, where the passes demand it.

use super::context::{Check, Demand};
use super::rules::{self, Rule};
use crate::glb::reader::AccessorReader;
use crate::glb::{AccessorType, ComponentType};

/// How far the length of a normal or tangent may be from 1, and that of a
/// quaternion: the Khronos validator's figures, so that both say the same.
const UNIT_TOLERANCE: f64 = 0.00674;
/// The same for quaternions.
pub const QUATERNION_TOLERANCE: f64 = 0.00769;

/// The first element or vertex that breaks a rule, and how many do: a wrong
/// rule in a writer would otherwise be told thousands of times.
#[derive(Default)]
pub struct First {
    n: usize,
    element: usize,
    found: String,
}

impl First {
    /// Counts one; only the first is described.
    pub fn note(&mut self, element: usize, found: impl FnOnce() -> String) {
        if self.n == 0 {
            (self.element, self.found) = (element, found());
        }
        self.n += 1;
    }

    /// Adds the finding, if there is one. `what` is the word for an element.
    pub fn tell_as(
        self,
        check: &mut Check<'_, '_>,
        rule: &'static Rule,
        at: &str,
        what: &str,
        expected: &str,
    ) {
        if self.n > 0 {
            let others = if self.n == 1 { String::new() } else { format!(" ({} in all)", self.n) };
            let at = format!("{at} {what} {}", self.element);
            check.add(rule, at, format!("{}{others}", self.found), expected);
        }
    }

    /// The same for an element of an accessor.
    pub fn tell(self, check: &mut Check<'_, '_>, rule: &'static Rule, at: &str, expected: &str) {
        self.tell_as(check, rule, at, "element", expected);
    }
}

fn length(row: &[f64]) -> f64 {
    row.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Whether a row has the wrong length. One that is not finite has been told.
fn not_unit(row: &[f64], tolerance: f64) -> bool {
    let length = length(row);
    length.is_finite() && (length - 1.0).abs() > tolerance
}

/// The factor that makes a normalised integer a number up to 1.
fn scale_of(reader: &AccessorReader<'_>) -> f64 {
    match (reader.normalized, reader.component) {
        (true, ComponentType::I8) => 1.0 / 127.0,
        (true, ComponentType::U8) => 1.0 / 255.0,
        (true, ComponentType::I16) => 1.0 / 32767.0,
        (true, ComponentType::U16) => 1.0 / 65535.0,
        _ => 1.0,
    }
}

/// Reads all elements for one demand.
pub fn demanded(check: &mut Check<'_, '_>, at: &str, reader: &AccessorReader<'_>, demand: &Demand) {
    let mut first = First::default();
    let n = reader.kind.components();
    match *demand {
        Demand::Unit { w } => {
            if n < 3 {
                return; // told as a wrong format
            }
            let scale = scale_of(reader);
            let mut sign = First::default();
            reader.for_each(|i, row| {
                let vector = [row[0] * scale, row[1] * scale, row[2] * scale];
                if not_unit(&vector, UNIT_TOLERANCE) {
                    first.note(i, || format!("a length of {}", length(&vector)));
                }
                let w = if w && n == 4 { row[3] * scale } else { 1.0 };
                if w != 1.0 && w != -1.0 {
                    sign.note(i, || format!("a sign of {w}"));
                }
            });
            sign.tell(check, &rules::MESH_UNIT, at, "a sign of 1 or -1");
            first.tell(check, &rules::MESH_UNIT, at, "a vector of length 1");
        }
        Demand::Clamped => {
            if reader.component != ComponentType::F32 {
                return;
            }
            reader.for_each(|i, row| {
                if let Some(x) = row.iter().find(|x| !(0.0..=1.0).contains(*x) && x.is_finite()) {
                    first.note(i, || x.to_string());
                }
            });
            first.tell(check, &rules::MESH_COLOUR, at, "numbers between 0 and 1");
        }
        Demand::Indices { vertices, triangles } => indices(check, at, reader, vertices, triangles),
        Demand::BindMatrices { joints } => {
            if reader.kind != AccessorType::Mat4 || reader.component != ComponentType::F32 {
                return;
            }
            reader.for_each(|i, row| {
                let last = [row[3], row[7], row[11], row[15]];
                if i < joints && last != [0.0, 0.0, 0.0, 1.0] && row.iter().all(|x| x.is_finite()) {
                    first.note(i, || format!("a last row of {last:?}"));
                }
            });
            first.tell(check, &rules::SKIN_IBM, at, "0, 0, 0, 1 as the last row (column-major)");
        }
        Demand::Times => {
            let mut before = f64::NEG_INFINITY;
            reader.for_each(|i, row| {
                let time = row[0];
                if time < 0.0 {
                    first.note(i, || format!("{time} s"));
                } else if time <= before {
                    first.note(i, || format!("{time} s after {before} s"));
                }
                before = time;
            });
            first.tell(check, &rules::ANIM_TIMES, at, "times from 0 on that rise");
        }
        Demand::Quaternions { stride, linear } => {
            quaternions(check, at, reader, stride, linear);
        }
    }
}

fn indices(
    check: &mut Check<'_, '_>,
    at: &str,
    reader: &AccessorReader<'_>,
    vertices: usize,
    triangles: bool,
) {
    let restart = match reader.component {
        ComponentType::U8 => 255.0,
        ComponentType::U16 => 65535.0,
        ComponentType::U32 => 4294967295.0,
        _ => return,
    };
    let (mut beyond, mut restarts, mut degenerate) =
        (First::default(), First::default(), First::default());
    let mut corners = [-1.0f64; 3];
    reader.for_each(|i, row| {
        let x = row[0];
        if x == restart {
            restarts.note(i, || x.to_string());
        } else if x >= vertices as f64 {
            beyond.note(i, || x.to_string());
        }
        corners[i % 3] = x;
        let [a, b, c] = corners;
        if i % 3 == 2 && (a == b || b == c || c == a) {
            degenerate.note(i / 3, || format!("the vertices {a}, {b}, {c}"));
        }
    });
    let less = format!("less than the {vertices} vertices");
    beyond.tell(check, &rules::INDEX_RANGE, at, &less);
    restarts.tell(check, &rules::INDEX_RESTART, at, "a wider type, as this value restarts strips");
    if triangles {
        let rule = &rules::MESH_DEGENERATE;
        degenerate.tell_as(check, rule, at, "triangle", "three different vertices");
    }
}

fn quaternions(
    check: &mut Check<'_, '_>,
    at: &str,
    reader: &AccessorReader<'_>,
    stride: usize,
    linear: bool,
) {
    if reader.kind != AccessorType::Vec4 {
        return;
    }
    let scale = scale_of(reader);
    let (mut long, mut flipped) = (First::default(), First::default());
    let mut before: Option<[f64; 4]> = None;
    reader.for_each(|i, row| {
        // Of a spline's three elements per key, the middle one is the value.
        if stride == 3 && i % 3 != 1 {
            return;
        }
        let q = [row[0] * scale, row[1] * scale, row[2] * scale, row[3] * scale];
        if not_unit(&q, QUATERNION_TOLERANCE) {
            long.note(i, || format!("a length of {}", length(&q)));
        }
        let dot = |p: [f64; 4]| p.iter().zip(&q).map(|(a, b)| a * b).sum::<f64>();
        if linear && before.is_some_and(|p| dot(p) < 0.0) {
            flipped.note(i, || format!("{q:?} after {:?}", before.unwrap_or_default()));
        }
        before = Some(q);
    });
    long.tell(check, &rules::ANIM_QUATERNION, at, "a unit quaternion");
    flipped.tell(check, &rules::ANIM_HEMISPHERE, at, "its negative, the short way round");
}
