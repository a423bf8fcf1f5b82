//! The parts of a character: one mesh each, with a fixed name and order.

/// A part of the character. The order of the variants is the order of the
/// meshes in a file.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum PartKind {
    /// The skin, with what garments cover removed.
    Body,
    /// Both eyeballs.
    Eyes,
    /// The eyelashes.
    Eyelashes,
    /// The teeth.
    Teeth,
    /// The tongue.
    Tongue,
    /// The eyebrows.
    Brows,
    /// The beard.
    Beard,
    /// The hair, whichever kind.
    Hair,
    /// One worn garment; a character may wear several.
    Garment,
}

/// What a garment's mesh name begins with.
const GARMENT_PREFIX: &str = "garment_";

impl PartKind {
    /// Every kind, in the order of the meshes.
    pub const ALL: [PartKind; 9] = [
        PartKind::Body,
        PartKind::Eyes,
        PartKind::Eyelashes,
        PartKind::Teeth,
        PartKind::Tongue,
        PartKind::Brows,
        PartKind::Beard,
        PartKind::Hair,
        PartKind::Garment,
    ];

    /// The whole name of the mesh, or `None` for a garment, whose name also
    /// has its asset's.
    pub fn fixed_name(self) -> Option<&'static str> {
        Some(match self {
            PartKind::Body => "body",
            PartKind::Eyes => "eyes",
            PartKind::Eyelashes => "eyelashes",
            PartKind::Teeth => "teeth",
            PartKind::Tongue => "tongue",
            PartKind::Brows => "brows",
            PartKind::Beard => "beard",
            PartKind::Hair => "hair",
            PartKind::Garment => return None,
        })
    }
}

/// The name that the part's node, mesh and material share. `asset` is the
/// asset's bare name (`toigo_harem_pants`) and matters for garments only.
pub fn mesh_name(kind: PartKind, asset: &str) -> String {
    match kind.fixed_name() {
        Some(name) => name.to_owned(),
        None => format!("{GARMENT_PREFIX}{}", safe_name(asset)),
    }
}

/// Whether a mesh may have this name.
pub fn is_mesh_name(name: &str) -> bool {
    parse_mesh_name(name).is_some()
}

/// The kind that a mesh name stands for, with a garment's asset name (empty
/// for the other kinds), or `None` when it is no mesh name. The answers sort
/// as the meshes of a file do, because the names are ASCII and their bytes
/// are therefore their code units.
pub fn parse_mesh_name(name: &str) -> Option<(PartKind, &str)> {
    if let Some(kind) = PartKind::ALL.into_iter().find(|kind| kind.fixed_name() == Some(name)) {
        return Some((kind, ""));
    }
    let asset = name.strip_prefix(GARMENT_PREFIX)?;
    let safe = !asset.is_empty() && asset.chars().all(is_safe);
    safe.then_some((PartKind::Garment, asset))
}

/// The name with every character outside `[A-Za-z0-9_]` turned into `_`, and
/// `_` for an empty name. Two names may become the same one (`a-b` and
/// `a_b`), so a caller that needs them apart has to compare the results.
pub fn safe_name(name: &str) -> String {
    if name.is_empty() {
        return "_".to_owned();
    }
    name.chars().map(|c| if is_safe(c) { c } else { '_' }).collect()
}

/// Whether a node's or a mesh's name may have this character.
fn is_safe(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_the_profiles() {
        let names: Vec<String> =
            PartKind::ALL.iter().map(|&kind| mesh_name(kind, "toigo_harem_pants")).collect();
        assert_eq!(
            names.join(" "),
            "body eyes eyelashes teeth tongue brows beard hair garment_toigo_harem_pants"
        );
        assert!(PartKind::ALL.is_sorted());
        assert!(names.iter().map(|name| parse_mesh_name(name)).is_sorted());
    }

    #[test]
    fn garments_sort_by_code_units() {
        let mut names = ["garment_a", "hair", "garment__", "garment_Z", "garment_10", "body"];
        names.sort_by_key(|name| parse_mesh_name(name));
        assert_eq!(names, ["body", "hair", "garment_10", "garment_Z", "garment__", "garment_a"]);
    }

    #[test]
    fn any_asset_name_makes_a_mesh_name() {
        for (asset, expected) in [
            ("tee", "garment_tee"),
            ("harem-pants 2", "garment_harem_pants_2"),
            ("", "garment__"),
            ("Überrock/é", "garment__berrock__"),
            ("帽子", "garment___"),
        ] {
            let name = mesh_name(PartKind::Garment, asset);
            assert_eq!(name, expected);
            assert!(is_mesh_name(&name), "{name}");
        }
    }

    #[test]
    fn other_names_are_refused() {
        for name in
            ["", "Body", "garment_", "garment", "garment_a-b", "shoes", "body_2", "garment_é"]
        {
            assert!(!is_mesh_name(name), "{name}");
        }
    }
}
