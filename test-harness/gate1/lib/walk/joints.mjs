// Watches the joints while a clip is played: they do what the clip says, the
// bones keep their lengths, and what comes of it is a walk.

import { rounded } from '../faults.mjs';
import * as matrix from '../matrix.mjs';
import { globalRotations } from '../pose.mjs';
import { JOINTS, JOINT_INDEX, PARENTS } from '../profile.mjs';
import { multiplyQuaternions, undo } from '../quaternion.mjs';
import { boneMatrices } from './play.mjs';

/** The joints that a walk must move: the trunk's, and each limb's down to hand and foot. */
export const MAJOR = JOINTS.flatMap(({ ue }, joint) =>
  /^(pelvis|spine|neck|Head|clavicle|upperarm|lowerarm|hand|thigh|calf|foot)/.test(ue) ? [joint] : []);

// Each limit with the worst that the samples have, in either naming, rest pose
// and walk.
const BIND_TOLERANCE = 1e-3; // per matrix element; 3e-7
const TURN_TOLERANCE = 1; // degrees; 6e-5
// Degrees in the world over the loop, because some of a clip's joints are only
// carried along by the others; 3.4, of neck and head.
const LEAST_TURN = 2;
const LENGTH_TOLERANCE = 1e-4; // of a bone's length; 4e-7
const SHORTEST = 0.02; // of the hips' height; 0.065, in the spine
// A straight limb lies on the line between its ends; the walks bend all of them.
const LEAST_BEND = 0; // metres; 0.018
const MOST_TOGETHER = -0.5; // correlation of left and right; -0.91
const LEAST_STEP = 0.2; // of the hips' height; 0.46
const LEAST_SWING = 0.1; // of the hips' height; 0.33

const at = (ue) => JOINT_INDEX.get(ue);
const X = 0;
const Y = 1;
const Z = 2;
const SIDES = { l: 'left', r: 'right' };

/**
 * `joints` are the scene's objects in the profile's order, `mesh` is one whose
 * skeleton is looked at.
 */
export function watchJoints({ clip, names, joints, mesh }) {
  const order = joints.map((joint) => mesh.bones.indexOf(joint));
  const expected = clip.poses.map(({ rotations }) => globalRotations(rotations));
  const unturned = globalRotations(clip.rest.rotations).map(undo);
  const turnOf = (pose, joint) => multiplyQuaternions(pose[joint], unturned[joint]);
  const track = []; // positions of all joints, by frame
  const skins = []; // what the skeleton does to the skin of each joint, by frame
  let home;
  let bind;

  const look = (frame, { positions }) => {
    const all = boneMatrices(mesh);
    const skin = order.map((bone) => all[bone]);
    if (frame < 0) [home, bind] = [positions, skin];
    else {
      track.push(positions);
      skins.push(skin);
    }
  };

  const judge = (faults) => {
    const path = (joint) => `joint ${names[joint]}`;
    const when = (frame) => `at ${rounded(clip.times[frame])} s`;
    const measured = { turn: 0, range: Infinity, length: 0 };

    bind.forEach((skin, joint) => {
      const off = matrix.distanceFromIdentity(skin);
      faults.within(`${path(joint)}: its skin at rest`, off, BIND_TOLERANCE,
        `moved, by a matrix ${rounded(off)} off the identity`, 'where it is in the file');
    });
    for (const joint of MAJOR) {
      const off = skins.map((skin, frame) => degreesOff(skin[joint], turnOf(expected[frame], joint)));
      const [worst, frame] = worstOf(off);
      measured.turn = Math.max(measured.turn, worst);
      faults.within(`${path(joint)}: turned ${when(frame)}`, worst, TURN_TOLERANCE,
        `${rounded(worst)} degrees off the clip`, `within ${TURN_TOLERANCE}`);

      const range = rangeOf(skins.map((skin) => skin[joint]));
      measured.range = Math.min(measured.range, range);
      if (!(range >= LEAST_TURN)) {
        faults.add(`${path(joint)}: over the loop`, `turns through ${rounded(range)} degrees`,
          `${LEAST_TURN} or more`);
      }
      measured.length = Math.max(measured.length, checkLength(joint, path, when, faults));
    }
    return { ...measured, ...checkGait(faults) };
  };

  // By the profile's parent and not by the scene's, so that a joint that hangs
  // elsewhere shows. The pelvis may move away from the root.
  const checkLength = (joint, path, when, faults) => {
    const parent = PARENTS[joint];
    if (joint === at('pelvis')) return 0;
    const length = (positions) => matrix.distance(positions[joint], positions[parent]);
    const own = length(home);
    const bone = `${path(joint)}: the bone from ${names[parent]}`;
    const least = SHORTEST * home[at('pelvis')][Y];
    if (!(own >= least)) faults.add(bone, `${rounded(own)} m long`, `${rounded(least)} m or more`);
    const [worst, frame] = worstOf(track.map((positions) => Math.abs(length(positions) - own) / own));
    faults.within(`${bone} ${when(frame)}`, worst, LENGTH_TOLERANCE,
      `${rounded(length(track[frame]))} m long`, `${rounded(own)} m, as at rest`);
    return worst;
  };

  const checkGait = (faults) => {
    const hips = home[at('pelvis')][Y];
    const path = (ue) => track.map((positions) => positions[at(ue)][Z] - positions[at('pelvis')][Z]);
    const measured = { bend: Infinity };
    for (const [part, least] of [['foot', LEAST_STEP], ['hand', LEAST_SWING]]) {
      const [left, right] = [path(`${part}_l`), path(`${part}_r`)];
      for (const [side, way] of [['l', left], ['r', right]]) {
        const swing = (Math.max(...way) - Math.min(...way)) / hips;
        if (!(swing >= least)) {
          faults.add(`${SIDES[side]} ${part}: its swing`, `${rounded(swing)} of the hips' height`,
            `${least} or more`);
        }
      }
      const together = correlation(left, right);
      measured[`${part}Together`] = together;
      faults.within(`left and right ${part}: their swing`, together, MOST_TOGETHER,
        `a correlation of ${rounded(together)}`,
        `${MOST_TOGETHER} or less, one forward while the other goes back`);
      const [apart, frame] = worstOf(track.map((positions) =>
        positions[at(`${part}_r`)][X] - positions[at(`${part}_l`)][X]));
      if (!(apart < 0)) {
        faults.add(`left and right ${part}: at ${rounded(clip.times[frame])} s`,
          `the left one ${rounded(apart)} m to the right`, 'the left one on +X');
      }
    }
    // Each arm goes with the leg of the other side.
    const across = correlation(path('hand_l'), path('foot_l'));
    faults.within('left hand and left foot: their swing', across, MOST_TOGETHER,
      `a correlation of ${rounded(across)}`, `${MOST_TOGETHER} or less`);
    for (const side of Object.keys(SIDES)) {
      for (const [name, sign, parts] of [['knee', 1, ['thigh', 'calf', 'foot']],
        ['elbow', -1, ['upperarm', 'lowerarm', 'hand']]]) {
        const bends = track.map((positions) =>
          sign * bendOf(...parts.map((part) => positions[at(`${part}_${side}`)])));
        const [worst, frame] = worstOf(bends.map((bend) => -bend));
        measured.bend = Math.min(measured.bend, -worst);
        if (!(-worst > LEAST_BEND)) {
          faults.add(`${SIDES[side]} ${name}: at ${rounded(clip.times[frame])} s`,
            `bent ${rounded(worst)} m the wrong way`,
            `bent to the ${sign > 0 ? 'front' : 'back'}`);
        }
      }
    }
    return measured;
  };

  return { look, judge };
}

// The largest of some numbers and where it is; a NaN is larger than all.
export function worstOf(numbers) {
  const frame = numbers.reduce((worst, value, index) =>
    (Number.isNaN(numbers[worst]) || value <= numbers[worst] ? worst : index), 0);
  return [numbers[frame], frame];
}

const matrixOf = (rotation) => matrix.fromTranslationRotation([0, 0, 0], rotation);

// How far a matrix turns from another one, or from a rotation.
const degreesOff = (m, rotation) => matrix.degreesBetweenTurns(m, matrixOf(rotation));

// The widest turn between any two moments.
const rangeOf = (turns) => Math.max(...turns.flatMap((a, index) =>
  turns.slice(index + 1).map((b) => matrix.degreesBetweenTurns(a, b))));

// How far to the front the middle of a limb is from the line between its ends.
function bendOf(start, middle, end) {
  const share = (start[Y] - middle[Y]) / (start[Y] - end[Y]);
  return middle[Z] - (start[Z] + share * (end[Z] - start[Z]));
}

// Pearson's: 1 for what goes together, -1 for what goes against each other.
function correlation(a, b) {
  const mean = (list) => list.reduce((sum, value) => sum + value, 0) / list.length;
  const [ma, mb] = [mean(a), mean(b)];
  const product = (f, mf, g, mg) => f.reduce((sum, value, index) => sum + (value - mf) * (g[index] - mg), 0);
  return product(a, ma, b, mb) / Math.sqrt(product(a, ma, a, ma) * product(b, mb, b, mb));
}
