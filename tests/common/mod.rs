//! What several test programs share.

#![allow(dead_code)] // Each test program uses its own part of this.

use std::path::PathBuf;
use std::sync::OnceLock;

use dramatis::pack::store::{DEFAULT_PACK, PackStore};
use dramatis::{CharacterSpec, Exporter};

/// An exporter on the hm08 pack. The pack is fetched and built the first
/// time; without a network and without a pack the test fails and says so.
pub fn exporter() -> &'static Exporter {
    static EXPORTER: OnceLock<Exporter> = OnceLock::new();
    EXPORTER.get_or_init(|| {
        let store = PackStore::of_user().expect("a folder for packs");
        let pack = store.open(DEFAULT_PACK, false, &|_, _, _| {});
        Exporter::new(pack.unwrap_or_else(|e| panic!("the hm08 pack is needed: {e}")))
    })
}

/// The folder `shared` beside the project, when it is there.
pub fn shared() -> Option<PathBuf> {
    let path = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared"));
    path.is_dir().then_some(path)
}

/// The specs under `samples/`, by file stem.
pub fn samples() -> Vec<(String, CharacterSpec)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/samples");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("samples")
        .map(|entry| entry.expect("a sample").path())
        .filter(|path| path.to_string_lossy().ends_with(".character.json"))
        .collect();
    paths.sort();
    paths
        .iter()
        .map(|path| {
            let bytes = std::fs::read(path).expect("a sample");
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let spec = CharacterSpec::from_json(&name, &bytes).unwrap_or_else(|e| panic!("{e}"));
            (name.trim_end_matches(".character.json").to_owned(), spec)
        })
        .collect()
}

/// A grey PNG of so many pixels.
pub fn picture(width: u32, height: u32) -> Vec<u8> {
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, width, height);
    encoder.set_color(png::ColorType::Grayscale);
    let mut writer = encoder.write_header().expect("a header");
    writer.write_image_data(&vec![128; (width * height) as usize]).expect("pixels");
    writer.finish().expect("an end");
    out
}
