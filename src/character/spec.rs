//! The character spec, version 1: what a person writes down.

use std::collections::BTreeMap;

use super::colour::Srgb;
use crate::json::{self, Node};
use crate::{Error, Result};

/// A character's description, with every default filled in. See the
/// `*.character.json` format in the README.
#[derive(Debug, Clone, PartialEq)]
pub struct CharacterSpec {
    /// What error messages call this spec: its file, usually.
    pub file: String,
    /// The character's name.
    pub name: String,
    /// Who made the character.
    pub authors: Vec<String>,
    /// The pack it is built from: a name (`hm08`) or a path to a `.pack`.
    pub pack: String,
    /// The macro sliders.
    pub body: Body,
    /// Detail sliders by name, -1 to 1 (0 to 1 for single shapes).
    pub details: BTreeMap<String, f64>,
    /// The skin.
    pub skin: Skin,
    /// How the eyes are painted.
    pub eye_style: EyeStyle,
    /// The colour of the irises.
    pub iris_colour: Srgb,
    /// Eyebrows, if any.
    pub brows: Option<Worn>,
    /// A beard, if any.
    pub beard: Option<Worn>,
    /// Hair, if any.
    pub hair: Option<Worn>,
    /// Garments, innermost first.
    pub garments: Vec<Garment>,
    /// Whether plain underwear dresses what no garment covers.
    pub underlayer: bool,
}

/// The macro sliders, each 0 to 1 (MakeHuman's ramps).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Body {
    /// 0 female, 1 male.
    pub gender: f64,
    /// 0 one year, 0.1875 ten, 0.5 twenty-five, 1 ninety.
    pub age: f64,
    /// Muscle.
    pub muscle: f64,
    /// Weight.
    pub weight: f64,
    /// Height.
    pub height: f64,
    /// 0 uncommon, 1 ideal proportions.
    pub proportions: f64,
    /// Breast size.
    pub cupsize: f64,
    /// Breast firmness.
    pub firmness: f64,
    /// The mix of the three base shapes.
    pub race: Race,
}

/// Non-negative shares of the three base shapes; they are normalised.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Race {
    /// The African shape.
    pub african: f64,
    /// The Asian shape.
    pub asian: f64,
    /// The Caucasian shape.
    pub caucasian: f64,
}

impl Default for Body {
    fn default() -> Body {
        Body {
            gender: 0.5,
            age: 0.5,
            muscle: 0.5,
            weight: 0.5,
            height: 0.5,
            proportions: 0.5,
            cupsize: 0.5,
            firmness: 0.5,
            race: Race { african: 1.0, asian: 1.0, caucasian: 1.0 },
        }
    }
}

/// How the skin looks. All strengths are 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Skin {
    /// The skin's overall colour.
    pub tone: Srgb,
    /// The colour of painted lips.
    pub lips: Srgb,
    /// How strongly the lips take that colour.
    pub lip_colour: f64,
    /// Beard stubble.
    pub stubble: f64,
    /// Freckles.
    pub freckles: f64,
    /// Blush on the cheeks.
    pub blush: f64,
}

impl Default for Skin {
    fn default() -> Skin {
        Skin {
            tone: Srgb([0xc9, 0x9a, 0x7c]),
            lips: Srgb([0xa8, 0x5b, 0x52]),
            lip_colour: 0.6,
            stubble: 0.0,
            freckles: 0.0,
            blush: 0.2,
        }
    }
}

/// How the eyes are painted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EyeStyle {
    /// A human eye.
    #[default]
    Basic,
    /// A large, graded iris.
    Anime,
}

/// Hair, brows or a beard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Worn {
    /// The asset's name in the pack.
    pub asset: String,
    /// Its colour; none keeps the asset's own.
    pub colour: Option<Srgb>,
}

/// A garment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Garment {
    /// The asset's name in the pack.
    pub asset: String,
    /// Its colour; none keeps the asset's own.
    pub colour: Option<Srgb>,
    /// What it is made of; none keeps the asset's own.
    pub fabric: Option<Fabric>,
}

/// What a garment is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)] // The names say it.
pub enum Fabric {
    Cotton,
    Denim,
    Wool,
    Leather,
    Silk,
    Nylon,
}

const EYE_STYLES: [(&str, EyeStyle); 2] = [("basic", EyeStyle::Basic), ("anime", EyeStyle::Anime)];

const FABRICS: [(&str, Fabric); 6] = [
    ("cotton", Fabric::Cotton),
    ("denim", Fabric::Denim),
    ("wool", Fabric::Wool),
    ("leather", Fabric::Leather),
    ("silk", Fabric::Silk),
    ("nylon", Fabric::Nylon),
];

const KEYS: [&str; 15] = [
    "format",
    "version",
    "name",
    "authors",
    "pack",
    "body",
    "details",
    "skin",
    "eyeStyle",
    "irisColour",
    "brows",
    "beard",
    "hair",
    "garments",
    "underlayer",
];

const BODY_KEYS: [&str; 9] =
    ["gender", "age", "muscle", "weight", "height", "proportions", "cupsize", "firmness", "race"];

impl CharacterSpec {
    /// A character of the given name in which everything is the default:
    /// the middle of every slider, dressed in the underlayer.
    pub fn new(name: &str) -> CharacterSpec {
        CharacterSpec {
            file: name.to_owned(),
            name: name.to_owned(),
            authors: Vec::new(),
            pack: "hm08".to_owned(),
            body: Body::default(),
            details: BTreeMap::new(),
            skin: Skin::default(),
            eye_style: EyeStyle::Basic,
            iris_colour: Srgb([0x4a, 0x6b, 0x8a]),
            brows: None,
            beard: None,
            hair: None,
            garments: Vec::new(),
            underlayer: true,
        }
    }

    /// Reads a `*.character.json` document. `file` stands for it in messages.
    ///
    /// # Errors
    /// [`Error::Input`] or [`Error::UnknownName`] with the line or the JSON
    /// path of the first fault.
    pub fn from_json(file: &str, bytes: &[u8]) -> Result<CharacterSpec> {
        let value = json::parse(file, bytes)?;
        let root = Node::root(file, &value);
        check_format(&root)?;
        root.object(&KEYS)?;
        let mut spec = CharacterSpec::new(root.need("name", "the character's name")?.str()?);
        spec.file = file.to_owned();
        if let Some(node) = root.get("authors") {
            spec.authors =
                node.items()?.map(|n| n.str().map(str::to_owned)).collect::<Result<_>>()?;
        }
        if let Some(node) = root.get("pack") {
            spec.pack = node.str()?.to_owned();
        }
        if let Some(node) = root.get("body") {
            spec.body = read_body(&node)?;
        }
        if let Some(node) = root.get("details") {
            for (name, value) in node.entries()? {
                spec.details.insert(name.to_owned(), value.number()?);
            }
        }
        if let Some(node) = root.get("skin") {
            spec.skin = read_skin(&node)?;
        }
        if let Some(node) = root.get("eyeStyle") {
            spec.eye_style = one_of(&node, &EYE_STYLES)?;
        }
        if let Some(node) = root.get("irisColour") {
            spec.iris_colour = colour(&node)?;
        }
        spec.brows = read_worn(root.get("brows"))?;
        spec.beard = read_worn(root.get("beard"))?;
        spec.hair = read_worn(root.get("hair"))?;
        if let Some(node) = root.get("garments") {
            spec.garments = node.items()?.map(|n| read_garment(&n)).collect::<Result<_>>()?;
        }
        if let Some(node) = root.get("underlayer") {
            spec.underlayer = node.bool()?;
        }
        spec.validate()?;
        Ok(spec)
    }

    /// Checks the values that the types alone do not: ranges and names. A
    /// spec made by code goes through the same checks as one that was read.
    ///
    /// # Errors
    /// [`Error::Input`] with the JSON path of the first fault.
    pub fn validate(&self) -> Result<()> {
        let fail = |at: &str, found: String, expected: &str| {
            Err(Error::input(&self.file, at, found, expected))
        };
        if self.name.trim().is_empty() || self.name.chars().any(char::is_control) {
            let found = format!("the string {:?}", self.name);
            return fail("$.name", found, "a name without control characters");
        }
        for (i, author) in self.authors.iter().enumerate() {
            if author.trim().is_empty() || author.chars().any(char::is_control) {
                let found = format!("the string {author:?}");
                return fail(
                    &format!("$.authors[{i}]"),
                    found,
                    "a name without control characters",
                );
            }
        }
        let b = &self.body;
        let s = &self.skin;
        for (path, value) in [
            ("$.body.gender", b.gender),
            ("$.body.age", b.age),
            ("$.body.muscle", b.muscle),
            ("$.body.weight", b.weight),
            ("$.body.height", b.height),
            ("$.body.proportions", b.proportions),
            ("$.body.cupsize", b.cupsize),
            ("$.body.firmness", b.firmness),
            ("$.skin.lipColour", s.lip_colour),
            ("$.skin.stubble", s.stubble),
            ("$.skin.freckles", s.freckles),
            ("$.skin.blush", s.blush),
        ] {
            if !(0.0..=1.0).contains(&value) {
                return fail(path, format!("the number {value}"), "a number from 0 to 1");
            }
        }
        let shares = [
            ("$.body.race.african", b.race.african),
            ("$.body.race.asian", b.race.asian),
            ("$.body.race.caucasian", b.race.caucasian),
        ];
        for (path, value) in shares {
            if !(0.0..=1e6).contains(&value) {
                return fail(path, format!("the number {value}"), "a share from 0 to 1000000");
            }
        }
        if shares.iter().all(|(_, v)| *v == 0.0) {
            return fail("$.body.race", "three shares of 0".into(), "a share above 0");
        }
        for (name, value) in &self.details {
            if !(-1.0..=1.0).contains(value) {
                let found = format!("the number {value}");
                return fail(&format!("$.details.{name}"), found, "a number from -1 to 1");
            }
        }
        Ok(())
    }
}

/// `format` and `version` come first: a document of another kind is told
/// apart before its keys are looked at.
fn check_format(root: &Node<'_>) -> Result<()> {
    let expected = "the string \"dramatis-character\"";
    if !root.value().is_object() {
        return Err(root.error("an object with \"format\": \"dramatis-character\""));
    }
    let format = root.need("format", expected)?;
    if format.value().as_str() != Some("dramatis-character") {
        return Err(format.error(expected));
    }
    let version = root.need("version", "the number 1")?;
    match version.value().as_f64() {
        Some(1.0) => Ok(()),
        _ => Err(version.error("the number 1")),
    }
}

fn colour(node: &Node<'_>) -> Result<Srgb> {
    Srgb::parse(node.str()?).ok_or_else(|| node.error("a colour like #c99a7c"))
}

fn one_of<T: Copy>(node: &Node<'_>, known: &[(&str, T)]) -> Result<T> {
    let text = node.str()?;
    let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
    let found = known.iter().find(|(name, _)| *name == text);
    found.map(|(_, v)| *v).ok_or_else(|| node.error(format!("one of {}", names.join(", "))))
}

fn read_body(node: &Node<'_>) -> Result<Body> {
    node.object(&BODY_KEYS)?;
    let mut body = Body::default();
    for (key, field) in [
        ("gender", &mut body.gender),
        ("age", &mut body.age),
        ("muscle", &mut body.muscle),
        ("weight", &mut body.weight),
        ("height", &mut body.height),
        ("proportions", &mut body.proportions),
        ("cupsize", &mut body.cupsize),
        ("firmness", &mut body.firmness),
    ] {
        if let Some(value) = node.get(key) {
            *field = value.number()?;
        }
    }
    if let Some(race) = node.get("race") {
        race.object(&["african", "asian", "caucasian"])?;
        // A share that is not named is 0: a mix names what it is made of.
        let share = |key| race.get(key).map_or(Ok(0.0), |n| n.number());
        body.race = Race {
            african: share("african")?,
            asian: share("asian")?,
            caucasian: share("caucasian")?,
        };
    }
    Ok(body)
}

fn read_skin(node: &Node<'_>) -> Result<Skin> {
    node.object(&["tone", "lips", "lipColour", "stubble", "freckles", "blush"])?;
    let mut skin = Skin::default();
    if let Some(value) = node.get("tone") {
        skin.tone = colour(&value)?;
    }
    if let Some(value) = node.get("lips") {
        skin.lips = colour(&value)?;
    }
    for (key, field) in [
        ("lipColour", &mut skin.lip_colour),
        ("stubble", &mut skin.stubble),
        ("freckles", &mut skin.freckles),
        ("blush", &mut skin.blush),
    ] {
        if let Some(value) = node.get(key) {
            *field = value.number()?;
        }
    }
    Ok(skin)
}

fn read_worn(node: Option<Node<'_>>) -> Result<Option<Worn>> {
    let Some(node) = node.filter(|n| !n.value().is_null()) else {
        return Ok(None);
    };
    node.object(&["asset", "colour"])?;
    Ok(Some(Worn {
        asset: node.need("asset", "the name of an asset")?.str()?.to_owned(),
        colour: node.get("colour").map(|n| colour(&n)).transpose()?,
    }))
}

fn read_garment(node: &Node<'_>) -> Result<Garment> {
    node.object(&["asset", "colour", "fabric"])?;
    Ok(Garment {
        asset: node.need("asset", "the name of an asset")?.str()?.to_owned(),
        colour: node.get("colour").map(|n| colour(&n)).transpose()?,
        fabric: node.get("fabric").map(|n| one_of(&n, &FABRICS)).transpose()?,
    })
}
