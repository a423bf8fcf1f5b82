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

/// The shapes to write on a part, and the names of those that did not fit.
pub fn choose_shapes(part: &Part, names: FaceNames) -> (Vec<PartShape>, Vec<&'static str>) {
    let units = || part.shapes.iter().filter(|s| !ARKIT_SHAPES.contains(&s.name)).cloned();
    let arkit = || part.shapes.iter().filter(|s| ARKIT_SHAPES.contains(&s.name)).cloned();
    match names {
        FaceNames::Units => (units().collect(), Vec::new()),
        FaceNames::Arkit => (arkit().collect(), Vec::new()),
        FaceNames::Oculus => {
            let units: Vec<PartShape> = units().collect();
            (viseme_shapes(&units, part.points.len()), Vec::new())
        }
        FaceNames::Both => {
            let mut all: Vec<PartShape> = units().chain(arkit()).collect();
            let left_out = all.iter().skip(MOST_TARGETS).map(|s| s.name).collect();
            all.truncate(MOST_TARGETS);
            (all, left_out)
        }
    }
}
