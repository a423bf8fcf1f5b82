// The walk that stands in for UAL's where that is not at hand: made here, on the
// bones and in the frames of UAL's mannequin, so that it means to a character
// what UAL's own would mean.
//
// One second on the spot. Each foot in turn stands flat on the floor and goes
// back under the hips, then comes forward through the air; what thigh and calf
// have to do for that follows from the lengths of the mannequin's legs.

import { positionOf } from '../matrix.mjs';
import { globalRotations, jointGlobals, ownRotations } from '../pose.mjs';
import { JOINTS, JOINT_INDEX, PARENTS } from '../profile.mjs';
import { multiplyQuaternions, rotate, turn, undo } from '../quaternion.mjs';
import { UAL_ROTATIONS, UAL_TRANSLATIONS } from '../ual-rest.mjs';

const SECONDS = 1;
const KEYS = 25;
const X = [1, 0, 0];
const Y = [0, 1, 0];
const Z = [0, 0, 1];
const STRIDE = 0.22; // metres before and behind the hip
const LIFT = 0.1; // metres that a foot goes up on its way forward
const DROP = 0.05; // metres that the hips are lower than at rest, so that a leg reaches out
const BOB = 0.01; // metres that they go up and down, besides

// What turns with the phase `w` and is no leg: about the world's axes, in
// radians, after the rest. What is not named goes along with its parent. At 0 the
// left foot is in front, and the left hip with it; the left arm is behind, and the
// left shoulder with it.
const TURNS = {
  pelvis: (w) => turn(Y, -0.06 * Math.cos(w)),
  spine_02: (w) => turn(Y, 0.04 * Math.cos(w)),
  spine_03: (w) => turn(Y, 0.08 * Math.cos(w)),
  neck_01: (w) => turn(Y, 0.03 * Math.cos(w)),
  Head: (w) => turn(X, 0.03 * Math.cos(2 * w)),
  clavicle_l: (w) => turn(Y, 0.12 * Math.cos(w)),
  clavicle_r: (w) => turn(Y, 0.12 * Math.cos(w)),
  upperarm_l: (w) => product(turn(X, 0.05 + 0.35 * Math.cos(w)), turn(Z, -1.25)),
  upperarm_r: (w) => product(turn(X, 0.05 - 0.35 * Math.cos(w)), turn(Z, 1.25)),
  lowerarm_l: (w) => product(turn(X, -0.2 + 0.45 * Math.cos(w)), turn(Z, -1.35)),
  lowerarm_r: (w) => product(turn(X, -0.2 - 0.45 * Math.cos(w)), turn(Z, 1.35)),
};
const product = multiplyQuaternions;

/** The walk, on UAL's own skeleton. */
export function makeOwnWalk() {
  const rest = {
    translations: JOINTS.map(({ ue }) => UAL_TRANSLATIONS[ue]),
    rotations: JOINTS.map(({ ue }) => UAL_ROTATIONS[ue]),
  };
  const times = Array.from({ length: KEYS }, (_, key) => (SECONDS * key) / (KEYS - 1));
  const poses = times.map((time) => poseAt(rest, time / SECONDS));
  return { name: 'our own walk', times, rest, poses };
}

function poseAt(rest, share) {
  const w = 2 * Math.PI * share;
  const frames = globalRotations(rest.rotations);
  const home = jointGlobals(rest).map(positionOf);
  const at = (ue) => home[JOINT_INDEX.get(ue)];
  const fall = -DROP - BOB * Math.cos(2 * w);
  const hips = TURNS.pelvis(w);

  const turns = { ...TURNS };
  for (const [side, begin] of [['l', 0], ['r', 0.5]]) {
    const way = at(`thigh_${side}`).map((value, axis) => value - at('pelvis')[axis]);
    const hip = rotate(hips, way).map((value, axis) => value + at('pelvis')[axis]);
    hip[1] += fall;
    const step = stepAt((share - begin + 1) % 1);
    const ankle = at(`foot_${side}`);
    const foot = [0, ankle[1] + step.up, hip[2] + step.forward];
    const { thigh, calf } = bend(hip, foot, at(`thigh_${side}`), at(`calf_${side}`), ankle);
    turns[`thigh_${side}`] = () => turn(X, thigh);
    turns[`calf_${side}`] = () => turn(X, calf);
    turns[`foot_${side}`] = () => turn(X, step.pitch);
    turns[`ball_${side}`] = () => turn(X, step.pitch * 0.5);
  }

  // The turn of each joint in the world, and from it the joint's own rotation.
  const world = [];
  JOINTS.forEach(({ ue }, joint) => {
    world.push(turns[ue]?.(w) ?? world[PARENTS[joint]] ?? [0, 0, 0, 1]);
  });
  const globals = world.map((turned, joint) => product(turned, frames[joint]));
  const rotations = ownRotations(globals);
  // The pelvis hangs from a root that is turned, so up is not its +Y.
  const down = rotate(undo(globals[0]), [0, fall, 0]);
  const translations = rest.translations.map((translation, joint) =>
    JOINTS[joint].ue === 'pelvis' ? translation.map((value, axis) => value + down[axis]) : translation);
  return { rotations, translations };
}

// A foot's way from where it would hang below its hip: half of the time on the
// floor, half of it in the air.
function stepAt(phase) {
  if (phase <= 0.5) return { forward: STRIDE * (1 - 4 * phase), up: 0, pitch: 0 };
  const air = (phase - 0.5) * 2;
  return {
    forward: -STRIDE * Math.cos(Math.PI * air),
    up: LIFT * Math.sin(Math.PI * air),
    // The toes hang at first and are raised before the foot comes down.
    pitch: 0.4 * Math.sin(2 * Math.PI * air),
  };
}

// The turns of thigh and calf about X that put the foot where it has to be,
// with the knee to the front.
function bend(hip, foot, restHip, restKnee, restAnkle) {
  const length = (a, b) => Math.hypot(b[1] - a[1], b[2] - a[2]);
  const angle = (a, b) => Math.atan2(b[2] - a[2], a[1] - b[1]); // from straight down, forward
  const [upper, lower, reach] = [length(restHip, restKnee), length(restKnee, restAnkle), length(hip, foot)];
  const atHip = Math.acos((upper ** 2 + reach ** 2 - lower ** 2) / (2 * upper * reach));
  const thigh = angle(hip, foot) + atHip;
  const knee = [0, hip[1] - upper * Math.cos(thigh), hip[2] + upper * Math.sin(thigh)];
  // A turn about X by a positive angle takes what hangs down to the back.
  return {
    thigh: angle(restHip, restKnee) - thigh,
    calf: angle(restKnee, restAnkle) - angle(knee, foot),
  };
}
