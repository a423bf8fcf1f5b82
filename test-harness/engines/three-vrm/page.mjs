// Runs in the browser: loads the VRM that the server has, and does with it what
// an application does. It shows the face at rest, the face with a mood and a look
// to the character's left, and half the body with hanging arms.

import {
  Color, DirectionalLight, HemisphereLight, LoadingManager, Object3D, Quaternion,
  Scene, Vector3, setConsoleFunction,
} from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { VRMLoaderPlugin } from '@pixiv/three-vrm';

import { BACKGROUND, changedIn, drawer, figureIn, look } from './panels.mjs';

// Where each panel begins and ends, as shares of the width. The two faces are of
// one size, so that they can be compared.
const PANELS = [0, 0.35, 0.7, 1];
const RADIANS = Math.PI / 180;
const LOOK = 15; // degrees
const EYE_TO_NOSE = 0.035; // metres
// How an arm hangs, in a normalised pose, where all axes are the world's.
const RELAXED = {
  leftUpperArm: [0, 0, -68], rightUpperArm: [0, 0, 68],
  leftLowerArm: [0, -12, 0], rightLowerArm: [0, 12, 0],
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

/**
 * What three-vrm made of the file; `mood` is the expression to show and `looks`
 * says whether the file has a look-at.
 */
window.observe = async ({ mood, looks }) => {
  const { vrm, meshes } = await load();
  const scene = new Scene();
  scene.background = new Color(BACKGROUND);
  const sun = new DirectionalLight(0xffffff, 2.2);
  sun.position.set(0.6, 1.2, 2);
  scene.add(new HemisphereLight(0xffffff, 0x806040, 1.5), sun, vrm.scene);
  const settle = () => {
    vrm.update(1 / 60);
    scene.updateMatrixWorld(true);
  };
  settle();

  const place = (bone) => vrm.humanoid.getNormalizedBoneNode(bone).getWorldPosition(new Vector3());
  const hands = () => ['leftHand', 'rightHand'].map((bone) =>
    vrm.humanoid.getRawBoneNode(bone).getWorldPosition(new Vector3()).toArray());
  const before = { hands: hands(), eyes: irises(meshes) };
  // The tip of the nose, so that eyes and mouth have a half of the picture each.
  const nose = before.eyes.length > 0 ? before.eyes[0][1] - EYE_TO_NOSE : place('head').y;
  const draw = drawerOf(scene, nose, place('head'), place('hips'));
  const rest = draw('face', 0);

  if (mood) vrm.expressionManager.setValue(mood, 0.9);
  if (looks) {
    const target = new Object3D();
    const from = vrm.lookAt.getLookAtWorldPosition(new Vector3());
    target.position.set(Math.sin(LOOK * RADIANS), 0, Math.cos(LOOK * RADIANS)).multiplyScalar(3).add(from);
    scene.add(target);
    vrm.lookAt.target = target;
  }
  settle();
  const face = draw('face', 1);
  vrm.humanoid.setNormalizedPose(Object.fromEntries(Object.entries(RELAXED).map(([bone, turns]) => {
    const axis = turns.findIndex((degrees) => degrees !== 0);
    const unit = new Vector3().setComponent(axis, 1);
    return [bone, { rotation: new Quaternion().setFromAxisAngle(unit, turns[axis] * RADIANS).toArray() }];
  })));
  settle();
  const body = draw('body', 2);

  const after = { hands: hands(), eyes: irises(meshes) };
  return {
    warnings,
    bones: Object.keys(vrm.humanoid.humanBones).length,
    expressions: vrm.expressionManager?.expressions.length ?? 0,
    influences: meshes.flatMap(({ morphTargetInfluences: list = [] }) => list).filter((value) => value !== 0).length,
    look: looks ? vrm.expressionManager.getValue('lookLeft') : 0,
    // How the iris of each eye went, left first, in metres.
    eyes: after.eyes.map((point, side) => point.map((value, axis) => value - before.eyes[side][axis])),
    fell: after.hands.map(([, y], side) => before.hands[side][1] - y),
    panels: [
      { name: 'face', ...figureIn(rest) },
      { name: 'mood', ...figureIn(face), upper: changedIn(rest, face, 0.5, 1), lower: changedIn(rest, face, 0, 0.5) },
      { name: 'body', ...figureIn(body) },
    ],
  };
};

async function load() {
  const manager = new LoadingManager();
  // A texture that cannot be decoded is reported here and nowhere else.
  manager.onError = (url) => keep('error', `cannot load ${url}`);
  const loader = new GLTFLoader(manager);
  loader.register((parser) => new VRMLoaderPlugin(parser));
  const gltf = await loader.loadAsync('/character.vrm');
  const { vrm } = gltf.userData;
  if (!vrm) throw new Error(['no VRM in the file', ...warnings].join('; '));
  const meshes = [];
  vrm.scene.traverse((object) => {
    if (!object.isMesh) return;
    object.frustumCulled = false; // the camera decides, not a box from the rest pose
    meshes.push(object);
  });
  return { vrm, meshes };
}

// The middle of the foremost vertices of each eyeball at rest, as they are now;
// nothing for a character without a mesh of eyes.
function irises(meshes) {
  const eyes = meshes.find(({ name }) => name === 'eyes');
  if (!eyes) return [];
  const { position } = eyes.geometry.attributes;
  const all = Array.from({ length: position.count }, (_, vertex) => vertex);
  return [1, -1].map((out) => {
    const ball = all.filter((vertex) => position.getX(vertex) * out > 0);
    const front = Math.max(...ball.map((vertex) => position.getZ(vertex)));
    const iris = ball.filter((vertex) => position.getZ(vertex) > front - 0.006);
    const sum = new Vector3();
    for (const vertex of iris) sum.add(eyes.getVertexPosition(vertex, new Vector3()));
    return sum.divideScalar(iris.length).toArray();
  });
}

// What the panels show.
function drawerOf(scene, nose, head, hips) {
  // Straight from the front, so that the character's left is on the right.
  const chest = head.clone().lerp(hips, 0.45);
  const tall = head.y - hips.y;
  const views = {
    face: look([0, nose, head.z + 0.95 * tall], [0, nose, 0], 24),
    body: look([0, chest.y, 3 * tall], [0, chest.y, 0], 34),
  };
  return drawer(scene, views, PANELS);
}
