// The clip that every engine plays: UAL's walk where it can be had, else a walk
// made here. It is made ready for one character and written as a GLB of its
// own, so that each engine reads it with its own importer and binds it by name.

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { packGlb, BinWriter } from '../../gate1/fixtures/writer.mjs';
import { parseGlb, readAccessor } from '../../gate1/lib/glb.mjs';
import { invertRigid, positionOf } from '../../gate1/lib/matrix.mjs';
import { JOINTS, JOINT_INDEX, PARENTS } from '../../gate1/lib/profile.mjs';
import { jointGlobals } from './character.mjs';
import { multiplyQuaternions, slerp, turn } from './quaternion.mjs';

const UAL = fileURLToPath(
  new URL('../../../../shared/data/ual/ual_walk_loop.glb', import.meta.url));
const UAL_CLIP = 'Walk_Loop';
const FLOAT = 5126;
const ROOT = JOINT_INDEX.get('root');
const PELVIS = JOINT_INDEX.get('pelvis');
// The joints whose way through the clip decides at which key it is looked at.
const ENDS = ['hand_l', 'hand_r', 'foot_l', 'foot_r'].map((ue) => JOINT_INDEX.get(ue));

/**
 * UAL's walk as a table of keys, or nothing when the file is not there. A file
 * that the environment names must be there.
 */
export async function readWalk(env = process.env) {
  const named = env.DRAMATIS_UAL_CLIP;
  let bytes;
  try {
    bytes = new Uint8Array(await readFile(named ?? UAL));
  } catch (error) {
    if (named === undefined && error.code === 'ENOENT') return undefined;
    throw new Error(`DRAMATIS_UAL_CLIP names ${named}, which cannot be read: ${error.message}`);
  }
  return sampleWalk(parseGlb(bytes));
}

// All channels of the walk at the keys of the one that has the most: exporters
// leave out keys of joints that stay still.
function sampleWalk(glb) {
  const { json } = glb;
  const animation = json.animations?.find(({ name }) => name === UAL_CLIP);
  if (!animation) throw new Error(`UAL's file has no animation "${UAL_CLIP}"`);
  const numbers = JOINTS.map(({ ue }) => json.nodes.findIndex(({ name }) => name === ue));
  const channels = animation.channels.map(({ sampler, target }) => {
    const { input, output, interpolation = 'LINEAR' } = animation.samplers[sampler];
    if (interpolation === 'CUBICSPLINE') throw new Error('UAL\'s walk has cubic splines');
    return {
      joint: numbers.indexOf(target.node),
      path: target.path,
      step: interpolation === 'STEP',
      times: readAccessor(glb, input).data,
      values: readAccessor(glb, output).data,
    };
  });
  const { times } = channels.reduce((a, b) => (b.times.length > a.times.length ? b : a));
  const rest = {
    translations: numbers.map((number) => json.nodes[number]?.translation ?? [0, 0, 0]),
    rotations: numbers.map((number) => json.nodes[number]?.rotation ?? [0, 0, 0, 1]),
  };
  const poses = Array.from(times, (time) => {
    const pose = { translations: [...rest.translations], rotations: [...rest.rotations] };
    for (const channel of channels) {
      if (channel.joint < 0) continue;
      if (channel.path === 'rotation') pose.rotations[channel.joint] = valueAt(channel, time, 4);
      if (channel.path === 'translation') pose.translations[channel.joint] = valueAt(channel, time, 3);
    }
    return pose;
  });
  return { name: `UAL ${UAL_CLIP}`, times: Array.from(times), rest, poses };
}

// A channel's value between its keys, as glTF has it.
function valueAt({ times, values, step }, time, width) {
  let after = times.findIndex((key) => key >= time);
  if (after < 0) after = times.length - 1;
  const before = times[after] === time || after === 0 ? after : after - 1;
  const key = (index) => Array.from(values.subarray(index * width, (index + 1) * width));
  if (before === after || step) return key(step && times[after] !== time ? before : after);
  const share = (time - times[before]) / (times[after] - times[before]);
  const [a, b] = [key(before), key(after)];
  return width === 4 ? slerp(a, b, share) : a.map((value, axis) => value + (b[axis] - value) * share);
}

/**
 * A clip for one character: poses of all 65 joints, the key at which hands and
 * feet are farthest from rest, and the rest of the clip's own skeleton.
 */
export function clipFor(character, walk) {
  // In MakeHuman's rest the joints have other frames than UAL's, so its clips
  // would have to be retargeted; the walk made here starts from any rest.
  const clip = walk && character.restPose === 't-pose'
    ? fitWalk(walk, character.rest)
    : makeWalk(character.rest);
  const home = jointGlobals(character.rest).map(positionOf);
  const moved = clip.poses.map((pose) => {
    const globals = jointGlobals(pose).map(positionOf);
    const ways = ENDS.map((joint) =>
      Math.hypot(...globals[joint].map((value, axis) => value - home[joint][axis])));
    return ways.reduce((sum, way) => sum + way, 0);
  });
  // Not the first or last key, which an engine that plays nothing may show.
  const key = moved.indexOf(Math.max(...moved.slice(1, -1)), 1);
  return { ...clip, key, time: clip.times[key], pose: clip.poses[key] };
}

// UAL's rotations on every joint as they are; its translations on root and
// pelvis only, as far as they leave UAL's rest, in proportion to the hips'
// height. So a clip means the same to engines whose keys are counted from the
// rest pose (Blender) and to those whose keys are not.
function fitWalk(walk, rest) {
  const height = ({ translations, rotations }) =>
    positionOf(jointGlobals({ translations, rotations })[PELVIS])[1];
  const scale = height(rest) / height(walk.rest);
  const move = (pose, joint) => rest.translations[joint].map((value, axis) =>
    value + scale * (pose.translations[joint][axis] - walk.rest.translations[joint][axis]));
  return {
    name: walk.name,
    times: walk.times,
    rest: { translations: rest.translations, rotations: walk.rest.rotations },
    poses: walk.poses.map((pose) => ({
      rotations: pose.rotations,
      translations: rest.translations.map((translation, joint) =>
        joint === ROOT || joint === PELVIS ? move(pose, joint) : translation),
    })),
  };
}

// One second of a walk on the spot: arms down, legs and arms in counter-swing.
// Each turn is about one of the world's axes, in radians, after the rest.
const SECONDS = 1;
const KEYS = 25;
const X = [1, 0, 0];
const Y = [0, 1, 0];
const Z = [0, 0, 1];
const STRIDE = {
  thigh_l: (w) => turn(X, -0.5 * Math.sin(w)),
  thigh_r: (w) => turn(X, 0.5 * Math.sin(w)),
  calf_l: (w) => turn(X, 0.45 * (1 - Math.cos(w))),
  calf_r: (w) => turn(X, 0.45 * (1 + Math.cos(w))),
  foot_l: (w) => turn(X, -0.2 * Math.sin(w)),
  foot_r: (w) => turn(X, 0.2 * Math.sin(w)),
  upperarm_l: (w) => multiplyQuaternions(turn(X, 0.4 * Math.sin(w)), turn(Z, -1.2)),
  upperarm_r: (w) => multiplyQuaternions(turn(X, -0.4 * Math.sin(w)), turn(Z, 1.2)),
  lowerarm_l: () => turn(Z, -0.2),
  lowerarm_r: () => turn(Z, 0.2),
  spine_02: (w) => turn(Y, 0.1 * Math.sin(w)),
  neck_01: (w) => turn(Y, -0.05 * Math.sin(w)),
  Head: (w) => turn(X, 0.03 * Math.cos(2 * w)),
};
const BOB = 0.02; // metres up and down

function makeWalk(rest) {
  const turns = restTurns(rest);
  const times = Array.from({ length: KEYS }, (_, key) => (SECONDS * key) / (KEYS - 1));
  const poses = times.map((time) => {
    const w = (2 * Math.PI * time) / SECONDS;
    const rotations = JOINTS.map(({ ue }, joint) => {
      const own = rest.rotations[joint];
      if (!STRIDE[ue]) return own;
      // The world's turn as the parent's frame has it at rest.
      const parent = turns[PARENTS[joint]];
      const back = [-parent[0], -parent[1], -parent[2], parent[3]];
      return multiplyQuaternions(
        multiplyQuaternions(multiplyQuaternions(back, STRIDE[ue](w)), parent), own);
    });
    // The pelvis hangs from a root that is turned, so up is not its +Y.
    const root = invertRigid(jointGlobals(rest)[ROOT]);
    const up = BOB * Math.cos(2 * w);
    const translations = rest.translations.map((translation, joint) =>
      joint === PELVIS
        ? translation.map((value, axis) => value + up * root[4 + axis])
        : translation);
    return { translations, rotations };
  });
  return { name: 'our own walk', times, rest, poses };
}

// The joints' global rotations at rest.
function restTurns({ rotations }) {
  const out = [];
  rotations.forEach((rotation, joint) => {
    const parent = PARENTS[joint];
    out.push(parent < 0 ? rotation : multiplyQuaternions(out[parent], rotation));
  });
  return out;
}

// Adds the clip's samplers and channels to a writer; `nodes` are the joints' own.
function animationOf(writer, { name, times, poses }, nodes) {
  const animation = { name, samplers: [], channels: [] };
  const input = writer.accessor(FLOAT, 'SCALAR', times, { bounds: true });
  const channel = (joint, path, type, pick) => {
    const output = writer.accessor(FLOAT, type, poses.flatMap((pose) => pick(pose)[joint]));
    const sampler = animation.samplers.push({ input, output, interpolation: 'LINEAR' }) - 1;
    animation.channels.push({ sampler, target: { node: nodes[joint], path } });
  };
  JOINTS.forEach((_, joint) => channel(joint, 'rotation', 'VEC4', ({ rotations }) => rotations));
  for (const joint of [ROOT, PELVIS]) {
    channel(joint, 'translation', 'VEC3', ({ translations }) => translations);
  }
  return animation;
}

/** The clip as a GLB: 65 joints under the character's names, and no mesh. */
export function clipGlb(clip, names) {
  const writer = new BinWriter();
  const inverses = jointGlobals(clip.rest).flatMap(invertRigid);
  const inverseBindMatrices = writer.accessor(FLOAT, 'MAT4', inverses);
  const joints = JOINTS.map((_, joint) => joint);
  const nodes = joints.map((joint) => {
    const children = joints.filter((child) => PARENTS[child] === joint);
    return {
      name: names[joint],
      translation: clip.rest.translations[joint],
      rotation: clip.rest.rotations[joint],
      ...(children.length > 0 ? { children } : {}),
    };
  });
  const animations = [animationOf(writer, clip, joints)];
  return packGlb({
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [ROOT] }],
    nodes,
    skins: [{ skeleton: ROOT, joints, inverseBindMatrices }],
    animations,
    bufferViews: writer.bufferViews,
    accessors: writer.accessors,
    buffers: [{ byteLength: writer.length }],
  }, writer.bin());
}

/** The character's own GLB with the clip as an animation in it. */
export function withClip({ json, bin }, clip) {
  const writer = new BinWriter();
  const joints = json.skins?.[0]?.joints ?? JOINTS.map((_, joint) => joint);
  const animation = animationOf(writer, clip, joints);
  const start = (bin.length + 3) & ~3;
  const [{ length: views }, { length: accessors }] = [json.bufferViews, json.accessors];
  for (const sampler of animation.samplers) {
    sampler.input += accessors;
    sampler.output += accessors;
  }
  const out = {
    ...json,
    animations: [...(json.animations ?? []), animation],
    bufferViews: json.bufferViews.concat(writer.bufferViews.map((view) =>
      ({ ...view, byteOffset: view.byteOffset + start }))),
    accessors: json.accessors.concat(writer.accessors.map((accessor) =>
      ({ ...accessor, bufferView: accessor.bufferView + views }))),
    buffers: [{ byteLength: start + writer.length }],
  };
  const bytes = new Uint8Array(start + writer.length);
  bytes.set(bin);
  bytes.set(writer.bin(), start);
  return packGlb(out, bytes);
}
