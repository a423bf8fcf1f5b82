//! The properties of glTF 2.0 as tables (chapter 5 of the specification and
//! the property reference): which there are, their types, ranges and what
//! they refer to.

/// The properties of one kind of object.
pub struct Shape {
    /// The specification's word for the object.
    pub name: &'static str,
    /// Whether it may have a `name`.
    pub named: bool,
    /// Its properties besides `name`, `extensions` and `extras`.
    pub fields: &'static [Field],
}

/// One property.
pub struct Field {
    /// Its key.
    pub key: &'static str,
    /// Whether it must be there.
    pub required: bool,
    /// What it must be.
    pub is: Is,
}

/// What a value must be.
pub enum Is {
    /// `true` or `false`.
    Bool,
    /// A string.
    Text,
    /// A version, `<major>.<minor>`.
    Version,
    /// One of these strings.
    Word(&'static [&'static str]),
    /// Strings, each once.
    Words,
    /// Strings.
    Texts,
    /// Objects of one kind by any name.
    Map(&'static Shape),
    /// An integer within these bounds.
    Int(i64, i64),
    /// One of these integers.
    Code(&'static [i64]),
    /// A number within these bounds.
    Number(f64, f64),
    /// A list of numbers within these bounds, of one of these lengths; any
    /// length but 0 when none is given.
    Numbers(&'static [usize], f64, f64),
    /// An index into one of the document's lists.
    Index(&'static str),
    /// An index whose list is not the document's; another pass resolves it.
    Local,
    /// Indices into one of the document's lists, each once.
    Indices(&'static str),
    /// Indices by name: a primitive's attributes.
    Attributes,
    /// Lists of such: a primitive's targets.
    Targets,
    /// An object.
    Object(&'static Shape),
    /// A list of objects.
    List(&'static Shape),
}

/// A property that may be left out.
pub const fn may(key: &'static str, is: Is) -> Field {
    Field { key, required: false, is }
}

/// A property that must be there.
pub const fn must(key: &'static str, is: Is) -> Field {
    Field { key, required: true, is }
}

/// An object without a `name` of its own.
pub const fn unnamed(name: &'static str, fields: &'static [Field]) -> Shape {
    Shape { name, named: false, fields }
}

const fn named(name: &'static str, fields: &'static [Field]) -> Shape {
    Shape { name, named: true, fields }
}

/// The largest integer that JSON's readers agree about.
const MOST: i64 = (1 << 53) - 1;
const ANY: f64 = f64::INFINITY;

/// The lists of the document whose items others refer to by index.
pub const LISTS: [&str; 13] = [
    "accessors",
    "animations",
    "bufferViews",
    "buffers",
    "cameras",
    "images",
    "materials",
    "meshes",
    "nodes",
    "samplers",
    "scenes",
    "skins",
    "textures",
];

/// The document.
pub static ROOT: Shape = unnamed(
    "glTF",
    &[
        must("asset", Is::Object(&ASSET)),
        may("extensionsUsed", Is::Words),
        may("extensionsRequired", Is::Words),
        may("scene", Is::Index("scenes")),
        may("scenes", Is::List(&SCENE)),
        may("nodes", Is::List(&NODE)),
        may("meshes", Is::List(&MESH)),
        may("skins", Is::List(&SKIN)),
        may("animations", Is::List(&ANIMATION)),
        may("materials", Is::List(&MATERIAL)),
        may("textures", Is::List(&TEXTURE)),
        may("samplers", Is::List(&SAMPLER)),
        may("images", Is::List(&IMAGE)),
        may("cameras", Is::List(&CAMERA)),
        may("accessors", Is::List(&ACCESSOR)),
        may("bufferViews", Is::List(&BUFFER_VIEW)),
        may("buffers", Is::List(&BUFFER)),
    ],
);

static ASSET: Shape = unnamed(
    "asset",
    &[
        may("copyright", Is::Text),
        may("generator", Is::Text),
        must("version", Is::Version),
        may("minVersion", Is::Version),
    ],
);

static SCENE: Shape = named("scene", &[may("nodes", Is::Indices("nodes"))]);

static NODE: Shape = named(
    "node",
    &[
        may("camera", Is::Index("cameras")),
        may("children", Is::Indices("nodes")),
        may("skin", Is::Index("skins")),
        may("matrix", Is::Numbers(&[16], -ANY, ANY)),
        may("mesh", Is::Index("meshes")),
        may("rotation", Is::Numbers(&[4], -1.0, 1.0)),
        may("scale", Is::Numbers(&[3], -ANY, ANY)),
        may("translation", Is::Numbers(&[3], -ANY, ANY)),
        may("weights", Is::Numbers(&[], -ANY, ANY)),
    ],
);

static MESH: Shape = named(
    "mesh",
    &[must("primitives", Is::List(&PRIMITIVE)), may("weights", Is::Numbers(&[], -ANY, ANY))],
);

static PRIMITIVE: Shape = unnamed(
    "primitive",
    &[
        must("attributes", Is::Attributes),
        may("indices", Is::Index("accessors")),
        may("material", Is::Index("materials")),
        may("mode", Is::Int(0, 6)),
        may("targets", Is::Targets),
    ],
);

static SKIN: Shape = named(
    "skin",
    &[
        may("inverseBindMatrices", Is::Index("accessors")),
        may("skeleton", Is::Index("nodes")),
        must("joints", Is::Indices("nodes")),
    ],
);

static ANIMATION: Shape = named(
    "animation",
    &[must("channels", Is::List(&CHANNEL)), must("samplers", Is::List(&ANIMATION_SAMPLER))],
);

static CHANNEL: Shape =
    unnamed("channel", &[must("sampler", Is::Local), must("target", Is::Object(&CHANNEL_TARGET))]);

static CHANNEL_TARGET: Shape = unnamed(
    "target",
    &[
        may("node", Is::Index("nodes")),
        must("path", Is::Word(&["translation", "rotation", "scale", "weights", "pointer"])),
    ],
);

static ANIMATION_SAMPLER: Shape = unnamed(
    "animation sampler",
    &[
        must("input", Is::Index("accessors")),
        may("interpolation", Is::Word(&["LINEAR", "STEP", "CUBICSPLINE"])),
        must("output", Is::Index("accessors")),
    ],
);

static MATERIAL: Shape = named(
    "material",
    &[
        may("pbrMetallicRoughness", Is::Object(&PBR)),
        may("normalTexture", Is::Object(&NORMAL_TEXTURE)),
        may("occlusionTexture", Is::Object(&OCCLUSION_TEXTURE)),
        may("emissiveTexture", Is::Object(&TEXTURE_INFO)),
        may("emissiveFactor", Is::Numbers(&[3], 0.0, 1.0)),
        may("alphaMode", Is::Word(&["OPAQUE", "MASK", "BLEND"])),
        may("alphaCutoff", Is::Number(0.0, ANY)),
        may("doubleSided", Is::Bool),
    ],
);

static PBR: Shape = unnamed(
    "pbrMetallicRoughness",
    &[
        may("baseColorFactor", Is::Numbers(&[4], 0.0, 1.0)),
        may("baseColorTexture", Is::Object(&TEXTURE_INFO)),
        may("metallicFactor", Is::Number(0.0, 1.0)),
        may("roughnessFactor", Is::Number(0.0, 1.0)),
        may("metallicRoughnessTexture", Is::Object(&TEXTURE_INFO)),
    ],
);

const TEXTURE_INDEX: Field = must("index", Is::Index("textures"));
const TEXTURE_COORD: Field = may("texCoord", Is::Int(0, MOST));

/// What refers to a texture.
pub static TEXTURE_INFO: Shape = unnamed("textureInfo", &[TEXTURE_INDEX, TEXTURE_COORD]);

static NORMAL_TEXTURE: Shape =
    unnamed("textureInfo", &[TEXTURE_INDEX, TEXTURE_COORD, may("scale", Is::Number(-ANY, ANY))]);

static OCCLUSION_TEXTURE: Shape =
    unnamed("textureInfo", &[TEXTURE_INDEX, TEXTURE_COORD, may("strength", Is::Number(0.0, 1.0))]);

static TEXTURE: Shape =
    named("texture", &[may("sampler", Is::Index("samplers")), may("source", Is::Index("images"))]);

static SAMPLER: Shape = named(
    "sampler",
    &[
        may("magFilter", Is::Code(&[9728, 9729])),
        may("minFilter", Is::Code(&[9728, 9729, 9984, 9985, 9986, 9987])),
        may("wrapS", Is::Code(&[33071, 33648, 10497])),
        may("wrapT", Is::Code(&[33071, 33648, 10497])),
    ],
);

static IMAGE: Shape = named(
    "image",
    &[
        may("uri", Is::Text),
        may("mimeType", Is::Word(&["image/jpeg", "image/png", "image/webp", "image/ktx2"])),
        may("bufferView", Is::Index("bufferViews")),
    ],
);

static CAMERA: Shape = named(
    "camera",
    &[
        may("orthographic", Is::Object(&ORTHOGRAPHIC)),
        may("perspective", Is::Object(&PERSPECTIVE)),
        must("type", Is::Word(&["perspective", "orthographic"])),
    ],
);

static ORTHOGRAPHIC: Shape = unnamed(
    "orthographic",
    &[
        must("xmag", Is::Number(-ANY, ANY)),
        must("ymag", Is::Number(-ANY, ANY)),
        must("zfar", Is::Number(f64::MIN_POSITIVE, ANY)),
        must("znear", Is::Number(0.0, ANY)),
    ],
);

static PERSPECTIVE: Shape = unnamed(
    "perspective",
    &[
        may("aspectRatio", Is::Number(f64::MIN_POSITIVE, ANY)),
        must("yfov", Is::Number(f64::MIN_POSITIVE, ANY)),
        may("zfar", Is::Number(f64::MIN_POSITIVE, ANY)),
        must("znear", Is::Number(f64::MIN_POSITIVE, ANY)),
    ],
);

const COMPONENTS: [i64; 6] = [5120, 5121, 5122, 5123, 5125, 5126];

static ACCESSOR: Shape = named(
    "accessor",
    &[
        may("bufferView", Is::Index("bufferViews")),
        may("byteOffset", Is::Int(0, MOST)),
        must("componentType", Is::Code(&COMPONENTS)),
        may("normalized", Is::Bool),
        must("count", Is::Int(1, MOST)),
        must("type", Is::Word(&["SCALAR", "VEC2", "VEC3", "VEC4", "MAT2", "MAT3", "MAT4"])),
        may("max", Is::Numbers(&[1, 2, 3, 4, 9, 16], -ANY, ANY)),
        may("min", Is::Numbers(&[1, 2, 3, 4, 9, 16], -ANY, ANY)),
        may("sparse", Is::Object(&SPARSE)),
    ],
);

static SPARSE: Shape = unnamed(
    "sparse",
    &[
        must("count", Is::Int(1, MOST)),
        must("indices", Is::Object(&SPARSE_INDICES)),
        must("values", Is::Object(&SPARSE_VALUES)),
    ],
);

static SPARSE_INDICES: Shape = unnamed(
    "sparse indices",
    &[
        must("bufferView", Is::Index("bufferViews")),
        may("byteOffset", Is::Int(0, MOST)),
        must("componentType", Is::Code(&[5121, 5123, 5125])),
    ],
);

static SPARSE_VALUES: Shape = unnamed(
    "sparse values",
    &[must("bufferView", Is::Index("bufferViews")), may("byteOffset", Is::Int(0, MOST))],
);

static BUFFER_VIEW: Shape = named(
    "bufferView",
    &[
        must("buffer", Is::Index("buffers")),
        may("byteOffset", Is::Int(0, MOST)),
        must("byteLength", Is::Int(1, MOST)),
        may("byteStride", Is::Int(4, 252)),
        may("target", Is::Code(&[34962, 34963])),
    ],
);

static BUFFER: Shape =
    named("buffer", &[may("uri", Is::Text), must("byteLength", Is::Int(1, MOST))]);

/// An extension whose places and content are known.
pub struct Extension {
    /// Its name.
    pub name: &'static str,
    /// The kinds of objects it may stand on.
    pub places: &'static [&'static str],
    /// Its properties; nothing when they are not looked into.
    pub shape: Option<&'static Shape>,
    /// Whether a reader without it cannot read the file.
    pub never_optional: bool,
}

const fn known(
    name: &'static str,
    places: &'static [&'static str],
    shape: Option<&'static Shape>,
) -> Extension {
    Extension { name, places, shape, never_optional: false }
}

/// The extensions that are known.
pub static EXTENSIONS: &[Extension] = &[
    known("KHR_materials_sheen", &["material"], Some(&SHEEN)),
    known("KHR_materials_unlit", &["material"], Some(&UNLIT)),
    known("KHR_materials_emissive_strength", &["material"], Some(&EMISSIVE_STRENGTH)),
    known("KHR_texture_transform", &["textureInfo"], Some(&TEXTURE_TRANSFORM)),
    Extension { name: "KHR_mesh_quantization", places: &[], shape: None, never_optional: true },
    known("KHR_draco_mesh_compression", &["primitive"], None),
    known("EXT_meshopt_compression", &["bufferView", "buffer"], None),
    known("KHR_meshopt_compression", &["bufferView", "buffer"], None),
    known("EXT_texture_webp", &["texture"], None),
    known("KHR_texture_basisu", &["texture"], None),
    known("KHR_lights_punctual", &["glTF", "node"], None),
    known("KHR_materials_variants", &["glTF", "primitive"], None),
    known("KHR_materials_anisotropy", &["material"], None),
    known("KHR_materials_clearcoat", &["material"], None),
    known("KHR_materials_dispersion", &["material"], None),
    known("KHR_materials_ior", &["material"], None),
    known("KHR_materials_iridescence", &["material"], None),
    known("KHR_materials_pbrSpecularGlossiness", &["material"], None),
    known("KHR_materials_specular", &["material"], None),
    known("KHR_materials_transmission", &["material"], None),
    known("KHR_materials_volume", &["material"], None),
    known("VRMC_vrm", &["glTF"], None),
    known("VRMC_springBone", &["glTF"], None),
    known("VRMC_node_constraint", &["node"], None),
    known("VRMC_materials_mtoon", &["material"], Some(&MTOON)),
    known("VRM", &["glTF"], None),
];

static SHEEN: Shape = unnamed(
    "KHR_materials_sheen",
    &[
        may("sheenColorFactor", Is::Numbers(&[3], 0.0, 1.0)),
        may("sheenColorTexture", Is::Object(&TEXTURE_INFO)),
        may("sheenRoughnessFactor", Is::Number(0.0, 1.0)),
        may("sheenRoughnessTexture", Is::Object(&TEXTURE_INFO)),
    ],
);

static UNLIT: Shape = unnamed("KHR_materials_unlit", &[]);

static EMISSIVE_STRENGTH: Shape =
    unnamed("KHR_materials_emissive_strength", &[may("emissiveStrength", Is::Number(0.0, ANY))]);

static TEXTURE_TRANSFORM: Shape = unnamed(
    "KHR_texture_transform",
    &[
        may("offset", Is::Numbers(&[2], -ANY, ANY)),
        may("rotation", Is::Number(-ANY, ANY)),
        may("scale", Is::Numbers(&[2], -ANY, ANY)),
        TEXTURE_COORD,
    ],
);

/// A colour's three channels.
const COLOUR: Is = Is::Numbers(&[3], 0.0, 1.0);

static MTOON: Shape = unnamed(
    "VRMC_materials_mtoon",
    &[
        must("specVersion", Is::Word(&["1.0"])),
        may("transparentWithZWrite", Is::Bool),
        may("renderQueueOffsetNumber", Is::Int(-9, 9)),
        may("shadeColorFactor", COLOUR),
        may("shadeMultiplyTexture", Is::Object(&TEXTURE_INFO)),
        may("shadingShiftFactor", Is::Number(-ANY, ANY)),
        may("shadingShiftTexture", Is::Object(&NORMAL_TEXTURE)),
        may("shadingToonyFactor", Is::Number(0.0, 1.0)),
        may("giEqualizationFactor", Is::Number(0.0, 1.0)),
        may("matcapFactor", COLOUR),
        may("matcapTexture", Is::Object(&TEXTURE_INFO)),
        may("parametricRimColorFactor", COLOUR),
        may("rimMultiplyTexture", Is::Object(&TEXTURE_INFO)),
        may("rimLightingMixFactor", Is::Number(0.0, 1.0)),
        may("parametricRimFresnelPowerFactor", Is::Number(0.0, ANY)),
        may("parametricRimLiftFactor", Is::Number(-ANY, ANY)),
        may("outlineWidthMode", Is::Word(&["none", "worldCoordinates", "screenCoordinates"])),
        may("outlineWidthFactor", Is::Number(0.0, ANY)),
        may("outlineWidthMultiplyTexture", Is::Object(&TEXTURE_INFO)),
        may("outlineColorFactor", COLOUR),
        may("outlineLightingMixFactor", Is::Number(0.0, 1.0)),
        may("uvAnimationMaskTexture", Is::Object(&TEXTURE_INFO)),
        may("uvAnimationScrollXSpeedFactor", Is::Number(-ANY, ANY)),
        may("uvAnimationScrollYSpeedFactor", Is::Number(-ANY, ANY)),
        may("uvAnimationRotationSpeedFactor", Is::Number(-ANY, ANY)),
    ],
);
