//! One asset's licence entry and the one line made of all of them.

use serde::{Deserialize, Serialize};
use std::fmt;

/// What an asset is, as the licence block says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LicenceKind {
    /// The base body, of which every file has one.
    Base,
    /// Eyeballs.
    Eyes,
    /// Eyelashes.
    Eyelashes,
    /// Teeth.
    Teeth,
    /// A tongue.
    Tongue,
    /// Eyebrows.
    Brows,
    /// A beard.
    Beard,
    /// Hair.
    Hair,
    /// A garment.
    Garment,
    /// A picture.
    Texture,
    /// An animation clip.
    Animation,
    /// A skin tone.
    SkinTone,
    /// Anything else.
    Other,
}

impl LicenceKind {
    /// Every kind, in the schema's order.
    pub const ALL: [LicenceKind; 13] = [
        LicenceKind::Base,
        LicenceKind::Eyes,
        LicenceKind::Eyelashes,
        LicenceKind::Teeth,
        LicenceKind::Tongue,
        LicenceKind::Brows,
        LicenceKind::Beard,
        LicenceKind::Hair,
        LicenceKind::Garment,
        LicenceKind::Texture,
        LicenceKind::Animation,
        LicenceKind::SkinTone,
        LicenceKind::Other,
    ];

    /// The kind as it is written in a file, also within an asset's id.
    pub fn as_str(self) -> &'static str {
        match self {
            LicenceKind::Base => "base",
            LicenceKind::Eyes => "eyes",
            LicenceKind::Eyelashes => "eyelashes",
            LicenceKind::Teeth => "teeth",
            LicenceKind::Tongue => "tongue",
            LicenceKind::Brows => "brows",
            LicenceKind::Beard => "beard",
            LicenceKind::Hair => "hair",
            LicenceKind::Garment => "garment",
            LicenceKind::Texture => "texture",
            LicenceKind::Animation => "animation",
            LicenceKind::SkinTone => "skin-tone",
            LicenceKind::Other => "other",
        }
    }

    /// The kind with this spelling, or `None` when there is none.
    pub fn parse(word: &str) -> Option<LicenceKind> {
        LicenceKind::ALL.into_iter().find(|kind| kind.as_str() == word)
    }
}

impl fmt::Display for LicenceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The licence entry of one asset in `asset.extras.dramatis.licences`.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct Licence {
    /// The asset's id, `<source>:<kind>/<name>` (`makehuman:base/hm08`).
    pub asset: String,
    /// The asset's title, for people.
    pub title: String,
    /// What the asset is.
    pub kind: LicenceKind,
    /// The licence's SPDX id (`CC0-1.0`).
    pub licence: String,
    /// Where the licence's text is.
    pub licence_url: String,
    /// Where the asset comes from.
    pub source: String,
    /// Who made it.
    pub author: String,
    /// The credit line that a CC BY licence asks for, word for word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attribution: Option<String>,
    /// Whether the asset was changed from what its author published.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modified: Option<bool>,
}

impl Licence {
    /// Whether the licence is one of the CC BY family, which asks for a
    /// credit line.
    pub fn needs_attribution(&self) -> bool {
        needs_attribution(&self.licence)
    }
}

/// Whether a licence id is of the CC BY family. SPDX ids are compared without
/// regard to case, and the licence's common name (`CC BY 4.0`) is understood
/// as well, because a credit that is owed must not be lost to a spelling.
pub(crate) fn needs_attribution(licence: &str) -> bool {
    licence.trim_start().to_ascii_uppercase().replace([' ', '_'], "-").starts_with("CC-BY")
}

/// The text of `asset.copyright`: `<title>: <licence>` for each asset, joined
/// with `; `. Credit lines are not part of it: the profile has them copied
/// word for word, and they stand so in each entry's `attribution`.
pub fn copyright_line(licences: &[Licence]) -> String {
    let parts: Vec<String> =
        licences.iter().map(|entry| format!("{}: {}", entry.title, entry.licence)).collect();
    parts.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn entry(title: &str, licence: &str) -> Licence {
        Licence {
            asset: "makehuman:skin-tone/plain".into(),
            title: title.into(),
            kind: LicenceKind::SkinTone,
            licence: licence.into(),
            licence_url: "https://creativecommons.org/publicdomain/zero/1.0/".into(),
            source: "https://example.org/".into(),
            author: "A. Maker".into(),
            attribution: None,
            modified: None,
        }
    }

    #[test]
    fn keys_are_camel_case_and_absent_ones_are_left_out() {
        let mut plain = entry("Plain", "CC0-1.0");
        assert_eq!(
            serde_json::to_value(&plain).unwrap(),
            json!({
                "asset": "makehuman:skin-tone/plain", "title": "Plain", "kind": "skin-tone",
                "licence": "CC0-1.0",
                "licenceUrl": "https://creativecommons.org/publicdomain/zero/1.0/",
                "source": "https://example.org/", "author": "A. Maker"
            })
        );
        plain.attribution = Some("Plain by A. Maker".into());
        plain.modified = Some(false);
        let value = serde_json::to_value(&plain).unwrap();
        assert_eq!(value["attribution"], "Plain by A. Maker");
        assert_eq!(value["modified"], false);
        assert_eq!(serde_json::from_value::<Licence>(value).unwrap(), plain);
    }

    #[test]
    fn kinds_are_spelled_the_same_everywhere() {
        for kind in LicenceKind::ALL {
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.as_str());
            assert_eq!(LicenceKind::parse(&kind.to_string()), Some(kind));
        }
        assert_eq!(LicenceKind::parse("skinTone"), None);
    }

    #[test]
    fn the_copyright_line_is_titles_and_licences() {
        assert_eq!(copyright_line(&[]), "");
        let mut credited = entry("Tee", "CC-BY-4.0");
        credited.attribution = Some("Tee by B. Sewer".into());
        assert_eq!(
            copyright_line(&[entry("Body", "CC0-1.0"), credited]),
            "Body: CC0-1.0; Tee: CC-BY-4.0"
        );
    }

    #[test]
    fn the_cc_by_family_needs_a_credit() {
        for id in ["CC-BY-4.0", "CC-BY-SA-3.0", "cc-by-3.0-us", "CC BY 4.0"] {
            assert!(entry("x", id).needs_attribution(), "{id}");
        }
        for id in ["CC0-1.0", "MIT", "CC-PDDC", ""] {
            assert!(!entry("x", id).needs_attribution(), "{id}");
        }
    }
}
