//! From a bound character to a glTF document.
//!
//! Nodes are the 65 joints in the profile's order and then one node per mesh;
//! the scene's top nodes are `root` and the meshes. Nothing but joints has a
//! transform, all meshes share the one skin, and each material is named for
//! its mesh (profile, "Nodes and meshes", "Skeleton", "Materials").

mod document;

mod meshes;

mod morphs;

pub use document::{SceneDocument, scene_document};
