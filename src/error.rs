//! What can go wrong, by who has to act on it.
//!
//! Every message is one line that names the file, the place in it (a JSON
//! path or a line), what was found and what was expected. Messages have no
//! final full stop, so that they can be chained.

use std::io;
use std::path::{Path, PathBuf};

/// The result of every fallible function of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Every way in which an export, a pack or a document can fail.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system refused to read or write something.
    #[error("{}: cannot {action}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What was tried, as a verb ("read", "create", "rename").
        action: &'static str,
        /// The operating system's own answer.
        source: io::Error,
    },

    /// A document or an asset file that does not say what it must say.
    #[error("{file}: {at}: found {found}, expected {expected}")]
    Input {
        /// The file's name as the caller gave it.
        file: String,
        /// A JSON path (`$.body.age`) or a place (`line 3`).
        at: String,
        /// What stands there.
        found: String,
        /// What should stand there.
        expected: String,
    },

    /// Another error, at the place of a document that led to it.
    #[error("{file}: {at}: {source}")]
    At {
        /// The file's name as the caller gave it.
        file: String,
        /// A JSON path.
        at: String,
        /// What went wrong there. Shared, since one missing pack concerns
        /// every document that names it.
        source: std::sync::Arc<Error>,
    },

    /// A name that nothing has, with the nearest names that exist.
    #[error("{file}: {at}: no {kind} is called `{name}`{}", nearest_hint(.nearest))]
    UnknownName {
        /// The file's name as the caller gave it.
        file: String,
        /// The JSON path of what holds the name (`$.details`), or a place.
        at: String,
        /// What was looked for: "slider", "garment", "key".
        kind: &'static str,
        /// The name that was not found.
        name: String,
        /// The nearest known names, best first; may be empty.
        nearest: Vec<String>,
    },

    /// A pack file that cannot be used.
    #[error("{file}: {fault}")]
    Pack {
        /// The pack's path, or a label for a pack in memory.
        file: String,
        /// What is wrong with it.
        fault: PackFault,
    },

    /// An asset that the pack's licence manifest does not list. It is never
    /// exported (profile, "Licences in the file").
    #[error("asset `{asset}` has no entry in the licence manifest, so it cannot be exported")]
    UnlicensedAsset {
        /// The asset's id, `<source>:<kind>/<name>`.
        asset: String,
    },

    /// The pack's source data could not be fetched.
    #[error("cannot fetch {what}: {why}")]
    Fetch {
        /// The package that was asked for.
        what: String,
        /// What failed and what to do about it, on one line.
        why: String,
    },

    /// A mesh with a number that is not finite, which no file can carry.
    #[error("mesh `{mesh}`: {attribute} of vertex {vertex} is not a finite number")]
    NotFinite {
        /// The mesh's name.
        mesh: String,
        /// The glTF attribute's name.
        attribute: &'static str,
        /// The vertex's index in the mesh.
        vertex: usize,
    },

    /// Something is larger than the format (or a stated limit) allows.
    #[error("{what} is {found}, more than the limit of {limit}")]
    Limit {
        /// What was measured.
        what: String,
        /// Its size.
        found: u64,
        /// The largest size allowed.
        limit: u64,
    },
}

/// What is wrong with a pack file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PackFault {
    /// The file does not begin with a pack's magic bytes.
    #[error("not a dramatis pack (the first bytes are not a pack's)")]
    Foreign,
    /// The file is a pack of a version this program does not know.
    #[error(
        "pack version {found} is newer than the {supported} this program reads; update dramatis"
    )]
    Newer {
        /// The file's version.
        found: u32,
        /// The version this program reads.
        supported: u32,
    },
    /// The file is a pack of an earlier version.
    #[error(
        "pack version {found} is older than the {supported} this program reads; run `dramatis pack fetch`"
    )]
    Older {
        /// The file's version.
        found: u32,
        /// The version this program reads.
        supported: u32,
    },
    /// The file ends before its header says it does, or goes on after it.
    #[error(
        "the file has {found} bytes where its header says {expected}; it is truncated or was altered"
    )]
    Length {
        /// The file's length in bytes.
        found: u64,
        /// The length its header gives.
        expected: u64,
    },
    /// A checksum does not match: the content was damaged.
    #[error(
        "damaged: the checksum of {what} does not match its content; fetch or build the pack again"
    )]
    Checksum {
        /// The section that is damaged.
        what: String,
    },
    /// The content is whole but contradicts itself.
    #[error("unusable: {what}")]
    Content {
        /// What is wrong.
        what: String,
    },
}

/// The end of an [`Error::UnknownName`] message.
fn nearest_hint(nearest: &[String]) -> String {
    match nearest {
        [] => String::new(),
        [one] => format!("; did you mean `{one}`?"),
        many => format!("; the nearest are `{}`", many.join("`, `")),
    }
}

impl Error {
    /// An [`Error::Io`] for `path`, for use in `map_err`.
    pub fn io(path: &Path, action: &'static str) -> impl FnOnce(io::Error) -> Error {
        move |source| Error::Io { path: path.to_path_buf(), action, source }
    }

    /// An [`Error::Input`].
    pub fn input(
        file: impl Into<String>,
        at: impl Into<String>,
        found: impl Into<String>,
        expected: impl Into<String>,
    ) -> Error {
        Error::Input {
            file: file.into(),
            at: at.into(),
            found: found.into(),
            expected: expected.into(),
        }
    }
}
