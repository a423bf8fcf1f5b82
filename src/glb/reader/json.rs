//! A JSON document that keeps what `serde_json::Value` loses or spends: it
//! borrows its texts from the file, takes a third of the memory, and knows
//! `1` from `1.0`.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};

use crate::json::fault_of;
use crate::{Error, Result};

/// What a value takes in memory.
const VALUE_BYTES: usize = size_of::<Json<'static>>();
/// What a key takes beside its value.
const KEY_BYTES: usize = size_of::<Cow<'static, str>>();
/// A document may take so many times the file's size.
const MEMORY_FACTOR: usize = 3;
/// A document may always take so much, since this is little on any machine.
const MEMORY_FLOOR: usize = 64 << 20;
/// Objects with more keys than this look for a key given twice by sorting.
const FEW_KEYS: usize = 16;
/// `serde_json` refuses what is nested deeper.
const MOST_LEVELS: usize = 128;

/// A JSON value.
#[derive(Debug, Clone, PartialEq)]
pub enum Json<'a> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number that is written without a fraction and fits.
    Int(i64),
    /// Any other number.
    Float(f64),
    /// A string.
    Str(Cow<'a, str>),
    /// A list.
    List(Box<[Json<'a>]>),
    /// An object, with its keys in the order of the file.
    Object(Box<[(Cow<'a, str>, Json<'a>)]>),
}

impl<'a> Json<'a> {
    /// Parses a document from the JSON chunk of a file of `file_bytes` bytes.
    ///
    /// # Errors
    /// [`Error::Input`] with line and column where the text is no JSON or an
    /// object has a key twice; [`Error::Limit`] where the values would take
    /// more than three times the file's size, and more than 64 MiB.
    pub fn parse(file: &str, text: &'a [u8], file_bytes: usize) -> Result<Json<'a>> {
        // What other readers choke on is named before the parser stumbles.
        let odd = match (text.strip_prefix(b"\xef\xbb\xbf"), text.last()) {
            (Some(_), _) => Some("a byte order mark before the JSON"),
            (_, Some(0)) => Some("NUL bytes after the JSON, which is padded with spaces"),
            _ => None,
        };
        if let Some(found) = odd {
            return Err(Error::input(file, "the JSON chunk", found, "a JSON document"));
        }
        let found = memory_of(text);
        let limit = (MEMORY_FACTOR * file_bytes).max(MEMORY_FLOOR);
        if found > limit {
            let what = format!("{file}: the memory in bytes that the JSON's values need");
            return Err(Error::Limit { what, found: found as u64, limit: limit as u64 });
        }
        let mut scratch = Scratch::default();
        let mut parser = serde_json::Deserializer::from_slice(text);
        let json = Seed(&mut scratch).deserialize(&mut parser);
        json.and_then(|json| parser.end().map(|()| json)).map_err(|e| {
            let at = format!("line {} column {} of the JSON", e.line(), e.column());
            Error::input(file, at, format!("a fault ({})", fault_of(&e)), "a JSON document")
        })
    }

    /// The value of an object's key; nothing for other values.
    pub fn get(&self, key: &str) -> Option<&Json<'a>> {
        self.members()?.iter().find(|(k, _)| k == key).map(|(_, value)| value)
    }

    /// The members of an object; nothing for other values.
    pub fn members(&self) -> Option<&[(Cow<'a, str>, Json<'a>)]> {
        match self {
            Json::Object(members) => Some(members),
            _ => None,
        }
    }

    /// The items of a list; none for other values.
    pub fn items(&self) -> &[Json<'a>] {
        match self {
            Json::List(items) => items,
            _ => &[],
        }
    }

    /// The items of the list under a key; none where there is no such list.
    pub fn list(&self, key: &str) -> &[Json<'a>] {
        self.get(key).map_or(&[], Json::items)
    }

    /// The numbers of the list under a key, when there are as many as asked
    /// for.
    pub fn numbers<const N: usize>(&self, key: &str) -> Option<[f64; N]> {
        let items = self.list(key);
        let mut out = [0.0; N];
        if items.len() != N {
            return None;
        }
        for (slot, item) in out.iter_mut().zip(items) {
            *slot = item.as_f64()?;
        }
        Some(out)
    }

    /// A string's text.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Json::Str(text) => Some(text),
            _ => None,
        }
    }

    /// A number.
    pub fn as_f64(&self) -> Option<f64> {
        match *self {
            Json::Int(x) => Some(x as f64),
            Json::Float(x) => Some(x),
            _ => None,
        }
    }

    /// A whole number; `1.0` is one, since JSON has one kind of number.
    pub fn as_int(&self) -> Option<i64> {
        match *self {
            Json::Int(x) => Some(x),
            Json::Float(x) if x.fract() == 0.0 && x.abs() < 2f64.powi(53) => Some(x as i64),
            _ => None,
        }
    }

    /// A whole number that is not negative, such as an index or a length.
    pub fn as_index(&self) -> Option<usize> {
        self.as_int().and_then(|x| usize::try_from(x).ok())
    }

    /// The value in words, short enough for one line of a message.
    pub fn describe(&self) -> String {
        match self {
            Json::Null => "null".into(),
            Json::Bool(b) => b.to_string(),
            Json::Int(x) => x.to_string(),
            Json::Float(x) => format!("{x:?}"),
            Json::Str(text) if text.chars().count() > 40 => {
                format!("{:?}...", text.chars().take(40).collect::<String>())
            }
            Json::Str(text) => format!("{text:?}"),
            Json::List(items) => format!("a list of {}", items.len()),
            Json::Object(_) => "an object".into(),
        }
    }

    /// The same as a `serde_json` value, for parts of a document that other
    /// readers of this crate understand.
    pub fn to_value(&self) -> serde_json::Value {
        match self {
            Json::Null => serde_json::Value::Null,
            Json::Bool(b) => (*b).into(),
            Json::Int(x) => (*x).into(),
            Json::Float(x) => (*x).into(),
            Json::Str(text) => text.as_ref().into(),
            Json::List(items) => items.iter().map(Json::to_value).collect::<Vec<_>>().into(),
            Json::Object(members) => serde_json::Value::Object(
                members.iter().map(|(k, v)| (k.clone().into_owned(), v.to_value())).collect(),
            ),
        }
    }
}

/// An upper bound of what a document's values take, from the marks that
/// stand between them: the values in lists of their exact length, and the
/// scratch space in which the open lists grow. Strings are borrowed and cost
/// nothing more, except those with escapes, which are no longer than their
/// text.
fn memory_of(text: &[u8]) -> usize {
    let (mut values, mut keys, mut escapes) = (1usize, 0usize, 0usize);
    // How many values the open lists have so far, and the most at a time.
    let mut open = [0usize; MOST_LEVELS + 1];
    let (mut depth, mut held, mut most) = (0usize, 1usize, 1usize);
    let mut in_string = false;
    let mut at = 0;
    while at < text.len() {
        match (in_string, text[at]) {
            (true, b'\\') => {
                escapes += 1;
                at += 1;
            }
            (_, b'"') => in_string = !in_string,
            (false, mark @ (b',' | b'[' | b'{')) => {
                values += 1;
                if mark != b',' {
                    depth += 1;
                    open[depth.min(MOST_LEVELS)] = 0;
                }
                open[depth.min(MOST_LEVELS)] += 1;
                held += 1;
                most = most.max(held);
            }
            (false, b']' | b'}') => {
                held = held.saturating_sub(open[depth.min(MOST_LEVELS)]);
                depth = depth.saturating_sub(1);
            }
            (false, b':') => keys += 1,
            _ => {}
        }
        at += 1;
    }
    let copied = if escapes == 0 { 0 } else { text.len() };
    // The scratch space has room for twice as many as it holds, at most.
    let scratch = most.saturating_mul(2 * (VALUE_BYTES + KEY_BYTES));
    let kept = values.saturating_mul(VALUE_BYTES).saturating_add(keys.saturating_mul(KEY_BYTES));
    kept.saturating_add(scratch).saturating_add(copied)
}

/// The values of the lists and objects that are not closed yet, one after the
/// other. A list that is closed takes its own off the end.
#[derive(Default)]
struct Scratch<'a> {
    items: Vec<Json<'a>>,
    members: Vec<(Cow<'a, str>, Json<'a>)>,
}

struct Seed<'s, 'a>(&'s mut Scratch<'a>);

impl<'de> DeserializeSeed<'de> for Seed<'_, 'de> {
    type Value = Json<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Json<'de>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seed<'_, 'de> {
    type Value = Json<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, v: bool) -> Result<Json<'de>, E> {
        Ok(Json::Bool(v))
    }

    fn visit_i64<E>(self, v: i64) -> Result<Json<'de>, E> {
        Ok(Json::Int(v))
    }

    fn visit_u64<E>(self, v: u64) -> Result<Json<'de>, E> {
        Ok(i64::try_from(v).map_or(Json::Float(v as f64), Json::Int))
    }

    fn visit_f64<E>(self, v: f64) -> Result<Json<'de>, E> {
        Ok(Json::Float(v))
    }

    fn visit_borrowed_str<E>(self, v: &'de str) -> Result<Json<'de>, E> {
        Ok(Json::Str(Cow::Borrowed(v)))
    }

    fn visit_str<E>(self, v: &str) -> Result<Json<'de>, E> {
        Ok(Json::Str(Cow::Owned(v.to_owned())))
    }

    fn visit_unit<E>(self) -> Result<Json<'de>, E> {
        Ok(Json::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Json<'de>, A::Error> {
        let start = self.0.items.len();
        while let Some(item) = seq.next_element_seed(Seed(self.0))? {
            self.0.items.push(item);
        }
        Ok(Json::List(self.0.items.drain(start..).collect()))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json<'de>, A::Error> {
        let start = self.0.members.len();
        while let Some(Text(key)) = map.next_key()? {
            let value = map.next_value_seed(Seed(self.0))?;
            self.0.members.push((key, value));
        }
        let members: Box<[_]> = self.0.members.drain(start..).collect();
        match key_given_twice(&members) {
            Some(key) => Err(A::Error::custom(format!("the key `{key}` twice in one object"))),
            None => Ok(Json::Object(members)),
        }
    }
}

fn key_given_twice<'m, 'a>(members: &'m [(Cow<'a, str>, Json<'a>)]) -> Option<&'m str> {
    if members.len() <= FEW_KEYS {
        let twice = |i: usize| members[..i].iter().any(|(key, _)| *key == members[i].0);
        return (1..members.len()).find(|i| twice(*i)).map(|i| members[i].0.as_ref());
    }
    let mut sorted: Vec<u32> = (0..members.len() as u32).collect();
    let key = |i: u32| members[i as usize].0.as_ref();
    sorted.sort_unstable_by(|a, b| key(*a).cmp(key(*b)));
    sorted.windows(2).find(|pair| key(pair[0]) == key(pair[1])).map(|pair| key(pair[0]))
}

/// A key, borrowed where it has no escapes.
#[derive(Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);
