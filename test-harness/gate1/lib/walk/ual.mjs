// Quaternius' own walk, read from a GLB of the Universal Animation Library.
//
// A walk is `{ name, times, rest, poses }`: a skeleton's rest pose, and its pose
// at each of the times, of which the last is the first again.

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { Fault, parseGlb, readAccessor } from '../glb.mjs';
import { JOINTS } from '../profile.mjs';
import { slerp } from '../quaternion.mjs';

const UAL = fileURLToPath(
  new URL('../../../../../shared/data/ual/ual_walk_loop.glb', import.meta.url));
const UAL_CLIP = 'Walk_Loop';

/**
 * UAL's walk, or nothing when the file is not beside the repository. A file that
 * the environment names must be there, and either must be UAL's walk: throws an
 * error that says which file is not, and why.
 */
export async function readWalk(env = process.env) {
  const named = env.DRAMATIS_UAL_CLIP;
  const which = named === undefined
    ? "UAL's file beside the repository"
    : `DRAMATIS_UAL_CLIP names ${named || '""'}, which`;
  let bytes;
  try {
    bytes = new Uint8Array(await readFile(named ?? UAL));
  } catch (error) {
    if (named === undefined && error.code === 'ENOENT') return undefined;
    throw new Error(`${which} cannot be read: ${error.message}`);
  }
  try {
    return sampleWalk(parseGlb(bytes));
  } catch (error) {
    const why = error instanceof Fault
      ? `${error.path}: found ${error.found}, expected ${error.expected}` : error.message;
    throw new Error(`${which} is not UAL's walk: ${why}`);
  }
}

// All channels of the walk at the keys of the one that has the most: exporters
// leave out keys of joints that stay still.
function sampleWalk(glb) {
  const { json } = glb;
  const animation = json.animations?.find(({ name }) => name === UAL_CLIP);
  if (!animation) throw new Error(`it has no animation "${UAL_CLIP}"`);
  const numbers = JOINTS.map(({ ue }) => (json.nodes ?? []).findIndex(({ name }) => name === ue));
  const missing = numbers.indexOf(-1);
  if (missing >= 0) throw new Error(`it has no node "${JOINTS[missing].ue}"`);
  const channels = animation.channels.map(({ sampler, target }) => {
    const { input, output, interpolation = 'LINEAR' } = animation.samplers[sampler];
    if (interpolation === 'CUBICSPLINE') throw new Error('it has cubic splines');
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
    translations: numbers.map((number) => json.nodes[number].translation ?? [0, 0, 0]),
    rotations: numbers.map((number) => json.nodes[number].rotation ?? [0, 0, 0, 1]),
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
