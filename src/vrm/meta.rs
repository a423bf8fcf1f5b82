//! `meta` (VRM 1.0, "meta"): who made it and what one may do with it.

use serde::Serialize;

use super::VrmOptions;
use crate::character::Character;
use crate::profile::{Licence, copyright_line};

/// The only licence that VRM 1.0 files may name as theirs.
const LICENSE_URL: &str = "https://vrm.dev/licenses/1.0/";

/// `VRMC_vrm.meta` in the schema's order.
#[derive(Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Meta {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<String>,
    authors: Vec<String>,
    copyright_information: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    references: Vec<String>,
    third_party_licenses: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    thumbnail_image: Option<usize>,
    license_url: &'static str,
    #[serde(flatten)]
    permissions: Permissions,
    #[serde(skip_serializing_if = "Option::is_none")]
    other_license_url: Option<String>,
}

/// What the assets' licences allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Permissions {
    avatar_permission: &'static str,
    allow_excessively_violent_usage: bool,
    allow_excessively_sexual_usage: bool,
    commercial_usage: &'static str,
    allow_political_or_religious_usage: bool,
    allow_antisocial_or_hate_usage: bool,
    credit_notation: &'static str,
    allow_redistribution: bool,
    modification: &'static str,
}

impl Permissions {
    /// Everything, as CC0 grants it.
    const WIDEST: Permissions = Permissions {
        avatar_permission: "everyone",
        allow_excessively_violent_usage: true,
        allow_excessively_sexual_usage: true,
        commercial_usage: "corporation",
        allow_political_or_religious_usage: true,
        allow_antisocial_or_hate_usage: true,
        credit_notation: "unnecessary",
        allow_redistribution: true,
        modification: "allowModificationRedistribution",
    };
    /// What VRM takes a file to grant that says nothing.
    const NARROWEST: Permissions = Permissions {
        avatar_permission: "onlyAuthor",
        allow_excessively_violent_usage: false,
        allow_excessively_sexual_usage: false,
        commercial_usage: "personalNonProfit",
        allow_political_or_religious_usage: false,
        allow_antisocial_or_hate_usage: false,
        credit_notation: "required",
        allow_redistribution: false,
        modification: "prohibited",
    };
}

/// What licences allow together (design, decision 8): CC0 everything; CC BY
/// everything but to leave out the credit, with NC no commerce and with ND no
/// changes; and of licences that are not known nothing may be promised.
pub fn permissions_of(licences: &[Licence]) -> Permissions {
    let mut all = Permissions::WIDEST;
    for entry in licences {
        let id = entry.licence.trim().to_ascii_uppercase().replace([' ', '_'], "-");
        if id.starts_with("CC0") {
            continue;
        }
        if !entry.needs_attribution() {
            return Permissions::NARROWEST;
        }
        all.credit_notation = "required";
        let has = |word: &str| id.split('-').any(|part| part == word);
        if has("NC") {
            all.commercial_usage = "personalNonProfit";
        }
        if has("ND") {
            all.modification = "prohibited";
        }
    }
    all
}

/// The meta block, and what a user should know of it.
pub fn meta(
    character: &Character,
    options: &VrmOptions,
    image: Option<usize>,
) -> (Meta, Option<String>) {
    let licences = &character.licences;
    let (authors, told) = authors_of(character);
    let mut references: Vec<String> = Vec::new();
    for entry in licences.iter().filter(|entry| !entry.source.trim().is_empty()) {
        if !references.contains(&entry.source) {
            references.push(entry.source.clone());
        }
    }
    let meta = Meta {
        // A name may be empty in a spec; in a VRM it is what lists show.
        name: match character.name.trim() {
            "" => "Character".into(),
            name => name.into(),
        },
        version: options.version.clone(),
        authors,
        copyright_information: copyright_line(licences),
        references,
        third_party_licenses: third_party(licences),
        thumbnail_image: image,
        license_url: LICENSE_URL,
        permissions: permissions_of(licences),
        other_license_url: licences.first().map(|entry| entry.licence_url.clone()),
    };
    (meta, told)
}

/// Each asset on a line of its own, credits word for word.
fn third_party(licences: &[Licence]) -> String {
    let lines: Vec<String> = licences
        .iter()
        .map(|entry| {
            let Licence { title, author, licence, licence_url, .. } = entry;
            let credit = entry.attribution.as_ref().map_or(String::new(), |a| format!(" {a}"));
            format!("{title} by {author}: {licence} ({licence_url}){credit}")
        })
        .collect();
    lines.join("\n")
}

/// The authors that a spec names. VRM asks for one at least, none blank, so
/// those of the assets stand in for a spec that names none.
fn authors_of(character: &Character) -> (Vec<String>, Option<String>) {
    let named: Vec<String> =
        character.authors.iter().filter(|a| !a.trim().is_empty()).cloned().collect();
    if !named.is_empty() {
        return (named, None);
    }
    let mut of_assets: Vec<String> = Vec::new();
    for entry in &character.licences {
        if !entry.author.trim().is_empty() && !of_assets.contains(&entry.author) {
            of_assets.push(entry.author.clone());
        }
    }
    let told = "the spec names no `authors`; the VRM names those of its assets".to_owned();
    (of_assets, Some(told))
}
