//! What stands in an exported file, read back by an independent reader.

mod common;

use dramatis::profile::{
    MIXAMO_NAMES, N_JOINTS, Naming, PARENTS, RestPose, UAL_REST_ROTATIONS, UE_JOINTS, is_leaf, j,
};
use dramatis::{CharacterSpec, ExportOptions, FACE_UNITS, check_export_extras};
use glam::{DMat4, DQuat, DVec3};
use gltf::Gltf;

/// A file that was read back.
struct File {
    bytes: Vec<u8>,
    gltf: Gltf,
}

/// The numbers of one mesh.
struct Mesh {
    name: String,
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    uvs: Vec<[f32; 2]>,
    joints: Vec<[u16; 4]>,
    weights: Vec<[f32; 4]>,
    indices: Vec<u32>,
}

impl File {
    fn export(spec: &CharacterSpec, naming: Naming, rest_pose: RestPose) -> File {
        let options = ExportOptions { naming, rest_pose, ..ExportOptions::default() };
        let bytes = common::exporter().export(spec, &options).unwrap().bytes;
        let gltf = Gltf::from_slice(&bytes).unwrap();
        File { bytes, gltf }
    }

    fn t_pose(spec: &CharacterSpec) -> File {
        File::export(spec, Naming::Ue, RestPose::TPose)
    }

    fn meshes(&self) -> Vec<Mesh> {
        let blob = self.gltf.blob.as_deref();
        self.gltf
            .meshes()
            .map(|mesh| {
                assert_eq!(mesh.primitives().len(), 1);
                let primitive = mesh.primitives().next().unwrap();
                let reader = primitive.reader(|_| blob);
                Mesh {
                    name: mesh.name().unwrap().to_owned(),
                    positions: reader.read_positions().unwrap().collect(),
                    normals: reader.read_normals().unwrap().collect(),
                    uvs: reader.read_tex_coords(0).unwrap().into_f32().collect(),
                    joints: reader.read_joints(0).unwrap().into_u16().collect(),
                    weights: reader.read_weights(0).unwrap().into_f32().collect(),
                    indices: reader.read_indices().unwrap().into_u32().collect(),
                }
            })
            .collect()
    }

    /// The joints' world matrices, in the skin's order.
    fn globals(&self) -> [DMat4; N_JOINTS] {
        let skin = self.gltf.skins().next().unwrap();
        let joints: Vec<_> = skin.joints().collect();
        let mut globals = [DMat4::IDENTITY; N_JOINTS];
        for i in 0..N_JOINTS {
            let (t, r, s) = joints[i].transform().decomposed();
            assert_eq!(s, [1.0; 3]);
            let local = DMat4::from_rotation_translation(
                DQuat::from_array(r.map(f64::from)),
                DVec3::from_array(t.map(f64::from)),
            );
            globals[i] = PARENTS[i].map_or(DMat4::IDENTITY, |p| globals[usize::from(p)]) * local;
        }
        globals
    }

    fn joint_places(&self) -> [DVec3; N_JOINTS] {
        self.globals().map(|g| g.w_axis.truncate())
    }

    fn extras(&self) -> serde_json::Value {
        let raw = self.gltf.as_json().asset.extras.as_ref().unwrap();
        serde_json::from_str(raw.get()).unwrap()
    }
}

fn all_files() -> Vec<(String, File, Naming, RestPose)> {
    let mut files = Vec::new();
    for (stem, spec) in common::samples() {
        for naming in [Naming::Ue, Naming::Mixamo] {
            for rest_pose in [RestPose::TPose, RestPose::Source] {
                let file = File::export(&spec, naming, rest_pose);
                files.push((stem.clone(), file, naming, rest_pose));
            }
        }
    }
    assert!(files.len() >= 24, "at least six samples");
    files
}

#[test]
fn skeletons_have_the_profiles_joints() {
    for (stem, file, naming, rest_pose) in all_files() {
        let names = if naming == Naming::Ue { &UE_JOINTS } else { &MIXAMO_NAMES };
        assert_eq!(file.gltf.skins().len(), 1);
        let skin = file.gltf.skins().next().unwrap();
        assert_eq!(skin.name(), Some("skeleton"));
        assert_eq!(skin.skeleton().unwrap().name(), Some("root"));
        let joints: Vec<_> = skin.joints().collect();
        assert_eq!(joints.len(), N_JOINTS, "{stem}");
        for (i, joint) in joints.iter().enumerate() {
            assert_eq!(joint.name(), Some(names[i]), "{stem}");
            let children: Vec<usize> = joint.children().map(|c| c.index()).collect();
            let expected: Vec<usize> = (0..N_JOINTS)
                .filter(|c| PARENTS[*c].map(usize::from) == Some(i))
                .map(|c| joints[c].index())
                .collect();
            assert_eq!(children, expected, "{stem}: {}", names[i]);
            if rest_pose == RestPose::TPose {
                let (_, rotation, _) = joint.transform().decomposed();
                assert_eq!(rotation, UAL_REST_ROTATIONS[i], "{stem}: {}", names[i]);
            }
        }
    }
}

#[test]
fn inverse_bind_matrices_are_the_exact_inverses() {
    for (stem, file, ..) in all_files() {
        let skin = file.gltf.skins().next().unwrap();
        let blob = file.gltf.blob.as_deref();
        let matrices: Vec<_> =
            skin.reader(|_| blob).read_inverse_bind_matrices().unwrap().collect();
        for (i, (global, inverse)) in file.globals().iter().zip(&matrices).enumerate() {
            let inverse = DMat4::from_cols_array_2d(&inverse.map(|c| c.map(f64::from)));
            let product = *global * inverse;
            // Rounding to f32 alone leaves errors of about 1e-7 m.
            assert!(product.abs_diff_eq(DMat4::IDENTITY, 5e-7), "{stem}: joint {i}: {product}");
            assert_eq!(inverse.row(3).to_array(), [0., 0., 0., 1.]);
        }
    }
}

#[test]
fn meshes_are_whole_and_stand_on_the_floor() {
    for (stem, file, ..) in all_files() {
        let meshes = file.meshes();
        let mut floor = f32::INFINITY;
        for mesh in &meshes {
            let n = mesh.positions.len();
            for length in [mesh.normals.len(), mesh.uvs.len(), mesh.joints.len()] {
                assert_eq!(length, n, "{stem}: {}", mesh.name);
            }
            let mut used = vec![false; n];
            mesh.indices.iter().for_each(|i| used[*i as usize] = true);
            assert!(used.iter().all(|u| *u), "{stem}: {} has unused vertices", mesh.name);
            for normal in &mesh.normals {
                let length = DVec3::from_array(normal.map(f64::from)).length();
                assert!((length - 1.0).abs() < 1e-5, "{stem}: {}: {length}", mesh.name);
            }
            let in_tile = |uv: &[f32; 2]| uv.iter().all(|x| (0.0..=1.0).contains(x));
            assert!(mesh.uvs.iter().all(in_tile), "{stem}: {}", mesh.name);
            floor = mesh.positions.iter().map(|p| p[1]).fold(floor, f32::min);
        }
        assert!(floor.abs() <= 1e-6, "{stem}: the lowest vertex is at {floor}");
        let pelvis = file.joint_places()[j::PELVIS];
        assert!(pelvis.x.abs() < 1e-6 && pelvis.z.abs() < 1e-6, "{stem}: {pelvis}");
        assert_eq!(file.joint_places()[j::ROOT], DVec3::ZERO);
    }
}

#[test]
fn written_weights_sum_to_exactly_one() {
    for (stem, file, ..) in all_files() {
        for mesh in file.meshes() {
            for (joints, weights) in mesh.joints.iter().zip(&mesh.weights) {
                let [a, b, c, d] = *weights;
                assert_eq!(a + b + c + d, 1.0, "{stem}: {}: {weights:?}", mesh.name);
                for (&joint, &weight) in joints.iter().zip(weights) {
                    let joint = usize::from(joint);
                    assert!(weight >= 0.0);
                    assert!(weight > 0.0 || joint == 0, "{stem}: an unused slot has joint {joint}");
                    let may_carry = joint != j::ROOT && !is_leaf(joint);
                    assert!(weight == 0.0 || may_carry, "{stem}: joint {joint} carries weight");
                }
            }
        }
    }
}

#[test]
fn what_sits_in_the_head_moves_with_it_alone() {
    let file = File::t_pose(&CharacterSpec::new("Default"));
    for mesh in file.meshes() {
        if ["eyes", "eyelashes", "teeth", "tongue"].contains(&mesh.name.as_str()) {
            let head = [j::HEAD as u16, 0, 0, 0];
            assert!(mesh.joints.iter().all(|joints| *joints == head), "{}", mesh.name);
        }
    }
}

#[test]
fn parts_are_in_the_profiles_order_and_materials_bear_their_names() {
    for (stem, file, ..) in all_files() {
        let names: Vec<_> = file.gltf.meshes().map(|m| m.name().unwrap().to_owned()).collect();
        let expected = [
            "body",
            "eyes",
            "eyelashes",
            "teeth",
            "tongue",
            "garment_underwear_bottom",
            "garment_underwear_top",
        ];
        assert_eq!(names, expected, "{stem}");
        for mesh in file.gltf.meshes() {
            let material = mesh.primitives().next().unwrap().material();
            assert_eq!(material.name(), mesh.name());
            assert_eq!(material.pbr_metallic_roughness().metallic_factor(), 0.0);
        }
        let scene = file.gltf.default_scene().unwrap();
        let top: Vec<_> = scene.nodes().map(|n| n.name().unwrap().to_owned()).collect();
        assert_eq!(top[0], "root");
        assert_eq!(top[1..], names);
        for node in scene.nodes().skip(1) {
            assert_eq!(node.mesh().unwrap().name(), node.name());
            assert_eq!(node.skin().unwrap().index(), 0);
            assert_eq!(node.transform().matrix(), glam::Mat4::IDENTITY.to_cols_array_2d());
        }
    }
}

#[test]
fn accessor_bounds_are_the_stored_numbers() {
    let (_, file, ..) = all_files().swap_remove(0);
    for (mesh, primitive) in
        file.meshes().iter().zip(file.gltf.meshes().flat_map(|m| m.primitives()))
    {
        let accessor = primitive.get(&gltf::Semantic::Positions).unwrap();
        for (axis, (min, max)) in numbers(accessor.min()).zip(numbers(accessor.max())).enumerate() {
            let values = || mesh.positions.iter().map(|p| p[axis]);
            assert_eq!(min as f32, values().fold(f32::INFINITY, f32::min));
            assert_eq!(max as f32, values().fold(f32::NEG_INFINITY, f32::max));
        }
        let indices = primitive.indices().unwrap();
        assert_eq!(indices.data_type(), gltf::accessor::DataType::U16);
    }
}

fn numbers(value: Option<gltf::json::Value>) -> impl Iterator<Item = f64> {
    let items = value.unwrap().as_array().unwrap().clone();
    assert_eq!(items.len(), 3);
    items.into_iter().map(|v| v.as_f64().unwrap())
}

/// World positions of UAL's own joints.
fn ual_places() -> [DVec3; N_JOINTS] {
    let mut globals = [DMat4::IDENTITY; N_JOINTS];
    for i in 0..N_JOINTS {
        let t = dramatis::profile::UAL_REST_TRANSLATIONS[i].map(f64::from);
        let r = UAL_REST_ROTATIONS[i].map(f64::from);
        let local = DMat4::from_rotation_translation(DQuat::from_array(r), DVec3::from_array(t));
        globals[i] = PARENTS[i].map_or(DMat4::IDENTITY, |p| globals[usize::from(p)]) * local;
    }
    globals.map(|g| g.w_axis.truncate())
}

#[test]
fn in_the_t_pose_limbs_lie_along_uals() {
    let ual = ual_places();
    for (stem, spec) in common::samples() {
        let places = File::t_pose(&spec).joint_places();
        let mut checked = 0;
        for child in 0..N_JOINTS {
            let Some(joint) = PARENTS[child].map(usize::from) else { continue };
            let name = UE_JOINTS[joint];
            let limb = ["arm", "thumb", "index", "middle", "ring", "pinky", "thigh", "calf"];
            if !limb.iter().any(|l| name.contains(l)) {
                continue;
            }
            let direction = |p: &[DVec3; N_JOINTS]| (p[child] - p[joint]).normalize();
            let cosine = direction(&places).dot(direction(&ual));
            assert!(cosine > 0.999_999, "{stem}: {name}: {}", cosine.acos().to_degrees());
            checked += 1;
        }
        assert_eq!(checked, 2 * (2 + 15 + 2));
    }
}

#[test]
fn in_the_t_pose_palms_face_down_and_soles_lie_flat() {
    for (stem, spec) in common::samples() {
        let file = File::t_pose(&spec);
        let p = file.joint_places();
        for (hand, index, pinky, middle, x) in [
            (j::HAND_L, j::INDEX_01_L, j::PINKY_01_L, j::MIDDLE_01_L, 1.0),
            (j::HAND_R, j::INDEX_01_R, j::PINKY_01_R, j::MIDDLE_01_R, -1.0),
        ] {
            let out = (p[middle] - p[hand]).normalize();
            assert!(out.x * x > 0.99, "{stem}: {out}");
            let knuckles = (p[index] - p[pinky]).normalize();
            assert!(knuckles.z > 0.95, "{stem}: the index finger is in front: {knuckles}");
            // The thumb leaves a palm-down hand forwards and downwards.
            let back = out.cross(knuckles).normalize() * -x;
            assert!(back.y > 0.95, "{stem}: the back of the hand faces {back}");
        }
        // Both ends of each sole are near the floor: nobody stands on the
        // toes or on the heels.
        let meshes = file.meshes();
        let body = meshes.iter().find(|m| m.name == "body").unwrap();
        for side in [1.0f32, -1.0] {
            let of_foot =
                || body.positions.iter().filter(move |p| p[0] * side > 0.02 && p[1] < 0.1);
            let back = of_foot().map(|p| p[2]).fold(f32::INFINITY, f32::min);
            let front = of_foot().map(|p| p[2]).fold(f32::NEG_INFINITY, f32::max);
            let length = front - back;
            let lowest = |from: f32, to: f32| {
                of_foot()
                    .filter(|p| (from..to).contains(&((p[2] - back) / length)))
                    .map(|p| p[1])
                    .fold(f32::INFINITY, f32::min)
            };
            assert!(lowest(0.0, 0.3) < 0.008, "{stem}: heel at {}", lowest(0.0, 0.3));
            assert!(lowest(0.6, 0.9) < 0.008, "{stem}: ball at {}", lowest(0.6, 0.9));
        }
    }
}

#[test]
fn in_the_source_pose_every_bone_lies_along_its_joint() {
    for (stem, spec) in common::samples() {
        let file = File::export(&spec, Naming::Ue, RestPose::Source);
        let globals = file.globals();
        let p = file.joint_places();
        for (joint, child) in [
            (j::PELVIS, j::SPINE_01),
            (j::SPINE_03, j::NECK_01),
            (j::NECK_01, j::HEAD),
            (j::CLAVICLE_L, j::UPPERARM_L),
            (j::UPPERARM_R, j::LOWERARM_R),
            (j::LOWERARM_L, j::HAND_L),
            (j::INDEX_01_R, j::INDEX_02_R),
            (j::THIGH_L, j::CALF_L),
            (j::CALF_R, j::FOOT_R),
            (j::FOOT_L, j::BALL_L),
        ] {
            let along = globals[joint].y_axis.truncate().normalize();
            let bone = (p[child] - p[joint]).normalize();
            assert!(along.dot(bone) > 1.0 - 1e-9, "{stem}: {}", UE_JOINTS[joint]);
        }
        // The sculpted arms hang down, unlike the T-pose's.
        let arm = (p[j::LOWERARM_L] - p[j::UPPERARM_L]).normalize();
        assert!(arm.y < -0.5, "{stem}: {arm}");
    }
}

#[test]
fn the_t_pose_is_the_source_skinned_with_the_written_weights() {
    // Independently of the writer: each joint's move is read off the two
    // files, and every vertex of the source-posed file is skinned with it.
    for (stem, spec) in common::samples() {
        let source = File::export(&spec, Naming::Ue, RestPose::Source);
        let target = File::t_pose(&spec);
        let (from, to) = (source.globals(), target.globals());
        let moves: [Option<DMat4>; N_JOINTS] = std::array::from_fn(|i| {
            let (a, b) = (from[i], to[i]);
            let is = |stems: &[&str]| stems.iter().any(|s| UE_JOINTS[i].starts_with(s));
            if is(&["foot", "ball"]) {
                // The feet's frames are aimed anew in the source pose, so
                // their turn cannot be read off the frames.
                None
            } else if is(&["pelvis", "spine", "neck", "Head", "clavicle"]) {
                // So are the trunk's, but the trunk does not turn at all.
                Some(DMat4::from_translation((b.w_axis - a.w_axis).truncate()))
            } else {
                Some(b * a.inverse())
            }
        });
        let mut checked = 0;
        for (a, b) in source.meshes().iter().zip(&target.meshes()) {
            assert_eq!(a.joints, b.joints);
            for v in 0..a.positions.len() {
                let p = DVec3::from_array(a.positions[v].map(f64::from));
                let mut sum = DVec3::ZERO;
                let mut known = true;
                for (&joint, &weight) in a.joints[v].iter().zip(&a.weights[v]) {
                    match moves[usize::from(joint)] {
                        Some(m) => sum += m.transform_point3(p) * f64::from(weight),
                        None => known &= weight == 0.0,
                    }
                }
                if known {
                    let found = DVec3::from_array(b.positions[v].map(f64::from));
                    assert!(sum.distance(found) < 2e-6, "{stem}: {} {v}: {sum} {found}", a.name);
                    checked += 1;
                }
            }
        }
        assert!(checked > 10_000, "{stem}: {checked}");
    }
}

#[test]
fn a_symmetric_character_comes_out_symmetric() {
    let file = File::t_pose(&CharacterSpec::new("Default"));
    let p = file.joint_places();
    for i in 0..N_JOINTS {
        let partner = p[dramatis::profile::mirror(i)];
        let mirrored = DVec3::new(-partner.x, partner.y, partner.z);
        assert!(p[i].distance(mirrored) < 1e-5, "{}: {} {mirrored}", UE_JOINTS[i], p[i]);
    }
    let meshes = file.meshes();
    let body = meshes.iter().find(|m| m.name == "body").unwrap();
    let mut by_place: Vec<[i64; 3]> = Vec::new();
    let grid = |p: &[f32; 3], sign: f32| {
        [p[0] * sign, p[1], p[2]].map(|x| (f64::from(x) / 2e-3).round() as i64)
    };
    by_place.extend(body.positions.iter().map(|p| grid(p, 1.0)));
    by_place.sort_unstable();
    let near = |p: &[f32; 3]| {
        let [x, y, z] = grid(p, -1.0);
        (-1..=1).any(|dx| {
            (-1..=1).any(|dy| {
                (-1..=1).any(|dz| by_place.binary_search(&[x + dx, y + dy, z + dz]).is_ok())
            })
        })
    };
    let lonely = body.positions.iter().filter(|p| !near(p)).count();
    assert_eq!(lonely, 0, "vertices without a mirror image");
}

#[test]
fn the_licence_block_is_complete() {
    for (stem, file, naming, rest_pose) in all_files() {
        let extras = file.extras();
        let block = &extras["dramatis"];
        check_export_extras(block).unwrap_or_else(|faults| panic!("{stem}: {faults:?}"));
        assert_eq!(block["naming"], naming.as_str());
        assert_eq!(block["restPose"], rest_pose.as_str());
        assert_eq!(block["licences"][0]["asset"], "makehuman:base/hm08");
        assert_eq!(block["licences"].as_array().unwrap().len(), 3);
        assert_eq!(block["faceUnits"], serde_json::json!(FACE_UNITS.as_slice()));
        let copyright = file.gltf.as_json().asset.copyright.as_deref().unwrap();
        assert!(copyright.starts_with("MakeHuman base mesh hm08: CC0-1.0; "), "{copyright}");
        assert!(file.gltf.as_json().extensions_required.is_empty());
    }
}

#[test]
fn the_same_input_gives_the_same_bytes_on_any_number_of_threads() {
    let (_, spec) = common::samples().swap_remove(0);
    let first = File::t_pose(&spec).bytes;
    assert_eq!(first, File::t_pose(&spec).bytes);
    for threads in [1, 2, 5] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert_eq!(pool.install(|| File::t_pose(&spec).bytes), first, "{threads} threads");
    }
}

#[test]
fn covered_skin_is_removed_and_bare_skin_is_whole() {
    let mut spec = CharacterSpec::new("Default");
    let n_body = |spec: &CharacterSpec| {
        let meshes = File::t_pose(spec).meshes();
        meshes.iter().find(|m| m.name == "body").map(|m| m.indices.len() / 3).unwrap()
    };
    let dressed = n_body(&spec);
    spec.underlayer = false;
    let bare = n_body(&spec);
    assert_eq!(bare, 26756);
    assert!(dressed < 25500 && dressed > 22000, "{dressed}");
}

#[test]
fn a_character_named_like_a_joint_keeps_the_joints_names() {
    let mut spec = CharacterSpec::new("root");
    let file = File::t_pose(&spec);
    assert_eq!(file.gltf.default_scene().unwrap().name(), Some("root_character"));
    assert_eq!(file.extras()["dramatis"]["character"], "root");
    spec.name = "Zoë \"Z\" Ünïcödé 漢字".into();
    let file = File::t_pose(&spec);
    assert_eq!(file.gltf.default_scene().unwrap().name(), Some(spec.name.as_str()));
}
