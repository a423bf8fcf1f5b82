//! The document's root, asset block, scenes, nodes and skins
//! (glTF 2.0, sections 3.2, 3.5, 3.7.3 and 5.17).
//!
//! Fields have the specification's names. What is empty or says the
//! specification's default is left out of the JSON, so that no empty array
//! or object is ever written (both are schema errors for most properties).

use serde::Serialize;
use serde_json::{Map, Value};

use super::accessors::Accessor;
use super::animation::Animation;
use super::index::Index;
use super::material::{Image, Material, Sampler, Texture};
use super::mesh::Mesh;

/// A JSON object of extensions, by name (section 3.12). Empty is omitted.
///
/// Put single-precision numbers in with [`json_f32`].
pub type Extensions = Map<String, Value>;

/// A JSON value of application data (section 5.16). An empty object, an
/// empty array and `null` are omitted as if they were not given.
pub type Extras = Option<Value>;

/// The root object, except for the arrays that describe bytes.
///
/// `accessors`, `bufferViews` and `buffers` belong to the
/// [`BufferPlan`](super::BufferPlan), because they are only right together
/// with the bytes; [`write_glb`](super::write_glb) joins the two.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Root {
    /// Version, generator and copyright.
    pub asset: Asset,
    /// Every extension that is used anywhere in the file, sorted; see
    /// [`Root::use_extension`].
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub extensions_used: Vec<String>,
    /// The extensions without which a reader must refuse the file.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub extensions_required: Vec<String>,
    /// The scene to show first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scene: Option<Index<Scene>>,
    /// All scenes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub scenes: Vec<Scene>,
    /// All nodes, joints among them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<Node>,
    /// All meshes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub meshes: Vec<Mesh>,
    /// All skins.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub skins: Vec<Skin>,
    /// All materials.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub materials: Vec<Material>,
    /// All textures.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub textures: Vec<Texture>,
    /// All images.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub images: Vec<Image>,
    /// All texture samplers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub samplers: Vec<Sampler>,
    /// All animations.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub animations: Vec<Animation>,
    /// Extensions of the whole document, such as `VRMC_vrm`.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub extensions: Extensions,
    /// Application data of the whole document.
    #[serde(skip_serializing_if = "no_extras")]
    pub extras: Extras,
}

impl Root {
    /// Appends a part to its array and gives its index there.
    pub fn push<T: Part>(&mut self, part: T) -> Index<T> {
        let list = T::list_mut(self);
        let index = Index::after(list.len());
        list.push(part);
        index
    }

    /// The part with this index, if there is one.
    pub fn get<T: Part>(&self, index: Index<T>) -> Option<&T> {
        T::list(self).get(index.as_usize())
    }

    /// The part with this index, to be changed.
    pub fn get_mut<T: Part>(&mut self, index: Index<T>) -> Option<&mut T> {
        T::list_mut(self).get_mut(index.as_usize())
    }

    /// Lists an extension as used. The list stays sorted and without
    /// repetitions, so that the same content always gives the same bytes.
    pub fn use_extension(&mut self, name: &str) {
        if let Err(at) = self.extensions_used.binary_search_by(|used| used.as_str().cmp(name)) {
            self.extensions_used.insert(at, name.to_owned());
        }
    }
}

mod sealed {
    /// Keeps [`Part`](super::Part) to the types of this module.
    pub trait Sealed {}
}

/// What the root has an array of, and [`Root::push`] therefore takes.
pub trait Part: sealed::Sealed + Sized {
    /// The root's array of these.
    #[doc(hidden)]
    fn list(root: &Root) -> &Vec<Self>;

    /// The root's array of these, to be changed.
    #[doc(hidden)]
    fn list_mut(root: &mut Root) -> &mut Vec<Self>;
}

macro_rules! parts {
    ($($part:ty => $field:ident),* $(,)?) => {$(
        impl sealed::Sealed for $part {}

        impl Part for $part {
            fn list(root: &Root) -> &Vec<Self> {
                &root.$field
            }

            fn list_mut(root: &mut Root) -> &mut Vec<Self> {
                &mut root.$field
            }
        }
    )*};
}

parts! {
    Scene => scenes,
    Node => nodes,
    Mesh => meshes,
    Skin => skins,
    Material => materials,
    Texture => textures,
    Image => images,
    Sampler => samplers,
    Animation => animations,
}

/// What the file says about itself (section 3.2).
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Asset {
    /// The glTF version, always `2.0` here.
    pub version: &'static str,
    /// The program that wrote the file.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub generator: String,
    /// A line of copyright for display.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub copyright: String,
    /// Application data, such as the licence block.
    #[serde(skip_serializing_if = "no_extras")]
    pub extras: Extras,
}

impl Default for Asset {
    fn default() -> Asset {
        Asset { version: "2.0", generator: String::new(), copyright: String::new(), extras: None }
    }
}

/// A set of nodes to show together (section 3.5.1).
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Scene {
    /// The scene's name.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The top nodes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<Index<Node>>,
    /// Application data.
    #[serde(skip_serializing_if = "no_extras")]
    pub extras: Extras,
}

/// A node of the hierarchy: a joint, or the place of a mesh
/// (section 3.5.2).
///
/// A transform that is `None` is the identity; one that is given is written
/// as given, even when it is the identity.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Node {
    /// The node's name.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The nodes under this one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<Index<Node>>,
    /// Translation in metres.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub translation: Option<[f32; 3]>,
    /// Rotation as a unit quaternion in the order x, y, z, w.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rotation: Option<[f32; 4]>,
    /// Scale.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scale: Option<[f32; 3]>,
    /// The mesh that stands here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mesh: Option<Index<Mesh>>,
    /// The skin that deforms the mesh.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skin: Option<Index<Skin>>,
    /// Extensions of this node.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub extensions: Extensions,
    /// Application data.
    #[serde(skip_serializing_if = "no_extras")]
    pub extras: Extras,
}

/// The joints that deform a mesh (section 3.7.3).
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Skin {
    /// The skin's name.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// One matrix per joint, from mesh space into the joint's bind space.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inverse_bind_matrices: Option<Index<Accessor>>,
    /// The joint that is the root of the skeleton.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skeleton: Option<Index<Node>>,
    /// The joints, in the order that `JOINTS_0` counts in.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub joints: Vec<Index<Node>>,
}

/// A single-precision number as a JSON value with the shortest text that
/// reads back as the same number (`0.1`, not `0.10000000149011612`).
///
/// `serde_json` keeps only double precision in a [`Value`], so that an `f32`
/// that is merely widened would print all its binary digits. A number that
/// is not finite becomes `null`, which [`write_glb`](super::write_glb)
/// refuses.
pub fn json_f32(number: f32) -> Value {
    // The text of an f32 is its shortest; the nearest double to that text
    // prints as the same text again.
    number.to_string().parse::<f64>().map_or(Value::Null, Value::from)
}

/// Whether extras would say nothing.
pub(super) fn no_extras(extras: &Extras) -> bool {
    match extras {
        None | Some(Value::Null) => true,
        Some(Value::Object(map)) => map.is_empty(),
        Some(Value::Array(list)) => list.is_empty(),
        Some(_) => false,
    }
}

/// Whether a field has its type's default value, and is omitted for it.
pub(super) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Whether a factor is 1, the specification's default for all factors.
pub(super) fn is_one(value: &f32) -> bool {
    *value == 1.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_empty_root_is_only_its_version() {
        let json = serde_json::to_string(&Root::default()).unwrap();
        assert_eq!(json, r#"{"asset":{"version":"2.0"}}"#);
    }

    #[test]
    fn push_gives_positions_per_kind() {
        let mut root = Root::default();
        let scene: Index<Scene> = root.push(Scene::default());
        let first = root.push(Node::default());
        let second = root.push(Node { name: "second".into(), ..Node::default() });
        assert_eq!((scene.value(), first.value(), second.value()), (0, 0, 1));
        assert_eq!(root.get(second).unwrap().name, "second");
        root.get_mut(first).unwrap().children.push(second);
        assert_eq!(root.nodes[0].children, [second]);
        assert!(root.get(Index::<Skin>::new(0)).is_none());
    }

    #[test]
    fn extensions_are_sorted_and_listed_once() {
        let mut root = Root::default();
        for name in ["VRMC_vrm", "KHR_materials_sheen", "VRMC_vrm"] {
            root.use_extension(name);
        }
        assert_eq!(root.extensions_used, ["KHR_materials_sheen", "VRMC_vrm"]);
    }

    #[test]
    fn extras_that_say_nothing_are_omitted() {
        for nothing in [json!(null), json!({}), json!([])] {
            let scene = Scene { extras: Some(nothing), ..Scene::default() };
            assert_eq!(serde_json::to_string(&scene).unwrap(), "{}");
        }
        let scene = Scene { extras: Some(json!(false)), ..Scene::default() };
        assert_eq!(serde_json::to_string(&scene).unwrap(), r#"{"extras":false}"#);
    }

    #[test]
    fn single_precision_prints_shortest() {
        let node = Node { translation: Some([0.1, -1e-7, 1.0]), ..Node::default() };
        assert_eq!(serde_json::to_string(&node).unwrap(), r#"{"translation":[0.1,-1e-7,1.0]}"#);
        assert_eq!(json_f32(0.1).to_string(), "0.1");
        assert_eq!(json_f32(-1e-7).to_string(), "-1e-7");
        assert_eq!(json_f32(f32::MAX).as_f64().unwrap() as f32, f32::MAX);
        assert_eq!(json_f32(f32::NAN), Value::Null);
    }
}
