//! `dramatis pack`: fetch, build, look inside.

use std::collections::BTreeMap;
use std::path::Path;

use super::args::PackCommand;
use super::out::say;
use super::progress::Stages;
use crate::pack::store::{DEFAULT_PACK, PackStore, build};
use crate::{Pack, Result};

/// Runs a pack command.
///
/// # Errors
/// What the pack's source, the file system or the network say.
pub fn run(command: &PackCommand) -> Result<bool> {
    let stages = Stages::new();
    let report = |stage: &str, done, total| stages.report(stage, done, total);
    let store = PackStore::of_user()?;
    match command {
        PackCommand::Fetch => {
            let pack = store.fetch(&report);
            stages.finish();
            print_summary(&pack?);
        }
        PackCommand::Build { makehuman, out } => {
            let path = out.clone().unwrap_or_else(|| store.path_of(DEFAULT_PACK));
            let pack = build(makehuman, &path, &report);
            stages.finish();
            print_summary(&pack?);
        }
        PackCommand::Info { pack } => {
            // A name means the store's pack even where a folder is called
            // the same.
            let path = match Path::new(pack).is_file() {
                true => pack.into(),
                false => store.path_of(pack),
            };
            let pack = Pack::open(&path)?;
            pack.verify()?;
            print_info(&pack);
        }
    }
    Ok(true)
}

fn print_summary(pack: &Pack) {
    let meta = pack.meta();
    say(&format!(
        "{}: pack {}, {} bytes, {} targets, {} sliders, {} parts, content {:032x}",
        pack.label(),
        meta.name,
        pack.n_bytes(),
        meta.targets.len(),
        meta.sliders.len(),
        meta.parts.len(),
        pack.content_hash()
    ));
}

fn print_info(pack: &Pack) {
    print_summary(pack);
    let meta = pack.meta();
    say("\nbuilt from");
    for source in &meta.sources {
        say(&format!("  {}  {}", source.sha256, source.file));
    }
    say(&format!(
        "\nbase mesh: {} vertices, {} of them skin",
        pack.positions().len(),
        meta.n_body_vertices
    ));
    say("\nparts");
    for part in pack.parts() {
        say(&format!(
            "  {:24} {:6} vertices {:6} triangles  {}",
            part.meta.name,
            part.vertices.len(),
            part.triangles.len(),
            part.meta.asset
        ));
    }
    say("\ntargets");
    let mut folders: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (i, key) in meta.targets.iter().enumerate() {
        let folder = key.split('/').next().unwrap_or(key);
        let entry = folders.entry(folder).or_default();
        entry.0 += 1;
        entry.1 += size_of_val(pack.target(i).deltas) + size_of_val(pack.target(i).runs);
    }
    for (folder, (n, bytes)) in folders {
        say(&format!("  {folder:24} {n:6} targets  {bytes:9} bytes"));
    }
    say("\nsliders");
    let mut sections: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for slider in &meta.sliders {
        sections.entry(&slider.section).or_default().push(&slider.name);
    }
    for (section, names) in sections {
        say(&format!("  {section}: {}", names.join(" ")));
    }
    say("\nrigs");
    for (name, bones) in &meta.rigs {
        say(&format!("  {name:24} {:6} bones", bones.len()));
    }
    say("\npictures");
    for (i, image) in meta.images.iter().enumerate() {
        say(&format!("  {:24} {:9} bytes  {}", image.name, pack.image(i).len(), image.mime_type));
    }
    say("\nlicences");
    for licence in &meta.licences {
        say(&format!(
            "  {}  {}: {} by {} ({})",
            licence.asset, licence.title, licence.licence, licence.author, licence.source
        ));
    }
}
