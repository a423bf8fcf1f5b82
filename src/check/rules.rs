//! The rules, each with a stable id.
//!
//! The ids are part of the program's interface: pipelines filter by them, so
//! an id is never renamed and never given to another rule.

use std::fmt;

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The file breaks a rule, or an engine that people use will fail on it.
    Error,
    /// Legal, and probably not what was meant.
    Warning,
}

/// What the Khronos glTF validator says of the same fault. The harness holds
/// the two checkers against each other by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Khronos {
    /// It reports an error.
    Error,
    /// It reports a warning, an information or a hint.
    Note,
    /// It sees nothing.
    Blind,
}

/// A rule that files are checked against.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// The stable id, `<area>.<rule>`.
    pub id: &'static str,
    /// How much a finding of this rule matters.
    pub severity: Severity,
    /// What the Khronos glTF validator says.
    pub khronos: Khronos,
    /// The rule in one sentence.
    pub about: &'static str,
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id)
    }
}

macro_rules! rules {
    ($($name:ident = $id:literal, $severity:ident, $khronos:ident, $about:literal;)*) => {
        $(pub(super) static $name: Rule = Rule {
            id: $id,
            severity: Severity::$severity,
            khronos: Khronos::$khronos,
            about: $about,
        };)*

        /// Every rule, area by area.
        pub static RULES: &[&Rule] = &[$(&$name),*];
    };
}

rules! {
    // The file itself, for the command line.
    FILE = "file.unreadable", Error, Blind, "The file can be read.";

    // The container and its JSON.
    GLB = "glb.container", Error, Error, "The container has a header, a JSON chunk and perhaps a binary chunk, whole and aligned.";
    GLB_JSON = "glb.json", Error, Error, "The JSON chunk is one JSON object in UTF-8, padded with spaces.";
    GLB_KEY_TWICE = "glb.key-twice", Error, Blind, "No object of the JSON has a key twice, since readers disagree about which one counts.";
    GLB_TOO_MUCH = "glb.too-much", Error, Blind, "The document asks for no more memory or work than files of its size do.";
    GLB_BIN = "glb.bin-length", Error, Error, "The binary chunk is as long as the first buffer says.";
    GLB_BIN_EXTRA = "glb.bin-extra", Error, Note, "The binary chunk ends at most seven bytes after the first buffer.";
    GLB_CHUNK = "glb.chunk-unknown", Warning, Note, "Chunks after the two are for extensions, and most readers drop them.";

    // Properties by the specification's schema.
    JSON_MISSING = "json.missing", Error, Error, "A property that the specification requires is there.";
    JSON_TYPE = "json.type", Error, Error, "A property has the type that the specification gives it.";
    JSON_RANGE = "json.range", Error, Error, "A number lies in the range that the specification gives it.";
    JSON_LENGTH = "json.length", Error, Error, "A list has a length that the specification allows.";
    JSON_EMPTY = "json.empty", Error, Error, "Lists and objects that would be empty are left out.";
    JSON_TWICE = "json.twice", Error, Error, "A list of references or names has none twice.";
    JSON_WORD = "json.value-unknown", Error, Note, "A property with a fixed set of values has one of them.";
    JSON_KEY = "json.key-unknown", Warning, Note, "An object has no properties that the specification does not know.";
    JSON_FLOAT = "json.integer-as-float", Error, Blind, "Whole numbers are written without a fraction where the specification asks for integers.";
    JSON_REFERENCE = "json.reference", Error, Error, "An index refers to something that is there.";
    JSON_NEEDS = "json.needs", Error, Error, "A property is there when another one needs it.";
    JSON_ONE_OF = "json.one-of", Error, Error, "Exactly one of two properties is there.";
    JSON_EXTRAS = "json.extras", Warning, Note, "Extras are best an object.";
    ASSET_VERSION = "asset.version", Error, Error, "The asset's version is 2.0, and minVersion is no higher.";

    ASSET_MINOR = "asset.minor-version", Warning, Note, "The asset's version is one that there is.";

    // Extensions.
    EXT_UNDECLARED = "extension.undeclared", Error, Error, "An extension that is used stands in extensionsUsed.";
    EXT_REQUIRED = "extension.required-unused", Error, Error, "What extensionsRequired lists stands in extensionsUsed, too.";
    EXT_OPTIONAL = "extension.cannot-be-optional", Error, Error, "An extension without which the file cannot be read is required.";
    EXT_PLACE = "extension.place", Error, Error, "An extension stands on the objects it is made for.";
    EXT_NAME = "extension.name", Error, Note, "An extension's name begins with a prefix in capital letters.";
    EXT_UNKNOWN = "extension.not-checked", Warning, Note, "The content of this extension is not looked into.";
    EXT_UNUSED = "extension.unused", Warning, Note, "A declared extension is used somewhere.";

    // Buffers and views.
    BUFFER_MISSING = "buffer.missing-data", Error, Error, "The first buffer, when it has no uri, has its binary chunk.";
    BUFFER_NO_DATA = "buffer.no-data", Error, Blind, "A buffer that is not the first has a uri, or an extension that stands for its bytes.";
    BUFFER_URI = "buffer.data-uri", Warning, Note, "A GLB has its bytes in its binary chunk.";
    BUFFER_EXTERNAL = "buffer.external", Error, Error, "A GLB carries its bytes itself; what lies elsewhere cannot be checked.";
    BUFFER_URI_BAD = "buffer.uri-invalid", Error, Error, "A data URI says what it is and is whole.";
    VIEW_RANGE = "view.range", Error, Error, "A buffer view lies inside its buffer.";
    VIEW_STRIDE = "view.stride", Error, Error, "byteStride is a multiple of 4, no longer than the view, and only on views of vertex data.";
    VIEW_USE = "view.use", Error, Error, "A buffer view serves one purpose, the one its target says.";
    VIEW_TARGET = "view.target", Warning, Note, "Views of vertices and indices say so with target.";
    VIEW_OFFSET_ALONE = "view.offset-without-view", Error, Blind, "byteOffset of a sparse accessor stands only beside a bufferView.";

    // Accessors.
    ACCESSOR_ALIGN = "accessor.alignment", Error, Error, "Elements begin at multiples of their components' size.";
    ACCESSOR_RANGE = "accessor.range", Error, Error, "All elements of an accessor lie inside its buffer view.";
    ACCESSOR_NORMALIZED = "accessor.normalized", Error, Error, "Only bytes and shorts are normalized.";
    ACCESSOR_USE = "accessor.use", Error, Error, "An accessor serves one purpose.";
    ACCESSOR_FINITE = "accessor.finite", Error, Error, "Floats are finite.";
    ACCESSOR_BOUNDS = "accessor.bounds", Error, Error, "min and max are those of the stored elements, after substitution.";
    ACCESSOR_BOUNDS_TYPE = "accessor.bounds-value", Error, Error, "min and max are values that the component type can hold.";
    ACCESSOR_BOUNDS_MISSING = "accessor.bounds-missing", Error, Error, "Positions and key times have min and max.";
    ACCESSOR_NO_BYTES = "accessor.no-bytes", Warning, Blind, "An accessor has a bufferView or sparse; several importers fail without.";
    ACCESSOR_ZEROS = "accessor.zeros", Error, Blind, "An accessor without bytes, which is all zeros, is of use as such.";
    SPARSE_COUNT = "sparse.count", Error, Error, "A sparse accessor substitutes no more elements than there are.";
    SPARSE_ORDER = "sparse.order", Error, Error, "Sparse indices rise and stay below the accessor's count.";

    // Nodes and scenes.
    NODE_LOOP = "node.loop", Error, Error, "No node is its own ancestor.";
    NODE_PARENTS = "node.parents", Error, Error, "A node has one parent at most.";
    NODE_MATRIX = "node.matrix", Error, Error, "A node has a matrix or TRS, and the matrix can be taken apart into TRS.";
    NODE_ROTATION = "node.rotation", Error, Error, "A rotation is a unit quaternion.";
    NODE_EMPTY = "node.empty", Warning, Note, "A node carries something.";
    NODE_SKIN_MOVED = "node.skinned-mesh-moved", Error, Note, "A node with a skinned mesh has no transform of its own, since it counts for nothing.";
    NODE_SKIN_PLACE = "node.skinned-mesh-not-root", Warning, Note, "A node with a skinned mesh is a root of its scene, since its parents count for nothing.";
    NODE_SKIN_JOINT = "node.skinned-mesh-under-joint", Error, Note, "A node with a skinned mesh is not under a joint; engines disagree about what that means.";
    NODE_SKIN_MISSING = "node.mesh-without-skin", Error, Note, "A mesh with joints and weights has a skin.";
    NODE_SKIN_UNUSABLE = "node.skin-without-weights", Error, Error, "A mesh with a skin has joints and weights.";
    NODE_SKIN_SCENE = "node.joints-not-in-scene", Error, Error, "The joints of a skinned mesh are in the scene that shows it.";
    SCENE_ROOT = "scene.root", Error, Error, "The nodes that a scene lists have no parents.";
    NAME_MESH_JOINT = "name.mesh-as-joint", Error, Blind, "No mesh and no node of a mesh has a joint's name, since players bind clips by name.";
    NAME_SCENE_JOINT = "name.scene-as-joint", Error, Blind, "No scene has a joint's name, since loaders rename the joint then.";
    NAME_SUFFIX = "name.suffix-taken", Error, Blind, "A mesh of several primitives leaves the names <mesh>_1, <mesh>_2 free, which loaders give to its parts.";
    NAME_JOINT_TWICE = "name.joint-twice", Error, Blind, "No two joints of a skin share a name.";

    // Skins.
    SKIN_SECOND = "skin.second-unused", Error, Blind, "Beside a skin that is used there is none that is not.";
    SKIN_ROOT = "skin.skeleton", Error, Error, "The joints have one root in common, and skeleton is above all of them.";
    SKIN_IBM = "skin.inverse-bind-matrices", Error, Error, "There is a 4x4 matrix of floats for each joint, packed, with 0, 0, 0, 1 as its last row.";
    SKIN_SCALE = "skin.joint-scale", Error, Blind, "No joint is mirrored or flattened by its scale.";

    // Meshes.
    MESH_ATTRIBUTE = "mesh.attribute-name", Error, Error, "Attributes have names that glTF knows, or begin with an underscore.";
    MESH_SETS = "mesh.attribute-sets", Error, Error, "Numbered attributes begin at 0 without gaps, and joints come with weights.";
    MESH_FORMAT = "mesh.attribute-format", Error, Error, "Attributes have the types that glTF gives them.";
    MESH_ALIGN = "mesh.attribute-alignment", Error, Error, "Vertex attributes begin at multiples of 4 bytes.";
    MESH_SHARED_VIEW = "mesh.stride-missing", Error, Error, "A view that several vertex attributes share has a byteStride.";
    MESH_COUNT = "mesh.attribute-count", Error, Error, "All attributes of a primitive have as many elements.";
    MESH_NO_POSITION = "mesh.no-position", Error, Note, "A primitive has positions.";
    MESH_NO_NORMAL = "mesh.tangent-without-normal", Error, Note, "Tangents come with normals.";
    MESH_NO_TANGENT = "mesh.no-tangents", Warning, Note, "A normal map comes with tangents, since engines make them differently.";
    MESH_MODE = "mesh.mode-count", Error, Note, "The number of vertices or indices fits the mode.";
    MESH_DEGENERATE = "mesh.degenerate-triangles", Warning, Note, "Triangles have three different vertices.";
    MESH_UVS = "mesh.texture-without-uvs", Error, Error, "Each texture finds the UVs it names.";
    MESH_UNIT = "mesh.unit-vector", Error, Error, "Normals and tangents have length 1, and a tangent's sign is 1 or -1.";
    MESH_COLOUR = "mesh.colour-range", Error, Error, "Vertex colours lie between 0 and 1.";
    INDEX_FORMAT = "index.format", Error, Error, "Indices are packed scalars of u8, u16 or u32.";
    INDEX_RANGE = "index.range", Error, Error, "Indices stay below the number of vertices.";
    INDEX_RESTART = "index.restart", Error, Error, "The largest value of the index type is not used as an index.";
    INDEX_ORDER = "index.view-order", Error, Blind, "Index views follow each other in the primitives' order, since an importer joins them.";
    WEIGHT_JOINT = "weights.joint-range", Error, Error, "Joint indices stay below the number of the skin's joints.";
    WEIGHT_TWICE = "weights.joint-twice", Error, Error, "A vertex has weights of one joint only once.";
    WEIGHT_UNUSED = "weights.unused-joint", Error, Note, "A joint of weight 0 has index 0.";
    WEIGHT_SUM = "weights.sum", Error, Error, "A vertex' weights sum to 1.";
    WEIGHT_NEGATIVE = "weights.negative", Error, Error, "Weights are not negative.";

    // Morph targets.
    MORPH_COUNT = "morph.count", Error, Error, "All primitives of a mesh have as many targets.";
    MORPH_WEIGHTS = "morph.weights", Error, Error, "There is one default weight per target.";
    MORPH_BASE = "morph.base", Error, Error, "A target moves attributes that its primitive has, one delta per vertex.";
    MORPH_NAMES = "morph.names", Error, Blind, "targetNames has one text per target.";
    MORPH_NAME_TWICE = "morph.name-twice", Error, Blind, "No two targets of a mesh share a name.";
    MORPH_COMPONENTS = "morph.mixed-components", Warning, Blind, "All targets of a mesh have one component type.";

    // Animations.
    ANIM_TARGET = "animation.target", Error, Error, "A channel moves something that is there, and no other channel moves it.";
    ANIM_SKINNED = "animation.target-skinned-mesh", Error, Note, "A channel does not move a node whose skin makes that count for nothing.";
    ANIM_INPUT = "animation.input", Error, Error, "Key times are packed float scalars with bounds.";
    ANIM_TIMES = "animation.times", Error, Error, "Key times are not negative and rise.";
    ANIM_OUTPUT = "animation.output", Error, Error, "Key values have the type and the number that their path and interpolation ask for.";
    ANIM_QUATERNION = "animation.quaternion", Error, Error, "Rotation keys are unit quaternions.";
    ANIM_HEMISPHERE = "animation.hemisphere", Error, Blind, "A rotation key is not the negative of its way round, which makes some engines turn the long way.";

    // Materials, textures and images.
    MATERIAL_CUTOFF = "material.cutoff-without-mask", Error, Note, "alphaCutoff stands only with alphaMode MASK.";
    IMAGE_FORMAT = "image.format", Error, Note, "An image is a PNG or a JPEG.";
    IMAGE_MIME = "image.mime-type", Error, Error, "mimeType is that of the image's bytes.";
    IMAGE_DAMAGED = "image.damaged", Error, Error, "An image's bytes can be read.";
    IMAGE_TAIL = "image.damaged-data", Error, Blind, "An image is whole to its end.";

    // The export profile, in files that say they follow it.
    PROFILE_BLOCK = "profile.block", Error, Blind, "asset.extras.dramatis is as the profile's schema and prose say.";
    PROFILE_COPYRIGHT = "profile.copyright", Error, Blind, "asset.copyright repeats the licence entries on one line.";
    PROFILE_VRM = "profile.vrm", Error, Blind, "A VRM has the ue naming and the T-pose.";
    PROFILE_FILE = "profile.file", Error, Blind, "One scene, no required extension, nothing outside the file.";
    PROFILE_SKIN = "profile.skin", Error, Blind, "There is one skin, named skeleton, with its root joint and inverse bind matrices.";
    PROFILE_JOINTS = "profile.joints", Error, Blind, "The joints are the 65 of the declared naming, in the profile's order, under their parents.";
    PROFILE_JOINT_PLAIN = "profile.joint-plain", Error, Blind, "A joint has translation and rotation only, and joints as children.";
    PROFILE_SCENE = "profile.scene", Error, Blind, "The scene's top nodes are the root joint and the mesh nodes, and there are no other nodes.";
    PROFILE_MESH_NODE = "profile.mesh-node", Error, Blind, "A mesh has one node, with its name, the skin and nothing else.";
    PROFILE_MESH_NAME = "profile.mesh-name", Error, Blind, "Meshes have the profile's names, once each and in its order, and body is one of them.";
    PROFILE_PRIMITIVE = "profile.primitive", Error, Blind, "Primitives are indexed triangles with positions, normals, one set of joints and of weights.";
    PROFILE_MATERIAL = "profile.material-name", Error, Blind, "A mesh's material has the mesh's name.";
    PROFILE_WEIGHTS = "profile.weights", Error, Blind, "Joints are bytes or shorts, weights floats, and neither the root nor a leaf has weight.";
    PROFILE_REST = "profile.rest-pose", Error, Blind, "The joints rest in UAL's frames, arms along X, toes forward, the root at the origin.";
    PROFILE_BIND = "profile.bind", Error, Blind, "Inverse bind matrices undo the joints' rest pose.";
    PROFILE_FLOOR = "profile.floor", Error, Blind, "The lowest vertex is at y = 0 within a millimetre.";
    PROFILE_UNITS = "profile.face-units", Error, Blind, "Targets are face units (or the declared other names), in order, and faceUnits lists exactly those.";
    PROFILE_DELTAS = "profile.deltas", Error, Blind, "A target moves something, by a distance that a face can move, and its default weight is 0.";

    PROFILE_VRM_BONES = "profile.vrm-bones", Error, Blind, "All 52 human bones are on the profile's joints.";
    PROFILE_VRM_FACE = "profile.vrm-face", Error, Blind, "Presets and look-at are there and even, and every shape is driven on all meshes that have it.";
    PROFILE_VRM_FIRST_PERSON = "profile.vrm-first-person", Error, Blind, "What is in or on the head is third person only, the body is not.";
    PROFILE_VRM_META = "profile.vrm-meta", Error, Blind, "The meta tells the licences as the file does, and grants what they grant.";

    // VRM 1.0, in files with VRMC_vrm.
    VRM_FILE = "vrm.file", Error, Blind, "A file named .vrm has VRMC_vrm (or VRM 0.x), which is not a required extension.";
    VRM_NAME = "vrm.file-name", Error, Blind, "The name of a file with VRMC_vrm ends in .vrm.";
    VRM_SPEC = "vrm.spec-version", Error, Blind, "VRMC_vrm is of version 1.0.";
    VRM_SCHEMA = "vrm.schema", Error, Blind, "VRMC_vrm has the properties that its schema gives it.";
    VRM_META = "vrm.meta", Error, Blind, "The meta has a name, authors none of whom is blank, and VRM's own licence URL to the letter.";
    VRM_THUMBNAIL = "vrm.thumbnail", Error, Blind, "The thumbnail is a square PNG or JPEG of the file.";
    VRM_LICENCES = "vrm.licences", Warning, Blind, "What the licence block lists is told in copyrightInformation and thirdPartyLicenses, too.";
    VRM_PERMISSIONS = "vrm.permissions", Error, Blind, "No permission is wider than the assets' licences.";
    VRM_BONES = "vrm.bones", Error, Blind, "The 15 bones that VRM requires are there, and no unknown ones.";
    VRM_HIERARCHY = "vrm.hierarchy", Error, Blind, "Each human bone is a node of its own, under the bone that VRM puts it under.";
    VRM_SCALE = "vrm.scale", Error, Blind, "Scales are positive and the same along all axes.";
    VRM_PRESETS = "vrm.preset-names", Error, Blind, "Expressions are presets, or custom ones without a preset's name.";
    VRM_BINDS = "vrm.binds", Error, Blind, "A bind moves a target that every primitive of its node's mesh has.";
    VRM_LOOK_AT = "vrm.lookat", Error, Blind, "A look-at has what it drives: eye bones, or the four look expressions.";
    VRM_LOOK_DIRECTION = "vrm.look-direction", Error, Blind, "The look expressions turn the eyes the way they say; left is +X.";
    VRM_RANGE_MAPS = "vrm.range-maps", Error, Blind, "Range maps reach an output above 0, for expressions at most 1, at an angle above 0.";
    VRM_LOOK_OFFSET = "vrm.lookat-offset", Warning, Blind, "offsetFromHeadBone is near the head.";
    VRM_FIRST_PERSON = "vrm.first-person", Error, Blind, "A mesh annotation is about a node with a mesh, and there is one per node.";
    VRM_UNUSED = "vrm.unused", Warning, Blind, "A VRM has no animations, cameras or tangents, which its readers do not use.";
    VRM_GROUNDED = "vrm.grounded", Warning, Blind, "The soles stand at y = 0.";
    POSE_UPRIGHT = "pose.upright", Error, Blind, "The head rests above the hips, and the hips above the feet.";
    POSE_FACING = "pose.facing", Error, Blind, "The model faces +Z, its left at +X.";
    POSE_ARMS = "pose.arms", Error, Blind, "The arms rest along X.";
    POSE_SYMMETRIC = "pose.symmetric", Warning, Blind, "Left and right rest at the same height and distance.";
    POSE_FEET = "pose.feet", Warning, Blind, "The feet point along Z.";
    POSE_FINGERS = "pose.fingers", Warning, Blind, "The four fingers rest along X.";
    POSE_PALMS = "pose.palms", Warning, Blind, "The palms look down: the index fingers are in front of the little ones.";
    POSE_THUMB = "pose.thumb", Warning, Blind, "The thumbs rest between X and +Z.";

    // Anything.
    UNUSED = "object.unused", Warning, Note, "Every object is used by something.";
}
