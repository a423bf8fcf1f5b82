// Plays a VRM with @pixiv/three-vrm, and holds what it does with the avatar
// against a reading of the JSON that three-vrm has no part in.

import { show, rounded } from '../faults.mjs';
import { positionOf } from '../matrix.mjs';
import { PropertyBinding, SkinnedMesh, loadWithThree } from '../three-in-node.mjs';
import { listExpressions } from './expressions.mjs';
import { bonesOf, worldMatrices } from './humanoid.mjs';
import { BLINKS, LOOKS, MOODS, VOWELS } from './tables.mjs';

const { Layers, Object3D, Quaternion, Vector3 } = await import('three');
const { VRMLoaderPlugin, VRMUtils } = await import('@pixiv/three-vrm');

const COPIED = 1e-6; // of weights
const COMPUTED = 1e-3; // of weights that come from an angle
const NEAR = 1e-4; // metres
const RADIANS = Math.PI / 180;

/** Loads a VRM; the answer is nothing when three-vrm does not take it. */
export async function loadVrm(bytes, faults) {
  try {
    const plugins = [(parser) => new VRMLoaderPlugin(parser)];
    const { gltf, printed } = await loadWithThree(bytes, plugins);
    for (const line of printed) faults.add('(three-vrm)', line, 'no warning and no error');
    const { vrm } = gltf.userData;
    if (!vrm) {
      faults.add('(three-vrm)', 'no VRM in the file', 'one');
      return undefined;
    }
    gltf.scene.updateMatrixWorld(true);
    return { vrm, gltf };
  } catch (error) {
    faults.add('(three-vrm)', `an error: ${error?.message ?? error}`, 'a loaded file');
    return undefined;
  }
}

/** Everything that an application does with an avatar; `json` is the file's. */
export function play({ vrm, gltf }, json, faults) {
  const meshes = skinnedMeshes(gltf);
  playBones(vrm, json, faults);
  playExpressions(vrm, json, meshes, faults);
  playLookAt(vrm, json, meshes, faults);
  playPoses(vrm, json, meshes, faults);
  playFirstPerson(vrm, meshes, faults);
  VRMUtils.deepDispose(gltf.scene);
}

function skinnedMeshes(gltf) {
  const out = [];
  gltf.scene.traverse((object) => {
    if (!(object instanceof SkinnedMesh)) return;
    const { meshes: mesh, primitives: primitive = 0 } = gltf.parser.associations.get(object);
    out.push({ object, mesh, path: `/meshes/${mesh}/primitives/${primitive}` });
  });
  return out;
}

function playBones({ humanoid }, json, faults) {
  const bones = bonesOf(json);
  for (const [bone, node] of bones) {
    const found = humanoid.getRawBoneNode(bone);
    faults.equal(`(three-vrm) bone ${bone}`, found?.name, PropertyBinding.sanitizeNodeName(json.nodes[node].name));
    if (!humanoid.getNormalizedBoneNode(bone)) faults.add(`(three-vrm) bone ${bone}`, 'no normalised bone', 'one');
  }
  const extra = Object.keys(humanoid.humanBones).filter((bone) => !bones.has(bone));
  if (extra.length > 0) faults.add('(three-vrm) bones', extra.join(', '), 'those of the file only');
}

/**
 * What the morph targets of each mesh should be at, by mesh and index, for
 * weights of expressions: VRM's rules for binary ones and overrides.
 */
export function influencesFor(json, weights) {
  const expressions = listExpressions(json.extensions.VRMC_vrm.expressions);
  const output = ([name, , { isBinary = false }]) => {
    const weight = Math.min(1, Math.max(0, weights[name] ?? 0));
    return isBinary ? Number(weight > 0.5) : weight;
  };
  const kindOf = (name) => (BLINKS.includes(name) ? 'overrideBlink' : LOOKS.includes(name) ? 'overrideLookAt'
    : VOWELS.includes(name) ? 'overrideMouth' : undefined);
  const left = { overrideBlink: 1, overrideLookAt: 1, overrideMouth: 1 };
  for (const one of expressions) {
    for (const key of Object.keys(left)) {
      if (key === kindOf(one[0])) continue; // no expression takes the place of its own kind
      const how = one[2][key];
      if (how === 'block') left[key] -= Number(output(one) > 0);
      if (how === 'blend') left[key] -= output(one);
    }
  }
  const share = (name) => Math.max(0, left[kindOf(name)] ?? 1);
  const influences = new Map();
  for (const one of expressions) {
    const [name, , { isBinary = false, morphTargetBinds = [] }] = one;
    let weight = output(one) * share(name);
    if (isBinary && weight < 1) weight = 0;
    for (const bind of morphTargetBinds) {
      const key = `${json.nodes[bind.node].mesh} ${bind.index}`;
      influences.set(key, (influences.get(key) ?? 0) + weight * bind.weight);
    }
  }
  return influences;
}

// Every influence of every mesh is what it should be; those that should be 0, too.
function compareInfluences(what, meshes, influences, limit, faults) {
  for (const { object, mesh, path } of meshes) {
    (object.morphTargetInfluences ?? []).forEach((found, index) => {
      const expected = influences.get(`${mesh} ${index}`) ?? 0;
      faults.within(`(three-vrm) ${what}: ${path} target ${index}`, Math.abs(found - expected), limit,
        rounded(found), rounded(expected));
    });
  }
}

function playExpressions(vrm, json, meshes, faults) {
  const { expressions } = json.extensions.VRMC_vrm;
  const manager = vrm.expressionManager;
  if (expressions === undefined) return;
  const set = (what, weights) => {
    manager.resetValues();
    for (const [name, weight] of Object.entries(weights)) manager.setValue(name, weight);
    vrm.update(0);
    compareInfluences(what, meshes, influencesFor(json, weights), COPIED, faults);
  };
  const names = listExpressions(expressions).map(([name]) => name);
  for (const name of names) {
    if (!manager.getExpression(name)) faults.add(`(three-vrm) ${name}`, 'no expression', 'one');
    set(`${name} at 1`, { [name]: 1 });
    set(`${name} at 0.25`, { [name]: 0.25 });
  }
  // A mood takes the place of what it would spoil.
  for (const mood of MOODS.filter((name) => names.includes(name))) {
    set(`${mood} with a blink, a vowel and a look`, { [mood]: 0.4, blink: 1, aa: 1, lookLeft: 0.5 });
  }
  set('nothing', {});
}

function playLookAt(vrm, json, meshes, faults) {
  const schema = json.extensions.VRMC_vrm.lookAt;
  if (schema === undefined) return;
  if (!vrm.lookAt) {
    faults.add('(three-vrm) look-at', 'nothing', 'a look-at');
    return;
  }
  const origin = lookAtOrigin(json);
  const target = new Object3D();
  vrm.lookAt.target = target;
  const look = (what, degrees, [dx, dy], name, expected) => {
    const angle = degrees * RADIANS;
    target.position.set(dx * Math.sin(angle), dy * Math.sin(angle), Math.cos(angle)).multiplyScalar(100).add(origin);
    target.updateMatrixWorld(true);
    vrm.update(0);
    for (const one of LOOKS) {
      const weight = vrm.expressionManager.getValue(one);
      const right = one === name ? expected : 0;
      faults.within(`(three-vrm) look ${what}: ${one}`, Math.abs(weight - right), COMPUTED, rounded(weight), rounded(right));
    }
    compareInfluences(`look ${what}`, meshes, influencesFor(json, { [name]: expected }), COMPUTED, faults);
  };
  for (const [name, key, direction] of [
    ['lookLeft', 'rangeMapHorizontalOuter', [1, 0]], // left is +X
    ['lookRight', 'rangeMapHorizontalOuter', [-1, 0]],
    ['lookUp', 'rangeMapVerticalUp', [0, 1]],
    ['lookDown', 'rangeMapVerticalDown', [0, -1]],
  ]) {
    const { inputMaxValue: most, outputScale: scale } = schema[key];
    const weight = (degrees) => scale * Math.min(1, degrees / most);
    const [half, far] = [Math.min(most, 160) / 2, Math.min(most * 1.5, 80)];
    look(`${rounded(half)} degrees ${name.slice(4).toLowerCase()}`, half, direction, name, weight(half));
    look(`${rounded(far)} degrees ${name.slice(4).toLowerCase()}`, far, direction, name, weight(far));
  }
  // With the head turned left, what is straight ahead is on the right: this
  // goes wrong where a head's own frame is not counted out.
  const turn = 10;
  turnBone(vrm, 'head', [0, 1, 0], turn);
  const { inputMaxValue: most, outputScale: scale } = schema.rangeMapHorizontalOuter;
  look(`ahead with the head turned ${turn} degrees left`, 0, [0, 0], 'lookRight', scale * Math.min(1, turn / most));
  vrm.humanoid.resetNormalizedPose();
  vrm.lookAt.target = null;
  vrm.lookAt.reset();
  vrm.expressionManager.resetValues();
  settle(vrm);
}

/** Where the eyes look from at rest, by the head joint's own frame. */
export function lookAtOrigin(json) {
  const head = worldMatrices(json)[bonesOf(json).get('head')];
  const [x, y, z] = json.extensions.VRMC_vrm.lookAt.offsetFromHeadBone;
  return new Vector3(...[0, 1, 2].map((row) =>
    head[row] * x + head[4 + row] * y + head[8 + row] * z + head[12 + row]));
}

function settle(vrm) {
  vrm.update(0);
  vrm.scene.updateMatrixWorld(true);
}

function turnBone(vrm, bone, axis, degrees) {
  const turn = new Quaternion().setFromAxisAngle(new Vector3(...axis), degrees * RADIANS);
  // A pose leaves the bones alone that it does not name.
  vrm.humanoid.resetNormalizedPose();
  vrm.humanoid.setNormalizedPose({ [bone]: { rotation: turn.toArray() } });
  settle(vrm);
  return turn;
}

// In a normalised pose all axes are the world's. So everything under the bone
// turns about it, and the rest of the body stays where it is.
function playPoses(vrm, json, meshes, faults) {
  const rest = worldMatrices(json).map((matrix) => new Vector3(...positionOf(matrix)));
  const bones = bonesOf(json);
  const before = bodyPoints(meshes, json, true);
  for (const [bone, axis, degrees] of [
    ['leftUpperArm', [0, 0, 1], 45], // raises the arm
    ['rightUpperArm', [0, 0, 1], 70], // lowers the arm
    ['rightLowerArm', [0, 1, 0], 60], // folds the arm forwards
    ['leftLowerLeg', [1, 0, 0], 60], // bends the knee
    ['head', [0, 1, 0], 30],
    ['rightIndexProximal', [0, 0, 1], 40],
  ]) {
    const turn = turnBone(vrm, bone, axis, degrees);
    const pivot = rest[bones.get(bone)];
    const goal = (point) => point.clone().sub(pivot).applyQuaternion(turn).add(pivot);
    const under = subtree(json, bones.get(bone));
    const what = `(three-vrm) ${bone} turned by ${degrees} degrees`;
    for (const [other, node] of bones) {
      const expected = under.has(node) ? goal(rest[node]) : rest[node];
      const found = vrm.humanoid.getRawBoneNode(other).getWorldPosition(new Vector3());
      faults.within(`${what}: ${other}`, found.distanceTo(expected), NEAR, point(found), point(expected));
    }
    compareSkin(what, meshes, json, before, under, goal, faults);
  }
  vrm.humanoid.resetNormalizedPose();
  const up = new Vector3(0, 0.1, 0);
  vrm.humanoid.setNormalizedPose({
    hips: { position: up.toArray() }, // counted from where they are at rest
  });
  settle(vrm);
  const hips = vrm.humanoid.getRawBoneNode('hips').getWorldPosition(new Vector3());
  const goal = rest[bones.get('hips')].clone().add(up);
  faults.within('(three-vrm) hips raised by 0.1 m', hips.distanceTo(goal), NEAR, point(hips), point(goal));
  vrm.humanoid.resetNormalizedPose();
  settle(vrm);
}

function subtree(json, node, out = new Set()) {
  out.add(node);
  for (const child of json.nodes[node].children ?? []) if (!out.has(child)) subtree(json, child, out);
  return out;
}

// The vertices of the body as they are drawn, or as the file has them: at rest
// both are the same.
function bodyPoints(meshes, json, asInFile = false) {
  const body = meshes.find(({ mesh }) => json.meshes[mesh].name === 'body')?.object;
  if (!body) return [];
  const { position } = body.geometry.attributes;
  return Array.from({ length: position.count }, (_, vertex) => (asInFile
    ? new Vector3().fromBufferAttribute(position, vertex)
    : body.getVertexPosition(vertex, new Vector3()).applyMatrix4(body.matrixWorld)));
}

// Skin that hangs on turned joints alone turns with them, skin that hangs on
// none of them stays.
function compareSkin(what, meshes, json, before, under, goal, faults) {
  const body = meshes.find(({ mesh }) => json.meshes[mesh].name === 'body')?.object;
  if (!body) return;
  const { skinIndex, skinWeight } = body.geometry.attributes;
  const { joints } = json.skins[0];
  const after = bodyPoints(meshes, json);
  let worst = 0;
  let at = -1;
  after.forEach((found, vertex) => {
    const share = [0, 1, 2, 3].reduce((sum, slot) =>
      sum + (under.has(joints[skinIndex.getComponent(vertex, slot)]) ? skinWeight.getComponent(vertex, slot) : 0), 0);
    if (share > COPIED && share < 1 - COPIED) return;
    const expected = share > 0.5 ? goal(before[vertex]) : before[vertex];
    const distance = found.distanceTo(expected);
    if (!(distance <= worst)) [worst, at] = [distance, vertex];
  });
  faults.within(`${what}: vertex ${at} of the body`, worst, NEAR, `${rounded(worst)} m away`, 'where the joints take it');
}

const point = (vector) => show(vector.toArray().map(rounded));

// One's own camera sees no triangle that the head moves; another's sees all meshes.
function playFirstPerson(vrm, meshes, faults) {
  if (!vrm.firstPerson) {
    faults.add('(three-vrm) firstPerson', 'nothing', 'one');
    return;
  }
  vrm.firstPerson.setup();
  const own = new Layers();
  own.enable(vrm.firstPerson.firstPersonOnlyLayer);
  const other = new Layers();
  other.enable(vrm.firstPerson.thirdPersonOnlyLayer);
  const head = vrm.humanoid.getRawBoneNode('head');
  let triangles = 0;
  vrm.scene.traverse((object) => {
    if (!(object instanceof SkinnedMesh) || !object.layers.test(own)) return;
    const headBone = object.skeleton.bones.indexOf(head);
    const { skinIndex, skinWeight } = object.geometry.attributes;
    const onHead = (vertex) => [0, 1, 2, 3].some((slot) =>
      skinIndex.getComponent(vertex, slot) === headBone && skinWeight.getComponent(vertex, slot) > 0);
    triangles += object.geometry.index.count / 3;
    if (Array.from(object.geometry.index.array).some(onHead)) {
      faults.add(`(three-vrm) first person, ${object.name}`, 'triangles of the head', 'none for one\'s own camera');
    }
  });
  if (triangles === 0) faults.add('(three-vrm) first person', 'nothing to see', 'the body without its head');
  for (const { object, path } of meshes) {
    if (!object.layers.test(other)) faults.add(`(three-vrm) third person, ${path}`, 'not seen', 'seen');
  }
}
