// Runs in the browser: loads the character and the clip that the server has,
// shows the character at rest, with one face unit and in one moment of the clip,
// and reports what three.js made of the file.

import {
  AnimationMixer, Box3, Color, DirectionalLight, DoubleSide, HemisphereLight, LoadingManager,
  Scene, Vector3, setConsoleFunction,
} from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

import { BACKGROUND, changedIn, drawer, figureIn, look } from './panels.mjs';

// Where each panel begins and ends, as shares of the width: outstretched arms
// need more room than a face.
const PANELS = [0, 0.3, 0.5, 0.7, 1];
// Three's names of the texture slots.
const SLOTS = {
  baseColor: 'map',
  metallicRoughness: 'metalnessMap',
  normal: 'normalMap',
  occlusion: 'aoMap',
  emissive: 'emissiveMap',
};

const warnings = [];
const keep = (type, ...parts) => {
  if (type !== 'log') warnings.push(`${type}: ${parts.map(String).join(' ')}`);
};
// Some of three's modules print through its own function, some straight to the
// console.
setConsoleFunction(keep);
console.warn = (...parts) => keep('warn', ...parts);
console.error = (...parts) => keep('error', ...parts);

/** The observation of the character; the judge's file says what is in it. */
window.observe = async ({ unit, time }) => {
  const { gltf, clip } = await load();
  const scene = new Scene();
  scene.background = new Color(BACKGROUND);
  const sun = new DirectionalLight(0xffffff, 2.5);
  sun.position.set(1, 2, 3);
  scene.add(new HemisphereLight(0xffffff, 0x806040, 1.5), sun, gltf.scene);

  const meshes = glTFMeshes(gltf);
  const skeletons = new Set(
    meshes.flatMap(({ parts }) => parts.flatMap(({ skeleton }) => skeleton ?? [])));
  const bones = [...skeletons][0]?.bones ?? [];
  const positions = meshes.map(() => ({}));
  const note = (state) => {
    gltf.scene.updateMatrixWorld(true);
    for (const skeleton of skeletons) skeleton.update();
    meshes.forEach(({ parts }, index) => {
      positions[index][state] = base64(Float32Array.from(parts.flatMap(worldPositions)));
    });
  };

  const draw = drawerOf(scene, gltf);
  note('rest');
  const still = [draw('rest', 0), draw('face', 1)];
  setUnit(meshes, unit, 1);
  note('morph');
  const face = draw('face', 2);
  setUnit(meshes, unit, 0);
  const mixer = new AnimationMixer(gltf.scene);
  mixer.clipAction(clip).play();
  mixer.setTime(time);
  note('pose');
  const walk = draw('rest', 3);

  return {
    warnings,
    faults: [...skeletons].length === 1 ? [] : [
      { path: 'skeletons', found: skeletons.size, expected: '1' },
    ],
    joints: bones.map((bone) => ({
      name: nameOf(bone), parent: bone.parent?.isBone ? nameOf(bone.parent) : null,
    })),
    materials: (await gltf.parser.getDependencies('material')).map(({ name }) => name),
    meshes: meshes.map(({ name, parts }, index) => ({
      name,
      triangles: parts.reduce((sum, { geometry }) => sum + geometry.index.count / 3, 0),
      joints: Math.min(...parts.map(({ skeleton }) => skeleton?.bones.length ?? 0)),
      morphs: morphsOf(parts),
      materials: parts.map(({ material }) => materialOf(material)),
      positions: positions[index],
    })),
    pose: Object.fromEntries(
      bones.map((bone) => [nameOf(bone), bone.getWorldPosition(new Vector3()).toArray()])),
    panels: [
      { name: 'rest', ...figureIn(still[0]) },
      { name: 'face', ...figureIn(still[1]) },
      { name: 'unit', ...figureIn(face), changed: changedIn(still[1], face) },
      { name: 'clip', ...figureIn(walk), changed: changedIn(still[0], walk) },
    ],
  };
};

async function load() {
  const manager = new LoadingManager();
  // A texture that cannot be decoded is reported here and nowhere else.
  manager.onError = (url) => keep('error', `cannot load ${url}`);
  const loader = new GLTFLoader(manager);
  const [gltf, { animations }] = await Promise.all([
    loader.loadAsync('/character.glb'), loader.loadAsync('/clip.glb'),
  ]);
  return { gltf, clip: animations[0] };
}

// A joint's name as the file has it: three takes the colon out of Mixamo's.
const nameOf = (object) => object.userData.name ?? object.name;

// Three has an object for each primitive; the parser knows of which mesh.
function glTFMeshes(gltf) {
  const byMesh = new Map();
  gltf.scene.traverse((object) => {
    if (!object.isMesh) return;
    object.frustumCulled = false; // the camera decides, not a box from the rest pose
    const { meshes } = gltf.parser.associations.get(object);
    byMesh.set(meshes, [...(byMesh.get(meshes) ?? []), object]);
  });
  return [...byMesh].map(([index, parts]) => ({ name: gltf.parser.json.meshes[index].name, parts }));
}

// Vertices as they are drawn: morphed, skinned and put into the world.
function worldPositions(mesh) {
  const point = new Vector3();
  const out = [];
  for (let vertex = 0; vertex < mesh.geometry.attributes.position.count; vertex += 1) {
    mesh.getVertexPosition(vertex, point);
    out.push(...point.applyMatrix4(mesh.matrixWorld));
  }
  return out;
}

function setUnit(meshes, unit, influence) {
  for (const part of meshes.flatMap(({ parts }) => parts)) {
    const index = part.morphTargetDictionary?.[unit];
    if (index !== undefined) part.morphTargetInfluences[index] = influence;
  }
}

function morphsOf(parts) {
  const [{ morphTargetDictionary: names = {} }] = parts;
  return Object.entries(names)
    .sort(([, a], [, b]) => a - b)
    .map(([name, index]) => ({
      name,
      // The loader keeps glTF's deltas as they are.
      reach: Math.max(...parts.map(({ geometry }) => reachOf(geometry.morphAttributes.position[index]))),
    }));
}

function reachOf({ array }) {
  let longest = 0;
  for (let at = 0; at < array.length; at += 3) {
    longest = Math.max(longest, Math.hypot(array[at], array[at + 1], array[at + 2]));
  }
  return longest;
}

function materialOf(material) {
  return {
    name: material.name,
    baseColor: [...material.color.toArray(), material.opacity],
    metallic: material.metalness,
    roughness: material.roughness,
    doubleSided: material.side === DoubleSide,
    textures: Object.entries(SLOTS).flatMap(([slot, key]) => {
      const image = material[key]?.image;
      return material[key] ? [{ slot, width: image?.width, height: image?.height, pixels: decoded(image) }] : [];
    }),
  };
}

// Whether an image has pixels that can be drawn: not all of them are clear.
function decoded(image) {
  if (!image) return false;
  const canvas = new OffscreenCanvas(image.width, image.height);
  const context = canvas.getContext('2d');
  context.drawImage(image, 0, 0);
  return context.getImageData(0, 0, image.width, image.height).data.some((value) => value !== 0);
}

// The two views stay where they are, so that panels of the same view can be
// compared.
function drawerOf(scene, gltf) {
  const box = new Box3().setFromObject(gltf.scene, true);
  const tall = box.max.y - box.min.y;
  const head = box.max.y - 0.08 * tall;
  const views = {
    rest: look([0.45 * tall, 0.75 * tall, 2.35 * tall], [0, 0.5 * tall, 0], 40),
    face: look([0.1 * tall, head, 0.5 * tall], [0, head, 0], 40),
  };
  return drawer(scene, views, PANELS);
}

function base64(floats) {
  const bytes = new Uint8Array(floats.buffer);
  let text = '';
  for (let at = 0; at < bytes.length; at += 32768) {
    text += String.fromCharCode(...bytes.subarray(at, at + 32768));
  }
  return btoa(text);
}
