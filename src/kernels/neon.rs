//! The NEON code of aarch64: four vertices at a time, bit for bit what the
//! scalar twins give.
//!
//! It differs from the AVX2 code in what the instructions make cheap:
//!
//! 1. Loads and stores that split vectors into their components are single
//!    instructions, which take a pointer; these are the only ones here.
//! 2. A multiplication can take its factor from a lane of another register.
//!    So a vertex is transformed by its own blended matrix, column by column,
//!    with no matrix ever transposed: only the two results of each of the
//!    four vertices are, and then normalised together.
//! 3. Divisions and the square root are exact ones, since NEON's estimates
//!    differ from those of other processors. As in the AVX2 code they are
//!    spread over the blending of the next block.
//!
//! Each lane goes through the operations of the scalar twin in its order, so
//! the bits are the same. Every aarch64 processor could fuse a multiplication
//! with an addition, which would give other bits; the compiler does so only
//! where it is told, and nothing here tells it.

use std::arch::aarch64::*;

use super::joints::Joints;
use super::skin::Influences;

/// How many vertices are worked on at once.
const LANES: usize = 4;

/// Four vectors as they are in memory.
type Block = [[f32; 3]; LANES];

/// How many vectors are looked at together for one that is not zero. What
/// leaves the vector registers does so slowly, and this is as many as fit
/// into one number at a byte each.
const PACKED: usize = 8;

/// The columns of a matrix: the axes and the translation, each with one float
/// of padding.
type Columns = [float32x4_t; 4];

/// Four vectors with one register per component.
#[derive(Clone, Copy)]
struct Vec3x4 {
    x: float32x4_t,
    y: float32x4_t,
    z: float32x4_t,
}

/// Whether this code may be called. All aarch64 processors that run the
/// standard library have NEON, so the answer costs nothing.
pub(super) fn detected() -> bool {
    std::arch::is_aarch64_feature_detected!("neon")
}

/// [`super::skin::skin_scalar`] on whole blocks. The slices must be of equal
/// length; of longer ones the rest is not touched.
///
/// Gives `false` when a joint has no row, or a position is NaN for a reason of
/// its own.
#[target_feature(enable = "neon")]
pub(super) fn skin(
    joints: &Joints<'_>,
    influences: &[[Influences; LANES]],
    positions: &mut [Block],
    normals: &mut [Block],
) -> bool {
    // The normals of a block are made unit vectors while the next is blended:
    // divisions take long to answer, and these do not wait for one another
    // when they stand apart.
    let zero = vdupq_n_f32(0.0);
    let mut good = vdupq_n_u32(u32::MAX);
    let mut before_the_first = Block::default();
    let mut last_normals = &mut before_the_first;
    let mut last = Vec3x4 { x: zero, y: zero, z: zero };
    for ((influences, positions), normals) in influences.iter().zip(positions).zip(normals) {
        let [a, b, c, d] = influences;
        let (p, n) = (load(positions), load(normals));
        let (scaled, has_direction) = scale_down(last);
        let a = blend(joints, a);
        let (p0, n0) = (add(turn::<0>(&a, p), a[3]), turn::<0>(&a, n));
        let b = blend(joints, b);
        let (p1, n1) = (add(turn::<1>(&b, p), b[3]), turn::<1>(&b, n));
        let size = length(scaled);
        let c = blend(joints, c);
        let (p2, n2) = (add(turn::<2>(&c, p), c[3]), turn::<2>(&c, n));
        let d = blend(joints, d);
        let (p3, n3) = (add(turn::<3>(&d, p), d[3]), turn::<3>(&d, n));

        let p = transpose(p0, p1, p2, p3);
        good = vandq_u32(good, vceqq_f32(p.x, p.x));
        store(positions, p);
        store(last_normals, or_up(divide(scaled, size), has_direction));
        (last_normals, last) = (normals, transpose(n0, n1, n2, n3));
    }
    store(last_normals, unit_or_up(last));
    vminvq_u32(good) == u32::MAX
}

/// [`super::normals::unit_or_up`] of every vector.
#[target_feature(enable = "neon")]
pub(super) fn make_unit(vectors: &mut [Block]) {
    for block in vectors {
        let unit = unit_or_up(load(block));
        store(block, unit);
    }
}

/// The weighted sum of four matrices.
#[inline]
#[target_feature(enable = "neon")]
fn blend(joints: &Joints<'_>, inf: &Influences) -> Columns {
    let weights: float32x4_t = bytemuck::cast(inf.weights);
    let [a, b, c, d] = inf.joints.map(|joint| joints.0[usize::from(joint)].0);
    let sum = weighted::<0>(a, weights);
    let sum = add_columns(sum, weighted::<1>(b, weights));
    let sum = add_columns(sum, weighted::<2>(c, weights));
    add_columns(sum, weighted::<3>(d, weights))
}

/// A matrix times one of four weights.
#[inline]
#[target_feature(enable = "neon")]
fn weighted<const LANE: i32>(row: [[f32; 4]; 4], weights: float32x4_t) -> Columns {
    let [x, y, z, t]: Columns = bytemuck::cast(row);
    [
        vmulq_laneq_f32::<LANE>(x, weights),
        vmulq_laneq_f32::<LANE>(y, weights),
        vmulq_laneq_f32::<LANE>(z, weights),
        vmulq_laneq_f32::<LANE>(t, weights),
    ]
}

#[inline]
#[target_feature(enable = "neon")]
fn add_columns(a: Columns, b: Columns) -> Columns {
    [vaddq_f32(a[0], b[0]), vaddq_f32(a[1], b[1]), vaddq_f32(a[2], b[2]), vaddq_f32(a[3], b[3])]
}

/// One of four vectors times the linear part of a matrix.
#[inline]
#[target_feature(enable = "neon")]
fn turn<const LANE: i32>(m: &Columns, v: Vec3x4) -> float32x4_t {
    let x = vmulq_laneq_f32::<LANE>(m[0], v.x);
    let y = vmulq_laneq_f32::<LANE>(m[1], v.y);
    let z = vmulq_laneq_f32::<LANE>(m[2], v.z);
    add(add(x, y), z)
}

#[inline]
#[target_feature(enable = "neon")]
fn add(a: float32x4_t, b: float32x4_t) -> float32x4_t {
    vaddq_f32(a, b)
}

/// The columns of the 4 x 4 matrix whose rows are given. The last column is
/// padding.
#[inline]
#[target_feature(enable = "neon")]
fn transpose(a: float32x4_t, b: float32x4_t, c: float32x4_t, d: float32x4_t) -> Vec3x4 {
    let (ab_xz, ab_y) = (pairs(vtrn1q_f32(a, b)), pairs(vtrn2q_f32(a, b)));
    let (cd_xz, cd_y) = (pairs(vtrn1q_f32(c, d)), pairs(vtrn2q_f32(c, d)));
    Vec3x4 {
        x: vreinterpretq_f32_f64(vtrn1q_f64(ab_xz, cd_xz)),
        y: vreinterpretq_f32_f64(vtrn1q_f64(ab_y, cd_y)),
        z: vreinterpretq_f32_f64(vtrn2q_f64(ab_xz, cd_xz)),
    }
}

/// Four floats as two lanes that are moved as they are.
#[inline]
#[target_feature(enable = "neon")]
fn pairs(v: float32x4_t) -> float64x2_t {
    vreinterpretq_f64_f32(v)
}

#[inline]
#[target_feature(enable = "neon")]
fn divide(v: Vec3x4, by: float32x4_t) -> Vec3x4 {
    Vec3x4 { x: vdivq_f32(v.x, by), y: vdivq_f32(v.y, by), z: vdivq_f32(v.z, by) }
}

/// [`super::normals::unit_or_up`] of four vectors.
#[inline]
#[target_feature(enable = "neon")]
fn unit_or_up(v: Vec3x4) -> Vec3x4 {
    let (scaled, has_direction) = scale_down(v);
    or_up(divide(scaled, length(scaled)), has_direction)
}

/// Vectors divided by their largest component, and whether they have a
/// direction.
#[inline]
#[target_feature(enable = "neon")]
fn scale_down(v: Vec3x4) -> (Vec3x4, uint32x4_t) {
    let largest = larger(larger(vabsq_f32(v.x), vabsq_f32(v.y)), vabsq_f32(v.z));
    let has_direction = vandq_u32(
        vcltq_f32(largest, vdupq_n_f32(f32::INFINITY)),
        vcgtq_f32(largest, vdupq_n_f32(super::normals::LEAST)),
    );
    (divide(v, largest), has_direction)
}

/// The larger of two. NEON's own maximum is NaN where one of two is; the twin
/// takes the second then, and so must this.
#[inline]
#[target_feature(enable = "neon")]
fn larger(a: float32x4_t, b: float32x4_t) -> float32x4_t {
    vbslq_f32(vcgtq_f32(a, b), a, b)
}

#[inline]
#[target_feature(enable = "neon")]
fn length(v: Vec3x4) -> float32x4_t {
    let (xx, yy) = (vmulq_f32(v.x, v.x), vmulq_f32(v.y, v.y));
    vsqrtq_f32(add(add(xx, yy), vmulq_f32(v.z, v.z)))
}

/// +Y in place of the vectors that have no direction.
#[inline]
#[target_feature(enable = "neon")]
fn or_up(v: Vec3x4, has_direction: uint32x4_t) -> Vec3x4 {
    let (zero, one) = (vdupq_n_f32(0.0), vdupq_n_f32(1.0));
    Vec3x4 {
        x: vbslq_f32(has_direction, v.x, zero),
        y: vbslq_f32(has_direction, v.y, one),
        z: vbslq_f32(has_direction, v.z, zero),
    }
}

/// Four vectors out of memory.
#[inline]
#[target_feature(enable = "neon")]
fn load(block: &Block) -> Vec3x4 {
    // SAFETY: this reads twelve floats from where the pointer points, and the
    // block is twelve floats. It asks for no alignment beyond theirs.
    #[allow(unsafe_code)]
    let float32x4x3_t(x, y, z) = unsafe { vld3q_f32(block.as_flattened().as_ptr()) };
    Vec3x4 { x, y, z }
}

/// Four vectors into memory.
#[inline]
#[target_feature(enable = "neon")]
fn store(block: &mut Block, v: Vec3x4) {
    let v = float32x4x3_t(v.x, v.y, v.z);
    // SAFETY: this writes twelve floats to where the pointer points, and the
    // block is twelve floats that are borrowed for writing. It asks for no
    // alignment beyond theirs.
    #[allow(unsafe_code)]
    unsafe {
        vst3q_f32(block.as_flattened_mut().as_mut_ptr(), v);
    }
}

/// [`super::sparse::pack_scalar`] on whole blocks, from the vector 0 on.
#[target_feature(enable = "neon")]
pub(super) fn pack(
    blocks: &[[[f32; 3]; PACKED]],
    indices: &mut Vec<u32>,
    values: &mut Vec<[f32; 3]>,
) {
    for (i, block) in blocks.iter().enumerate() {
        if all_zero(block) {
            continue;
        }
        let mut moved = moved(block);
        while moved != 0 {
            // Eight bits belong to a vector, and only the first is ever set.
            let at = moved.trailing_zeros() as usize / 8;
            indices.push((i * PACKED + at) as u32);
            values.push(block[at]);
            moved &= moved - 1;
        }
    }
}

/// Whether no bit but those of signs is set.
#[inline]
#[target_feature(enable = "neon")]
fn all_zero(block: &[[f32; 3]; PACKED]) -> bool {
    let [a, b, c, d, e, f]: [uint32x4_t; 6] = bytemuck::cast(*block);
    let bits = vorrq_u32(vorrq_u32(vorrq_u32(a, b), vorrq_u32(c, d)), vorrq_u32(e, f));
    vmaxvq_u32(vandq_u32(bits, all_but_signs())) == 0
}

/// Bit 8 i says whether vector i has a component that is not zero.
#[inline]
#[target_feature(enable = "neon")]
fn moved(block: &[[f32; 3]; PACKED]) -> u64 {
    let [low, high]: &[Block; 2] = bytemuck::cast_ref(block);
    let [low, high] = [moved_lanes(low), moved_lanes(high)];
    let bytes = vmovn_u16(vcombine_u16(vmovn_u32(low), vmovn_u32(high)));
    u64::from_le_bytes(bytemuck::cast(bytes)) & 0x0101_0101_0101_0101
}

/// All bits set for a vector that has a component that is not zero. As bits
/// NaN differs from zero too, and with the sign left out -0 does not.
#[inline]
#[target_feature(enable = "neon")]
fn moved_lanes(block: &Block) -> uint32x4_t {
    let v = load(block);
    let xy = vorrq_u32(vreinterpretq_u32_f32(v.x), vreinterpretq_u32_f32(v.y));
    vtstq_u32(vorrq_u32(xy, vreinterpretq_u32_f32(v.z)), all_but_signs())
}

#[inline]
#[target_feature(enable = "neon")]
fn all_but_signs() -> uint32x4_t {
    vdupq_n_u32(i32::MAX as u32)
}
