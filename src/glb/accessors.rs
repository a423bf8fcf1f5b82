//! Accessors, buffer views and buffers (glTF 2.0, section 3.6): how bytes
//! become numbers.

use serde::Serialize;
use serde_json::Map;

use super::document::{Extensions, is_default};
use super::index::Index;

/// Serialises enums whose JSON is the number of their variant.
macro_rules! serialize_as_number {
    ($($name:ty),* $(,)?) => {$(
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_u32(*self as u32)
            }
        }
    )*};
}
pub(super) use serialize_as_number;

/// A typed view of bytes (sections 3.6.2 and 5.1).
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Accessor {
    /// The view that holds the elements. Without one they are all zeros,
    /// except where `sparse` says otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub buffer_view: Option<Index<BufferView>>,
    /// Where in the view the first element starts.
    #[serde(skip_serializing_if = "is_default")]
    pub byte_offset: u32,
    /// The type of one component.
    pub component_type: ComponentType,
    /// Whether integers stand for the range 0 to 1 or -1 to 1.
    #[serde(skip_serializing_if = "is_default")]
    pub normalized: bool,
    /// The number of elements, at least 1.
    pub count: u32,
    /// How many components an element has.
    #[serde(rename = "type")]
    pub kind: AccessorType,
    /// The least value of each component.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<Bounds>,
    /// The greatest value of each component.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<Bounds>,
    /// The elements that differ from the view's, or from zero.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sparse: Option<Sparse>,
    /// The accessor's name.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
}

impl Accessor {
    /// An accessor of `count` elements without bytes; the rest is filled in
    /// with struct update syntax.
    pub fn new(component_type: ComponentType, kind: AccessorType, count: u32) -> Accessor {
        Accessor {
            buffer_view: None,
            byte_offset: 0,
            component_type,
            normalized: false,
            count,
            kind,
            min: None,
            max: None,
            sparse: None,
            name: String::new(),
        }
    }
}

/// The least or greatest value of each component (section 3.6.2.5).
///
/// Integer components have integer bounds, so that they print without a
/// decimal point.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Bounds {
    /// Bounds of `FLOAT` components, in the precision they are stored in.
    Float(Vec<f32>),
    /// Bounds of integer components.
    Integer(Vec<i64>),
}

/// The type of a component (section 3.6.2.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum ComponentType {
    /// 8 bits, signed.
    I8 = 5120,
    /// 8 bits, unsigned.
    U8 = 5121,
    /// 16 bits, signed.
    I16 = 5122,
    /// 16 bits, unsigned.
    U16 = 5123,
    /// 32 bits, unsigned.
    U32 = 5125,
    /// 32 bits, floating point.
    F32 = 5126,
}

impl ComponentType {
    /// The bytes of one component.
    pub const fn size(self) -> usize {
        match self {
            ComponentType::I8 | ComponentType::U8 => 1,
            ComponentType::I16 | ComponentType::U16 => 2,
            ComponentType::U32 | ComponentType::F32 => 4,
        }
    }
}

/// How many components an element has (section 3.6.2.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum AccessorType {
    /// One.
    Scalar,
    /// Two.
    Vec2,
    /// Three.
    Vec3,
    /// Four.
    Vec4,
    /// Two columns of two.
    Mat2,
    /// Three columns of three.
    Mat3,
    /// Four columns of four.
    Mat4,
}

impl AccessorType {
    /// The number of components.
    pub const fn components(self) -> usize {
        match self {
            AccessorType::Scalar => 1,
            AccessorType::Vec2 => 2,
            AccessorType::Vec3 => 3,
            AccessorType::Vec4 | AccessorType::Mat2 => 4,
            AccessorType::Mat3 => 9,
            AccessorType::Mat4 => 16,
        }
    }
}

/// The elements of an accessor that differ from its base
/// (sections 3.6.2.3 and 5.2).
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Sparse {
    /// How many differ, at least 1.
    pub count: u32,
    /// Which they are.
    pub indices: SparseIndices,
    /// What they are.
    pub values: SparseValues,
}

/// Which elements differ: strictly increasing numbers (section 5.3).
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SparseIndices {
    /// The view that holds the numbers; it has neither target nor stride.
    pub buffer_view: Index<BufferView>,
    /// Where in the view the first number starts.
    #[serde(skip_serializing_if = "is_default")]
    pub byte_offset: u32,
    /// `U8`, `U16` or `U32`.
    pub component_type: ComponentType,
}

/// What the elements that differ are (section 5.4).
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SparseValues {
    /// The view that holds the elements; it has neither target nor stride.
    pub buffer_view: Index<BufferView>,
    /// Where in the view the first element starts.
    #[serde(skip_serializing_if = "is_default")]
    pub byte_offset: u32,
}

/// A part of a buffer (sections 3.6.1 and 5.11).
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BufferView {
    /// The buffer it is a part of.
    pub buffer: Index<Buffer>,
    /// Where in the buffer it starts. It is written even when it is 0, which
    /// the specification lets a writer omit, because one importer of Unity's
    /// reads the field without asking whether it is there.
    pub byte_offset: u32,
    /// Its length in bytes.
    pub byte_length: u32,
    /// The distance of two elements' starts, when they are not packed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub byte_stride: Option<u32>,
    /// What a graphics card uses it for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<Target>,
    /// Extensions of this view, such as a compression.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub extensions: Extensions,
}

/// What a graphics card uses a view for (section 5.11.5).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum Target {
    /// Vertex attributes.
    ArrayBuffer = 34962,
    /// Vertex indices.
    ElementArrayBuffer = 34963,
}

/// A block of bytes; in a GLB the first is the binary chunk
/// (sections 3.6.1.2 and 5.10).
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Buffer {
    /// The length in bytes, without the chunk's padding.
    pub byte_length: u32,
    /// Where the bytes are; absent for the GLB's own chunk.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub uri: String,
    /// Extensions of this buffer.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub extensions: Extensions,
}

serialize_as_number!(ComponentType, Target);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integer_bounds_have_no_decimal_point() {
        let accessor = Accessor {
            min: Some(Bounds::Integer(vec![0])),
            max: Some(Bounds::Integer(vec![65534])),
            ..Accessor::new(ComponentType::U16, AccessorType::Scalar, 3)
        };
        assert_eq!(
            serde_json::to_string(&accessor).unwrap(),
            r#"{"componentType":5123,"count":3,"type":"SCALAR","min":[0],"max":[65534]}"#
        );
    }

    #[test]
    fn float_bounds_print_as_single_precision() {
        let bounds = Bounds::Float(vec![0.1, -2.0, 0.0]);
        assert_eq!(serde_json::to_string(&bounds).unwrap(), "[0.1,-2.0,0.0]");
    }

    #[test]
    fn a_view_always_says_its_offset() {
        let view = BufferView {
            buffer: Index::new(0),
            byte_offset: 0,
            byte_length: 12,
            byte_stride: None,
            target: Some(Target::ArrayBuffer),
            extensions: Extensions::new(),
        };
        assert_eq!(
            serde_json::to_string(&view).unwrap(),
            r#"{"buffer":0,"byteOffset":0,"byteLength":12,"target":34962}"#
        );
    }

    #[test]
    fn element_sizes() {
        assert_eq!(ComponentType::U16.size() * AccessorType::Vec4.components(), 8);
        assert_eq!(ComponentType::F32.size() * AccessorType::Mat4.components(), 64);
        assert_eq!(serde_json::to_string(&AccessorType::Mat4).unwrap(), r#""MAT4""#);
    }
}
