//! The properties of `VRMC_vrm` as tables (its JSON schemas).

use crate::check::schema::{Is, Shape, may, must, unnamed};

const ANY: f64 = f64::INFINITY;

/// The extension.
pub static VRM: Shape = unnamed(
    "VRMC_vrm",
    &[
        must("specVersion", Is::Text),
        must("meta", Is::Object(&META)),
        must("humanoid", Is::Object(&HUMANOID)),
        may("firstPerson", Is::Object(&FIRST_PERSON)),
        may("lookAt", Is::Object(&LOOK_AT)),
        may("expressions", Is::Object(&EXPRESSIONS)),
    ],
);

static META: Shape = unnamed(
    "meta",
    &[
        must("name", Is::Text),
        may("version", Is::Text),
        must("authors", Is::Texts),
        may("copyrightInformation", Is::Text),
        may("contactInformation", Is::Text),
        may("references", Is::Texts),
        may("thirdPartyLicenses", Is::Text),
        may("thumbnailImage", Is::Index("images")),
        must("licenseUrl", Is::Text),
        may(
            "avatarPermission",
            Is::Word(&["onlyAuthor", "onlySeparatelyLicensedPerson", "everyone"]),
        ),
        may("allowExcessivelyViolentUsage", Is::Bool),
        may("allowExcessivelySexualUsage", Is::Bool),
        may("commercialUsage", Is::Word(&["personalNonProfit", "personalProfit", "corporation"])),
        may("allowPoliticalOrReligiousUsage", Is::Bool),
        may("allowAntisocialOrHateUsage", Is::Bool),
        may("creditNotation", Is::Word(&["required", "unnecessary"])),
        may("allowRedistribution", Is::Bool),
        may(
            "modification",
            Is::Word(&["prohibited", "allowModification", "allowModificationRedistribution"]),
        ),
        may("otherLicenseUrl", Is::Text),
    ],
);

static HUMANOID: Shape = unnamed("humanoid", &[must("humanBones", Is::Map(&HUMAN_BONE))]);

static HUMAN_BONE: Shape = unnamed("human bone", &[must("node", Is::Index("nodes"))]);

static FIRST_PERSON: Shape =
    unnamed("firstPerson", &[may("meshAnnotations", Is::List(&ANNOTATION))]);

static ANNOTATION: Shape = unnamed(
    "mesh annotation",
    &[
        must("node", Is::Index("nodes")),
        must("type", Is::Word(&["auto", "both", "thirdPersonOnly", "firstPersonOnly"])),
    ],
);

static LOOK_AT: Shape = unnamed(
    "lookAt",
    &[
        may("offsetFromHeadBone", Is::Numbers(&[3], -ANY, ANY)),
        may("type", Is::Word(&["bone", "expression"])),
        may("rangeMapHorizontalInner", Is::Object(&RANGE_MAP)),
        may("rangeMapHorizontalOuter", Is::Object(&RANGE_MAP)),
        may("rangeMapVerticalDown", Is::Object(&RANGE_MAP)),
        may("rangeMapVerticalUp", Is::Object(&RANGE_MAP)),
    ],
);

static RANGE_MAP: Shape = unnamed(
    "range map",
    &[may("inputMaxValue", Is::Number(0.0, 180.0)), may("outputScale", Is::Number(-ANY, ANY))],
);

static EXPRESSIONS: Shape = unnamed(
    "expressions",
    &[may("preset", Is::Map(&EXPRESSION)), may("custom", Is::Map(&EXPRESSION))],
);

const OVERRIDES: Is = Is::Word(&["none", "block", "blend"]);

static EXPRESSION: Shape = unnamed(
    "expression",
    &[
        may("morphTargetBinds", Is::List(&MORPH_BIND)),
        may("materialColorBinds", Is::List(&COLOUR_BIND)),
        may("textureTransformBinds", Is::List(&TRANSFORM_BIND)),
        may("isBinary", Is::Bool),
        may("overrideBlink", OVERRIDES),
        may("overrideLookAt", OVERRIDES),
        may("overrideMouth", OVERRIDES),
    ],
);

static MORPH_BIND: Shape = unnamed(
    "morph target bind",
    &[
        must("node", Is::Index("nodes")),
        must("index", Is::Local),
        must("weight", Is::Number(0.0, 1.0)),
    ],
);

static COLOUR_BIND: Shape = unnamed(
    "material colour bind",
    &[
        must("material", Is::Index("materials")),
        must(
            "type",
            Is::Word(&[
                "color",
                "emissionColor",
                "shadeColor",
                "matcapColor",
                "rimColor",
                "outlineColor",
            ]),
        ),
        must("targetValue", Is::Numbers(&[4], -ANY, ANY)),
    ],
);

static TRANSFORM_BIND: Shape = unnamed(
    "texture transform bind",
    &[
        must("material", Is::Index("materials")),
        may("scale", Is::Numbers(&[2], -ANY, ANY)),
        may("offset", Is::Numbers(&[2], -ANY, ANY)),
    ],
);
