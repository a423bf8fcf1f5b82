// Makes a walk ready for one character, as an app would that plays clips of
// UAL's on it.

import { positionOf } from '../matrix.mjs';
import { globalRotations, jointGlobals, ownRotations } from '../pose.mjs';
import { JOINTS, JOINT_INDEX, PARENTS } from '../profile.mjs';
import { arc, multiplyQuaternions, rotate, undo } from '../quaternion.mjs';

const ROOT = JOINT_INDEX.get('root');
const PELVIS = JOINT_INDEX.get('pelvis');
const UP = [0, 1, 0];

/**
 * The walk on a character's bones. In the T-pose its rotations are played on
 * every joint as they are, which is the reason for the T-pose. MakeHuman's own
 * rest has other frames, so that for it the walk is retargeted. Translations are
 * played on root and pelvis only, as far as they leave the walk's rest, and in
 * proportion to the hips' height.
 *
 * So a clip means the same to engines whose keys are counted from the rest pose
 * (Blender) and to those whose keys are not.
 */
export function fitWalk(walk, { restPose, rest }) {
  const plain = restPose === 't-pose';
  const { rotationsOf, lift } = plain
    ? { rotationsOf: ({ rotations }) => rotations, lift: [0, 0, 0] }
    : retarget(walk, rest);
  const height = (pose) => positionOf(jointGlobals(pose)[PELVIS])[1];
  const scale = height(rest) / height(walk.rest);
  const move = (pose, joint) => rest.translations[joint].map((value, axis) =>
    value + scale * (pose.translations[joint][axis] - walk.rest.translations[joint][axis]) +
      (joint === PELVIS ? lift[axis] : 0));
  return {
    name: walk.name,
    times: walk.times,
    rest: { translations: rest.translations, rotations: (plain ? walk.rest : rest).rotations },
    poses: walk.poses.map((pose) => ({
      rotations: rotationsOf(pose),
      translations: rest.translations.map((translation, joint) =>
        joint === ROOT || joint === PELVIS ? move(pose, joint) : translation),
    })),
  };
}

// Retargeting: what the walk turns in the world, from the walk's rest, turns the
// character, from its own rest once that has been brought to a T-pose.
function retarget(walk, rest) {
  const from = globalRotations(walk.rest.rotations);
  const turns = turnsToTPose(rest, walk.rest);
  const brought = globalRotations(rest.rotations).map((rotation, joint) =>
    multiplyQuaternions(turns[joint], rotation));
  const rotationsOf = ({ rotations }) => ownRotations(
    globalRotations(rotations).map((rotation, joint) =>
      multiplyQuaternions(multiplyQuaternions(rotation, undo(from[joint])), brought[joint])));

  // Legs that were apart and now hang straight reach lower than they did.
  const feet = (pose) => ['foot_l', 'foot_r'].reduce((sum, ue) =>
    sum + positionOf(jointGlobals(pose)[JOINT_INDEX.get(ue)])[1] / 2, 0);
  const { translations, rotations } = rest;
  const up = feet(rest) - feet({ translations, rotations: ownRotations(brought) });
  const lift = rotate(undo(rotations[ROOT]), UP).map((value) => value * up);
  return { rotationsOf, lift };
}

// The bones that a T-pose lays straight, each with the joint at its end.
const STRAIGHT = { upperarm: 'lowerarm', lowerarm: 'hand', thigh: 'calf', calf: 'foot' };

// For each joint the turn in the world that brings it from the character's rest
// to the T-pose. Arms and legs get the T-pose's directions, hands and fingers go
// along with their arm. Feet only turn about the vertical, so that their soles
// stay flat; the trunk stays as it is.
function turnsToTPose(rest, tPose) {
  const [own, wanted] = [rest, tPose].map((pose) => jointGlobals(pose).map(positionOf));
  const along = (positions, joint, end) => positions[end].map((value, axis) => value - positions[joint][axis]);
  const turns = [];
  JOINTS.forEach(({ ue }, joint) => {
    const side = ue.slice(-2);
    const part = ue.slice(0, -2);
    const parent = turns[PARENTS[joint]] ?? [0, 0, 0, 1];
    if (STRAIGHT[part]) {
      const end = JOINT_INDEX.get(STRAIGHT[part] + side);
      const bone = rotate(parent, along(own, joint, end));
      turns.push(multiplyQuaternions(arc(bone, along(wanted, joint, end)), parent));
    } else if (part === 'foot') {
      const end = JOINT_INDEX.get(`ball${side}`);
      const flat = (positions) => along(positions, joint, end).map((value, axis) => (axis === 1 ? 0 : value));
      turns.push(arc(flat(own), flat(wanted)));
    } else turns.push(parent);
  });
  return turns;
}
