//! What the passes share: the document, the findings, and what each accessor
//! and buffer view turned out to be for.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use super::report::{Finding, More, Report, Summary};
use super::rules::{self, Rule, Severity};
use super::schema::LISTS;
use crate::Error;
use crate::glb::reader::{AccessorReader, Glb, Json};

/// Findings of one rule that are kept; a writer with a wrong rule would
/// otherwise fill the report with one line per vertex or target.
const KEPT: usize = 20;
/// Places of findings that are remembered, so that what one pass has told is
/// not told again by another.
const MOST_PLACES: usize = 1 << 16;
/// Components that may be read in all, as a multiple of the file's bytes.
/// Each is read at most three times in honest files (as data, as part of a
/// pair, again when two primitives share it).
const WORK_FACTOR: usize = 16;
/// Components that may always be read.
const WORK_FLOOR: usize = 1 << 22;

/// How much of a name from the file is put into a path, in characters.
const NAME_SHOWN: usize = 60;

/// A key from the file for a path: a name may be megabytes long, and a path
/// is repeated for everything below it.
pub fn key_in_path(key: &str) -> std::borrow::Cow<'_, str> {
    match key.char_indices().nth(NAME_SHOWN) {
        None => key.into(),
        Some((end, _)) => format!("{}...", &key[..end]).into(),
    }
}

/// Whether a number is at most a limit; one that is no number is not.
pub fn within(x: f64, limit: f64) -> bool {
    x <= limit
}

/// What an accessor is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// The indices of a primitive.
    Indices,
    /// A vertex attribute or a morph target's deltas.
    Vertices,
    /// Inverse bind matrices.
    BindMatrices,
    /// The key times of an animation.
    KeyTimes,
    /// The key values of an animation.
    KeyValues,
}

impl Use {
    /// The use in words.
    pub fn as_str(self) -> &'static str {
        match self {
            Use::Indices => "indices",
            Use::Vertices => "vertex data",
            Use::BindMatrices => "inverse bind matrices",
            Use::KeyTimes => "key times",
            Use::KeyValues => "key values",
        }
    }
}

/// What a buffer view is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ViewUse {
    /// Indices of primitives.
    Indices,
    /// Vertex attributes.
    Vertices,
    /// Inverse bind matrices.
    BindMatrices,
    /// An image.
    Image,
    /// Keys of animations and sparse parts.
    Other,
}

impl ViewUse {
    /// The use in words.
    pub fn as_str(self) -> &'static str {
        match self {
            ViewUse::Indices => "indices",
            ViewUse::Vertices => "vertex data",
            ViewUse::BindMatrices => "inverse bind matrices",
            ViewUse::Image => "an image",
            ViewUse::Other => "keys or sparse elements",
        }
    }
}

/// What the elements of an accessor must be, found out by the passes over
/// meshes, skins and animations and looked at when the elements are read.
#[derive(Debug, Clone, PartialEq)]
pub enum Demand {
    /// Vectors of length 1; `w` says that a fourth component is 1 or -1.
    Unit {
        /// Whether there is a sign.
        w: bool,
    },
    /// Numbers between 0 and 1.
    Clamped,
    /// Vertex indices below a number of vertices.
    Indices {
        /// The number of vertices.
        vertices: usize,
        /// Whether three in a row are a triangle.
        triangles: bool,
    },
    /// Matrices whose last row is 0, 0, 0, 1, for so many joints.
    BindMatrices {
        /// The number of joints.
        joints: usize,
    },
    /// Times that are not negative and rise.
    Times,
    /// Unit quaternions.
    Quaternions {
        /// Elements from one key's value to the next; 3 for splines.
        stride: usize,
        /// Whether the keys are joined by lines.
        linear: bool,
    },
}

/// An opened accessor, or why it could not be opened.
pub type OpenResult<'a> = Result<AccessorReader<'a>, Arc<Error>>;

fn parents(nodes: &[Json<'_>]) -> Arc<[Option<usize>]> {
    let mut parents = vec![None; nodes.len()];
    for (i, node) in nodes.iter().enumerate() {
        for child in node.list("children").iter().filter_map(Json::as_index) {
            if let Some(slot @ None) = parents.get_mut(child) {
                *slot = Some(i);
            }
        }
    }
    parents.into()
}

/// A check that is going on.
pub struct Check<'g, 'a> {
    /// The file.
    pub glb: &'g Glb<'a>,
    /// Its name.
    pub file: &'g str,
    /// What is in it.
    pub summary: Summary,
    /// What each accessor is for, with the first place that said so.
    pub uses: Vec<Option<(Use, String)>>,
    /// What each accessor's elements must be, with the place that says so.
    pub demands: Vec<Vec<(Demand, String)>>,
    /// What each buffer view is for.
    pub view_uses: Vec<Option<(ViewUse, String)>>,
    /// Accessors whose bytes another extension holds.
    pub elsewhere: HashSet<usize>,
    /// Objects that something refers to, by list and index.
    pub used: HashSet<(&'static str, usize)>,
    /// The document's lists, by the order of [`LISTS`]. Objects are looked
    /// up by walking over all their keys, and there may be many.
    lists: Vec<&'g [Json<'a>]>,
    /// The accessors that have been opened.
    readers: Vec<Option<OpenResult<'a>>>,
    /// The parent of each node, the first that names it. Shared, so that a
    /// pass can add findings while it follows them.
    pub parents: Arc<[Option<usize>]>,
    /// Whether vertex data may be quantised (KHR_mesh_quantization).
    pub quantised: bool,
    /// Whether the schema's tables are VRM's: the same faults are of another
    /// rule there, as the Khronos validator does not look into extensions.
    pub in_vrm: bool,
    /// Places of findings so far.
    places: HashSet<String>,
    findings: Vec<Finding>,
    counts: BTreeMap<&'static str, (&'static Rule, Severity, usize)>,
    work_left: usize,
}

impl<'g, 'a> Check<'g, 'a> {
    /// A check of an opened file.
    pub fn new(glb: &'g Glb<'a>, file: &'g str) -> Check<'g, 'a> {
        let length = |list| glb.json.list(list).len();
        let lists = LISTS.iter().map(|list| glb.json.list(list)).collect();
        let bytes = glb.bin.len();
        Check {
            glb,
            file,
            summary: Summary::default(),
            uses: vec![None; length("accessors")],
            demands: vec![Vec::new(); length("accessors")],
            view_uses: vec![None; length("bufferViews")],
            elsewhere: HashSet::new(),
            used: HashSet::new(),
            parents: parents(glb.json.list("nodes")),
            quantised: glb
                .json
                .list("extensionsUsed")
                .iter()
                .any(|name| name.as_str() == Some("KHR_mesh_quantization")),
            lists,
            readers: vec![None; length("accessors")],
            in_vrm: false,
            places: HashSet::new(),
            findings: Vec::new(),
            counts: BTreeMap::new(),
            work_left: bytes.saturating_mul(WORK_FACTOR).max(WORK_FLOOR),
        }
    }

    /// The document.
    pub fn root(&self) -> &'g Json<'a> {
        &self.glb.json
    }

    /// The items of one of the document's lists.
    pub fn list(&self, key: &str) -> &'g [Json<'a>] {
        match LISTS.iter().position(|list| *list == key) {
            Some(place) => self.lists[place],
            None => self.root().list(key),
        }
    }

    /// The item of one of the document's lists that `owner.key` refers to.
    pub fn item(&self, owner: &Json<'a>, key: &str, list: &str) -> Option<(usize, &'g Json<'a>)> {
        let index = owner.get(key)?.as_index()?;
        Some((index, self.list(list).get(index)?))
    }

    /// Adds a finding.
    pub fn add(
        &mut self,
        rule: &'static Rule,
        path: impl Into<String>,
        found: impl Into<String>,
        expected: impl Into<String>,
    ) {
        self.add_as(rule.severity, rule, path, found, expected);
    }

    /// Adds a finding that matters less, or more, than its rule says. All
    /// findings of a rule in one file have one severity.
    pub fn add_as(
        &mut self,
        severity: Severity,
        rule: &'static Rule,
        path: impl Into<String>,
        found: impl Into<String>,
        expected: impl Into<String>,
    ) {
        let of_schema = self.in_vrm && rule.id.starts_with("json.");
        let rule = if of_schema { &rules::VRM_SCHEMA } else { rule };
        let (_, _, count) = self.counts.entry(rule.id).or_insert((rule, severity, 0));
        *count += 1;
        let path = path.into();
        if *count <= KEPT {
            self.places.insert(path.clone());
            let (found, expected) = (found.into(), expected.into());
            self.findings.push(Finding { rule, severity, path, found, expected });
        } else if self.places.len() < MOST_PLACES {
            self.places.insert(path);
        }
    }

    /// Whether there is a finding at exactly this place.
    pub fn has_finding_at(&self, path: &str) -> bool {
        self.places.contains(path)
    }

    /// Says that a list's item is used.
    pub fn mark(&mut self, list: &'static str, index: usize) {
        self.used.insert((list, index));
    }

    /// Says what an accessor is for.
    pub fn use_accessor(&mut self, index: usize, what: Use, at: &str) {
        let Some(slot) = self.uses.get_mut(index) else { return };
        match slot {
            None => *slot = Some((what, at.into())),
            Some((other, place)) if *other != what => {
                let found = format!("accessor {index} as {}", what.as_str());
                let expected = format!("{} only, as {place} has it", other.as_str());
                self.add(&rules::ACCESSOR_USE, at, found, expected);
            }
            Some(_) => {}
        }
        let view_use = match what {
            Use::Indices => ViewUse::Indices,
            Use::Vertices => ViewUse::Vertices,
            Use::BindMatrices => ViewUse::BindMatrices,
            Use::KeyTimes | Use::KeyValues => ViewUse::Other,
        };
        let accessor = &self.list("accessors")[index];
        if let Some((view, _)) = self.item(accessor, "bufferView", "bufferViews") {
            self.use_view(view, view_use, at);
        }
    }

    /// Says what a buffer view is for.
    pub fn use_view(&mut self, index: usize, what: ViewUse, at: &str) {
        let Some(slot) = self.view_uses.get_mut(index) else { return };
        match slot {
            None => *slot = Some((what, at.into())),
            Some((other, place)) if *other != what => {
                let found = format!("buffer view {index} for {}", what.as_str());
                let expected = format!("{} only, as {place} has it", other.as_str());
                self.add(&rules::VIEW_USE, at, found, expected);
            }
            Some(_) => {}
        }
    }

    /// Says what an accessor's elements must be.
    pub fn demand(&mut self, index: usize, demand: Demand, at: &str) {
        let Some(demands) = self.demands.get_mut(index) else { return };
        if demands.iter().all(|(other, _)| *other != demand) {
            demands.push((demand, at.into()));
        }
    }

    /// Opens an accessor, once its bytes are known to be in the file. The
    /// answer is nothing for one whose bytes cannot be had or whose fault has
    /// been told.
    pub fn open(&mut self, index: usize) -> Option<AccessorReader<'a>> {
        self.try_open(index)?.ok()
    }

    /// The same with the fault, the first time and every other time.
    pub fn try_open(&mut self, index: usize) -> Option<OpenResult<'a>> {
        if self.elsewhere.contains(&index) {
            return None;
        }
        if self.readers.get(index)?.is_none() {
            // Opening looks at every sparse index, and many accessors may
            // have the same ones.
            let sparse = self.list("accessors")[index].get("sparse");
            let count = sparse.and_then(|sparse| sparse.get("count")?.as_index()).unwrap_or(0);
            if !self.may_read(count.min(self.glb.bin.len()), &format!("$.accessors[{index}]")) {
                return None;
            }
            let reader = AccessorReader::open(self.glb, self.file, index).map_err(Arc::new);
            self.readers[index] = Some(reader);
        }
        self.readers[index].clone()
    }

    /// Whether so many components may still be read. Many accessors may lie
    /// over the same bytes, so the file's size alone is no bound.
    pub fn may_read(&mut self, components: usize, at: &str) -> bool {
        match self.work_left.checked_sub(components) {
            Some(left) => {
                self.work_left = left;
                true
            }
            None => {
                let found = format!("{components} more values to read");
                let expected = "no more in all than files of this size hold";
                self.add(&rules::GLB_TOO_MUCH, at, found, expected);
                self.work_left = 0;
                false
            }
        }
    }

    /// The report.
    pub fn finish(self, bytes: usize) -> Report {
        let more = self.counts.into_values().filter(|(.., count)| *count > KEPT);
        let more = more.map(|(rule, severity, n)| More { rule, severity, count: n - KEPT });
        Report {
            file: self.file.into(),
            findings: self.findings,
            more: more.collect(),
            summary: Summary { bytes, ..self.summary },
        }
    }
}
