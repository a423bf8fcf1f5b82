//! Opening a pack and looking into it.

use std::fs::File;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use bytemuck::AnyBitPattern;
use memmap2::Mmap;

use super::content::{FitPoint, PartVertex, TargetRange, UnitRotation};
use super::format::{self, Section};
use super::meta::{Meta, PartMeta};
use super::verify::Verification;
use crate::error::PackFault;
use crate::kernels::map::map_file;
use crate::kernels::morph::Run;
use crate::profile::{FACE_UNITS, Licence, N_JOINTS};
use crate::{Error, Result};

/// An open pack. Cheap to share between threads; holds a file mapping.
#[derive(Debug)]
pub struct Pack {
    bytes: Arc<Bytes>,
    verification: Verification,
    label: String,
    content_hash: u128,
    meta: Meta,
    at: Layout,
}

#[derive(Debug)]
enum Bytes {
    Mapped(Mmap),
    /// Eight-byte words, so that arrays of numbers are aligned, and the
    /// length in bytes.
    Owned(Vec<u64>, usize),
}

impl AsRef<[u8]> for Bytes {
    fn as_ref(&self) -> &[u8] {
        match self {
            Bytes::Mapped(map) => map,
            Bytes::Owned(words, length) => &bytemuck::cast_slice(words)[..*length],
        }
    }
}

/// Where each array lies; all ranges are inside the file and fit their type.
#[derive(Debug)]
struct Layout {
    positions: Range<usize>,
    mirror: Range<usize>,
    ranges: Range<usize>,
    runs: Range<usize>,
    deltas: Range<usize>,
    bones: WeightRanges,
    joints: WeightRanges,
    units: Range<usize>,
    parts: Vec<PartRanges>,
    images: Vec<Range<usize>>,
}

#[derive(Debug)]
struct WeightRanges {
    offsets: Range<usize>,
    indices: Range<usize>,
    weights: Range<usize>,
}

#[derive(Debug)]
struct PartRanges {
    fitted: bool,
    points: Range<usize>,
    vertices: Range<usize>,
    triangles: Range<usize>,
    covers: Range<usize>,
}

/// A target: runs of moved vertices and one delta per vertex of all runs.
#[derive(Debug, Clone, Copy)]
pub struct TargetView<'a> {
    /// Runs of moved vertices, in order.
    pub runs: &'a [Run],
    /// Deltas in steps of [`Meta::target_unit_m`].
    pub deltas: &'a [[i16; 3]],
}

/// Weights per base vertex.
#[derive(Debug, Clone, Copy)]
pub struct WeightsView<'a> {
    offsets: &'a [u32],
    indices: &'a [u16],
    weights: &'a [f32],
}

impl<'a> WeightsView<'a> {
    /// The bones or joints that move a vertex, and how much each.
    pub fn of(&self, vertex: usize) -> impl Iterator<Item = (u16, f32)> + use<'a> {
        let range = self.offsets[vertex] as usize..self.offsets[vertex + 1] as usize;
        self.indices[range.clone()].iter().copied().zip(self.weights[range].iter().copied())
    }
}

/// A mesh of the pack.
#[derive(Debug, Clone, Copy)]
pub struct PartView<'a> {
    /// Its names and kind.
    pub meta: &'a PartMeta,
    /// How its points follow the base mesh.
    pub points: PointsView<'a>,
    /// Its vertices.
    pub vertices: &'a [PartVertex],
    /// Its triangles, as indices of vertices.
    pub triangles: &'a [[u32; 3]],
    /// The base vertices whose skin it hides where it is worn.
    pub covers: &'a [u32],
}

/// How a part's points follow the base mesh.
#[derive(Debug, Clone, Copy)]
pub enum PointsView<'a> {
    /// Each point is a base vertex.
    Base(&'a [u32]),
    /// Each point is a weighted sum of three base vertices.
    Fit(&'a [FitPoint]),
}

impl Pack {
    /// Maps and checks a pack file. Nothing but the names is copied. The
    /// content of large sections goes on being checked on a thread of its own;
    /// see [`Pack::verify`].
    ///
    /// # Errors
    /// [`Error::Io`] when the file cannot be read; [`Error::Pack`] when it is
    /// not a pack, of another version, truncated, damaged or inconsistent.
    pub fn open(path: &Path) -> Result<Pack> {
        let file = File::open(path).map_err(Error::io(path, "open"))?;
        let metadata = file.metadata().map_err(Error::io(path, "read"))?;
        let label = path.display().to_string();
        if !metadata.is_file() || metadata.len() == 0 {
            // Mapping a folder or an empty file is an obscure error of its
            // own on most systems.
            return Err(Error::Pack { file: label, fault: PackFault::Foreign });
        }
        let map = map_file(&file).map_err(Error::io(path, "map"))?;
        Pack::check(Bytes::Mapped(map), label)
    }

    /// Checks a pack that is already in memory, for callers who keep packs
    /// elsewhere than in files. `label` stands for it in messages.
    ///
    /// # Errors
    /// As [`Pack::open`], except for reading.
    pub fn from_bytes(bytes: &[u8], label: &str) -> Result<Pack> {
        let mut words = vec![0u64; bytes.len().div_ceil(8)];
        bytemuck::cast_slice_mut(&mut words)[..bytes.len()].copy_from_slice(bytes);
        Pack::check(Bytes::Owned(words, bytes.len()), label.to_owned())
    }

    fn check(bytes: Bytes, label: String) -> Result<Pack> {
        let fault = |fault| Error::Pack { file: label.clone(), fault };
        let table = format::read_table(bytes.as_ref()).map_err(fault)?;
        let finder = Finder { bytes: bytes.as_ref(), sections: &table.sections };
        let (meta, at) = finder.layout().map_err(fault)?;
        let content_hash = table.content_hash;
        let bytes = Arc::new(bytes);
        let verification = Verification::start(&bytes, table.unchecked);
        let pack = Pack { bytes, verification, label, content_hash, meta, at };
        pack.check_indices()
            .map_err(|what| Error::Pack { file: pack.label.clone(), fault: content(what) })?;
        Ok(pack)
    }

    fn array<T: AnyBitPattern>(&self, range: &Range<usize>) -> &[T] {
        bytemuck::cast_slice(&(*self.bytes).as_ref()[range.clone()])
    }

    /// Waits until every byte has been compared with its checksum. Whatever
    /// makes something of a pack calls this before it hands its result out, as
    /// [`crate::build_character`] does, so that no damage goes unnoticed.
    ///
    /// # Errors
    /// [`Error::Pack`] when a section is damaged.
    pub fn verify(&self) -> Result<()> {
        let outcome = self.verification.outcome();
        outcome.map_err(|fault| Error::Pack { file: self.label.clone(), fault })
    }

    /// The path or label the pack was opened with.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The names and lists.
    pub fn meta(&self) -> &Meta {
        &self.meta
    }

    /// Names the whole content: equal packs have equal hashes.
    pub fn content_hash(&self) -> u128 {
        self.content_hash
    }

    /// The size of the file in bytes.
    pub fn n_bytes(&self) -> usize {
        (*self.bytes).as_ref().len()
    }

    /// The base mesh's vertices in metres, before any target.
    pub fn positions(&self) -> &[[f32; 3]] {
        self.array(&self.at.positions)
    }

    /// Per base vertex, its mirror partner.
    pub fn mirror(&self) -> &[u32] {
        self.array(&self.at.mirror)
    }

    /// The index of a target by its key.
    pub fn find_target(&self, key: &str) -> Option<usize> {
        self.meta.targets.binary_search_by(|t| t.as_str().cmp(key)).ok()
    }

    /// A target.
    ///
    /// # Panics
    /// When `index` is not below the number of targets.
    pub fn target(&self, index: usize) -> TargetView<'_> {
        let r = self.array::<TargetRange>(&self.at.ranges)[index];
        let (run, delta) = (r.first_run as usize, r.first_delta as usize);
        TargetView {
            runs: &self.array(&self.at.runs)[run..run + r.n_runs as usize],
            deltas: &self.array(&self.at.deltas)[delta..delta + r.n_deltas as usize],
        }
    }

    /// Per base vertex, the weights of the source rig's bones.
    pub fn bone_weights(&self) -> WeightsView<'_> {
        self.weights(&self.at.bones)
    }

    /// Per base vertex, the weights of the 65 joints, largest first.
    pub fn joint_weights(&self) -> WeightsView<'_> {
        self.weights(&self.at.joints)
    }

    /// The face units as rotations of the default rig's bones, by unit.
    pub fn unit_rotations(&self) -> &[UnitRotation] {
        self.array(&self.at.units)
    }

    fn weights(&self, at: &WeightRanges) -> WeightsView<'_> {
        WeightsView {
            offsets: self.array(&at.offsets),
            indices: self.array(&at.indices),
            weights: self.array(&at.weights),
        }
    }

    /// All meshes.
    pub fn parts(&self) -> impl Iterator<Item = PartView<'_>> {
        self.meta.parts.iter().zip(&self.at.parts).map(|(meta, at)| PartView {
            meta,
            points: match at.fitted {
                false => PointsView::Base(self.array(&at.points)),
                true => PointsView::Fit(self.array(&at.points)),
            },
            vertices: self.array(&at.vertices),
            triangles: self.array(&at.triangles),
            covers: self.array(&at.covers),
        })
    }

    /// The encoded bytes of a picture.
    ///
    /// # Panics
    /// When `index` is not below the number of images.
    pub fn image(&self, index: usize) -> &[u8] {
        &(*self.bytes).as_ref()[self.at.images[index].clone()]
    }

    /// An asset's entry in the licence manifest.
    pub fn licence(&self, asset: &str) -> Option<&Licence> {
        self.meta.licences.iter().find(|l| l.asset == asset)
    }

    /// Every index of every array, so that later code cannot go out of
    /// bounds. A checksum alone would let a pack through that was written
    /// wrong.
    fn check_indices(&self) -> std::result::Result<(), String> {
        let n = self.positions().len();
        let below = |what: &str, index: u32, limit: usize| match (index as usize) < limit {
            true => Ok(()),
            false => Err(format!("{what} {index} is not below {limit}")),
        };
        if self.positions().as_flattened().iter().any(|x| !x.is_finite()) {
            return Err("a base position is not a finite number".into());
        }
        if self.mirror().len() != n {
            return Err(format!("{} mirror partners for {n} vertices", self.mirror().len()));
        }
        self.mirror().iter().try_for_each(|m| below("mirror partner", *m, n))?;
        if self.meta.n_body_vertices == 0 {
            return Err("the body has no vertices".into());
        }
        below("the last body vertex", self.meta.n_body_vertices - 1, n)?;
        self.check_targets(n)?;
        self.check_weights("bones", self.bone_weights(), n, self.meta.bones.len())?;
        self.check_weights("joints", self.joint_weights(), n, N_JOINTS)?;
        self.check_units()?;
        if self.meta.joints.len() != N_JOINTS {
            return Err(format!("{} joints instead of {N_JOINTS}", self.meta.joints.len()));
        }
        for (i, joint) in self.meta.joints.iter().enumerate() {
            if joint.is_empty() != (i == 0) {
                return Err(format!("joint {i} has {} vertices to stand at", joint.len()));
            }
        }
        self.meta.joints.iter().flatten().try_for_each(|v| below("joint vertex", *v, n))?;
        for bones in self.meta.rigs.values() {
            for (i, bone) in bones.iter().enumerate() {
                bone.parent.map_or(Ok(()), |p| below("parent bone", p, i))?;
                bone.head.iter().chain(&bone.tail).try_for_each(|v| below("bone end", *v, n))?;
            }
        }
        for part in self.parts() {
            let points = match part.points {
                PointsView::Base(points) => {
                    points.iter().try_for_each(|v| below("part point", *v, n))?;
                    points.len()
                }
                PointsView::Fit(points) => {
                    let bases = points.iter().flat_map(|p| p.base);
                    bases.into_iter().try_for_each(|v| below("part point", v, n))?;
                    points.len()
                }
            };
            part.covers.iter().try_for_each(|v| below("covered vertex", *v, n))?;
            let (vertices, triangles) = (part.vertices, part.triangles.as_flattened());
            vertices.iter().try_for_each(|v| below("part vertex", v.point, points))?;
            triangles.iter().try_for_each(|v| below("triangle corner", *v, vertices.len()))?;
        }
        Ok(())
    }

    /// Units turn the bones that the weights name, so both have to be the
    /// default rig's.
    fn check_units(&self) -> std::result::Result<(), String> {
        let rig = self.meta.rigs.get("default").map_or(&[][..], Vec::as_slice);
        let same = rig.len() == self.meta.bones.len()
            && rig.iter().zip(&self.meta.bones).all(|(bone, name)| bone.name == *name);
        let units = self.unit_rotations();
        if !units.is_empty() && !same {
            return Err("the weights do not name the default rig's bones".into());
        }
        let known = |r: &UnitRotation| {
            (r.unit as usize) < FACE_UNITS.len()
                && (r.bone as usize) < rig.len()
                && r.rotation.iter().all(|x| (-1.0001..=1.0001).contains(x))
                && !rig[r.bone as usize].head.is_empty()
        };
        match units.iter().all(known) && units.is_sorted_by_key(|r| r.unit) {
            true => Ok(()),
            false => Err("a face unit names something that is not there".into()),
        }
    }

    fn check_targets(&self, n_vertices: usize) -> std::result::Result<(), String> {
        let (runs, deltas): (&[Run], &[[i16; 3]]) =
            (self.array(&self.at.runs), self.array(&self.at.deltas));
        let ranges = self.array::<TargetRange>(&self.at.ranges);
        let targets = &self.meta.targets;
        if ranges.len() != targets.len() || !targets.is_sorted() {
            return Err("the list of targets does not match their content".into());
        }
        for (key, r) in targets.iter().zip(ranges) {
            let inside = |first: u32, n: u32, len: usize| {
                (first as usize).checked_add(n as usize).is_some_and(|end| end <= len)
            };
            if !inside(r.first_run, r.n_runs, runs.len())
                || !inside(r.first_delta, r.n_deltas, deltas.len())
            {
                return Err(format!("target `{key}` reaches past its section"));
            }
            let mut covered = 0u64;
            let mut end = 0u64;
            let first = r.first_run as usize;
            for run in &runs[first..first + r.n_runs as usize] {
                let start = u64::from(run.start);
                if run.count == 0 || start < end {
                    return Err(format!("target `{key}` has runs out of order"));
                }
                end = start + u64::from(run.count);
                covered += u64::from(run.count);
            }
            if end > n_vertices as u64 || covered != u64::from(r.n_deltas) {
                return Err(format!("target `{key}` moves vertices that do not exist"));
            }
        }
        for slider in &self.meta.sliders {
            for end in &slider.ends {
                let ends = [Some(end.positive), end.negative];
                if ends.into_iter().flatten().any(|t| t as usize >= targets.len()) {
                    return Err(format!("slider `{}` has a target that is not there", slider.name));
                }
            }
        }
        Ok(())
    }

    fn check_weights(
        &self,
        what: &str,
        view: WeightsView<'_>,
        n_vertices: usize,
        n_columns: usize,
    ) -> std::result::Result<(), String> {
        let ends_right = view.offsets.last().map(|o| *o as usize) == Some(view.indices.len());
        if view.offsets.len() != n_vertices + 1
            || view.indices.len() != view.weights.len()
            || !view.offsets.is_sorted()
            || view.offsets.first() != Some(&0)
            || !ends_right
        {
            return Err(format!("the weights of {what} do not match the vertices"));
        }
        if view.indices.iter().any(|i| usize::from(*i) >= n_columns)
            || view.weights.iter().any(|w| !(0.0..=1.0001).contains(w))
        {
            return Err(format!("the weights of {what} are out of range"));
        }
        // A vertex that nothing moves would stay at the origin in some
        // engines, so every vertex has to be bound to some joint.
        if what == "joints" && (0..n_vertices).any(|v| view.of(v).all(|(_, w)| w <= 0.0)) {
            return Err("a vertex has no joint that moves it".into());
        }
        Ok(())
    }
}

fn content(what: impl Into<String>) -> PackFault {
    PackFault::Content { what: what.into() }
}

/// Finds sections by name and checks that their length fits their type.
struct Finder<'a> {
    bytes: &'a [u8],
    sections: &'a [Section],
}

impl Finder<'_> {
    fn find(&self, name: &str) -> Option<Range<usize>> {
        self.sections.iter().find(|s| s.name == name).map(|s| s.range.clone())
    }

    fn array<T: AnyBitPattern>(&self, name: &str) -> Result<Range<usize>, PackFault> {
        let range =
            self.find(name).ok_or_else(|| content(format!("section `{name}` is missing")))?;
        match bytemuck::try_cast_slice::<u8, T>(&self.bytes[range.clone()]) {
            Ok(_) => Ok(range),
            Err(e) => Err(content(format!("section `{name}`: {e}"))),
        }
    }

    fn weights(&self, name: &str) -> Result<WeightRanges, PackFault> {
        Ok(WeightRanges {
            offsets: self.array::<u32>(&format!("{name}.offsets"))?,
            indices: self.array::<u16>(&format!("{name}.indices"))?,
            weights: self.array::<f32>(&format!("{name}.weights"))?,
        })
    }

    fn part(&self, i: usize) -> Result<PartRanges, PackFault> {
        let fitted = self.find(&format!("part.{i}.fit")).is_some();
        Ok(PartRanges {
            fitted,
            points: match fitted {
                true => self.array::<FitPoint>(&format!("part.{i}.fit"))?,
                false => self.array::<u32>(&format!("part.{i}.base"))?,
            },
            vertices: self.array::<PartVertex>(&format!("part.{i}.vertices"))?,
            triangles: self.array::<[u32; 3]>(&format!("part.{i}.triangles"))?,
            covers: self.array::<u32>(&format!("part.{i}.covers"))?,
        })
    }

    fn layout(&self) -> Result<(Meta, Layout), PackFault> {
        let meta = &self.bytes[self.array::<u8>("meta")?];
        let meta: Meta =
            serde_json::from_slice(meta).map_err(|e| content(format!("section `meta`: {e}")))?;
        let layout = Layout {
            positions: self.array::<[f32; 3]>("positions")?,
            mirror: self.array::<u32>("mirror")?,
            ranges: self.array::<TargetRange>("target.ranges")?,
            runs: self.array::<Run>("target.runs")?,
            deltas: self.array::<[i16; 3]>("target.deltas")?,
            bones: self.weights("bones")?,
            joints: self.weights("joints")?,
            units: self.array::<UnitRotation>("units")?,
            parts: (0..meta.parts.len()).map(|i| self.part(i)).collect::<Result<_, _>>()?,
            images: (0..meta.images.len())
                .map(|i| self.array::<u8>(&format!("image.{i}")))
                .collect::<Result<_, _>>()?,
        };
        Ok((meta, layout))
    }
}
