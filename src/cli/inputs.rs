//! From the inputs of a command line to a list of files and their outputs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::{Error, Result};

/// How a character spec's file name ends.
const SPEC_ENDING: &str = ".character.json";
/// How the names of exported files end.
const EXPORT_ENDINGS: [&str; 2] = [".glb", ".vrm"];

/// A file to read and the file to write for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// The spec.
    pub input: PathBuf,
    /// The name of the output without its folder and extension.
    pub stem: String,
}

/// Expands files, folders and glob patterns, in the order given; what a
/// folder or a pattern holds is sorted, so that a run does not depend on the
/// file system's order. An input that cannot be used becomes an error in its
/// place and the others still count. Each comes with the name to report it by.
pub fn expand(inputs: &[String]) -> Vec<(String, Result<Job>)> {
    let mut jobs: Vec<(String, Result<Job>)> = Vec::new();
    for input in inputs {
        match expand_one(input, &[SPEC_ENDING], "character spec") {
            Ok(paths) => {
                jobs.extend(paths.into_iter().map(|p| (p.display().to_string(), Ok(job(p)))));
            }
            Err(e) => jobs.push((input.clone(), Err(e))),
        }
    }
    refuse_collisions(&mut jobs);
    jobs
}

/// Expands the inputs of `check` in the same way, without asking for more
/// than that they are files.
pub fn expand_exports(inputs: &[String]) -> Vec<(String, Result<PathBuf>)> {
    let mut files = Vec::new();
    for input in inputs {
        match expand_one(input, &EXPORT_ENDINGS, "GLB or VRM file") {
            Ok(paths) => files.extend(paths.into_iter().map(|p| (p.display().to_string(), Ok(p)))),
            Err(e) => files.push((input.clone(), Err(e))),
        }
    }
    files
}

/// Whether two paths name the same file. Folders are followed through links
/// and `..`; the name itself is not, since a write takes a link's own place.
pub fn same_file(one: &Path, other: &Path) -> bool {
    let place = |path: &Path| {
        let path = std::path::absolute(path).ok()?;
        let folder = path.parent().unwrap_or(&path);
        let name = path.file_name()?.to_owned();
        // A folder that is not there yet has no links in it.
        let folder = std::fs::canonicalize(folder).unwrap_or_else(|_| folder.to_path_buf());
        Some((folder, name))
    };
    match (place(one), place(other)) {
        (Some(a), Some(b)) => a == b,
        _ => false,
    }
}

/// The files that an input stands for. `endings` are those that count in a
/// folder, `what` the word for them.
fn expand_one(input: &str, endings: &[&str], what: &str) -> Result<Vec<PathBuf>> {
    if input.is_empty() {
        let expected = "a file, a folder or a pattern";
        return Err(Error::input("the command line", "INPUT", "an empty name", expected));
    }
    let path = Path::new(input);
    if path.is_dir() {
        let found = files_in(path, endings)?;
        return match found.is_empty() {
            false => Ok(found),
            true => {
                let names: Vec<String> = endings.iter().map(|e| format!("*{e}")).collect();
                let expected = format!("at least one file named {}", names.join(" or "));
                Err(Error::input(input, "folder", format!("no {what}"), expected))
            }
        };
    }
    // A file whose name looks like a pattern is still a file.
    if path.exists() || !input.contains(['*', '?', '[']) {
        return Ok(vec![path.to_path_buf()]);
    }
    let bad = |e: glob::PatternError| Error::input(input, "pattern", e.to_string(), "a glob");
    // Reading errors of single entries would surface again on opening them.
    let found: Vec<PathBuf> = glob::glob(input)
        .map_err(bad)?
        .filter_map(std::result::Result::ok)
        .filter(|p| p.is_file())
        .collect();
    match found.is_empty() {
        false => Ok(found),
        true => Err(Error::input(input, "pattern", "no such file", "at least one match")),
    }
}

fn files_in(folder: &Path, endings: &[&str]) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(Error::io(folder, "read"))? {
        let path = entry.map_err(Error::io(folder, "read"))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let name = name.to_lowercase();
        if endings.iter().any(|ending| name.ends_with(ending)) && path.is_file() {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

fn job(input: PathBuf) -> Job {
    let name = input.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let stem = name.strip_suffix(SPEC_ENDING).or_else(|| name.strip_suffix(".json"));
    let stem = stem.filter(|s| !s.is_empty()).unwrap_or(&name).to_owned();
    Job { input, stem }
}

/// Two inputs that would write the same file: the second is refused, since
/// one of the two characters would otherwise be lost without a word. Names
/// that differ only in case are the same file on many systems.
fn refuse_collisions(jobs: &mut [(String, Result<Job>)]) {
    let mut first: BTreeMap<String, PathBuf> = BTreeMap::new();
    for (_, slot) in jobs {
        let Ok(job) = &*slot else { continue };
        match first.get(&job.stem.to_lowercase()) {
            None => {
                first.insert(job.stem.to_lowercase(), job.input.clone());
            }
            Some(other) => {
                let found = format!("the same output name as {}", other.display());
                let file = job.input.display().to_string();
                let expected = "a file name of its own";
                *slot = Err(Error::input(file, "output", found, expected));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_and_patterns_are_sorted_and_filtered() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["b.character.json", "a.character.json", "notes.txt", "c.json"] {
            std::fs::write(dir.path().join(name), "{}").unwrap();
        }
        let folder = dir.path().display().to_string();
        let stems = |inputs: &[String]| -> Vec<String> {
            expand(inputs).into_iter().map(|(_, j)| j.map_or("error".into(), |j| j.stem)).collect()
        };
        assert_eq!(stems(std::slice::from_ref(&folder)), ["a", "b"]);
        assert_eq!(stems(&[format!("{folder}/*.json")]), ["a", "b", "c"]);
        assert_eq!(stems(&[format!("{folder}/x*.json")]), ["error"]);
        // A missing file is found out when it is opened.
        assert_eq!(stems(&[format!("{folder}/none.json")]), ["none"]);
    }

    #[test]
    fn outputs_never_collide() {
        let jobs = expand(&["x/a.json".into(), "y/A.character.json".into(), "y/b.json".into()]);
        assert!(jobs[0].1.is_ok() && jobs[2].1.is_ok());
        let e = jobs[1].1.as_ref().unwrap_err().to_string();
        assert!(e.contains("the same output name as x/a.json"), "{e}");
    }
}
