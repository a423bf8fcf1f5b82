// The clip that every engine plays: UAL's walk where it can be had, else a walk
// of our own. It is made ready for one character and written as a GLB, so that
// each engine reads it with its own importer and binds it by name.

import { positionOf } from '../../gate1/lib/matrix.mjs';
import { jointGlobals } from '../../gate1/lib/pose.mjs';
import { JOINTS, JOINT_INDEX } from '../../gate1/lib/profile.mjs';
import { animationOf } from '../../gate1/lib/walk/clip-glb.mjs';
import { fitWalk } from '../../gate1/lib/walk/fit.mjs';
import { makeOwnWalk } from '../../gate1/lib/walk/own.mjs';
import { BinWriter, packGlb } from '../../gate1/lib/writer.mjs';

// The joints whose way through the clip decides at which key it is looked at.
const ENDS = ['hand_l', 'hand_r', 'foot_l', 'foot_r'].map((ue) => JOINT_INDEX.get(ue));

/**
 * A clip for one character: poses of all 65 joints, the key at which hands and
 * feet are farthest from rest, and the rest of the clip's own skeleton.
 */
export function clipFor(character, walk = makeOwnWalk()) {
  const clip = fitWalk(walk, character);
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
