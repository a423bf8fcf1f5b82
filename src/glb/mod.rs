//! The format layer: glTF 2.0 documents and GLB files, knowing no character.
//!
//! One layout pass, one fill pass, bytes out:
//!
//! 1. A [`BufferPlan`] takes arrays and places them in the one binary
//!    buffer. Its typed methods make the accessors, with exact bounds.
//! 2. A [`Root`] takes nodes, meshes, materials and so on, in structs with
//!    the specification's names, linked by typed [`Index`]es.
//! 3. [`write_glb`] joins the two and copies each byte once.
//!
//! [`read_glb`] opens the container again, strictly, and [`reader`] reads
//! documents and accessors that anyone may have written.
//!
//! What is deliberately absent: cameras, matrices on nodes, images in files
//! of their own, and reading a document back into the writer's structs. The layer
//! checks what cannot be written (sizes, numbers that are not finite,
//! indices out of range); whether a document follows all rules of glTF is
//! for `check` to say.

mod accessors;

mod animation;

mod attributes;

mod bounds;

mod buffers;

mod container;

mod document;

mod index;

mod material;

mod mesh;

pub mod picture;

pub mod reader;

#[cfg(test)]
mod tests;

pub use accessors::{
    Accessor, AccessorType, Bounds, Buffer, BufferView, ComponentType, Sparse, SparseIndices,
    SparseValues, Target,
};
pub use animation::{Animation, AnimationSampler, Channel, ChannelTarget, Interpolation, Path};
pub use attributes::{IndexWidth, MinMax};
pub use buffers::{BufferPlan, ViewOptions};
#[cfg(test)]
pub(crate) use container::tests::of_chunks;
pub use container::{GlbView, read_glb, write_glb};
pub use document::{Asset, Extensions, Extras, Node, Part, Root, Scene, Skin, json_f32};
pub use index::Index;
pub use material::{
    AlphaMode, Image, MagFilter, Material, MimeType, MinFilter, NormalTextureInfo,
    OcclusionTextureInfo, PbrMetallicRoughness, Sampler, Texture, TextureInfo, Wrap,
};
pub use mesh::{Attributes, Mesh, Mode, MorphTarget, Primitive};
