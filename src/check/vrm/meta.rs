//! `meta`: who and under which terms.

use crate::check::context::Check;
use crate::check::profile::licences_of;
use crate::check::rules;
use crate::glb::picture::{jpeg_size, media_type};
use crate::glb::reader::Json;
use crate::vrm::permissions_of;

/// The only licence a VRM 1.0 may name as its own. three-vrm refuses a file
/// with any other text, a missing last slash included.
const LICENSE_URL: &str = "https://vrm.dev/licenses/1.0/";

/// Checks the meta block.
pub fn run(check: &mut Check<'_, '_>, at: &str, vrm: &Json<'_>) {
    let Some(meta) = vrm.get("meta") else { return };
    let text = |key: &str| meta.get(key).and_then(Json::as_str);
    if text("name").is_some_and(|name| name.trim().is_empty()) {
        check.add(&rules::VRM_META, format!("{at}.name"), "a blank name", "a name");
    }
    for (i, author) in meta.list("authors").iter().enumerate() {
        if author.as_str().is_some_and(|author| author.trim().is_empty()) {
            check.add(&rules::VRM_META, format!("{at}.authors[{i}]"), "a blank author", "a name");
        }
    }
    if let Some(url) = text("licenseUrl").filter(|url| *url != LICENSE_URL) {
        let at = format!("{at}.licenseUrl");
        check.add(&rules::VRM_META, at, format!("{url:?}"), format!("{LICENSE_URL:?}"));
    }
    thumbnail(check, &format!("{at}.thumbnailImage"), meta);
    licences(check, at, meta);
}

fn thumbnail(check: &mut Check<'_, '_>, at: &str, meta: &Json<'_>) {
    let Some((_, image)) = check.item(meta, "thumbnailImage", "images") else { return };
    let Some((_, view)) = check.item(image, "bufferView", "bufferViews") else { return };
    let number = |key: &str| view.get(key).map_or(Some(0), Json::as_index);
    let bytes = number("byteOffset")
        .zip(number("byteLength"))
        .and_then(|(offset, length)| check.glb.bin.get(offset..offset.checked_add(length)?));
    let Some(bytes) = bytes else { return };
    let side = |at: usize| {
        let b = bytes.get(at..at + 4)?;
        Some(u32::from_be_bytes([b[0], b[1], b[2], b[3]]))
    };
    let size = match media_type(bytes) {
        Some("image/png") => side(16).zip(side(20)),
        Some("image/jpeg") => jpeg_size(bytes),
        other => {
            let found = other.unwrap_or("bytes of another kind");
            check.add(&rules::VRM_THUMBNAIL, at, found, "a PNG or a JPEG");
            return;
        }
    };
    // A picture without a size is told as damaged.
    if let Some((width, height)) = size.filter(|(width, height)| width != height) {
        let found = format!("{width} x {height} pixels");
        check.add(&rules::VRM_THUMBNAIL, at, found, "a square");
    }
}

/// The licence block of an export against the meta.
fn licences(check: &mut Check<'_, '_>, at: &str, meta: &Json<'_>) {
    let block = || check.root().get("asset")?.get("extras")?.get("dramatis");
    let Some(licences) = block().and_then(licences_of) else { return };
    let text = |key: &str| meta.get(key).and_then(Json::as_str).unwrap_or_default();
    for entry in &licences {
        let told = [text("copyrightInformation"), text("thirdPartyLicenses")];
        if !told.iter().any(|text| text.contains(&entry.title)) {
            let found = format!("nothing of {:?}", entry.title);
            check.add(&rules::VRM_LICENCES, at, found, "each asset with its licence");
        }
        let credit = entry.attribution.as_deref().unwrap_or_default();
        if !text("thirdPartyLicenses").contains(credit) {
            let at = format!("{at}.thirdPartyLicenses");
            check.add(&rules::VRM_LICENCES, at, "no such line", format!("the credit {credit:?}"));
        }
    }
    // What is left out stands for the narrowest.
    let granted = serde_json::to_value(permissions_of(&licences)).unwrap_or_default();
    for (key, order) in ORDERS {
        let rank = |value: &str| order.iter().position(|word| *word == value);
        let most = granted[*key].as_str().and_then(rank);
        let found = meta.get(key).and_then(Json::as_str);
        if let (Some(found), Some(most)) = (found.and_then(rank), most)
            && found > most
        {
            let at = format!("{at}.{key}");
            let expected = format!("at most {:?}, as the licences allow", order[most]);
            check.add(&rules::VRM_PERMISSIONS, at, format!("{:?}", order[found]), expected);
        }
    }
    for key in FLAGS {
        if meta.get(key) == Some(&Json::Bool(true)) && granted[*key] == false {
            let at = format!("{at}.{key}");
            check.add(&rules::VRM_PERMISSIONS, at, "true", "false, as a licence is not known");
        }
    }
}

/// Permissions with more than two values, from narrow to wide.
const ORDERS: &[(&str, &[&str])] = &[
    ("avatarPermission", &["onlyAuthor", "onlySeparatelyLicensedPerson", "everyone"]),
    ("commercialUsage", &["personalNonProfit", "personalProfit", "corporation"]),
    ("creditNotation", &["required", "unnecessary"]),
    ("modification", &["prohibited", "allowModification", "allowModificationRedistribution"]),
];

const FLAGS: &[&str] = &[
    "allowExcessivelyViolentUsage",
    "allowExcessivelySexualUsage",
    "allowPoliticalOrReligiousUsage",
    "allowAntisocialOrHateUsage",
    "allowRedistribution",
];
