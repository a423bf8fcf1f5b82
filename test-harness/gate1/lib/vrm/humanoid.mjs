// `humanoid`: the profile's 52 bones on their joints, VRM's rules for bones, and
// VRM's T-pose as far as joints show it.

import { show, rounded } from '../faults.mjs';
import { degreesBetween, fromTranslationRotation, multiply, positionOf } from '../matrix.mjs';
import { HUMAN_BONES, NEEDS_ABOVE, REQUIRED_BONES } from './tables.mjs';

const BONE = new Map(HUMAN_BONES.map((row) => [row.bone, row]));

// Degrees. UAL's own T-pose is 1 off for the arms and 4 for the fingers; a
// person's feet point outwards a little.
const ARM = 5;
const FINGER = 15;
const FOOT = 20;
const PALM = 20;

/** The numbers of the human bones' nodes, by bone; those that exist. */
export function bonesOf(json) {
  const bones = json.extensions?.VRMC_vrm?.humanoid?.humanBones ?? {};
  return new Map(Object.entries(bones)
    .map(([bone, value]) => [bone, value?.node])
    .filter(([, node]) => json.nodes?.[node] !== undefined));
}

/** For each node the number of its parent. */
export function parentsOf({ nodes = [] }) {
  const parents = nodes.map(() => -1);
  nodes.forEach(({ children = [] }, index) => {
    for (const child of children) parents[child] = index;
  });
  return parents;
}

/** Where each node's matrix puts it in the world, nodes without a turn or a move as they are. */
export function worldMatrices(json) {
  const parents = parentsOf(json);
  const worlds = [];
  const world = (index, depth = 0) => {
    // A loop of nodes is the validator's to tell.
    if (depth > parents.length) return fromTranslationRotation([0, 0, 0], [0, 0, 0, 1]);
    const { translation = [0, 0, 0], rotation = [0, 0, 0, 1] } = json.nodes[index];
    const local = fromTranslationRotation(translation, rotation);
    worlds[index] ??= parents[index] < 0 ? local : multiply(world(parents[index], depth + 1), local);
    return worlds[index];
  };
  json.nodes.forEach((_, index) => world(index));
  return worlds;
}

export function checkHumanoid(json, path, faults) {
  const at = `${path}/humanoid/humanBones`;
  const bones = json.extensions.VRMC_vrm.humanoid?.humanBones;
  if (bones === null || typeof bones !== 'object') {
    faults.add(at, show(bones), 'an object');
    return;
  }
  for (const [bone, value] of Object.entries(bones)) {
    if (!BONE.has(bone)) faults.add(`${at}/${bone}`, 'a bone', 'only the 52 that have a joint');
    const node = json.nodes?.[value?.node];
    if (!node) faults.add(`${at}/${bone}/node`, show(value?.node), 'the number of a node');
    else if (BONE.has(bone)) {
      faults.equal(`${at}/${bone}/node (its name)`, node.name, BONE.get(bone).joint);
    }
  }
  for (const { bone } of HUMAN_BONES) {
    if (bones[bone] !== undefined) continue;
    const must = REQUIRED_BONES.includes(bone) ? 'it: no humanoid is without it' : 'it, as the profile has it';
    faults.add(at, `no ${show(bone)}`, must);
  }
  checkTree(json, at, faults);
}

// Each bone is a node of its own, under the bone that VRM puts above it.
function checkTree(json, at, faults) {
  const bones = bonesOf(json);
  const parents = parentsOf(json);
  const byNode = new Map();
  for (const [bone, node] of bones) {
    if (byNode.has(node)) {
      faults.add(`${at}/${bone}/node`, `${node}, which is ${byNode.get(node)}, too`, 'a node of its own');
    }
    byNode.set(node, bone);
  }
  for (const [bone, node] of bones) {
    if (!BONE.has(bone)) continue;
    let above = BONE.get(bone).above;
    if (NEEDS_ABOVE.includes(bone) && !bones.has(above)) {
      faults.add(`${at}/${bone}`, `a bone without ${show(above)}`, 'both or neither');
    }
    // A bone that is not there is passed over.
    while (above !== null && !bones.has(above)) above = BONE.get(above).above;
    let up = parents[node];
    for (let step = 0; up >= 0 && !byNode.has(up) && step < parents.length; step += 1) up = parents[up];
    faults.equal(`${at}/${bone} (the bone above it)`, byNode.get(up) ?? null, above);
  }
}

/** VRM's T-pose, on a humanoid that has all its bones. */
export function checkPose(json, path, faults) {
  const bones = bonesOf(json);
  const worlds = worldMatrices(json);
  const place = (bone) => positionOf(worlds[bones.get(bone)]);
  const along = (from, to) => place(to).map((value, axis) => value - place(from)[axis]);
  const within = (what, direction, axis, limit) => {
    const degrees = degreesBetween(direction, axis);
    faults.within(`${path} T-pose, ${what}`, degrees, limit, `${rounded(degrees)} degrees off ${axisName(axis)}`,
      `within ${limit}`);
  };
  for (const [side, out] of [['left', 1], ['right', -1]]) {
    const bone = (name) => `${side}${name}`;
    const x = [out, 0, 0];
    within(bone('UpperArm'), along(bone('UpperArm'), bone('LowerArm')), x, ARM);
    within(bone('LowerArm'), along(bone('LowerArm'), bone('Hand')), x, ARM);
    for (const finger of ['Index', 'Middle', 'Ring', 'Little']) {
      within(bone(finger), along(bone(`${finger}Proximal`), bone(`${finger}Distal`)), x, FINGER);
    }
    // The index finger is in front and the little one behind when palms are down.
    const knuckles = along(bone('LittleProximal'), bone('IndexProximal'));
    within(`${side} knuckles`, [0, knuckles[1], knuckles[2]], [0, 0, 1], PALM);
    const [dx, , dz] = along(bone('Foot'), bone('Toes'));
    within(`${side} foot`, [dx, 0, dz], [0, 0, 1], FOOT);
    within(`${side} leg`, along(bone('UpperLeg'), bone('Foot')), [0, -1, 0], ARM * 2);
  }
  within('spine', along('hips', 'head'), [0, 1, 0], ARM * 2);
}

function axisName(axis) {
  const index = axis.findIndex((value) => value !== 0);
  return `${axis[index] > 0 ? '+' : '-'}${'XYZ'[index]}`;
}
