// Watches the skin while a clip is played: every vertex stays with the bone that
// it lies at, whatever its weights say.

import { rounded } from '../faults.mjs';
import { PARENTS } from '../profile.mjs';
import { worstOf } from './joints.mjs';

// Metres that a vertex may get away from its bone; the samples' worst is 0.023, at
// the inside of a thigh.
const MOST_AWAY = 0.06;
// A vertex between bones goes with any of them: those that are farther than the
// nearest one by no more than this share and these metres.
const NEAR_SHARE = 1.25;
const NEAR_METRES = 0.02;

// Each bone as its two joints; the root is no part of the body.
const BONES = PARENTS.flatMap((parent, joint) => (parent > 0 ? [[parent, joint]] : []));

export function watchSkin({ clip, names, meshes }) {
  const near = []; // for each mesh the bones of each vertex, with their distances
  const worst = meshes.map(() => []); // by frame: how far away, and which vertex

  const look = (frame, { positions, skins }) => {
    meshes.forEach((_, index) => {
      if (frame < 0) near.push(bonesOf(skins[index], positions));
      else worst[index].push(farthest(skins[index], positions, near[index]));
    });
  };

  const judge = (faults) => {
    let most = 0;
    meshes.forEach(({ path }, index) => {
      const [away, frame] = worstOf(worst[index].map(({ away: far }) => far));
      most = Math.max(most, away);
      if (away <= MOST_AWAY) return;
      const { vertex, bone, many } = worst[index][frame];
      const [from, to] = BONES[bone].map((joint) => names[joint]);
      faults.add(`${path} vertex ${vertex}: at ${rounded(clip.times[frame])} s`,
        `${rounded(away)} m farther from the bone ${from} - ${to} than at rest (${many} such vertices)`,
        `at most ${MOST_AWAY} m`);
    });
    return { away: most };
  };

  return { look, judge };
}

// For each vertex the bones that it lies at, as two lists: where each vertex's
// part begins, and bone and distance by turns.
function bonesOf(points, positions) {
  const starts = [];
  const entries = [];
  const distances = new Float64Array(BONES.length);
  for (let vertex = 0; vertex * 3 < points.length; vertex += 1) {
    starts.push(entries.length);
    let least = Infinity;
    BONES.forEach(([from, to], bone) => {
      distances[bone] = distanceToBone(points, vertex * 3, positions[from], positions[to]);
      least = Math.min(least, distances[bone]);
    });
    const limit = least * NEAR_SHARE + NEAR_METRES;
    // Written so that a vertex that is no number has all bones, and so a fault.
    distances.forEach((distance, bone) => {
      if (!(distance > limit)) entries.push(bone, distance);
    });
  }
  starts.push(entries.length);
  return { starts, entries };
}

// The vertex that has got farthest from its bones.
function farthest(points, positions, { starts, entries }) {
  let worst = { away: 0, vertex: 0, bone: 0 };
  let many = 0;
  for (let vertex = 0; vertex * 3 < points.length; vertex += 1) {
    let away = Infinity;
    let bone = 0;
    for (let entry = starts[vertex]; entry < starts[vertex + 1]; entry += 2) {
      const [from, to] = BONES[entries[entry]];
      const grown = distanceToBone(points, vertex * 3, positions[from], positions[to]) - entries[entry + 1];
      if (!(grown >= away)) [away, bone] = [grown, entries[entry]];
    }
    if (!(away <= MOST_AWAY)) many += 1;
    if (!(away <= worst.away) && !Number.isNaN(worst.away)) worst = { away, vertex, bone };
  }
  return { ...worst, many };
}

function distanceToBone(points, at, from, to) {
  let along = 0;
  let length = 0;
  for (let axis = 0; axis < 3; axis += 1) {
    const bone = to[axis] - from[axis];
    along += (points[at + axis] - from[axis]) * bone;
    length += bone * bone;
  }
  const share = length > 0 ? Math.min(1, Math.max(0, along / length)) : 0;
  let square = 0;
  for (let axis = 0; axis < 3; axis += 1) {
    square += (points[at + axis] - from[axis] - share * (to[axis] - from[axis])) ** 2;
  }
  return Math.sqrt(square);
}
