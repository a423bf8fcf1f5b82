use super::*;
use crate::glb::of_chunks;

/// A red triangle that fills the lower left half of a square of a metre, shown
/// by these nodes.
fn triangle(nodes: &str) -> Vec<u8> {
    let json = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],
        "nodes":NODES,
        "meshes":[{"primitives":[{"attributes":{"POSITION":0},"material":0}]}],
        "materials":[{"pbrMetallicRoughness":{"baseColorFactor":[1,0,0,1]}}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3",
        "min":[0,0,0],"max":[1,1,0]}],"bufferViews":[{"buffer":0,"byteLength":36}],
        "buffers":[{"byteLength":36}]}"#;
    let mut json = json.replace("NODES", nodes).into_bytes();
    json.resize(json.len().next_multiple_of(4), b' ');
    let corners = [0.0f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    of_chunks(&[(b"JSON", &json), (b"BIN\0", bytemuck::cast_slice(&corners))])
}

fn pixels(png: &[u8]) -> (usize, Vec<[u8; 4]>) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(png)).read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    let pixels = bytes.chunks_exact(4).map(|p| [p[0], p[1], p[2], p[3]]).collect();
    (info.width as usize, pixels)
}

#[test]
fn a_triangle_is_where_it_should_be() {
    let bytes = triangle(r#"[{"mesh":0,"translation":[5,5,5]}]"#);
    let glb = Glb::open("t.glb", &bytes).unwrap();
    let png = picture(&glb, "t.glb", 40, 40).unwrap().unwrap();
    assert_eq!(picture(&glb, "t.glb", 40, 40).unwrap().unwrap(), png);
    let (width, pixels) = pixels(&png);
    assert_eq!((width, pixels.len()), (40, 1600));
    let [r, g, b, a] = pixels[36 * 40 + 5];
    assert!(r > 100 && (g, b, a) == (0, 0, 255), "{r} {g} {b} {a}");
    // The upper right half is empty.
    assert_eq!(pixels[5 * 40 + 35][3], 0);
    assert_eq!(pixels[0][3], 0);
}

#[test]
fn what_is_nearer_hides_what_is_behind() {
    let mut canvas = Canvas::new(4, 4);
    let corners =
        |z: f32| [Vec3::new(-9.0, -9.0, z), Vec3::new(20.0, -9.0, z), Vec3::new(-9.0, 20.0, z)];
    canvas.triangle(corners(1.0), [Vec3::Z; 3], Vec3::X);
    canvas.triangle(corners(0.0), [Vec3::Z; 3], Vec3::Y);
    canvas.triangle(corners(f32::NAN), [Vec3::Z; 3], Vec3::Z);
    let (_, pixels) = pixels(&canvas.png(1));
    assert!(pixels[0][0] > 100 && pixels[0][1] == 0 && pixels[0][2] == 0, "{:?}", pixels[0]);
}

#[test]
fn nothing_to_see_is_no_picture() {
    let json = br#"{"asset":{"version":"2.0"}} "#;
    let bytes = of_chunks(&[(b"JSON", json)]);
    let glb = Glb::open("t.glb", &bytes).unwrap();
    assert_eq!(picture(&glb, "t.glb", 8, 8).unwrap(), None);
}

/// A short file may show a mesh in more ways than there are grains of sand.
#[test]
fn pictures_end() {
    let doubling: Vec<String> = (1..=60).map(|i| format!(r#"{{"children":[{i},{i}]}}"#)).collect();
    for nodes in [
        r#"[{"children":[0,0],"mesh":0}]"#.to_owned(),
        format!(r#"[{},{{"mesh":0}}]"#, doubling.join(",")),
    ] {
        let bytes = triangle(&nodes);
        let glb = Glb::open("t.glb", &bytes).unwrap();
        assert!(picture(&glb, "t.glb", 16, 16).unwrap().is_some(), "{nodes}");
    }
    // Triangles that all fill the picture.
    let mut canvas = Canvas::new(100, 100);
    let corners = [
        Vec3::new(-900.0, -900.0, 0.0),
        Vec3::new(2000.0, -900.0, 0.0),
        Vec3::new(-900.0, 2000.0, 0.0),
    ];
    for _ in 0..1_000_000 {
        canvas.triangle(corners, [Vec3::Z; 3], Vec3::X);
    }
}
