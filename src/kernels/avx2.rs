//! The AVX2 code: eight vertices at a time, bit for bit what the scalar
//! twins give.
//!
//! What makes it fast:
//!
//! 1. A joint's matrix is one cache line of 16 floats, so that blending four
//!    of them is eight aligned loads and no shuffle at all.
//! 2. The blended matrices of eight vertices are transposed together, and
//!    from there on a register holds the same component of eight vertices:
//!    no lane is wasted on transforming and normalising.
//! 3. Divisions and the square root are exact ones, since estimates differ
//!    from maker to maker. They hide behind the blending of the next block.
//!
//! Each lane goes through the operations of the scalar twin in its order, so
//! the bits are the same. FMA is not enabled, hence never used.
//!
//! There is no pointer here. Numbers go in and out of registers by value
//! (`bytemuck` knows that the register types are plain bits), and an index
//! that is a byte cannot leave a table of 256. The only unsafe act is to call
//! these functions, which is left to those who know that the processor has
//! AVX2.

use std::arch::x86_64::*;

use super::joints::{Joints, Row};
use super::skin::Influences;

/// How many vertices are worked on at once.
const LANES: usize = 8;

/// Eight vectors as they are in memory.
type Block = [[f32; 3]; LANES];

/// Eight vectors with one register per component.
#[derive(Clone, Copy)]
struct Vec3x8 {
    x: __m256,
    y: __m256,
    z: __m256,
}

/// Whether the processor has AVX2, and so this code may be called.
pub(super) fn detected() -> bool {
    is_x86_feature_detected!("avx2")
}

/// [`super::skin::skin_scalar`] on whole blocks. The slices must be of equal
/// length; of longer ones the rest is not touched.
///
/// Gives `false` when a joint has no row, or a position is NaN for a reason of
/// its own. To find out so costs nearly nothing; to look at all joints
/// beforehand takes a tenth of the time.
#[target_feature(enable = "avx2")]
pub(super) fn skin(
    joints: &Joints<'_>,
    influences: &[[Influences; LANES]],
    positions: &mut [Block],
    normals: &mut [Block],
) -> bool {
    // The normals of a block are made unit vectors while the next is blended.
    // Divisions take long to answer, and the processor cannot look far enough
    // ahead to fill that time when they stand together; so they are spread
    // over the loop, each where what it needs has long been there.
    let zero = _mm256_setzero_ps();
    let mut bad = zero;
    let mut before_the_first = Block::default();
    let mut last_normals = &mut before_the_first;
    let mut last = Vec3x8 { x: zero, y: zero, z: zero };
    for ((influences, positions), normals) in influences.iter().zip(positions).zip(normals) {
        let [a, b, c, d, e, f, g, h] = influences;
        let [a, b] = [blend(joints, a), blend(joints, b)];
        let (scaled, has_direction) = scale_down(last);
        let [c, d] = [blend(joints, c), blend(joints, d)];
        let (xy_low, zt_low) = (transpose(a.0, b.0, c.0, d.0), transpose(a.1, b.1, c.1, d.1));
        let [e, f] = [blend(joints, e), blend(joints, f)];
        let size = length(scaled);
        let [g, h] = [blend(joints, g), blend(joints, h)];
        let (xy_high, zt_high) = (transpose(e.0, f.0, g.0, h.0), transpose(e.1, f.1, g.1, h.1));
        let [x_axis, y_axis] = regroup(xy_low, xy_high);
        let [z_axis, translation] = regroup(zt_low, zt_high);

        let n = load(normals);
        let turned = add(add(scale(x_axis, n.x), scale(y_axis, n.y)), scale(z_axis, n.z));
        let p = load(positions);
        let p = add(add(scale(x_axis, p.x), scale(y_axis, p.y)), scale(z_axis, p.z));
        let p = add(p, translation);
        bad = _mm256_or_ps(bad, _mm256_cmp_ps::<_CMP_UNORD_Q>(p.x, p.x));
        store(positions, p);
        store(last_normals, or_up(divide(scaled, size), has_direction));
        (last_normals, last) = (normals, turned);
    }
    store(last_normals, unit_or_up(last));
    _mm256_movemask_ps(bad) == 0
}

/// [`super::normals::unit_or_up`] of every vector.
#[target_feature(enable = "avx2")]
pub(super) fn make_unit(vectors: &mut [Block]) {
    for block in vectors {
        let unit = unit_or_up(load(block));
        store(block, unit);
    }
}

/// The weighted sum of four matrices: the x and the y axis, the z axis and
/// the translation.
#[inline]
#[target_feature(enable = "avx2")]
fn blend(joints: &Joints<'_>, inf: &Influences) -> (__m256, __m256) {
    // Two joints a load: the compiler makes worse of single bytes.
    let [a, b, c, d] = inf.joints;
    let (ab, cd) = (u16::from_le_bytes([a, b]), u16::from_le_bytes([c, d]));
    let (mut xy, mut zt) = weighted(joints, ab as u8, inf.weights[0]);
    for (joint, weight) in [
        ((ab >> 8) as u8, inf.weights[1]),
        (cd as u8, inf.weights[2]),
        ((cd >> 8) as u8, inf.weights[3]),
    ] {
        let (more_xy, more_zt) = weighted(joints, joint, weight);
        (xy, zt) = (_mm256_add_ps(xy, more_xy), _mm256_add_ps(zt, more_zt));
    }
    (xy, zt)
}

#[inline]
#[target_feature(enable = "avx2")]
fn weighted(joints: &Joints<'_>, joint: u8, weight: f32) -> (__m256, __m256) {
    let weight = _mm256_set1_ps(weight);
    let Row(columns) = joints.0[usize::from(joint)];
    let [xy, zt]: &[[f32; 8]; 2] = bytemuck::cast_ref(columns);
    (_mm256_mul_ps(bytemuck::cast(*xy), weight), _mm256_mul_ps(bytemuck::cast(*zt), weight))
}

/// In each half of the registers: the columns of the 4 x 4 matrix whose rows
/// are given. The last column is padding.
#[inline]
#[target_feature(enable = "avx2")]
fn transpose(a: __m256, b: __m256, c: __m256, d: __m256) -> Vec3x8 {
    // Any order of the middle step would do. This one leaves no step that is
    // an `unpack`, which Intel's processors do at half the rate.
    let ab = _mm256_shuffle_ps::<0b00_01_01_00>(a, b);
    let cd = _mm256_shuffle_ps::<0b00_01_01_00>(c, d);
    let ab_z = _mm256_shuffle_ps::<0b10_10_10_10>(a, b);
    let cd_z = _mm256_shuffle_ps::<0b10_10_10_10>(c, d);
    Vec3x8 {
        x: _mm256_shuffle_ps::<0b11_00_11_00>(ab, cd),
        y: _mm256_shuffle_ps::<0b10_01_10_01>(ab, cd),
        z: _mm256_shuffle_ps::<0b10_00_10_00>(ab_z, cd_z),
    }
}

/// From the columns of vertices 0 to 3 and of 4 to 7, two of each: the first
/// column of all eight and the second of all eight.
#[inline]
#[target_feature(enable = "avx2")]
fn regroup(low: Vec3x8, high: Vec3x8) -> [Vec3x8; 2] {
    [
        Vec3x8 {
            x: _mm256_permute2f128_ps::<0x20>(low.x, high.x),
            y: _mm256_permute2f128_ps::<0x20>(low.y, high.y),
            z: _mm256_permute2f128_ps::<0x20>(low.z, high.z),
        },
        Vec3x8 {
            x: _mm256_permute2f128_ps::<0x31>(low.x, high.x),
            y: _mm256_permute2f128_ps::<0x31>(low.y, high.y),
            z: _mm256_permute2f128_ps::<0x31>(low.z, high.z),
        },
    ]
}

#[inline]
#[target_feature(enable = "avx2")]
fn scale(v: Vec3x8, by: __m256) -> Vec3x8 {
    Vec3x8 { x: _mm256_mul_ps(v.x, by), y: _mm256_mul_ps(v.y, by), z: _mm256_mul_ps(v.z, by) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn divide(v: Vec3x8, by: __m256) -> Vec3x8 {
    Vec3x8 { x: _mm256_div_ps(v.x, by), y: _mm256_div_ps(v.y, by), z: _mm256_div_ps(v.z, by) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn add(a: Vec3x8, b: Vec3x8) -> Vec3x8 {
    Vec3x8 { x: _mm256_add_ps(a.x, b.x), y: _mm256_add_ps(a.y, b.y), z: _mm256_add_ps(a.z, b.z) }
}

/// [`super::normals::unit_or_up`] of eight vectors.
#[inline]
#[target_feature(enable = "avx2")]
fn unit_or_up(v: Vec3x8) -> Vec3x8 {
    let (scaled, has_direction) = scale_down(v);
    or_up(divide(scaled, length(scaled)), has_direction)
}

/// Vectors divided by their largest component, and whether they have a
/// direction.
#[inline]
#[target_feature(enable = "avx2")]
fn scale_down(v: Vec3x8) -> (Vec3x8, __m256) {
    let sign = _mm256_set1_ps(-0.0);
    let (x, y) = (_mm256_andnot_ps(sign, v.x), _mm256_andnot_ps(sign, v.y));
    // Where one of two is NaN this gives the second, as `a > b` does in the
    // twin.
    let largest = _mm256_max_ps(_mm256_max_ps(x, y), _mm256_andnot_ps(sign, v.z));
    let has_direction = _mm256_and_ps(
        _mm256_cmp_ps::<_CMP_LT_OQ>(largest, _mm256_set1_ps(f32::INFINITY)),
        _mm256_cmp_ps::<_CMP_GT_OQ>(largest, _mm256_set1_ps(super::normals::LEAST)),
    );
    (divide(v, largest), has_direction)
}

#[inline]
#[target_feature(enable = "avx2")]
fn length(v: Vec3x8) -> __m256 {
    let (xx, yy) = (_mm256_mul_ps(v.x, v.x), _mm256_mul_ps(v.y, v.y));
    _mm256_sqrt_ps(_mm256_add_ps(_mm256_add_ps(xx, yy), _mm256_mul_ps(v.z, v.z)))
}

/// +Y in place of the vectors that have no direction.
#[inline]
#[target_feature(enable = "avx2")]
fn or_up(v: Vec3x8, has_direction: __m256) -> Vec3x8 {
    Vec3x8 {
        x: _mm256_and_ps(v.x, has_direction),
        y: _mm256_blendv_ps(_mm256_set1_ps(1.0), v.y, has_direction),
        z: _mm256_and_ps(v.z, has_direction),
    }
}

/// Two times four floats, the lower half first.
#[inline]
#[target_feature(enable = "avx2")]
fn join(low: [f32; 4], high: [f32; 4]) -> __m256 {
    _mm256_set_m128(bytemuck::cast(high), bytemuck::cast(low))
}

/// Eight vectors out of memory.
#[inline]
#[target_feature(enable = "avx2")]
fn load(block: &Block) -> Vec3x8 {
    let rows: &[[f32; 4]; 6] = bytemuck::cast_ref(block);
    // Each half holds four vectors: x0 y0 z0 x1, y1 z1 x2 y2, z2 x3 y3 z3.
    let a = join(rows[0], rows[3]);
    let b = join(rows[1], rows[4]);
    let c = join(rows[2], rows[5]);
    let x2_y2_x3_y3 = _mm256_shuffle_ps::<0b10_01_11_10>(b, c);
    let y0_z0_y1_z1 = _mm256_shuffle_ps::<0b01_00_10_01>(a, b);
    Vec3x8 {
        x: _mm256_shuffle_ps::<0b10_00_11_00>(a, x2_y2_x3_y3),
        y: _mm256_shuffle_ps::<0b11_01_10_00>(y0_z0_y1_z1, x2_y2_x3_y3),
        z: _mm256_shuffle_ps::<0b11_00_11_01>(y0_z0_y1_z1, c),
    }
}

/// Eight vectors into memory.
#[inline]
#[target_feature(enable = "avx2")]
fn store(block: &mut Block, v: Vec3x8) {
    let x0_x2_y0_y2 = _mm256_shuffle_ps::<0b10_00_10_00>(v.x, v.y);
    let y1_y3_z1_z3 = _mm256_shuffle_ps::<0b11_01_11_01>(v.y, v.z);
    let z0_z2_x1_x3 = _mm256_shuffle_ps::<0b11_01_10_00>(v.z, v.x);
    let a = _mm256_shuffle_ps::<0b10_00_10_00>(x0_x2_y0_y2, z0_z2_x1_x3);
    let b = _mm256_shuffle_ps::<0b11_01_10_00>(y1_y3_z1_z3, x0_x2_y0_y2);
    let c = _mm256_shuffle_ps::<0b11_01_11_01>(z0_z2_x1_x3, y1_y3_z1_z3);
    let rows: &mut [[f32; 4]; 6] = bytemuck::cast_mut(block);
    (rows[0], rows[3]) = halves(a);
    (rows[1], rows[4]) = halves(b);
    (rows[2], rows[5]) = halves(c);
}

/// The lower and the upper four floats.
#[inline]
#[target_feature(enable = "avx2")]
fn halves(v: __m256) -> ([f32; 4], [f32; 4]) {
    let low = _mm256_castps256_ps128(v);
    (bytemuck::cast(low), bytemuck::cast(_mm256_extractf128_ps::<1>(v)))
}

/// [`super::sparse::pack_scalar`] on whole blocks, from the vector 0 on.
#[target_feature(enable = "avx2")]
pub(super) fn pack(blocks: &[Block], indices: &mut Vec<u32>, values: &mut Vec<[f32; 3]>) {
    for (i, block) in blocks.iter().enumerate() {
        if all_zero(block) {
            continue;
        }
        let mut moved = moved(block);
        while moved != 0 {
            // Three bits belong to a vector, and only the first is ever set.
            let at = moved.trailing_zeros() as usize / 3;
            indices.push((i * LANES + at) as u32);
            values.push(block[at]);
            moved &= moved - 1;
        }
    }
}

/// Whether no bit but those of signs is set.
#[inline]
#[target_feature(enable = "avx2")]
fn all_zero(block: &Block) -> bool {
    let [a, b, c]: [__m256i; 3] = bytemuck::cast(*block);
    let bits = _mm256_or_si256(_mm256_or_si256(a, b), c);
    _mm256_testz_si256(bits, _mm256_set1_epi32(i32::MAX)) == 1
}

/// Bit 3 i says whether vector i has a component that is not zero.
#[inline]
#[target_feature(enable = "avx2")]
fn moved(block: &Block) -> u32 {
    let rows: [__m256; 3] = bytemuck::cast(*block);
    let mut moved = 0;
    for (i, row) in rows.into_iter().enumerate() {
        // NaN differs from zero, and -0 does not.
        let differ = _mm256_cmp_ps::<_CMP_NEQ_UQ>(row, _mm256_setzero_ps());
        moved |= (_mm256_movemask_ps(differ) as u32) << (LANES * i);
    }
    (moved | moved >> 1 | moved >> 2) & 0o11_111_111
}
