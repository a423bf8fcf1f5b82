//! A temporary folder, the program run inside it, and what came of it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use dramatis::pack::store::{DEFAULT_PACK, PackStore};
use serde_json::{Value, json};

use crate::common;

/// A temporary folder to run the program in.
pub struct Bench {
    dir: tempfile::TempDir,
}

/// What a run of the program came to.
#[derive(Debug)]
pub struct Run {
    /// The exit code; none when a signal ended it.
    pub code: Option<i32>,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

/// Files by path, with their content, and folders without. Packs are too
/// large to keep, so their length stands for them.
type Snapshot = BTreeMap<PathBuf, Option<Vec<u8>>>;

impl Bench {
    /// An empty folder.
    pub fn new() -> Bench {
        Bench { dir: tempfile::tempdir().expect("a temporary folder") }
    }

    /// A path in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Writes a file; folders that are missing are made.
    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, bytes).expect("a file");
    }

    /// Writes a JSON file.
    pub fn write_json(&self, name: &str, value: &Value) {
        self.write(name, value.to_string());
    }

    /// Makes an empty folder.
    pub fn folder(&self, name: &str) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(&path).expect("a folder");
        path
    }

    /// Reads a file.
    pub fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    /// Copies the hm08 pack into the folder.
    pub fn copy_pack(&self, name: &str) -> PathBuf {
        common::exporter();
        let store = PackStore::of_user().expect("a folder for packs");
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::copy(store.path_of(DEFAULT_PACK), &path).expect("a copy of the pack");
        path
    }

    /// The program, about to be run in the folder.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dramatis"));
        // A panic is recognised by its first line; a backtrace would only
        // bury it.
        command.env("RUST_BACKTRACE", "0");
        command.args(args).current_dir(self.dir.path()).stdin(Stdio::null());
        command
    }

    /// Runs the program in the folder.
    pub fn run(&self, args: &[&str]) -> Run {
        Run::of(&mut self.command(args))
    }

    /// Runs what has to fail with one fault, and makes sure that it changed
    /// nothing. The answer is the line that tells the fault.
    pub fn refused(&self, args: &[&str]) -> String {
        self.refused_command(&mut self.command(args))
    }

    /// As [`Bench::refused`], for a command made by [`Bench::command`].
    pub fn refused_command(&self, command: &mut Command) -> String {
        let before = self.snapshot();
        let line = Run::of(command).fault();
        let after = self.snapshot();
        let names = |s: &Snapshot| s.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&before), names(&after), "files came or went: {line}");
        assert!(before == after, "a file was changed: {line}");
        line
    }

    /// Every file and folder below the bench.
    pub fn snapshot(&self) -> Snapshot {
        let mut found = Snapshot::new();
        list(self.dir.path(), self.dir.path(), &mut found);
        found
    }

    /// The names in a folder, sorted.
    pub fn names_in(&self, folder: &str) -> Vec<String> {
        let Ok(entries) = std::fs::read_dir(self.path(folder)) else { return Vec::new() };
        let mut names: Vec<String> = entries
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }
}

fn list(root: &Path, folder: &Path, found: &mut Snapshot) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.strip_prefix(root).expect("a path below the bench").to_path_buf();
        if path.is_dir() {
            found.insert(name, None);
            list(root, &path, found);
        } else if path.extension().is_some_and(|e| e == "pack") {
            let length = std::fs::metadata(&path).expect("a pack").len();
            found.insert(name, Some(length.to_le_bytes().to_vec()));
        } else {
            found.insert(name, Some(std::fs::read(&path).expect("a file")));
        }
    }
}

impl Run {
    /// Runs a command to its end.
    pub fn of(command: &mut Command) -> Run {
        let output = command.output().expect("the program");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("messages in UTF-8");
        let run =
            Run { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) };
        run.no_panic();
        run
    }

    /// Whatever else went wrong, the program never panics.
    pub fn no_panic(&self) {
        assert!(!self.err.contains("panicked at"), "a panic:\n{}", self.err);
        assert!(self.code.is_some_and(|code| code <= 2), "{self:?}");
    }

    /// All went well, and nothing was said on standard error.
    #[track_caller]
    pub fn ok(&self) {
        assert_eq!((self.code, self.err.as_str()), (Some(0), ""), "{self:?}");
    }

    /// Exactly one fault, and exit code 1. The answer is its line.
    #[track_caller]
    pub fn fault(&self) -> String {
        let mut faults = self.faults();
        assert_eq!(faults.len(), 1, "not one line for one fault: {self:?}");
        faults.remove(0)
    }

    /// The lines that tell faults, with exit code 1. Besides them only the
    /// stages of a pack's build may stand on standard error.
    #[track_caller]
    pub fn faults(&self) -> Vec<String> {
        assert_eq!(self.code, Some(1), "{self:?}");
        let is_stage = |line: &str| line.ends_with(" ...") && !line.contains(':');
        let lines = self.err.lines().filter(|line| !is_stage(line));
        lines
            .map(|line| {
                let text = line.strip_prefix("error: ");
                text.unwrap_or_else(|| panic!("a stray line {line:?}: {self:?}")).to_owned()
            })
            .collect()
    }

    /// The command line was wrong: exit code 2, and nothing but the advice
    /// on standard error.
    #[track_caller]
    pub fn usage(&self) {
        assert_eq!((self.code, self.out.as_str()), (Some(2), ""), "{self:?}");
        assert!(self.err.starts_with("error: "), "{self:?}");
        assert_eq!(self.err.matches("error: ").count(), 1, "{self:?}");
    }
}

/// A spec of the given keys besides those that every spec needs.
pub fn spec(keys: Value) -> Value {
    let mut spec = json!({ "format": "dramatis-character", "version": 1, "name": "Ada" });
    let all = spec.as_object_mut().expect("an object");
    all.extend(keys.as_object().expect("an object").clone());
    spec
}

/// Exports one spec and gives the file.
#[track_caller]
pub fn export_bytes(text: impl AsRef<[u8]>, flags: &[&str]) -> Vec<u8> {
    common::exporter();
    let bench = Bench::new();
    bench.write("ada.character.json", text);
    let args = [&["export", "ada.character.json", "-o", "out"], flags].concat();
    let run = bench.run(&args);
    run.ok();
    assert!(run.out.starts_with(&Path::new("out").join("ada.glb").display().to_string()));
    assert_eq!(bench.names_in("out"), ["ada.glb"]);
    bench.read("out/ada.glb")
}

/// The JSON chunk of a GLB file whose lengths are right.
pub fn glb_json(bytes: &[u8]) -> Value {
    let u32_at =
        |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes")) as usize;
    assert_eq!(&bytes[..4], b"glTF");
    assert_eq!((u32_at(4), u32_at(8)), (2, bytes.len()), "version and length");
    assert_eq!(&bytes[16..20], b"JSON");
    let json = &bytes[20..20 + u32_at(12)];
    serde_json::from_slice(json).expect("JSON")
}
