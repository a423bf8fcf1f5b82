//! Reading GLB files: the container, its JSON and its accessors.
//!
//! For files that anyone may have made, so nothing here trusts a number: a
//! bad file ends in an error that names the place, never in a panic, and
//! never in more memory than a few times the file's own size. Numbers of an
//! accessor are read in place, one element at a time.

mod accessor;

mod json;

mod node;

pub use accessor::{AccessorReader, Rows};
pub use json::Json;
pub use node::local_matrix;

use super::container::{GlbView, read_glb};
use crate::Result;

/// An opened GLB: its document and its bytes.
#[derive(Debug, Clone, PartialEq)]
pub struct Glb<'a> {
    /// The document, with every key and number as it stands.
    pub json: Json<'a>,
    /// The binary chunk with its padding; empty when there is none.
    pub bin: &'a [u8],
    /// How many chunks of unknown types the file has besides.
    pub unknown_chunks: usize,
}

impl<'a> Glb<'a> {
    /// Opens a GLB. `file` is the name that errors give.
    ///
    /// # Errors
    /// [`crate::Error::Input`] when the container or the JSON is damaged or
    /// the document is no object; [`crate::Error::Limit`] when its JSON would
    /// take more memory than three times the file.
    pub fn open(file: &str, bytes: &'a [u8]) -> Result<Glb<'a>> {
        let GlbView { json, bin, unknown_chunks } = read_glb(file, bytes)?;
        let json = Json::parse(file, json, bytes.len())?;
        if json.members().is_none() {
            return Err(crate::Error::input(file, "$", json.describe(), "an object"));
        }
        Ok(Glb { json, bin: bin.unwrap_or_default(), unknown_chunks })
    }
}

#[cfg(test)]
mod tests;
