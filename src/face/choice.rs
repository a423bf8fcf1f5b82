//! Which shapes an export writes, by whose names.

use super::arkit::ARKIT_SHAPES;
use super::on_part::PartShape;
use super::visemes::viseme_shapes;
use crate::character::Part;

/// Whose names the morph targets bear.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum FaceNames {
    /// The profile's 59 face units.
    #[default]
    Units,
    /// ARKit's 52 shapes instead.
    Arkit,
    /// The units, and after them as many ARKit shapes as fit.
    Both,
    /// The 15 visemes of the Oculus lip-sync set instead.
    Oculus,
}

/// The most morph targets a mesh may have: engines reserve that many.
pub const MOST_TARGETS: usize = 64;

impl FaceNames {
    /// The word in options and in the file's extras.
    pub fn as_str(self) -> &'static str {
        match self {
            FaceNames::Units => "units",
            FaceNames::Arkit => "arkit",
            FaceNames::Both => "both",
            FaceNames::Oculus => "oculus",
        }
    }
}

/// The shapes to write on a part, without those that the file leaves out
/// ([`shapes_left_out`]).
pub fn choose_shapes(part: &Part, names: FaceNames, left_out: &[&str]) -> Vec<PartShape> {
    let units = || part.shapes.iter().filter(|s| !is_arkit(s)).cloned();
    let arkit = || part.shapes.iter().filter(|s| is_arkit(s)).cloned();
    match names {
        FaceNames::Units => units().collect(),
        FaceNames::Arkit => arkit().collect(),
        FaceNames::Oculus => viseme_shapes(&units().collect::<Vec<_>>(), part.points.len()),
        FaceNames::Both => units().chain(arkit().filter(|s| !left_out.contains(&s.name))).collect(),
    }
}

/// The names of the shapes for which some part has no room, in ARKit's order.
///
/// A shape goes out whole or not at all: on the teeth alone it would drop
/// them through a closed mouth, and one eye's without the other's would make
/// the face squint.
pub fn shapes_left_out<'p>(
    parts: impl IntoIterator<Item = &'p Part>,
    names: FaceNames,
) -> Vec<&'static str> {
    if names != FaceNames::Both {
        return Vec::new();
    }
    let mut rooms: Vec<(&Part, usize)> = Vec::new();
    for part in parts {
        let n_units = part.shapes.iter().filter(|s| !is_arkit(s)).count();
        rooms.push((part, MOST_TARGETS.saturating_sub(n_units)));
    }
    let moves = |part: &Part, name: &str| part.shapes.iter().any(|s| s.name == name);
    let mut fitting: Vec<&str> = Vec::new();
    let mut left_out = Vec::new();
    for name in ARKIT_SHAPES {
        let partner = partner(name);
        // Its partner has been here already and has decided for both.
        if fitting.contains(&name) || left_out.contains(&name) {
            continue;
        }
        let both: Vec<&'static str> = std::iter::once(name).chain(partner).collect();
        let takes = |part: &Part| both.iter().filter(|n| moves(part, n)).count();
        if rooms.iter().all(|(part, room)| takes(part) <= *room) {
            rooms.iter_mut().for_each(|(part, room)| *room -= takes(part));
            fitting.extend(both);
        } else {
            left_out.extend(both);
        }
    }
    left_out.retain(|name| rooms.iter().any(|(part, _)| moves(part, name)));
    left_out.sort_by_key(|name| ARKIT_SHAPES.iter().position(|n| n == name));
    left_out
}

fn is_arkit(shape: &PartShape) -> bool {
    ARKIT_SHAPES.contains(&shape.name)
}

/// The shape that does on the other side what this one does.
fn partner(name: &str) -> Option<&'static str> {
    let other = mirrored_shape(name)?;
    ARKIT_SHAPES.into_iter().find(|n| *n == other)
}

/// The name of a shape's mirror image; nothing for one without a side. A
/// unit's side is in front (`LeftBrowDown`, `MouthLeftPullUp`), that of ARKit's
/// shapes at the end.
pub fn mirrored_shape(name: &str) -> Option<String> {
    for (side, other) in [("Left", "Right"), ("Right", "Left")] {
        for head in ["", "Mouth"] {
            if let Some(rest) = name.strip_prefix(head).and_then(|n| n.strip_prefix(side)) {
                return Some(format!("{head}{other}{rest}"));
            }
        }
        if let Some(rest) = name.strip_suffix(side) {
            return Some(format!("{rest}{other}"));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::character::Finish;
    use crate::profile::{FACE_UNITS, PartKind};

    fn part(kind: PartKind, shapes: &[&[&'static str]]) -> Part {
        let shape = |name: &&'static str| PartShape { name, ..PartShape::default() };
        Part {
            kind,
            mesh_name: String::new(),
            points: Vec::new(),
            normals: Vec::new(),
            influences: Vec::new(),
            vertices: Vec::new(),
            triangles: Vec::new(),
            shapes: shapes.concat().iter().map(shape).collect(),
            finish: Finish { base_colour: [1.0; 4], roughness: 1.0, double_sided: false },
        }
    }

    #[test]
    fn a_shape_goes_on_all_its_meshes_or_on_none() {
        let body = part(PartKind::Body, &[&FACE_UNITS, &ARKIT_SHAPES[..51]]);
        let teeth = part(PartKind::Teeth, &[&["JawDrop"], &["jawForward", "jawOpen"]]);
        let tongue = part(PartKind::Tongue, &[&["JawDrop"], &["jawOpen", "tongueOut"]]);
        let parts = [&body, &teeth, &tongue];
        let left_out = shapes_left_out(parts, FaceNames::Both);
        let written = |part| -> Vec<&str> {
            let shapes = choose_shapes(part, FaceNames::Both, &left_out);
            shapes.iter().map(|s| s.name).collect()
        };
        // Two eyes' blinks and looks down, and one shape of the middle.
        let fifth = ["eyeBlinkLeft", "eyeLookDownLeft", "eyeBlinkRight", "eyeLookDownRight"];
        assert_eq!(written(&body)[59..], [&fifth[..], &["jawForward"]].concat());
        assert_eq!(written(&teeth), ["JawDrop", "jawForward"]);
        assert_eq!(written(&tongue), ["JawDrop", "tongueOut"]);
        assert!(left_out.contains(&"jawOpen") && !left_out.contains(&"tongueOut"));
        assert!(shapes_left_out(parts, FaceNames::Arkit).is_empty());
    }

    #[test]
    fn sided_shapes_have_partners() {
        assert_eq!(partner("eyeWideLeft"), Some("eyeWideRight"));
        assert_eq!(partner("mouthRight"), Some("mouthLeft"));
        assert_eq!(partner("jawOpen"), None);
        let sided = ARKIT_SHAPES.iter().filter(|n| n.ends_with("Left") || n.ends_with("Right"));
        assert!(sided.clone().count() == 40 && sided.into_iter().all(|n| partner(n).is_some()));
    }
}
