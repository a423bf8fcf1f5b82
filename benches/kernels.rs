//! The kernels and the file writer, each beside what it is measured by.
//!
//! `cargo bench --bench kernels` prints criterion's times and, for each group,
//! `ratio` lines from rounds in which the cases took turns; only those are
//! comparable between machines. `cargo bench --bench kernels -- skin` runs the
//! groups whose name has `skin` in it. All on one thread.

mod support;

use criterion::Criterion;
use dramatis::kernels::normals::smooth_normals;
use dramatis::kernels::skin::{Influences, skin_positions_normals};
use dramatis::kernels::sparse::pack_sparse;
use glam::{Affine3A, EulerRot, Quat, Vec3};
use support::character::Arrays;
use support::random::Random;
use support::ratio::{Case, compare};

fn matrices(random: &mut Random) -> Vec<Affine3A> {
    (0..65)
        .map(|_| {
            let [x, y, z] = random.vector();
            let turn = Quat::from_euler(EulerRot::XYZ, x, y, z);
            Affine3A::from_rotation_translation(turn, Vec3::from_array(random.vector()))
        })
        .collect()
}

fn influences(random: &mut Random, n: usize) -> Vec<Influences> {
    (0..n)
        .map(|_| {
            let joints = std::array::from_fn(|_| random.below(65) as u8);
            let weights: [f32; 4] = std::array::from_fn(|_| 1.1 + random.float());
            let sum: f32 = weights.iter().sum();
            Influences { joints, weights: weights.map(|w| w / sum) }
        })
        .collect()
}

/// What one writes without thinking of speed.
fn skin_with_glam(
    matrices: &[Affine3A],
    influences: &[Influences],
    positions: &mut [[f32; 3]],
    normals: &mut [[f32; 3]],
) {
    for ((inf, p), n) in influences.iter().zip(positions).zip(normals) {
        let [a, b, c, d] = inf.joints.map(|joint| &matrices[usize::from(joint)]);
        let [wa, wb, wc, wd] = inf.weights;
        let m = Affine3A {
            matrix3: a.matrix3 * wa + b.matrix3 * wb + c.matrix3 * wc + d.matrix3 * wd,
            translation: a.translation * wa
                + b.translation * wb
                + c.translation * wc
                + d.translation * wd,
        };
        *p = m.transform_point3(Vec3::from_array(*p)).to_array();
        *n = m.transform_vector3(Vec3::from_array(*n)).normalize().to_array();
    }
}

fn skin(c: &mut Criterion) {
    for n in [13_380, 100_000, 1_000_000] {
        let mut random = Random(n as u64);
        let matrices = matrices(&mut random);
        let influences = influences(&mut random, n);
        let vectors: Vec<[f32; 3]> = (0..n).map(|_| random.vector()).collect();
        // Blends of turns never lengthen, so that moving the same vertices
        // again and again keeps them in sight.
        let (mut p, mut q) = (vectors.clone(), vectors.clone());
        let (mut m, mut o) = (vectors.clone(), vectors);
        // A vertex is 44 bytes read and 24 written: the traffic of copying 34.
        let source = vec![1u8; n * 34];
        let mut copy = vec![0u8; n * 34];
        let cases = vec![
            Case::new("kernel", || skin_positions_normals(&matrices, &influences, &mut p, &mut m)),
            Case::new("glam loop", || skin_with_glam(&matrices, &influences, &mut q, &mut o)),
            Case::new("memcpy", || copy.copy_from_slice(&source)),
        ];
        compare(c, &format!("skin/{n}"), cases, &[Some(0.60), None]);
    }
}

/// Dense differences of a body of which 300 vertices move, in a few runs as
/// in a face, or anywhere.
fn deltas(random: &mut Random, n: usize, run: usize) -> Vec<[f32; 3]> {
    let mut dense = vec![[0.0; 3]; n];
    let mut n_moved = 0;
    while n_moved < 300 {
        let start = random.below(n - run);
        for delta in &mut dense[start..start + run] {
            n_moved += usize::from(*delta == [0.0; 3]);
            *delta = random.vector();
        }
    }
    dense
}

fn pack(c: &mut Criterion) {
    for (name, run) in [("pack_sparse/runs of 10", 10), ("pack_sparse/anywhere", 1)] {
        let mut random = Random(59);
        let units: Vec<Vec<[f32; 3]>> = (0..59).map(|_| deltas(&mut random, 13_380, run)).collect();
        // The lists are used again, as a baker of many units does, so that no
        // memory is asked of the system while the time runs.
        let (mut indices, mut values) = (Vec::new(), Vec::new());
        let (mut plain_indices, mut plain_values) = (Vec::new(), Vec::new());
        let plain_loop = || {
            plain_indices.clear();
            plain_values.clear();
            for dense in &units {
                for (i, v) in dense.iter().enumerate() {
                    if *v != [0.0; 3] {
                        plain_indices.push(i as u32);
                        plain_values.push(*v);
                    }
                }
            }
        };
        let cases = vec![
            Case::new("kernel", || {
                indices.clear();
                values.clear();
                for dense in &units {
                    pack_sparse(dense, &mut indices, &mut values);
                }
            }),
            Case::new("one read", || {
                let flat = units.iter().map(|dense| dense.as_flattened());
                flat.map(|flat| flat.iter().fold(0, |bits, n| bits | n.to_bits()))
                    .fold(0, |bits, of_unit| bits | of_unit)
            }),
            Case::new("plain loop", plain_loop),
        ];
        compare(c, name, cases, &[Some(2.0), None]);
    }
}

/// A closed grid of the body's size: every point has six triangles.
fn normals(c: &mut Criterion) {
    let (columns, rows) = (120, 111);
    let mut random = Random(7);
    let points: Vec<[f32; 3]> = (0..columns * rows).map(|_| random.vector()).collect();
    let at = |x: usize, y: usize| ((y % rows) * columns + x % columns) as u32;
    let triangles: Vec<[u32; 3]> = (0..columns * rows)
        .flat_map(|i| {
            let (x, y) = (i % columns, i / columns);
            let [a, b] = [at(x, y), at(x + 1, y)];
            let [d, e] = [at(x, y + 1), at(x + 1, y + 1)];
            [[a, b, e], [a, e, d]]
        })
        .collect();
    let glam_loop = || {
        let mut sums = vec![Vec3::ZERO; points.len()];
        for t in &triangles {
            let [a, b, c] = t.map(|i| Vec3::from_array(points[i as usize]));
            let normal = (b - a).cross(c - a);
            for &i in t {
                sums[i as usize] += normal;
            }
        }
        sums.iter().map(|n| n.normalize_or(Vec3::Y).to_array()).collect::<Vec<_>>()
    };
    let cases = vec![
        Case::new("kernel", || smooth_normals(&points, &triangles)),
        Case::new("glam loop", glam_loop),
    ];
    compare(c, "smooth_normals/13320", cases, &[]);
}

/// From arrays in memory to the bytes of a file in memory.
fn write(c: &mut Criterion) {
    let arrays = Arrays::new();
    let file = arrays.write();
    let mut copy = file.clone();
    let cases = vec![
        Case::new("write", || arrays.write()),
        Case::new("memcpy", || copy.copy_from_slice(&file)),
        Case::new("copy into new memory", || file.clone()),
    ];
    compare(c, &format!("write/{} bytes", file.len()), cases, &[Some(2.5), None]);
}

fn main() {
    // One thread also for what would be shared among several.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    pool.install(|| {
        let mut c = Criterion::default().configure_from_args();
        skin(&mut c);
        pack(&mut c);
        normals(&mut c);
        write(&mut c);
        c.final_summary();
    });
}
