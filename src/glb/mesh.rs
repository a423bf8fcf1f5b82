//! Meshes, primitives and morph targets (glTF 2.0, section 3.7.2).

use serde::Serialize;
use serde_json::Map;

use super::accessors::{Accessor, serialize_as_number};
use super::document::{Extensions, Extras, is_default, no_extras};
use super::index::Index;
use super::material::Material;

/// One or more primitives that move together (section 5.23).
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Mesh {
    /// The mesh's name.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The primitives, at least one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub primitives: Vec<Primitive>,
    /// One weight per morph target.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub weights: Vec<f32>,
    /// Application data; `targetNames` by common convention.
    #[serde(skip_serializing_if = "no_extras")]
    pub extras: Extras,
}

/// Geometry of one material (section 5.24).
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Primitive {
    /// The vertices.
    pub attributes: Attributes,
    /// The corners of the triangles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub indices: Option<Index<Accessor>>,
    /// What it is drawn with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub material: Option<Index<Material>>,
    /// What the indices make; triangles, the default, are not written.
    #[serde(skip_serializing_if = "is_default")]
    pub mode: Mode,
    /// The shapes it can be morphed towards.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<MorphTarget>,
    /// Extensions of this primitive, such as a compression.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub extensions: Extensions,
}

/// The accessors of the vertices by semantic (section 3.7.2.1), written in
/// this order.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub struct Attributes {
    /// Positions in metres.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<Index<Accessor>>,
    /// Unit normals.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub normal: Option<Index<Accessor>>,
    /// Unit tangents with the bitangent's sign.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tangent: Option<Index<Accessor>>,
    /// Texture coordinates, the origin at the top left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub texcoord_0: Option<Index<Accessor>>,
    /// A second set of texture coordinates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub texcoord_1: Option<Index<Accessor>>,
    /// Linear colours that multiply the material's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub color_0: Option<Index<Accessor>>,
    /// Four joints per vertex, counted in the skin's order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub joints_0: Option<Index<Accessor>>,
    /// The four joints' weights.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weights_0: Option<Index<Accessor>>,
}

/// What is added to the vertices when a target's weight is 1
/// (section 3.7.2.2).
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub struct MorphTarget {
    /// Differences of positions, in metres.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<Index<Accessor>>,
    /// Differences of normals.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub normal: Option<Index<Accessor>>,
}

/// What the indices make (section 5.24.4).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[repr(u32)]
pub enum Mode {
    /// Single points.
    Points = 0,
    /// A line per two corners.
    Lines = 1,
    /// One closed line.
    LineLoop = 2,
    /// One open line.
    LineStrip = 3,
    /// A triangle per three corners.
    #[default]
    Triangles = 4,
    /// A triangle per corner, with the two before it.
    TriangleStrip = 5,
    /// A triangle per corner, with the one before it and the first.
    TriangleFan = 6,
}

serialize_as_number!(Mode);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_have_the_spec_names_and_triangles_are_silent() {
        let all = Attributes {
            position: Some(Index::new(0)),
            normal: Some(Index::new(1)),
            tangent: Some(Index::new(2)),
            texcoord_0: Some(Index::new(3)),
            texcoord_1: Some(Index::new(4)),
            color_0: Some(Index::new(5)),
            joints_0: Some(Index::new(6)),
            weights_0: Some(Index::new(7)),
        };
        let primitive = Primitive { attributes: all, ..Primitive::default() };
        assert_eq!(
            serde_json::to_string(&primitive).unwrap(),
            concat!(
                r#"{"attributes":{"POSITION":0,"NORMAL":1,"TANGENT":2,"TEXCOORD_0":3,"#,
                r#""TEXCOORD_1":4,"COLOR_0":5,"JOINTS_0":6,"WEIGHTS_0":7}}"#
            )
        );
    }

    #[test]
    fn other_modes_are_numbers() {
        let lines = Primitive { mode: Mode::Lines, ..Primitive::default() };
        assert!(serde_json::to_string(&lines).unwrap().contains(r#""mode":1"#));
    }
}
