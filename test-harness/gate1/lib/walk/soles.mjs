// Watches the soles while a clip is played: the foot that the clip plants is on
// the floor, and none goes through it.

import { rounded } from '../faults.mjs';
import { invertRigid, multiply, positionOf } from '../matrix.mjs';
import { jointGlobals } from '../pose.mjs';
import { JOINT_INDEX } from '../profile.mjs';
import { worstOf } from './joints.mjs';

// Metres. The samples' planted soles are between 0.008 under the floor and 0.011
// over it with UAL's walk, 0.005 and 0.003 with our own.
const FLOOR_TOLERANCE = 0.03;
// Metres. Where the clip's feet are as near to each other's height as this, one
// is coming down and one leaving, and either may bear the weight.
const HAND_OVER = 0.01;
// How far back a planted foot goes under the body, of the hips' height. The
// samples' go 0.47 with UAL's walk, 0.33 with our own.
const LEAST_BACK = 0.1;

const SIDES = ['l', 'r'];
const NAMES = { l: 'left', r: 'right' };

/**
 * Which feet bear the weight at each pose of a walk, as it is before it is made
 * ready for any character: those whose heel or ball of the walk's own skeleton
 * is the lowest. No character has a say in it.
 */
export function plantedIn({ rest, poses }) {
  const home = jointGlobals(rest);
  return poses.map((pose) => {
    const globals = jointGlobals(pose);
    // The floor under a joint at rest goes with the foot.
    const heightUnder = (side, ue) => {
      const foot = JOINT_INDEX.get(`foot_${side}`);
      const moved = multiply(globals[foot], invertRigid(home[foot]));
      const [x, , z] = positionOf(home[JOINT_INDEX.get(ue)]);
      return moved[1] * x + moved[9] * z + moved[13];
    };
    const low = SIDES.map((side) =>
      Math.min(heightUnder(side, `foot_${side}`), heightUnder(side, `ball_${side}`)));
    return SIDES.filter((_, index) => low[index] <= Math.min(...low) + HAND_OVER);
  });
}

/** `planted` is what `plantedIn` says of the walk. */
export function watchSoles({ clip, planted, joints, meshes }) {
  const soles = Object.fromEntries(SIDES.map((side) => [side, meshes.map((mesh) => soleOf(mesh, joints, side))]));
  const heights = []; // { l, r }, the lowest point of each sole
  const ways = []; // { l, r }, how far in front of the pelvis each foot is
  let hips;

  const look = (frame, { positions, skins }) => {
    const joint = (ue) => positions[JOINT_INDEX.get(ue)];
    if (frame < 0) {
      hips = joint('pelvis')[1];
      return;
    }
    const low = (side) => {
      let lowest = Infinity;
      soles[side].forEach((vertices, mesh) => {
        // `Math.min` never lets go of a NaN.
        for (const vertex of vertices) lowest = Math.min(lowest, skins[mesh][vertex * 3 + 1]);
      });
      return lowest;
    };
    heights.push({ l: low('l'), r: low('r') });
    ways.push({
      l: joint('foot_l')[2] - joint('pelvis')[2], r: joint('foot_r')[2] - joint('pelvis')[2],
    });
  };

  const judge = (faults) => {
    for (const side of SIDES) {
      if (soles[side].every((vertices) => vertices.length === 0)) {
        faults.add(`${NAMES[side]} sole`, `no vertex that foot_${side} and ball_${side} move most`, 'some');
        return {};
      }
    }
    const centimetres = (metres) => `${(metres * 100).toFixed(1)} cm`;
    const measured = { low: Infinity, high: -Infinity };
    const tell = (side, what, list, offs) => {
      const [off, index] = worstOf(offs);
      const frame = list[index];
      faults.within(`${NAMES[side]} sole: ${what} at ${rounded(clip.times[frame])} s`, off, FLOOR_TOLERANCE,
        `its lowest point ${centimetres(heights[frame][side])} over the floor`,
        `within ${centimetres(FLOOR_TOLERANCE)} of it`);
    };
    const frames = heights.map((_, frame) => frame);
    for (const side of SIDES) {
      const alone = frames.filter((frame) => planted[frame].length === 1 && planted[frame][0] === side);
      if (alone.length === 0) {
        faults.add(`${NAMES[side]} foot: in the clip`, 'never planted while the other is up', 'planted in its turn');
        continue;
      }
      tell(side, 'planted', alone, alone.map((frame) => Math.abs(heights[frame][side])));
      tell(side, 'lowest', frames, frames.map((frame) => -heights[frame][side]));
      const back = backwards(alone, ways.map((way) => way[side])) / hips;
      measured.back = Math.min(measured.back ?? Infinity, back);
      if (!(back >= LEAST_BACK)) {
        faults.add(`${NAMES[side]} foot: while planted`, `goes back by ${rounded(back)} of the hips' height`,
          `${LEAST_BACK} or more`);
      }
    }
    // Where one foot comes down and one leaves, the lower one bears the weight.
    const lower = frames.map((frame) =>
      (planted[frame].length === 1 ? planted[frame][0] : heights[frame].l < heights[frame].r ? 'l' : 'r'));
    lower.forEach((side, frame) => {
      measured.low = Math.min(measured.low, heights[frame][side]);
      measured.high = Math.max(measured.high, heights[frame][side]);
    });
    for (const side of SIDES) {
      const both = frames.filter((frame) => planted[frame].length === 2 && lower[frame] === side);
      if (both.length > 0) tell(side, 'taking over', both, both.map((frame) => Math.abs(heights[frame][side])));
    }
    return measured;
  };

  return { look, judge };
}

// The vertices that a side's foot and toes move most.
function soleOf({ count, bones, indices, weights }, joints, side) {
  const own = [`foot_${side}`, `ball_${side}`].map((ue) => bones.indexOf(joints[JOINT_INDEX.get(ue)]));
  const out = [];
  if (!indices) return out;
  for (let vertex = 0; vertex < count; vertex += 1) {
    let share = 0;
    for (let slot = vertex * 4; slot < vertex * 4 + 4; slot += 1) {
      if (own.includes(indices[slot])) share += weights[slot];
    }
    if (share > 0.5) out.push(vertex);
  }
  return out;
}

// How far something goes back, over frames of which some follow each other.
function backwards(frames, way) {
  return frames.reduce((sum, frame, index) =>
    (frames[index + 1] === frame + 1 ? sum + way[frame] - way[frame + 1] : sum), 0);
}
