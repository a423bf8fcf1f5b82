//! The rest frames of the Universal Animation Library.
//!
//! The numbers are read from the mannequin of the "Universal Animation
//! Library" by Quaternius (<https://quaternius.com>), which its author gave
//! to the public domain under CC0 1.0. An exported skeleton has exactly
//! these rotations, because a clip's rotation keys mean the same thing only
//! on a skeleton with the clip's own rest frames. The translations are the
//! mannequin's bone lengths; a character has its own, and these serve to
//! give rest directions, hip heights and a body to test with.
//!
//! Each number is the shortest decimal that reads back as the same `f32`, so
//! the values below 1e-9 (noise of the original export) are kept as well.

// One of the values happens to be the square root of a half; it is data, not
// a constant of mathematics that was typed in by hand.
#![allow(clippy::approx_constant)]

use super::joints::N_JOINTS;

/// Each joint's rest rotation relative to its parent, as the quaternion
/// `[x, y, z, w]`, in the order of [`UE_JOINTS`](super::UE_JOINTS). The bone
/// lies along the joint's local +Y.
pub const UAL_REST_ROTATIONS: [[f32; 4]; N_JOINTS] = [
    [-0.70710677, 0.0, 0.0, 0.70710677],                       // root
    [0.79046845, 2.0912593e-8, 2.6988856e-8, 0.6125028],       // pelvis
    [-0.06470276, 1.0512353e-7, -1.1234338e-8, 0.9979046],     // spine_01
    [-0.07727989, -5.80155e-8, -1.7062213e-8, 0.99700946],     // spine_02
    [-0.0002685748, -1.1953111e-8, -4.045407e-11, 1.0],        // spine_03
    [0.11098597, 5.498735e-9, 1.60066e-8, 0.993822],           // neck_01
    [-0.07867424, 6.2299277e-9, -1.227351e-8, 0.9969004],      // Head
    [-0.6040205, -0.34510309, -0.35671774, 0.62355083],        // clavicle_l
    [0.18026954, 0.6838499, -0.17983653, 0.6837479],           // upperarm_l
    [0.01718223, -2.0216197e-5, 5.6146405e-7, 0.9998524],      // lowerarm_l
    [-0.008619714, -4.5893702e-7, -2.1063036e-7, 0.99996287],  // hand_l
    [0.24741346, 0.9457944, 0.20344116, 0.053584047],          // thumb_01_l
    [-0.00013595635, -7.4060576e-5, 4.781892e-5, 1.0],         // thumb_02_l
    [0.00024822546, 8.087232e-5, -0.0005355993, 0.9999998],    // thumb_03_l
    [1.3822505e-7, 0.50617796, 7.690794e-8, 0.8624291],        // thumb_04_leaf_l
    [-4.8541157e-8, 0.70710945, -4.8541533e-8, 0.7071041],     // index_01_l
    [-1.7394694e-15, -1.5096509e-7, -7.720638e-9, 1.0],        // index_02_l
    [-4.626595e-16, 1.1368684e-13, 2.3184986e-17, 1.0],        // index_03_l
    [-6.434401e-17, 1.0, -4.4407857e-16, 3.532567e-6],         // index_04_leaf_l
    [-0.016702488, 0.70691216, -0.016702566, 0.7069068],       // middle_01_l
    [-8.327583e-9, -1.5025597e-7, 0.001513578, 0.99999887],    // middle_02_l
    [6.6267387e-9, 4.5557808e-11, -0.0011295832, 0.9999994],   // middle_03_l
    [3.9115562e-8, 1.0, 9.751244e-14, 3.5325672e-6],           // middle_04_leaf_l
    [-0.012588657, 0.70699745, -0.012588723, 0.706992],        // ring_01_l
    [-5.4504823e-10, -2.6970872e-7, 1.2088568e-5, 1.0],        // ring_02_l
    [6.2586087e-9, 3.1632048e-11, -0.0010669898, 0.9999994],   // ring_03_l
    [1.0786012e-14, 1.0, 4.3973042e-13, 3.6517768e-6],         // ring_04_leaf_l
    [-0.02370601, 0.7067121, -0.023706146, 0.70670646],        // pinky_01_l
    [3.5546661e-9, -2.696985e-7, -0.0008343201, 0.99999964],   // pinky_02_l
    [-3.7220207e-9, -2.0844665e-11, 0.00060971844, 0.9999998], // pinky_03_l
    [2.663583e-7, 1.0, 5.803362e-13, 3.532567e-6],             // pinky_04_leaf_l
    [0.9924845, 9.087724e-9, 1.4975377e-7, 0.122370474],       // thigh_l
    [0.036585923, -0.00013128939, -4.7990375e-6, 0.9993305],   // calf_l
    [-0.5290713, -0.0003280945, 0.000343453, 0.84857726],      // foot_l
    [0.00013706552, -0.96430665, 0.26478747, 0.0004996642],    // ball_l
    [-1.2276956e-7, 7.2564887e-9, -2.9167842e-11, 1.0],        // ball_leaf_l
    [-0.60402066, 0.34510306, 0.3567176, 0.62355083],          // clavicle_r
    [0.18026955, -0.68385005, 0.17983645, 0.6837477],          // upperarm_r
    [0.017182363, 2.0453512e-5, -3.4495176e-7, 0.9998524],     // lowerarm_r
    [-0.0086197, 4.768189e-7, -7.843602e-9, 0.99996287],       // hand_r
    [0.24741292, -0.94579446, -0.20344132, 0.05358416],        // thumb_01_r
    [-0.0001353957, 7.406368e-5, -4.793245e-5, 1.0],           // thumb_02_r
    [0.00024783245, -8.0996564e-5, 0.000535192, 0.9999999],    // thumb_03_r
    [1.01509e-7, -0.5061779, -4.3271253e-8, 0.8624291],        // thumb_04_leaf_r
    [-1.0415885e-15, -0.70710963, 9.945733e-15, 0.7071039],    // index_01_r
    [2.0094706e-13, 7.2067564e-8, 4.568847e-8, 1.0],           // index_02_r
    [-2.1477367e-17, -3.408078e-13, -1.6716193e-8, 1.0],       // index_03_r
    [-9.489444e-16, -1.0, 7.481334e-17, 3.6517763e-6],         // index_04_leaf_r
    [-0.016702391, -0.7069122, 0.016702471, 0.70690674],       // middle_01_r
    [-8.806516e-9, 7.213987e-8, -0.0015135462, 0.99999887],    // middle_02_r
    [7.072609e-9, -2.8435047e-12, 0.001129587, 0.99999934],    // middle_03_r
    [6.8917885e-8, -1.0, -1.621505e-13, 3.6517763e-6],         // middle_04_leaf_r
    [-0.012588693, -0.7069973, 0.012588748, 0.70699215],       // ring_01_r
    [-5.427176e-10, 7.195254e-8, -1.2213364e-5, 1.0],          // ring_02_r
    [6.173281e-9, -2.6330067e-12, 0.0010671454, 0.99999946],   // ring_03_r
    [6.398552e-16, -1.0, 1.176972e-13, 3.5325675e-6],          // ring_04_leaf_r
    [-0.023705997, -0.70671207, 0.023706123, 0.7067065],       // pinky_01_r
    [3.5201957e-9, 7.225856e-8, 0.0008342847, 0.99999964],     // pinky_02_r
    [-3.816478e-9, -3.3661975e-12, -0.00060957874, 0.9999998], // pinky_03_r
    [3.7252894e-9, -1.0, 2.7342098e-14, 3.651776e-6],          // pinky_04_leaf_r
    [0.9924845, 2.6234153e-9, 9.732507e-8, 0.122370474],       // thigh_r
    [0.036585923, -0.00013123656, -4.800968e-6, 0.9993305],    // calf_r
    [-0.5290713, -0.0003280946, 0.000343453, 0.84857726],      // foot_r
    [0.00013709729, -0.96430665, 0.2647876, 0.00049954926],    // ball_r
    [-3.231424e-8, -2.0575555e-8, 2.9095552e-11, 1.0],         // ball_leaf_r
];

/// Each joint's rest translation relative to its parent on the mannequin, in
/// metres, in the order of [`UE_JOINTS`](super::UE_JOINTS).
pub const UAL_REST_TRANSLATIONS: [[f32; 3]; N_JOINTS] = [
    [0.0, 0.0, 0.0],                             // root
    [5.558205e-17, 0.050100088, 0.9167001],      // pelvis
    [5.4812023e-15, 0.1381765, 1.4901161e-8],    // spine_01
    [9.09936e-15, 0.124035075, -2.8579962e-8],   // spine_02
    [-5.826062e-16, 0.14127187, 1.8626451e-9],   // spine_03
    [5.485959e-15, 0.17289104, -1.3038516e-8],   // neck_01
    [4.5373827e-15, 0.08258659, -2.0954758e-8],  // Head
    [0.018799974, 0.14055403, 0.080895014],      // clavicle_l
    [-0.03007235, 0.21858163, -0.016968083],     // upperarm_l
    [-2.4636165e-8, 0.27444035, 3.1199306e-8],   // lowerarm_l
    [4.0540579e-7, 0.27264062, 3.7147174e-9],    // hand_l
    [0.022799924, 0.02729985, 0.03360001],       // thumb_01_l
    [3.3906963e-7, 0.04302981, -4.656613e-9],    // thumb_02_l
    [2.6214275e-7, 0.04907808, -1.4901161e-8],   // thumb_03_l
    [-1.9335494e-7, 0.04086227, -7.636845e-8],   // thumb_04_leaf_l
    [0.0020002841, 0.11989984, 0.030899992],     // index_01_l
    [2.76267e-9, 0.04070011, 2.1276576e-7],      // index_02_l
    [1.4897523e-9, 0.034800086, 8.313981e-8],    // index_03_l
    [1.4888428e-9, 0.030100081, 8.313978e-8],    // index_04_leaf_l
    [-0.00040003067, 0.121599875, 0.005200006],  // middle_01_l
    [2.0672815e-8, 0.042347323, -1.1679475e-7],  // middle_02_l
    [-1.1777047e-8, 0.033933334, 1.1213103e-8],  // middle_03_l
    [-6.190021e-9, 0.0344373, 1.1798426e-7],     // middle_04_leaf_l
    [-9.977338e-5, 0.1190997, -0.017099991],     // ring_01_l
    [2.7891474e-8, 0.03932507, -2.6443027e-7],   // ring_02_l
    [3.1550371e-9, 0.030919658, -6.490804e-7],   // ring_03_l
    [6.8821464e-9, 0.031822808, -1.838896e-7],   // ring_04_leaf_l
    [0.0015997606, 0.10769959, -0.040799975],    // pinky_01_l
    [-1.648823e-8, 0.040290672, -3.370519e-8],   // pinky_02_l
    [8.0699465e-9, 0.027665453, 5.3009558e-8],   // pinky_03_l
    [3.414698e-8, 0.028164398, -5.9354335e-8],   // pinky_04_leaf_l
    [0.08899997, 0.027770763, 0.046023827],      // thigh_l
    [-2.2711555e-9, 0.4003096, 1.5285195e-10],   // calf_l
    [2.1054802e-10, 0.42948, -5.8917067e-9],     // foot_l
    [3.6188794e-9, 0.17330083, -3.576133e-8],    // ball_l
    [7.0767774e-9, 0.078899905, -6.786394e-11],  // ball_leaf_l
    [-0.018799996, 0.14055426, 0.08089504],      // clavicle_r
    [0.03007231, 0.21858169, -0.01696821],       // upperarm_r
    [-9.743218e-9, 0.27444032, -3.493551e-8],    // lowerarm_r
    [-3.2378824e-7, 0.27264035, -6.4915184e-10], // hand_r
    [-0.022800043, 0.027299685, 0.03359991],     // thumb_01_r
    [-1.0530039e-7, 0.043030143, 2.8871e-8],     // thumb_02_r
    [-8.1897724e-8, 0.04907772, -2.3283064e-9],  // thumb_03_r
    [2.4632027e-7, 0.040862218, -2.9802322e-8],  // thumb_04_leaf_r
    [-0.0020000457, 0.119899675, 0.030900024],   // index_01_r
    [-7.429435e-9, 0.04070018, 2.2921856e-7],    // index_02_r
    [-9.758452e-10, 0.034800038, -1.4173104e-8], // index_03_r
    [1.3168062e-9, 0.030099794, 3.4345476e-7],   // index_04_leaf_r
    [0.00039991146, 0.12159983, 0.0052000126],   // middle_01_r
    [-7.032213e-9, 0.042347122, 7.064841e-9],    // middle_02_r
    [-2.755769e-10, 0.033933137, 1.99893e-8],    // middle_03_r
    [-9.591531e-9, 0.03443722, -4.7012475e-7],   // middle_04_leaf_r
    [9.977338e-5, 0.11909965, -0.017099991],     // ring_01_r
    [-2.3425855e-8, 0.03932509, -1.6996968e-7],  // ring_02_r
    [1.3878889e-9, 0.030919712, -2.9567315e-7],  // ring_03_r
    [-1.3516001e-8, 0.03182271, 5.046431e-8],    // ring_04_leaf_r
    [-0.0015998798, 0.107699774, -0.040800005],  // pinky_01_r
    [-1.4873876e-8, 0.040290486, -4.544009e-8],  // pinky_02_r
    [6.8366717e-9, 0.027665496, 6.04812e-8],     // pinky_03_r
    [-6.1299943e-10, 0.028164228, 6.750241e-8],  // pinky_04_leaf_r
    [-0.08899998, 0.027770827, 0.046023812],     // thigh_r
    [-3.153256e-8, 0.4003097, -1.7952129e-10],   // calf_r
    [3.0001274e-8, 0.42947984, -7.1486284e-9],   // foot_r
    [-1.1353222e-8, 0.1733008, -4.7097274e-8],   // ball_r
    [3.2296368e-9, 0.0788999, -1.2860375e-9],    // ball_leaf_r
];

#[cfg(test)]
mod tests {
    use super::super::j;
    use super::super::joints::{PARENTS, UE_JOINTS, mirror};
    use super::*;
    use glam::{DQuat, DVec3};

    /// The world rotation and position of every joint at rest.
    fn world() -> Vec<(DQuat, DVec3)> {
        let mut out: Vec<(DQuat, DVec3)> = Vec::with_capacity(N_JOINTS);
        for i in 0..N_JOINTS {
            let rotation = DQuat::from_array(UAL_REST_ROTATIONS[i].map(f64::from));
            let translation = DVec3::from_array(UAL_REST_TRANSLATIONS[i].map(f64::from));
            let (q, p) = match PARENTS[i] {
                None => (rotation, translation),
                Some(parent) => {
                    let (q, p) = out[parent as usize];
                    (q * rotation, p + q * translation)
                }
            };
            out.push((q.normalize(), p));
        }
        out
    }

    /// The angle in degrees between a joint's +Y in the world and `axis`.
    fn off(world: &[(DQuat, DVec3)], joint: usize, axis: DVec3) -> f64 {
        (world[joint].0 * DVec3::Y).angle_between(axis).to_degrees()
    }

    #[test]
    fn rotations_are_unit() {
        for (q, name) in UAL_REST_ROTATIONS.iter().zip(UE_JOINTS) {
            let length = q.iter().map(|&v| f64::from(v).powi(2)).sum::<f64>().sqrt();
            assert!((length - 1.0).abs() < 1e-6, "{name}: {length}");
        }
    }

    #[test]
    fn the_mannequin_stands_in_a_t_pose() {
        let w = world();
        for (joint, axis, limit) in [
            (j::UPPERARM_L, DVec3::X, 1.1),
            (j::LOWERARM_L, DVec3::X, 1.1),
            (j::HAND_L, DVec3::X, 1e-3),
            (j::UPPERARM_R, DVec3::NEG_X, 1.1),
            (j::LOWERARM_R, DVec3::NEG_X, 1.1),
            (j::HAND_R, DVec3::NEG_X, 1e-3),
            (j::THIGH_L, DVec3::NEG_Y, 0.5),
            (j::CALF_L, DVec3::NEG_Y, 5.0),
            (j::BALL_L, DVec3::Z, 0.05),
            (j::HEAD, DVec3::Y, 2.0),
            // The relic of a Z-up armature that the profile speaks of.
            (j::ROOT, DVec3::NEG_Z, 1e-4),
        ] {
            let angle = off(&w, joint, axis);
            assert!(angle < limit, "{}: {angle} degrees off", UE_JOINTS[joint]);
        }
        assert!((w[j::HAND_L].1.x - 0.74).abs() < 0.005);
        assert!((w[j::HAND_L].1.y - w[j::UPPERARM_L].1.y).abs() < 1e-4);
    }

    #[test]
    fn the_two_sides_mirror_each_other() {
        let w = world();
        for i in j::CLAVICLE_L..j::CLAVICLE_R {
            let flip = DVec3::new(-1.0, 1.0, 1.0);
            let here = (w[i].0 * DVec3::Y) * flip;
            let there = w[mirror(i)].0 * DVec3::Y;
            assert!(here.distance(there) < 1e-4, "{}: {here} {there}", UE_JOINTS[i]);
            assert!((w[i].1 * flip).distance(w[mirror(i)].1) < 1e-4, "{}", UE_JOINTS[i]);
            assert!(w[i].1.x > 0.0, "{} is not on +X", UE_JOINTS[i]);
        }
    }

    #[test]
    fn a_bone_lies_along_its_joint() {
        // Where a joint goes on into one child, that child is straight ahead.
        let w = world();
        for (joint, child) in [
            (j::UPPERARM_L, j::LOWERARM_L),
            (j::LOWERARM_L, j::HAND_L),
            (j::THIGH_R, j::CALF_R),
            (j::CALF_R, j::FOOT_R),
            (j::INDEX_01_L, j::INDEX_02_L),
        ] {
            let angle = off(&w, joint, w[child].1 - w[joint].1);
            assert!(angle < 0.5, "{}: {angle} degrees", UE_JOINTS[joint]);
        }
    }
}
