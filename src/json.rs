//! Reading JSON documents so that every complaint names its place.
//!
//! A [`Node`] is a value together with the path that leads to it. The readers
//! of the crate's document formats ask it for what they expect; when
//! something else stands there, the error says which file, which path, what
//! was found and what was expected.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use crate::{Error, Result};

/// Parses a document. A byte-order mark is skipped; a key given twice in one
/// object is an error, since nobody can tell which of the two was meant.
///
/// # Errors
/// [`Error::Input`] with the line and column of the fault.
pub fn parse(file: &str, bytes: &[u8]) -> Result<Value> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    serde_json::from_slice::<Strict>(bytes).map(|s| s.0).map_err(|e| {
        let at = format!("line {} column {}", e.line(), e.column());
        let text = fault_of(&e);
        match text.strip_prefix("expected ") {
            Some(expected) => {
                let found = format!("{} in the place of {expected}", found_at(bytes, &e));
                Error::input(file, at, found, "a JSON document")
            }
            None => Error::input(file, at, text, "a JSON document"),
        }
    })
}

/// What a parser found wrong, without the place, which `serde_json` repeats at
/// the end of its text.
pub(crate) fn fault_of(e: &serde_json::Error) -> String {
    let text = e.to_string();
    match text.rsplit_once(" at line ") {
        Some((fault, _)) => fault.to_owned(),
        None => text,
    }
}

/// What stands where the parser stopped.
fn found_at(bytes: &[u8], e: &serde_json::Error) -> String {
    let line = bytes.split(|b| *b == b'\n').nth(e.line().saturating_sub(1)).unwrap_or_default();
    let rest = line.get(e.column().saturating_sub(1)..).unwrap_or_default();
    let word: String =
        String::from_utf8_lossy(rest).chars().take(12).take_while(|c| !c.is_whitespace()).collect();
    match word.is_empty() {
        true => "nothing".into(),
        false => format!("`{word}`"),
    }
}

/// A [`Value`] in which no object has a key twice.
struct Strict(Value);

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Strict, D::Error> {
        deserializer.deserialize_any(StrictVisitor).map(Strict)
    }
}

struct StrictVisitor;

impl<'de> Visitor<'de> for StrictVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, v: bool) -> Result<Value, E> {
        Ok(v.into())
    }

    fn visit_i64<E>(self, v: i64) -> Result<Value, E> {
        Ok(v.into())
    }

    fn visit_u64<E>(self, v: u64) -> Result<Value, E> {
        Ok(v.into())
    }

    fn visit_f64<E>(self, v: f64) -> Result<Value, E> {
        Ok(Number::from_f64(v).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, v: &str) -> Result<Value, E> {
        Ok(v.into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(Strict(item)) = seq.next_element()? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = map.next_key::<String>()? {
            let Strict(value) = map.next_value()?;
            if object.contains_key(&key) {
                return Err(A::Error::custom(format!("the key `{key}` twice in one object")));
            }
            object.insert(key, value);
        }
        Ok(Value::Object(object))
    }
}

/// A value and the path that leads to it.
#[derive(Debug, Clone)]
pub struct Node<'a> {
    file: &'a str,
    path: String,
    value: &'a Value,
}

impl<'a> Node<'a> {
    /// The document's own value, at `$`.
    pub fn root(file: &'a str, value: &'a Value) -> Node<'a> {
        Node { file, path: "$".into(), value }
    }

    /// The path, as `$.body.age` or `$.garments[1].colour`.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The value itself.
    pub fn value(&self) -> &'a Value {
        self.value
    }

    /// An error at this place: what stands here, and what should.
    pub fn error(&self, expected: impl Into<String>) -> Error {
        Error::input(self.file, &self.path, describe(self.value), expected)
    }

    /// The value of a key, or none when the key is missing. Call it on
    /// objects only; anything else has no keys.
    pub fn get(&self, key: &str) -> Option<Node<'a>> {
        let value = self.value.get(key)?;
        Some(Node { file: self.file, path: join(&self.path, key), value })
    }

    /// The value of a key that has to be there.
    ///
    /// # Errors
    /// [`Error::Input`] when it is missing.
    pub fn need(&self, key: &str, expected: &str) -> Result<Node<'a>> {
        self.get(key)
            .ok_or_else(|| Error::input(self.file, join(&self.path, key), "nothing", expected))
    }

    /// Makes sure that this is an object with no keys but the known ones.
    ///
    /// # Errors
    /// [`Error::Input`] for another type, [`Error::UnknownName`] for a key.
    pub fn object(&self, known: &[&str]) -> Result<&'a Map<String, Value>> {
        let map = self.value.as_object().ok_or_else(|| self.error("an object"))?;
        match map.keys().find(|key| !known.contains(&key.as_str())) {
            None => Ok(map),
            Some(key) => Err(Error::UnknownName {
                file: self.file.to_owned(),
                at: self.path.clone(),
                kind: "key",
                name: key.clone(),
                nearest: nearest(key, known.iter().copied()),
            }),
        }
    }

    /// The entries of an object, each with its path.
    ///
    /// # Errors
    /// [`Error::Input`] when this is not an object.
    pub fn entries(&self) -> Result<impl Iterator<Item = (&'a str, Node<'a>)>> {
        let map = self.value.as_object().ok_or_else(|| self.error("an object"))?;
        Ok(map.iter().map(|(key, value)| {
            (key.as_str(), Node { file: self.file, path: join(&self.path, key), value })
        }))
    }

    /// The items of a list, each with its path.
    ///
    /// # Errors
    /// [`Error::Input`] when this is not a list.
    pub fn items(&self) -> Result<impl Iterator<Item = Node<'a>>> {
        let items = self.value.as_array().ok_or_else(|| self.error("a list"))?;
        Ok(items.iter().enumerate().map(|(i, value)| Node {
            file: self.file,
            path: format!("{}[{i}]", self.path),
            value,
        }))
    }

    /// A string.
    ///
    /// # Errors
    /// [`Error::Input`] when this is not a string.
    pub fn str(&self) -> Result<&'a str> {
        self.value.as_str().ok_or_else(|| self.error("a string"))
    }

    /// A finite number.
    ///
    /// # Errors
    /// [`Error::Input`] when this is not a number.
    pub fn number(&self) -> Result<f64> {
        self.value.as_f64().filter(|x| x.is_finite()).ok_or_else(|| self.error("a number"))
    }

    /// True or false.
    ///
    /// # Errors
    /// [`Error::Input`] when this is neither.
    pub fn bool(&self) -> Result<bool> {
        self.value.as_bool().ok_or_else(|| self.error("true or false"))
    }
}

fn join(path: &str, key: &str) -> String {
    let plain = !key.is_empty() && !key.contains(['.', '[', ']', '"', ' ']);
    match plain {
        true => format!("{path}.{key}"),
        false => format!("{path}[{key:?}]"),
    }
}

/// A value in words, short enough for one line of a message.
pub fn describe(value: &Value) -> String {
    match value {
        Value::Null => "null".into(),
        Value::Bool(b) => b.to_string(),
        Value::Number(n) => format!("the number {n}"),
        Value::String(s) if s.chars().count() > 40 => {
            format!("the string {:?}...", s.chars().take(40).collect::<String>())
        }
        Value::String(s) => format!("the string {s:?}"),
        Value::Array(items) => format!("a list of {}", items.len()),
        Value::Object(_) => "an object".into(),
    }
}

/// The up to three known names that look most like `name`, best first.
pub fn nearest<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Vec<String> {
    let lower = name.to_lowercase();
    let mut scored: Vec<(f64, &str)> = known
        .map(|k| (strsim::jaro_winkler(&lower, &k.to_lowercase()), k))
        .filter(|(score, _)| *score > 0.75)
        .collect();
    // Equal scores are told apart by name, so that messages do not depend on
    // the order in which the names came.
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    scored.into_iter().take(3).map(|(_, k)| k.to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_fault_in_the_text_names_its_line() {
        let e = parse("a.json", b"{\n  \"name\": ,\n}").unwrap_err().to_string();
        assert!(e.starts_with("a.json: line 2 column "), "{e}");
        let e =
            parse("a.json", b"{\"a\": 1, \"b\": {\"c\": 1, \"c\": 2}}").unwrap_err().to_string();
        assert!(e.contains("the key `c` twice"), "{e}");
        let e = parse("a.json", b"{\"a\": 1e999}").unwrap_err().to_string();
        assert!(e.contains("out of range"), "{e}");
        assert!(parse("a.json", b"").is_err());
        assert!(parse("a.json", b"\xff\xfe{").is_err());
    }

    #[test]
    fn a_byte_order_mark_is_skipped() {
        assert_eq!(parse("a.json", b"\xef\xbb\xbf[1, 2.5]").unwrap(), json!([1, 2.5]));
    }

    #[test]
    fn nodes_name_their_path() {
        let value = json!({"body": {"age": "old"}, "list": [1, null], "odd key": 1});
        let root = Node::root("f", &value);
        let age = root.get("body").unwrap().get("age").unwrap();
        let e = age.number().unwrap_err().to_string();
        assert_eq!(e, "f: $.body.age: found the string \"old\", expected a number");
        let second = root.get("list").unwrap().items().unwrap().nth(1).unwrap();
        let e = second.str().unwrap_err().to_string();
        assert_eq!(e, "f: $.list[1]: found null, expected a string");
        assert_eq!(root.get("odd key").unwrap().path(), "$[\"odd key\"]");
        let e = root.need("name", "a string").unwrap_err().to_string();
        assert_eq!(e, "f: $.name: found nothing, expected a string");
    }

    #[test]
    fn an_unknown_key_names_the_nearest() {
        let value = json!({"gendr": 0.5});
        let e = Node::root("f", &value).object(&["gender", "age"]).unwrap_err().to_string();
        assert_eq!(e, "f: $: no key is called `gendr`; did you mean `gender`?");
    }
}
