//! Extensions: declared, required where they must be, on the right objects.

use std::collections::BTreeSet;

use super::context::{Check, key_in_path};
use super::schema::{EXTENSIONS, Extension};
use super::{document, rules};
use crate::glb::reader::Json;

/// The compressions that keep an accessor's bytes to themselves.
const COMPRESSED_VIEWS: [&str; 2] = ["EXT_meshopt_compression", "KHR_meshopt_compression"];

/// Extensions that other passes look into, or that have no content.
const CHECKED_ELSEWHERE: [&str; 2] = ["KHR_mesh_quantization", "VRMC_vrm"];

/// Checks the extensions of the whole document.
pub fn run(check: &mut Check<'_, '_>) {
    let root = check.root();
    let names =
        |key: &str| -> BTreeSet<&str> { root.list(key).iter().filter_map(Json::as_str).collect() };
    let (declared, required) = (names("extensionsUsed"), names("extensionsRequired"));
    lists(check, &declared, &required);

    let mut used = BTreeSet::new();
    visit(check, "$", root, "glTF", &declared, &mut used);
    for (i, name) in root.list("extensionsUsed").iter().enumerate() {
        let Some(name) = name.as_str() else { continue };
        // Some extensions are a promise about the file and stand nowhere.
        let everywhere = known(name).is_some_and(|extension| extension.places.is_empty());
        if !used.contains(name) && !everywhere {
            let at = format!("$.extensionsUsed[{i}]");
            check.add(&rules::EXT_UNUSED, at, format!("{name}, which nothing has"), "a use of it");
        }
    }
    compressed(check);
}

fn known(name: &str) -> Option<&'static Extension> {
    EXTENSIONS.iter().find(|extension| extension.name == name)
}

/// The two lists of names.
fn lists(check: &mut Check<'_, '_>, declared: &BTreeSet<&str>, required: &BTreeSet<&str>) {
    let root = check.root();
    for (i, name) in root.list("extensionsRequired").iter().enumerate() {
        let Some(name) = name.as_str() else { continue };
        if !declared.contains(name) {
            let at = format!("$.extensionsRequired[{i}]");
            check.add(&rules::EXT_REQUIRED, at, name, "a name of extensionsUsed");
        }
    }
    for (i, name) in root.list("extensionsUsed").iter().enumerate() {
        let Some(name) = name.as_str() else { continue };
        let at = || format!("$.extensionsUsed[{i}]");
        match known(name) {
            Some(extension) if extension.never_optional && !required.contains(name) => {
                check.add(&rules::EXT_OPTIONAL, at(), name, "it in extensionsRequired, too");
            }
            Some(extension) if extension.shape.is_none() && !CHECKED_ELSEWHERE.contains(&name) => {
                check.add(&rules::EXT_UNKNOWN, at(), name, "an extension that is looked into");
            }
            Some(_) => {}
            None => {
                let prefix = name.split_once('_').map_or("", |(prefix, _)| prefix);
                let plain = |b: u8| b.is_ascii_uppercase() || b.is_ascii_digit();
                if name != "VRM" && (prefix.is_empty() || !prefix.bytes().all(plain)) {
                    check.add(&rules::EXT_NAME, at(), name, "a prefix in capital letters");
                }
                check.add(&rules::EXT_UNKNOWN, at(), name, "an extension that is looked into");
            }
        }
    }
}

/// The kind of object that a property holds, by the key it stands under.
fn kind_under(key: &str, parent: &str) -> &'static str {
    match (parent, key) {
        ("glTF", "asset") => "asset",
        ("glTF", "scenes") => "scene",
        ("glTF", "nodes") => "node",
        ("glTF", "meshes") => "mesh",
        ("glTF", "skins") => "skin",
        ("glTF", "animations") => "animation",
        ("glTF", "materials") => "material",
        ("glTF", "textures") => "texture",
        ("glTF", "samplers") => "sampler",
        ("glTF", "images") => "image",
        ("glTF", "cameras") => "camera",
        ("glTF", "accessors") => "accessor",
        ("glTF", "bufferViews") => "bufferView",
        ("glTF", "buffers") => "buffer",
        ("mesh", "primitives") => "primitive",
        (_, key) if key.ends_with("Texture") => "textureInfo",
        _ => "other",
    }
}

/// Looks at the extensions of an object and of all objects in it.
fn visit(
    check: &mut Check<'_, '_>,
    at: &str,
    value: &Json<'_>,
    kind: &'static str,
    declared: &BTreeSet<&str>,
    used: &mut BTreeSet<String>,
) {
    for (i, item) in value.items().iter().enumerate() {
        // Lists of plain numbers are long and hold nothing.
        if matches!(item, Json::Object(_) | Json::List(_)) {
            visit(check, &format!("{at}[{i}]"), item, kind, declared, used);
        }
    }
    for (key, value) in value.members().unwrap_or(&[]) {
        match key.as_ref() {
            // Anyone's data may look like glTF without being it.
            "extras" => {}
            "extensions" => {
                for (name, value) in value.members().unwrap_or(&[]) {
                    let at = format!("{at}.extensions.{}", key_in_path(name));
                    used.insert(name.to_string());
                    one(check, &at, name, value, kind, declared);
                    // Materials' extensions hold texture infos with
                    // extensions of their own.
                    visit(check, &at, value, "extension", declared, used);
                }
            }
            _ if matches!(value, Json::Object(_) | Json::List(_)) => {
                let kind = kind_under(key, kind);
                visit(check, &format!("{at}.{}", key_in_path(key)), value, kind, declared, used);
            }
            _ => {}
        }
    }
}

fn one(
    check: &mut Check<'_, '_>,
    at: &str,
    name: &str,
    value: &Json<'_>,
    kind: &str,
    declared: &BTreeSet<&str>,
) {
    if !declared.contains(name) {
        let expected = format!("{name} in extensionsUsed");
        check.add(&rules::EXT_UNDECLARED, at, "an extension that is not declared", expected);
    }
    let Some(extension) = known(name) else { return };
    if !extension.places.contains(&kind) {
        let expected = match extension.places {
            [] => "no object with it".into(),
            places => format!("it on a {}", places.join(" or ")),
        };
        check.add(&rules::EXT_PLACE, at, format!("it on another object ({kind})"), expected);
        return;
    }
    match extension.shape {
        Some(shape) if value.members().is_some() => {
            // The Khronos validator does not look into VRM's extensions.
            check.in_vrm = name.starts_with("VRM");
            document::object(check, at, value, shape);
            check.in_vrm = false;
        }
        _ => {}
    }
}

/// Accessors whose bytes a compression holds cannot be read here.
fn compressed(check: &mut Check<'_, '_>) {
    let packed: BTreeSet<usize> = check
        .list("bufferViews")
        .iter()
        .enumerate()
        .filter(|(_, view)| {
            let has = |name: &str| view.get("extensions").is_some_and(|e| e.get(name).is_some());
            COMPRESSED_VIEWS.iter().any(|name| has(name))
        })
        .map(|(i, _)| i)
        .collect();
    for (i, accessor) in check.list("accessors").iter().enumerate() {
        let view = accessor.get("bufferView").and_then(Json::as_index);
        if view.is_some_and(|view| packed.contains(&view)) {
            check.elsewhere.insert(i);
        }
    }
    let draco = "KHR_draco_mesh_compression";
    for mesh in check.list("meshes") {
        for primitive in mesh.list("primitives") {
            if primitive.get("extensions").and_then(|e| e.get(draco)).is_none() {
                continue;
            }
            let attributes = primitive.get("attributes").and_then(Json::members).unwrap_or(&[]);
            let accessors =
                attributes.iter().map(|(_, value)| value).chain(primitive.get("indices"));
            for index in accessors.filter_map(Json::as_index) {
                let accessor = check.list("accessors").get(index);
                if accessor.is_some_and(|a| a.get("bufferView").is_none()) {
                    check.elsewhere.insert(index);
                }
            }
        }
    }
}
