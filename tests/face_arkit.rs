//! ARKit's shapes on faces of all kinds.

mod common;

use dramatis::Pack;
use dramatis::character::{CharacterSpec, morphed_body};
use dramatis::face::{ARKIT_SHAPES, Shape, bake_arkit, bake_units};
use dramatis::pack::PointsView;
use dramatis::profile::PartKind;
use glam::Vec3;

/// The base mesh's eyeballs, left and right.
const EYES: [std::ops::Range<usize>; 2] = [14598..14670, 14670..14742];

fn pack() -> &'static Pack {
    common::exporter().pack()
}

/// A face: where its base vertices stand, and its shapes.
struct Face {
    name: &'static str,
    rest: Vec<Vec3>,
    arkit: Vec<Shape>,
    units: Vec<Shape>,
}

fn face(name: &'static str, change: impl Fn(&mut CharacterSpec)) -> Face {
    let mut spec = CharacterSpec::new(name);
    change(&mut spec);
    let positions = morphed_body(pack(), &spec).unwrap();
    let (arkit, units) = (bake_arkit(pack(), &positions), bake_units(pack(), &positions));
    Face { name, rest: positions.into_iter().map(Vec3::from_array).collect(), arkit, units }
}

fn with_sliders(name: &'static str, value: f64, sliders: &[&str]) -> Face {
    let of = |slider: &&str| (format!("{slider}-decr-incr"), value);
    face(name, |spec| spec.details.extend(sliders.iter().map(of)))
}

const EYE_SLIDERS: [&str; 4] = ["eye-scale", "eye-height1", "eye-height2", "eye-height3"];

fn faces() -> Vec<Face> {
    vec![
        face("default", |_| ()),
        face("child", |spec| spec.body.age = 0.1875),
        face("baby", |spec| spec.body.age = 0.0),
        face("old", |spec| spec.body.age = 1.0),
        face("heavy", |spec| {
            spec.body.gender = 1.0;
            spec.body.weight = 1.0;
        }),
        face("large man", |spec| {
            (spec.body.gender, spec.body.muscle, spec.body.height) = (1.0, 1.0, 1.0);
        }),
        with_sliders("large head", 1.0, &["head-scale-horiz", "head-scale-vert"]),
        with_sliders("small head", -1.0, &["head-scale-horiz", "head-scale-vert"]),
        with_sliders("large eyes", 1.0, &EYE_SLIDERS),
        with_sliders("large mouth", 1.0, &["mouth-scale-horiz", "chin-jaw-drop", "chin-height"]),
    ]
}

impl Face {
    /// Where the base vertices stand under some shapes at full weight.
    fn posed(&self, shapes: &[&str]) -> Vec<Vec3> {
        let mut posed = self.rest.clone();
        for name in shapes {
            let shape = self.arkit.iter().find(|s| s.name == *name).unwrap();
            for (&v, delta) in shape.vertices.iter().zip(&shape.deltas) {
                posed[v as usize] += Vec3::from_array(*delta);
            }
        }
        posed
    }
}

/// The way from the first to the second of some vertex pairs, in millimetres.
fn ways(posed: &[Vec3], pairs: &[(usize, usize)]) -> Vec<Vec3> {
    pairs.iter().map(|&(a, b)| (posed[b] - posed[a]) * 1e3).collect()
}

/// The greatest displacement of a shape, in millimetres.
fn most(shapes: &[Shape], name: &str) -> f32 {
    let shape = shapes.iter().find(|s| s.name == name).unwrap();
    shape.deltas.iter().map(|d| Vec3::from_array(*d).length() * 1e3).fold(0.0, f32::max)
}

#[test]
fn on_the_base_mesh_the_sources_targets_stay_as_they_are() {
    let unit = pack().meta().target_unit_m;
    let shapes = bake_arkit(pack(), pack().positions());
    assert_eq!(shapes.iter().map(|s| s.name).collect::<Vec<_>>(), ARKIT_SHAPES);
    for shape in shapes {
        let target = pack().find_target(&format!("faceunits01/{}", shape.name)).unwrap();
        let target = pack().target(target);
        let vertices = target.runs.iter().flat_map(|run| run.start..run.start + run.count);
        let expected: Vec<(u32, [f32; 3])> = vertices
            .zip(target.deltas)
            .map(|(v, delta)| (v, delta.map(|d| f32::from(d) * unit)))
            .filter(|(v, delta)| {
                let eye = EYES.iter().any(|eye| eye.contains(&(*v as usize)));
                !eye && Vec3::from_array(*delta).length() > 1e-5
            })
            .collect();
        let found = shape.vertices.into_iter().zip(shape.deltas);
        let found: Vec<_> =
            found.filter(|(v, _)| !EYES.iter().any(|eye| eye.contains(&(*v as usize)))).collect();
        assert!(found == expected, "{}", shape.name);
    }
}

#[test]
fn shapes_grow_with_the_face() {
    // The jaw's and a mouth corner's way, in millimetres. The targets' own
    // are 38.7 and 18.7 on every face.
    let expected = [
        ("default", 38.3, 18.2),
        ("child", 32.9, 15.6),
        ("baby", 21.2, 10.7),
        ("old", 38.0, 18.2),
        ("large man", 51.9, 24.6),
        ("large head", 44.1, 21.3),
        ("small head", 34.5, 15.3),
    ];
    let faces = faces();
    for (name, jaw, corner) in expected {
        let face = faces.iter().find(|f| f.name == name).unwrap();
        let found = (most(&face.arkit, "jawOpen"), most(&face.arkit, "mouthSmileLeft"));
        println!("{name}: {found:?}, JawDrop {}", most(&face.units, "JawDrop"));
        assert!((found.0 - jaw).abs() < 0.1 && (found.1 - corner).abs() < 0.1, "{name}: {found:?}");
    }
    // The jaw opens as far as the rig's does on the same face, more or less.
    for face in &faces {
        let ratio = most(&face.arkit, "jawOpen") / most(&face.units, "JawDrop");
        assert!((1.0..1.2).contains(&ratio), "{}: {ratio}", face.name);
    }
}

/// Pairs of skin vertices that a blink of the base mesh's eye brings within a
/// millimetre of each other, one from each lid.
fn lid_pairs(blink: &str) -> Vec<(usize, usize)> {
    let base: Vec<Vec3> = pack().positions().iter().map(|p| Vec3::from_array(*p)).collect();
    let mut way = vec![Vec3::ZERO; base.len()];
    for shape in bake_arkit(pack(), pack().positions()).iter().filter(|s| s.name == blink) {
        for (&v, delta) in shape.vertices.iter().zip(&shape.deltas) {
            way[v as usize] = Vec3::from_array(*delta);
        }
    }
    let skin = 0..pack().meta().n_body_vertices as usize;
    let mut pairs = Vec::new();
    for upper in skin.clone().filter(|&v| way[v].y < -2e-3) {
        let end = base[upper] + way[upper];
        for lower in skin.clone().filter(|&v| end.distance(base[v] + way[v]) < 1e-3) {
            let apart = base[upper].distance(base[lower]) > 0.8 * way[upper].length();
            if apart && way[lower].length() < 0.3 * way[upper].length() {
                pairs.push((upper, lower));
            }
        }
    }
    pairs
}

#[test]
fn lids_meet_on_every_face() {
    let body = pack().parts().find(|p| p.meta.kind == PartKind::Body).unwrap();
    let PointsView::Base(points) = body.points else { panic!("the skin is the base mesh's") };
    let triangles: Vec<[usize; 3]> = body
        .triangles
        .iter()
        .map(|t| t.map(|v| points[body.vertices[v as usize].point as usize] as usize))
        .collect();
    // Vertices of an eyeball that are seen from the front.
    let seen = |posed: &[Vec3], eye: &std::ops::Range<usize>| -> usize {
        let is_hidden = |p: Vec3| {
            triangles.iter().any(|t| {
                let [a, b, c] = t.map(|v| posed[v]);
                if a.z.max(b.z).max(c.z) < p.z || (a.x - p.x).abs() > 0.02 {
                    return false;
                }
                let side = |a: Vec3, b: Vec3| (b - a).truncate().perp_dot((p - a).truncate());
                let sides = [side(b, c), side(c, a), side(a, b)];
                let area = sides.iter().sum::<f32>();
                let inside = sides.iter().all(|s| s * area >= 0.0) && area.abs() > 1e-12;
                let z = (a.z * sides[0] + b.z * sides[1] + c.z * sides[2]) / area;
                inside && z > p.z
            })
        };
        eye.clone().filter(|&v| !is_hidden(posed[v])).count()
    };
    for (blink, eye) in ["eyeBlinkLeft", "eyeBlinkRight"].into_iter().zip(&EYES) {
        let pairs = lid_pairs(blink);
        assert!(pairs.len() >= 20, "{blink}: {}", pairs.len());
        for face in faces() {
            let closed = face.posed(&[blink]);
            let ways = ways(&closed, &pairs);
            let mean = ways.iter().map(|w| w.y).sum::<f32>() / ways.len() as f32;
            let most = ways.iter().map(|w| w.length()).fold(0.0, f32::max);
            let (open, shut) = (seen(&face.rest, eye), seen(&closed, eye));
            println!(
                "{} {blink}: mean {mean:.2}, most {most:.2} mm, seen {open} -> {shut}",
                face.name
            );
            assert!(open >= 5 && shut == 0, "{} {blink}: {open} {shut}", face.name);
            assert!(
                mean.abs() < 0.25,
                "{} {blink}: the lower lid lies {mean} mm higher",
                face.name
            );
            assert!(most < 2.0, "{} {blink}: lids are {most} mm apart", face.name);
        }
    }
}

#[test]
fn lips_meet_again_over_an_open_jaw() {
    // The lips' midst and both sides of it: a vertex of the upper lip and the
    // one of the lower lip that lies nearest at rest.
    let base: Vec<Vec3> = pack().positions().iter().map(|p| Vec3::from_array(*p)).collect();
    let jaw = &bake_arkit(pack(), pack().positions())[17];
    assert_eq!(jaw.name, "jawOpen");
    let mut way = vec![0.0; base.len()];
    for (&v, delta) in jaw.vertices.iter().zip(&jaw.deltas) {
        way[v as usize] = Vec3::from_array(*delta).length();
    }
    let skin = 0..pack().meta().n_body_vertices as usize;
    let mut lips = Vec::new();
    for lower in skin.clone().filter(|&v| way[v] > 8e-3 && base[v].z > 0.1) {
        for upper in skin.clone().filter(|&v| way[v] < 2e-3) {
            if base[upper].distance(base[lower]) < 2e-3 {
                lips.push((upper, lower));
            }
        }
    }
    assert!(lips.len() >= 3, "{}", lips.len());
    let teeth: Vec<(usize, usize)> = (14992..15060).map(|v| (v, v)).collect();
    for face in faces() {
        let rest = ways(&face.rest, &lips);
        let open = ways(&face.posed(&["jawOpen"]), &lips);
        let closed = ways(&face.posed(&["jawOpen", "mouthClose"]), &lips);
        for ((rest, open), closed) in rest.iter().zip(open).zip(closed) {
            let n = face.name;
            assert!(open.y < rest.y - 15.0, "{n}: the lips part, {open} {rest}");
            assert!((closed - *rest).length() < 0.5, "{n}: the lips meet, {closed} {rest}");
        }
        // The lower teeth go with the jaw.
        let drop = |vertices: &[(usize, usize)]| {
            let (rest, open) = (&face.rest, face.posed(&["jawOpen"]));
            let sum: Vec3 = vertices.iter().map(|v| open[v.1] - rest[v.1]).sum();
            sum / vertices.len() as f32
        };
        let (teeth, lip) = (drop(&teeth), drop(&lips));
        let share = teeth.length() / lip.length();
        println!("{}: teeth {teeth} lip {lip} {share}", face.name);
        assert!((0.56..0.605).contains(&share), "{}: {share}", face.name);
    }
}

#[test]
fn both_sides_of_an_even_face_are_fitted_alike() {
    let mirror = pack().mirror();
    for face in faces() {
        for name in ["eyeBlink", "eyeSquint", "eyeWide", "eyeLookDown", "browDown", "cheekSquint"] {
            let [left, right] =
                ["Left", "Right"].map(|side| face.posed(&[format!("{name}{side}").as_str()]));
            let mut most = 0.0f32;
            for v in 0..pack().meta().n_body_vertices as usize {
                let other = mirror[v] as usize;
                let moved = left[v] - face.rest[v];
                let partner = right[other] - face.rest[other];
                most = most.max(moved.distance(partner * Vec3::new(-1.0, 1.0, 1.0)) * 1e3);
            }
            assert!(most < 0.25, "{} {name}: {most} mm", face.name);
        }
    }
}

#[test]
fn eyes_turn_in_their_sockets() {
    // The source's joints of the eyes do not follow this slider.
    for (wide, value) in [("wide", 1.0), ("narrow", -1.0), ("default", 0.0)] {
        let face = with_sliders(wide, value, &["head-scale-horiz"]);
        let words = ["eyeLook", "EyeUp", "EyeDown", "Eyeturn"];
        let turns = |s: &&Shape| words.iter().any(|word| s.name.contains(word));
        let mut counted = 0;
        for shape in face.units.iter().chain(&face.arkit).filter(turns) {
            for eye in &EYES {
                let of_eye = shape.vertices.iter().zip(&shape.deltas);
                let deltas: Vec<Vec3> = of_eye
                    .filter(|(v, _)| eye.contains(&(**v as usize)))
                    .map(|(_, delta)| Vec3::from_array(*delta) * 1e3)
                    .collect();
                if !deltas.is_empty() {
                    let middle = deltas.iter().sum::<Vec3>() / eye.len() as f32;
                    let most = deltas.iter().map(|d| d.length()).fold(0.0, f32::max);
                    counted += 1;
                    assert!(most > 3.0, "{wide} {}: {most} mm", shape.name);
                    // What it moves as a whole, beside what it turns.
                    assert!(middle.length() < 0.1, "{wide} {}: {middle} mm", shape.name);
                }
            }
        }
        assert_eq!(counted, 16, "{wide}");
    }
}
