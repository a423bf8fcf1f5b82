//! How long the stages of an export take, beside one copy of the file they
//! make.
//!
//! `cargo bench` prints times; compare them with the `floor` line of the same
//! run, since machines differ. `cargo bench -- --save-baseline NAME` and
//! `--baseline NAME` compare two versions of the code.

#[path = "support/ratio.rs"]
mod ratio;

use std::hint::black_box;
use std::path::PathBuf;

use criterion::{Criterion, criterion_group, criterion_main};
use dramatis::character::morphed_body;
use dramatis::check::check_glb;
use dramatis::face::{bake_arkit, bake_units};
use dramatis::pack::store::{DEFAULT_PACK, PackStore};
use dramatis::profile::{FACE_UNITS, RestPose};
use dramatis::{
    CharacterSpec, ExportOptions, Exporter, Pack, build_character, rig, write_character_glb,
};
use ratio::{Case, compare};

/// The hm08 pack, and where it is.
fn pack() -> (Pack, PathBuf) {
    let store = PackStore::of_user().expect("a folder for packs");
    let pack = store.open(DEFAULT_PACK, false, &|_, _, _| {}).expect("the hm08 pack");
    (pack, store.path_of(DEFAULT_PACK))
}

fn export(c: &mut Criterion) {
    let (pack, path) = pack();
    let exporter = Exporter::new(pack);
    let options = ExportOptions::default();
    let plain = CharacterSpec::new("Plain");
    let mut rich = CharacterSpec::new("Rich");
    rich.body.age = 0.3;
    rich.body.weight = 0.8;
    rich.body.height = 0.4;
    rich.body.cupsize = 0.7;
    rich.details = ["nose-hump-decr-incr", "mouth-scale-horiz-decr-incr", "eye-scale-decr-incr"]
        .map(|name| (name.to_owned(), 0.5))
        .into();
    let file = exporter.export(&plain, &options).expect("an export").bytes;
    let character = build_character(exporter.pack(), &plain).expect("a character");

    let mut group = c.benchmark_group("export");
    group.throughput(criterion::Throughput::Bytes(file.len() as u64));
    group.bench_function("floor: one copy of the file", |b| b.iter(|| black_box(file.clone())));
    group.bench_function("character, 6 targets", |b| {
        b.iter(|| build_character(exporter.pack(), black_box(&plain)));
    });
    group.bench_function("character, some 100 targets", |b| {
        b.iter(|| build_character(exporter.pack(), black_box(&rich)));
    });
    group.bench_function("rig", |b| {
        b.iter(|| rig::bind(black_box(&character), RestPose::TPose));
    });
    group.bench_function("rig, scene and glb", |b| {
        b.iter(|| write_character_glb(black_box(&character), &options));
    });
    group.bench_function("spec to bytes", |b| {
        b.iter(|| exporter.export(black_box(&plain), &options));
    });
    group.finish();

    c.bench_function("open the pack", |b| b.iter(|| Pack::open(black_box(&path))));
    c.bench_function("open the pack and wait until every byte is checked", |b| {
        b.iter(|| Pack::open(black_box(&path)).and_then(|pack| pack.verify()));
    });
}

/// The bake of a whole face beside one copy of the 59 arrays it would fill if
/// every vertex had a delta, which is what a plain loop would write.
fn face(c: &mut Criterion) {
    let (pack, _) = pack();
    let base = morphed_body(&pack, &CharacterSpec::new("Plain")).expect("a body");
    let dense = vec![base.clone(); FACE_UNITS.len()].concat();
    let mut copy = dense.clone();
    let cases = vec![
        Case::new("59 units", || bake_units(&pack, black_box(&base))),
        Case::new("copy of 59 dense arrays", || copy.copy_from_slice(black_box(&dense))),
        Case::new("ARKit's 52 shapes", || bake_arkit(&pack, black_box(&base))),
    ];
    compare(c, "face bake", cases, &[]);
}

/// The check of a file of some 10 MB, a character with dense morph targets,
/// beside one copy of the file.
fn check(c: &mut Criterion) {
    let (pack, _) = pack();
    let options = ExportOptions { dense_morphs: true, ..ExportOptions::default() };
    let export = Exporter::new(pack).export(&CharacterSpec::new("Plain"), &options);
    let file = export.expect("an export").bytes;
    println!("the file has {} bytes", file.len());
    let mut copy = file.clone();
    let cases = vec![
        Case::new("check", || check_glb("plain.glb", black_box(&file))),
        Case::new("copy of the file", || copy.copy_from_slice(black_box(&file))),
    ];
    compare(c, "check", cases, &[]);
}

criterion_group!(benches, export, face, check);
criterion_main!(benches);
