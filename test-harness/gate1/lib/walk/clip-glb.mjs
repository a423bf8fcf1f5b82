// Writes a clip as glTF, for the importers of engines.

import { invertRigid } from '../matrix.mjs';
import { jointGlobals } from '../pose.mjs';
import { JOINTS, JOINT_INDEX, PARENTS } from '../profile.mjs';
import { BinWriter, packGlb } from '../writer.mjs';

const FLOAT = 5126;
const ROOT = JOINT_INDEX.get('root');
const PELVIS = JOINT_INDEX.get('pelvis');

/** Adds the clip's samplers and channels to a writer; `nodes` are the joints' own. */
export function animationOf(writer, { name, times, poses }, nodes) {
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
