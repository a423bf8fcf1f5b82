//! The source files: folders and archives, laid over each other.
//!
//! The same data comes as a Python wheel, as an unpacked folder, or as a
//! folder with some files beside a wheel with the rest. A [`SourceTree`]
//! hides the difference. Files are found by the end of their path, because
//! the part in front differs between the distributions.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flate2::read::MultiGzDecoder;
use walkdir::WalkDir;
use zip::ZipArchive;

use crate::{Error, Result};

/// The largest entry that is read, after decompression. The largest real
/// file has 6 MB, so a larger one is a mistake or a decompression bomb.
const ENTRY_LIMIT: u64 = 256 << 20;

/// The largest number of files in one layer. A complete data folder has
/// 3,000 files; the limit stops a walk through a whole disc, and through
/// links that multiply without forming a loop.
const FILE_COUNT_LIMIT: usize = 200_000;

/// How many bytes are set aside before an entry is read. An archive states
/// the size of an entry, but a damaged one may state anything.
const MAX_PREALLOCATION: u64 = 16 << 20;

/// One file of a [`SourceTree`]. It is only meaningful for its own tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EntryId(u32);

/// Several folders and archives, seen as one list of files.
#[derive(Debug)]
pub struct SourceTree {
    layers: Vec<Layer>,
    /// Sorted by layer, then by path.
    entries: Vec<Entry>,
}

#[derive(Debug)]
struct Entry {
    layer: usize,
    /// Relative to the layer, with `/` as separator.
    path: String,
    /// The entry's index in its archive; 0 in a folder.
    archive_index: usize,
}

#[derive(Debug)]
enum Layer {
    Folder(PathBuf),
    Archive { path: PathBuf, archive: ZipArchive<Cursor<Arc<[u8]>>> },
}

impl SourceTree {
    /// Opens folders and zip files (a wheel is a zip file). Where two of
    /// them hold the same file, the earlier one in the list is used.
    pub fn open(paths: &[PathBuf]) -> Result<SourceTree> {
        let mut tree = SourceTree { layers: Vec::new(), entries: Vec::new() };
        for path in paths {
            let layer = tree.layers.len();
            let is_folder = fs::metadata(path).map_err(Error::io(path, "read"))?.is_dir();
            let (opened, mut entries) =
                if is_folder { open_folder(path, layer)? } else { open_archive(path, layer)? };
            entries.sort_by(|a, b| a.path.cmp(&b.path));
            tree.layers.push(opened);
            tree.entries.append(&mut entries);
        }
        Ok(tree)
    }

    /// The opened folders and archives, for messages.
    pub fn names(&self) -> String {
        let name = |layer: &Layer| match layer {
            Layer::Folder(path) | Layer::Archive { path, .. } => path.display().to_string(),
        };
        self.layers.iter().map(name).collect::<Vec<_>>().join(", ")
    }

    /// All files, by layer and then by path. A file that several layers
    /// hold is listed once for each.
    pub fn entries(&self) -> impl Iterator<Item = EntryId> + '_ {
        (0..self.entries.len()).map(|i| EntryId(i as u32))
    }

    /// The entry's path in its layer, with `/` as separator.
    pub fn path(&self, entry: EntryId) -> &str {
        &self.entries[entry.0 as usize].path
    }

    /// The entry as a message should name it: `data.whl!dir/file` or the
    /// path of the file on disc.
    pub fn label(&self, entry: EntryId) -> String {
        let Entry { layer, path, .. } = &self.entries[entry.0 as usize];
        match &self.layers[*layer] {
            Layer::Folder(root) => root.join(path).display().to_string(),
            Layer::Archive { path: archive, .. } => format!("{}!{path}", archive.display()),
        }
    }

    /// The file whose path is `suffix` or ends with `/` and `suffix`. If
    /// there are several, the earliest layer wins, then the shortest path,
    /// then the alphabetically first.
    pub fn find(&self, suffix: &str) -> Option<EntryId> {
        let matching = self.entries.iter().enumerate().filter(|(_, e)| ends_with(&e.path, suffix));
        let best = matching.min_by_key(|(_, e)| (e.layer, e.path.len(), e.path.as_str()));
        best.map(|(i, _)| EntryId(i as u32))
    }

    /// The file with this name in any folder, chosen as by [`Self::find`].
    /// A name with a `/` in it is never found.
    pub fn find_name(&self, file_name: &str) -> Option<EntryId> {
        if file_name.contains('/') { None } else { self.find(file_name) }
    }

    /// The files below a folder whose path ends with `dir_suffix`, in any
    /// depth, that have one of the `extensions` (each with its dot). Each
    /// comes with its path relative to that folder, sorted by it.
    ///
    /// One folder per layer is looked at: of those that hold a matching
    /// file, the one with the shortest path, then the alphabetically first.
    /// The layers are merged. A file in an earlier layer hides one in a
    /// later layer that differs in no more than the extension; within a
    /// layer the order of `extensions` decides.
    pub fn under(&self, dir_suffix: &str, extensions: &[&str]) -> Vec<(String, EntryId)> {
        let mut found: BTreeMap<&str, (&str, EntryId)> = BTreeMap::new();
        for layer in 0..self.layers.len() {
            let mut best: Option<&str> = None;
            let mut candidates = Vec::new();
            for (i, entry) in self.entries.iter().enumerate().filter(|(_, e)| e.layer == layer) {
                let Some(rank) = extensions.iter().position(|x| entry.path.ends_with(x)) else {
                    continue;
                };
                let Some(dir) = folder_with_suffix(&entry.path, dir_suffix) else { continue };
                if best.is_none_or(|b| (dir.len(), dir) < (b.len(), b)) {
                    best = Some(dir);
                }
                candidates.push((rank, i, dir));
            }
            candidates.retain(|(_, _, dir)| Some(*dir) == best);
            candidates.sort_unstable();
            for (rank, i, dir) in candidates {
                let relative = &self.entries[i].path[dir.len() + 1..];
                let stem = relative.strip_suffix(extensions[rank]).unwrap_or(relative);
                found.entry(stem).or_insert((relative, EntryId(i as u32)));
            }
        }
        let mut list: Vec<_> =
            found.into_values().map(|(path, id)| (path.to_owned(), id)).collect();
        list.sort();
        list
    }

    /// The content of a file. A file whose name ends with `.gz` is
    /// decompressed. Many threads may read at the same time.
    pub fn read(&self, entry: EntryId) -> Result<Vec<u8>> {
        let Entry { layer, path, archive_index } = &self.entries[entry.0 as usize];
        let raw = match &self.layers[*layer] {
            Layer::Folder(root) => {
                let file_path = root.join(path);
                let file = fs::File::open(&file_path).map_err(Error::io(&file_path, "read"))?;
                let size = file.metadata().map_or(0, |m| m.len());
                self.read_limited(entry, file, size, |e| Error::io(&file_path, "read")(e))?
            }
            Layer::Archive { archive, .. } => {
                // A clone shares the archive's bytes and its directory, and
                // gives this call a reading position of its own.
                let mut archive = archive.clone();
                let damaged = |e: &dyn std::fmt::Display| {
                    Error::input(
                        self.label(entry),
                        "archive entry",
                        e.to_string(),
                        "an undamaged, unencrypted entry",
                    )
                };
                let file = archive.by_index(*archive_index).map_err(|e| damaged(&e))?;
                let size = file.size();
                self.read_limited(entry, file, size, |e| damaged(&e))?
            }
        };
        if !path.ends_with(".gz") {
            return Ok(raw);
        }
        // Text shrinks to about a fourth.
        let expected_size = raw.len() as u64 * 4;
        self.read_limited(entry, MultiGzDecoder::new(raw.as_slice()), expected_size, |e| {
            Error::input(self.label(entry), "gzip stream", e.to_string(), "an undamaged gzip file")
        })
    }

    /// Reads to the end, but never more than [`ENTRY_LIMIT`] bytes.
    fn read_limited(
        &self,
        entry: EntryId,
        reader: impl Read,
        expected_size: u64,
        error: impl FnOnce(std::io::Error) -> Error,
    ) -> Result<Vec<u8>> {
        let mut bytes = Vec::with_capacity(expected_size.min(MAX_PREALLOCATION) as usize);
        reader.take(ENTRY_LIMIT + 1).read_to_end(&mut bytes).map_err(error)?;
        check_limit(
            || format!("the size of {}", self.label(entry)),
            bytes.len() as u64,
            ENTRY_LIMIT,
        )?;
        Ok(bytes)
    }
}

/// Lists a folder. Links are followed, because data folders are often
/// linked together; a link that leads back up, and one that leads nowhere,
/// is left out.
fn open_folder(root: &Path, layer: usize) -> Result<(Layer, Vec<Entry>)> {
    let mut entries = Vec::new();
    for item in WalkDir::new(root).follow_links(true) {
        let item = match item {
            Ok(item) => item,
            Err(e) if e.loop_ancestor().is_some() => continue,
            Err(e) if e.io_error().is_some_and(|e| e.kind() == std::io::ErrorKind::NotFound) => {
                continue;
            }
            Err(e) => {
                let path = e.path().unwrap_or(root).to_path_buf();
                return Err(Error::io(&path, "read")(e.into()));
            }
        };
        if !item.file_type().is_file() {
            continue;
        }
        let Some(path) = item.path().strip_prefix(root).ok().and_then(slash_path) else {
            continue;
        };
        entries.push(Entry { layer, path, archive_index: 0 });
        check_count(root, entries.len())?;
    }
    Ok((Layer::Folder(root.to_path_buf()), entries))
}

/// Lists a zip file, which is held in memory from then on.
fn open_archive(path: &Path, layer: usize) -> Result<(Layer, Vec<Entry>)> {
    let bytes: Arc<[u8]> = fs::read(path).map_err(Error::io(path, "read"))?.into();
    let fault = |e: zip::result::ZipError| {
        let expected = "a folder or an undamaged zip file";
        Error::input(path.display().to_string(), "archive directory", e.to_string(), expected)
    };
    let archive = ZipArchive::new(Cursor::new(bytes)).map_err(fault)?;
    let mut entries = Vec::new();
    check_count(path, archive.len())?;
    for archive_index in 0..archive.len() {
        let file = archive.by_index_data(archive_index).map_err(fault)?;
        // A link's content is a path, not data.
        if file.is_dir() || file.is_symlink() {
            continue;
        }
        let Ok(name) = std::str::from_utf8(file.name_raw()) else { continue };
        entries.push(Entry { layer, path: name.replace('\\', "/"), archive_index });
    }
    Ok((Layer::Archive { path: path.to_path_buf(), archive }, entries))
}

/// A relative path with `/` between its parts, or `None` if it is not UTF-8.
fn slash_path(path: &Path) -> Option<String> {
    let parts: Option<Vec<&str>> = path.iter().map(|part| part.to_str()).collect();
    parts.map(|parts| parts.join("/"))
}

/// Whether `path` is `suffix`, or ends with it after a `/`.
fn ends_with(path: &str, suffix: &str) -> bool {
    match path.strip_suffix(suffix) {
        Some(front) => !suffix.is_empty() && (front.is_empty() || front.ends_with('/')),
        None => false,
    }
}

/// The shortest folder above `path` that [`ends_with`] the suffix.
fn folder_with_suffix<'a>(path: &'a str, suffix: &str) -> Option<&'a str> {
    let folders = path.match_indices('/').map(|(i, _)| &path[..i]);
    folders.into_iter().find(|folder| ends_with(folder, suffix))
}

fn check_limit(what: impl FnOnce() -> String, found: u64, limit: u64) -> Result<()> {
    if found > limit { Err(Error::Limit { what: what(), found, limit }) } else { Ok(()) }
}

fn check_count(layer: &Path, found: usize) -> Result<()> {
    let what = || format!("the number of files in {}", layer.display());
    check_limit(what, found as u64, FILE_COUNT_LIMIT as u64)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn gz(text: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    fn write_zip(path: &Path, files: &[(&str, &[u8])]) {
        let mut writer = zip::ZipWriter::new(fs::File::create(path).unwrap());
        for (name, content) in files {
            writer.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
            writer.write_all(content).unwrap();
        }
        writer.finish().unwrap();
    }

    fn write_file(root: &Path, name: &str, content: &[u8]) {
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    #[test]
    fn an_earlier_layer_wins_then_the_shorter_path() {
        let temp = tempfile::tempdir().unwrap();
        write_file(temp.path(), "folder/deep/er/3dobjs/base.obj", b"folder");
        let wheel = temp.path().join("data.whl");
        write_zip(&wheel, &[("x/y/3dobjs/base.obj", b"long"), ("a/3dobjs/base.obj", b"short")]);
        let folder = temp.path().join("folder");

        let tree = SourceTree::open(&[folder.clone(), wheel.clone()]).unwrap();
        let id = tree.find("3dobjs/base.obj").unwrap();
        assert_eq!(tree.read(id).unwrap(), b"folder");
        assert_eq!(tree.path(id), "deep/er/3dobjs/base.obj");

        let tree = SourceTree::open(&[wheel.clone(), folder.clone()]).unwrap();
        assert_eq!(tree.names(), format!("{}, {}", wheel.display(), folder.display()));
        let id = tree.find_name("base.obj").unwrap();
        assert_eq!(tree.read(id).unwrap(), b"short");
        assert_eq!(tree.label(id), format!("{}!a/3dobjs/base.obj", wheel.display()));
        assert_eq!(tree.find("objs/base.obj"), None, "only whole path parts count");
        assert_eq!(tree.find(""), None);
        assert_eq!(tree.find_name("3dobjs/base.obj"), None);
        assert_eq!(tree.entries().count(), 3);
    }

    #[test]
    fn under_takes_one_folder_per_layer_and_merges_the_layers() {
        let temp = tempfile::tempdir().unwrap();
        let wheel = temp.path().join("data.whl");
        let packed = gz(b"packed");
        write_zip(
            &wheel,
            &[
                ("a/targets/nose/hump.target.gz", &packed),
                ("a/targets/nose/hump.txt", b""),
                ("a/targets/root.target.gz", &packed),
                ("a/longer/targets/other.target", b""),
                ("a/nontargets/x.target", b""),
            ],
        );
        write_file(temp.path(), "own/targets/nose/hump.target", b"plain");
        let own = temp.path().join("own");
        let tree = SourceTree::open(&[own, wheel]).unwrap();
        let list = tree.under("targets", &[".target", ".target.gz"]);
        let names: Vec<&str> = list.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["nose/hump.target", "root.target.gz"]);
        assert_eq!(tree.read(list[0].1).unwrap(), b"plain");
        assert_eq!(tree.read(list[1].1).unwrap(), b"packed");
        assert!(tree.under("missing", &[".target"]).is_empty());
    }

    #[test]
    fn many_threads_read_one_archive() {
        use rayon::prelude::*;
        let temp = tempfile::tempdir().unwrap();
        let wheel = temp.path().join("data.whl");
        let contents: Vec<(String, Vec<u8>)> =
            (0..50).map(|i| (format!("d/{i}.gz"), gz(format!("text {i}").as_bytes()))).collect();
        let files: Vec<_> = contents.iter().map(|(n, c)| (n.as_str(), c.as_slice())).collect();
        write_zip(&wheel, &files);
        let tree = SourceTree::open(&[wheel]).unwrap();
        (0..50).into_par_iter().for_each(|i| {
            let id = tree.find(&format!("d/{i}.gz")).unwrap();
            assert_eq!(tree.read(id).unwrap(), format!("text {i}").as_bytes());
        });
    }

    #[test]
    fn damage_is_named() {
        let temp = tempfile::tempdir().unwrap();
        let not_zip = temp.path().join("data.whl");
        fs::write(&not_zip, b"this is not an archive").unwrap();
        let message = SourceTree::open(&[not_zip]).unwrap_err().to_string();
        assert!(message.contains("data.whl: archive directory"), "{message}");

        let missing = SourceTree::open(&[temp.path().join("none")]).unwrap_err();
        assert!(matches!(missing, Error::Io { .. }));

        let mut cut = gz(&b"a text of some length, ".repeat(40));
        cut.truncate(30);
        write_file(temp.path(), "folder/a.target.gz", &cut);
        let tree = SourceTree::open(&[temp.path().join("folder")]).unwrap();
        let message = tree.read(tree.find_name("a.target.gz").unwrap()).unwrap_err().to_string();
        assert!(message.contains("a.target.gz: gzip stream"), "{message}");

        let wheel = temp.path().join("flipped.whl");
        write_zip(&wheel, &[("a.txt", b"0123456789")]);
        let mut bytes = fs::read(&wheel).unwrap();
        // The content begins after the local header of 30 bytes and the name.
        bytes[30 + 5 + 3] ^= 0x55;
        fs::write(&wheel, bytes).unwrap();
        let tree = SourceTree::open(&[wheel]).unwrap();
        let message = tree.read(tree.find("a.txt").unwrap()).unwrap_err().to_string();
        assert!(message.contains("flipped.whl!a.txt: archive entry"), "{message}");
    }

    #[test]
    fn a_decompression_bomb_is_refused() {
        let temp = tempfile::tempdir().unwrap();
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        let block = vec![0; 1 << 20];
        for _ in 0..257 {
            encoder.write_all(&block).unwrap();
        }
        write_file(temp.path(), "bomb.gz", &encoder.finish().unwrap());
        let tree = SourceTree::open(&[temp.path().to_path_buf()]).unwrap();
        let error = tree.read(tree.find("bomb.gz").unwrap()).unwrap_err();
        assert!(matches!(error, Error::Limit { limit: ENTRY_LIMIT, .. }), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn loops_dead_links_and_strange_names_are_left_out() {
        use std::os::unix::ffi::OsStrExt;
        use std::os::unix::fs::symlink;
        let temp = tempfile::tempdir().unwrap();
        write_file(temp.path(), "real/a.txt", b"a");
        symlink(temp.path(), temp.path().join("real/up")).unwrap();
        symlink("nowhere", temp.path().join("dead")).unwrap();
        symlink("real/a.txt", temp.path().join("link.txt")).unwrap();
        // Some file systems refuse the name, which is as good.
        let _ = fs::write(temp.path().join(std::ffi::OsStr::from_bytes(b"\xff.txt")), b"");
        let tree = SourceTree::open(&[temp.path().to_path_buf()]).unwrap();
        let paths: Vec<&str> = tree.entries().map(|id| tree.path(id)).collect();
        assert_eq!(paths, ["link.txt", "real/a.txt"]);
    }
}
