//! Materials, textures, images and samplers
//! (glTF 2.0, sections 3.8 and 3.9).

use serde::Serialize;
use serde_json::Map;

use super::accessors::{BufferView, serialize_as_number};
use super::document::{Extensions, Extras, is_default, is_one, no_extras};
use super::index::Index;

/// How a surface looks (section 5.19).
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Material {
    /// The material's name.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Colour, metalness and roughness.
    #[serde(skip_serializing_if = "is_default")]
    pub pbr_metallic_roughness: PbrMetallicRoughness,
    /// Small-scale normals in tangent space.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub normal_texture: Option<NormalTextureInfo>,
    /// Where little indirect light comes, in the red channel.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub occlusion_texture: Option<OcclusionTextureInfo>,
    /// The light it gives off, sRGB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub emissive_texture: Option<TextureInfo>,
    /// The light it gives off, linear; it multiplies the texture.
    #[serde(skip_serializing_if = "is_default")]
    pub emissive_factor: [f32; 3],
    /// What alpha means.
    #[serde(skip_serializing_if = "is_default")]
    pub alpha_mode: AlphaMode,
    /// The least alpha that is drawn, for [`AlphaMode::Mask`] only. `None`
    /// is the specification's 0.5; a given value is always written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alpha_cutoff: Option<f32>,
    /// Whether the back of the triangles is drawn too.
    #[serde(skip_serializing_if = "is_default")]
    pub double_sided: bool,
    /// Extensions of this material, such as `KHR_materials_sheen`.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub extensions: Extensions,
    /// Application data.
    #[serde(skip_serializing_if = "no_extras")]
    pub extras: Extras,
}

/// The metallic-roughness model (section 5.22). The default is a white,
/// rough metal, as the specification has it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PbrMetallicRoughness {
    /// Linear colour and alpha; it multiplies the texture. Default: ones.
    #[serde(skip_serializing_if = "all_ones")]
    pub base_color_factor: [f32; 4],
    /// Colour in sRGB, and alpha.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_color_texture: Option<TextureInfo>,
    /// From 0, no metal, to 1. Default: 1.
    #[serde(skip_serializing_if = "is_one")]
    pub metallic_factor: f32,
    /// From 0, a mirror, to 1. Default: 1.
    #[serde(skip_serializing_if = "is_one")]
    pub roughness_factor: f32,
    /// Roughness in green, metalness in blue.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metallic_roughness_texture: Option<TextureInfo>,
}

impl Default for PbrMetallicRoughness {
    fn default() -> PbrMetallicRoughness {
        PbrMetallicRoughness {
            base_color_factor: [1.0; 4],
            base_color_texture: None,
            metallic_factor: 1.0,
            roughness_factor: 1.0,
            metallic_roughness_texture: None,
        }
    }
}

/// What alpha means (section 3.9.4).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum AlphaMode {
    /// Nothing.
    #[default]
    Opaque,
    /// Drawn or not, by the cutoff.
    Mask,
    /// Blended with what is behind.
    Blend,
}

/// The use of a texture (section 5.30).
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TextureInfo {
    /// The texture.
    pub index: Index<Texture>,
    /// Which set of texture coordinates.
    #[serde(skip_serializing_if = "is_default")]
    pub tex_coord: u32,
    /// Extensions of this use, such as `KHR_texture_transform`.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub extensions: Extensions,
}

impl TextureInfo {
    /// The texture on the first set of texture coordinates.
    pub fn new(index: Index<Texture>) -> TextureInfo {
        TextureInfo { index, tex_coord: 0, extensions: Extensions::new() }
    }
}

/// The use of a normal map (section 5.20).
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NormalTextureInfo {
    /// The texture and how it is laid on.
    #[serde(flatten)]
    pub info: TextureInfo,
    /// What x and y are multiplied by. Default: 1.
    #[serde(skip_serializing_if = "is_one")]
    pub scale: f32,
}

/// The use of an occlusion map (section 5.21).
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OcclusionTextureInfo {
    /// The texture and how it is laid on.
    #[serde(flatten)]
    pub info: TextureInfo,
    /// How much of the occlusion is applied. Default: 1.
    #[serde(skip_serializing_if = "is_one")]
    pub strength: f32,
}

/// An image with a sampler (section 5.29).
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Texture {
    /// How it is sampled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sampler: Option<Index<Sampler>>,
    /// The image.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Index<Image>>,
    /// The texture's name.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Extensions of this texture, such as another image format.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub extensions: Extensions,
}

/// An image that is embedded in the file (section 5.18).
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Image {
    /// The view that holds the encoded picture.
    pub buffer_view: Index<BufferView>,
    /// How it is encoded.
    pub mime_type: MimeType,
    /// The image's name.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
}

/// The picture formats that every reader knows (section 3.8.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum MimeType {
    /// Portable Network Graphics.
    #[serde(rename = "image/png")]
    Png,
    /// JPEG.
    #[serde(rename = "image/jpeg")]
    Jpeg,
}

/// How a texture is sampled (section 5.26). Filters that are `None` are the
/// reader's choice.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Sampler {
    /// The filter for seeing it large.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mag_filter: Option<MagFilter>,
    /// The filter for seeing it small.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_filter: Option<MinFilter>,
    /// What is left and right of it.
    #[serde(skip_serializing_if = "is_default")]
    pub wrap_s: Wrap,
    /// What is above and below it.
    #[serde(skip_serializing_if = "is_default")]
    pub wrap_t: Wrap,
    /// The sampler's name.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
}

/// The filter for seeing a texture large (section 5.26.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum MagFilter {
    /// The nearest pixel.
    Nearest = 9728,
    /// A blend of the four nearest pixels.
    Linear = 9729,
}

/// The filter for seeing a texture small (section 5.26.2): how pixels are
/// blended, then how mip levels are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum MinFilter {
    /// The nearest pixel of the full size.
    Nearest = 9728,
    /// A blend of pixels of the full size.
    Linear = 9729,
    /// The nearest pixel of the nearest level.
    NearestMipmapNearest = 9984,
    /// A blend of pixels of the nearest level.
    LinearMipmapNearest = 9985,
    /// The nearest pixels of two levels, blended.
    NearestMipmapLinear = 9986,
    /// A blend of pixels of two levels.
    LinearMipmapLinear = 9987,
}

/// What is beyond a texture's edge (section 5.26.3).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[repr(u32)]
pub enum Wrap {
    /// The edge's own pixel.
    ClampToEdge = 33071,
    /// The texture, mirrored.
    MirroredRepeat = 33648,
    /// The texture again.
    #[default]
    Repeat = 10497,
}

serialize_as_number!(MagFilter, MinFilter, Wrap);

/// Whether a colour is opaque white, the default.
fn all_ones(factor: &[f32; 4]) -> bool {
    *factor == [1.0; 4]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_silent() {
        let plain = Material { name: "plain".into(), ..Material::default() };
        assert_eq!(serde_json::to_string(&plain).unwrap(), r#"{"name":"plain"}"#);
    }

    #[test]
    fn what_is_said_has_the_spec_names() {
        let info = TextureInfo::new(Index::new(0));
        let material = Material {
            pbr_metallic_roughness: PbrMetallicRoughness {
                base_color_factor: [0.5, 0.25, 0.1, 1.0],
                metallic_factor: 0.0,
                ..PbrMetallicRoughness::default()
            },
            normal_texture: Some(NormalTextureInfo { info: info.clone(), scale: 0.7 }),
            occlusion_texture: Some(OcclusionTextureInfo { info, strength: 1.0 }),
            alpha_mode: AlphaMode::Mask,
            alpha_cutoff: Some(0.5),
            double_sided: true,
            ..Material::default()
        };
        assert_eq!(
            serde_json::to_string(&material).unwrap(),
            concat!(
                r#"{"pbrMetallicRoughness":{"baseColorFactor":[0.5,0.25,0.1,1.0],"#,
                r#""metallicFactor":0.0},"normalTexture":{"index":0,"scale":0.7},"#,
                r#""occlusionTexture":{"index":0},"alphaMode":"MASK","alphaCutoff":0.5,"#,
                r#""doubleSided":true}"#
            )
        );
    }

    #[test]
    fn images_and_samplers() {
        let image =
            Image { buffer_view: Index::new(4), mime_type: MimeType::Png, name: "skin".into() };
        assert_eq!(
            serde_json::to_string(&image).unwrap(),
            r#"{"bufferView":4,"mimeType":"image/png","name":"skin"}"#
        );
        let sampler = Sampler {
            mag_filter: Some(MagFilter::Linear),
            min_filter: Some(MinFilter::LinearMipmapLinear),
            wrap_s: Wrap::ClampToEdge,
            ..Sampler::default()
        };
        assert_eq!(
            serde_json::to_string(&sampler).unwrap(),
            r#"{"magFilter":9729,"minFilter":9987,"wrapS":33071}"#
        );
    }
}
