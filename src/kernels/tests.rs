//! Every kernel beside its scalar twin: the same bits for any length, any
//! tail, any offset of the slices in memory, and any number of threads.

use glam::{Affine3A, Mat3A, Vec3, Vec3A};
use proptest::prelude::*;

use super::normals::{make_unit, make_unit_scalar, smooth_normals, unit_or_up};
use super::skin::{Influences, skin_positions_normals, skin_scalar};
use super::sparse::{pack_scalar, pack_sparse};

/// Bits, with all NaN alike: which of them comes out of an operation on two
/// is not defined.
fn bits(vectors: &[[f32; 3]]) -> Vec<[u32; 3]> {
    let of = |n: f32| if n.is_nan() { f32::NAN.to_bits() } else { n.to_bits() };
    vectors.iter().map(|v| v.map(of)).collect()
}

/// Mostly numbers as meshes have them, and now and then what they should not
/// have: zeros of both signs, subnormal and huge numbers, infinities, NaN.
fn number() -> impl Strategy<Value = f32> {
    prop_oneof![
        12 => -2.0f32..2.0,
        2 => prop_oneof![Just(0.0f32), Just(-0.0)],
        1 => any::<f32>(),
        1 => prop::num::f32::ANY,
    ]
}

fn vector() -> impl Strategy<Value = [f32; 3]> {
    prop::array::uniform3(number())
}

fn matrix() -> impl Strategy<Value = Affine3A> {
    prop::array::uniform4(vector()).prop_map(|[x, y, z, t]| Affine3A {
        matrix3: Mat3A::from_cols_array_2d(&[x, y, z]),
        translation: Vec3A::from_array(t),
    })
}

/// A vertex of a skin of `n` joints.
fn vertex(n: usize) -> impl Strategy<Value = (Influences, [f32; 3], [f32; 3])> {
    let joints = prop::array::uniform4(0..n as u8);
    (joints, prop::array::uniform4(number()), vector(), vector())
        .prop_map(|(joints, weights, p, n)| (Influences { joints, weights }, p, n))
}

proptest! {
    #[test]
    fn skinning_is_its_scalar_twin(
        matrices in prop::collection::vec(matrix(), 7),
        vertices in prop::collection::vec(vertex(7), 0..90),
        offset in 0usize..9,
    ) {
        let from = offset.min(vertices.len());
        let influences: Vec<_> = vertices.iter().map(|v| v.0).collect();
        let mut positions: Vec<_> = vertices.iter().map(|v| v.1).collect();
        let mut normals: Vec<_> = vertices.iter().map(|v| v.2).collect();
        let (mut twin_p, mut twin_n) = (positions.clone(), normals.clone());
        skin_positions_normals(
            &matrices, &influences[from..], &mut positions[from..], &mut normals[from..],
        );
        skin_scalar(&matrices, &influences[from..], &mut twin_p[from..], &mut twin_n[from..]);
        prop_assert_eq!(bits(&positions), bits(&twin_p));
        prop_assert_eq!(bits(&normals), bits(&twin_n));
    }

    #[test]
    fn unit_vectors_are_their_scalar_twin(
        vectors in prop::collection::vec(vector(), 0..60),
        offset in 0usize..9,
    ) {
        let from = offset.min(vectors.len());
        let (mut fast, mut twin) = (vectors.clone(), vectors);
        make_unit(&mut fast[from..]);
        make_unit_scalar(&mut twin[from..]);
        prop_assert_eq!(bits(&fast), bits(&twin));
    }

    #[test]
    fn packing_is_its_scalar_twin(
        dense in prop::collection::vec(
            prop_oneof![
                8 => Just([0.0; 3]),
                1 => Just([-0.0, 0.0, -0.0]),
                1 => vector(),
            ],
            0..200,
        ),
        offset in 0usize..9,
    ) {
        let dense = &dense[offset.min(dense.len())..];
        let (mut indices, mut values) = (vec![9], vec![[9.0; 3]]);
        let (mut twin_indices, mut twin_values) = (indices.clone(), values.clone());
        pack_sparse(dense, &mut indices, &mut values);
        pack_scalar(dense, 0, &mut twin_indices, &mut twin_values);
        prop_assert_eq!(indices, twin_indices);
        prop_assert_eq!(bits(&values), bits(&twin_values));
    }

    #[test]
    fn smooth_normals_are_the_plain_sums(
        points in prop::collection::vec(vector(), 1..40),
        corners in prop::collection::vec(prop::array::uniform3(any::<prop::sample::Index>()), 0..60),
    ) {
        let triangles: Vec<[u32; 3]> =
            corners.iter().map(|t| t.map(|i| i.index(points.len()) as u32)).collect();
        let mut sums = vec![Vec3::ZERO; points.len()];
        for t in &triangles {
            let [a, b, c] = t.map(|i| Vec3::from_array(points[i as usize]));
            let normal = (b - a).cross(c - a);
            for &i in t {
                sums[i as usize] += normal;
            }
        }
        let plain: Vec<_> = sums.iter().map(|n| unit_or_up(*n).to_array()).collect();
        prop_assert_eq!(bits(&smooth_normals(&points, &triangles)), bits(&plain));
    }
}

/// Enough vertices for threads to share, and not a multiple of anything.
fn large() -> (Vec<Affine3A>, Vec<Influences>, Vec<[f32; 3]>) {
    let matrices = (0..5)
        .map(|i| {
            let turn = glam::Quat::from_rotation_x(i as f32 * 0.4);
            Affine3A::from_rotation_translation(turn, Vec3::new(0.1 * i as f32, 0.3, -0.2))
        })
        .collect();
    let n = 60_013;
    let number = |i: usize| (i * 7919 % 1000) as f32 / 500.0 - 1.0;
    let influences = (0..n)
        .map(|i| Influences {
            joints: std::array::from_fn(|k| ((i + k) % 5) as u8),
            weights: [0.4, 0.3, 0.2, 0.1],
        })
        .collect();
    let vectors = (0..n).map(|i| [number(i), number(i + 1), number(i + 5)]).collect();
    (matrices, influences, vectors)
}

#[test]
fn the_number_of_threads_changes_no_bit() {
    let (matrices, influences, vectors) = large();
    let (mut twin_p, mut twin_n) = (vectors.clone(), vectors.clone());
    skin_scalar(&matrices, &influences, &mut twin_p, &mut twin_n);
    for n_threads in [1, 2, 5] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
        let (mut positions, mut normals) = (vectors.clone(), vectors.clone());
        pool.install(|| {
            skin_positions_normals(&matrices, &influences, &mut positions, &mut normals);
        });
        assert_eq!(bits(&positions), bits(&twin_p));
        assert_eq!(bits(&normals), bits(&twin_n));
    }
}

#[test]
#[should_panic(expected = "joint 5 has no matrix")]
fn a_joint_without_matrix_is_a_bug_also_with_weight_zero() {
    let (matrices, mut influences, vectors) = large();
    influences.truncate(100);
    influences[77] = Influences { joints: [0, 1, 5, 0], weights: [0.5, 0.5, 0.0, 0.0] };
    let (mut positions, mut normals) = (vectors[..100].to_vec(), vectors[..100].to_vec());
    skin_positions_normals(&matrices, &influences, &mut positions, &mut normals);
}

#[test]
fn numbers_that_are_not_finite_are_no_missing_joint() {
    let (matrices, influences, vectors) = large();
    let (mut positions, mut normals) = (vectors[..64].to_vec(), vectors[..64].to_vec());
    positions[3] = [f32::NAN; 3];
    skin_positions_normals(&matrices, &influences[..64], &mut positions, &mut normals);
    assert!(positions[3][0].is_nan());
    assert!(positions[4][0].is_finite());
}
