// What presets do to the face, measured on the vertices: that a look to the left
// turns the eyes to the left, and that a smile raises the corners of the mouth.
// The deltas are read from the file by the harness's own reader. Where eyes, teeth
// or skin are not there to measure by, nothing is said.

import { rounded } from '../faults.mjs';
import { readAccessor } from '../glb.mjs';
import { LOOKS, VOWELS } from './tables.mjs';

// Millimetres, all of them well under what the samples show; the samples'
// numbers stand behind each.
const LID = 5; // 9.1
const OTHER_LID = 0.2; // 0
const AA = 8; // 14.8
const OPEN = 3; // 6.1 for ou and 9.4 for oh, 9.4 surprised
const VOWEL = 3; // 6.3
const NARROW = 1; // 2.3
const FOREHEAD = 0.5; // 0.1
const CORNERS = { happy: 2, relaxed: 1, sad: -0.3 }; // 5.6, 2.2, -0.57
const BROWS = { angry: -1, sad: 0.2, surprised: 1 }; // -1.6, 0.42, 1.8
const LOOK = 1; // 3.7
// Degrees between how far an eye turns and what the look-at says of it.
const TURN = 3;

/** A mesh by its name, with its vertices and a way to its displacement. */
function part(glb, name) {
  const { json } = glb;
  const mesh = (json.meshes ?? []).findIndex((one) => one.name === name);
  const node = (json.nodes ?? []).findIndex((one) => one.mesh === mesh);
  if (mesh < 0 || node < 0) return undefined;
  const { primitives } = json.meshes[mesh];
  const read = (index) => [...readAccessor(glb, index).data].map((metres) => metres * 1000);
  const points = triples(primitives.flatMap(({ attributes }) => read(attributes.POSITION)));
  /** How an expression at full moves each vertex. */
  const moved = ({ morphTargetBinds = [] }) => {
    const out = points.map(() => [0, 0, 0]);
    for (const bind of morphTargetBinds.filter((one) => one.node === node)) {
      const deltas = triples(primitives.flatMap(({ targets }) => read(targets[bind.index].POSITION)));
      deltas.forEach((delta, vertex) => delta.forEach((value, axis) => {
        out[vertex][axis] += value * bind.weight;
      }));
    }
    return out;
  };
  return { points, moved, box: boxOf(points) };
}

const triples = (numbers) =>
  Array.from({ length: numbers.length / 3 }, (_, index) => numbers.slice(index * 3, index * 3 + 3));

function boxOf(points) {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (const each of points) {
    each.forEach((value, axis) => {
      low[axis] = Math.min(low[axis], value);
      high[axis] = Math.max(high[axis], value);
    });
  }
  return { low, high, middle: low.map((value, axis) => (value + high[axis]) / 2) };
}

const mean = (list) => list.reduce((sum, value) => sum + value, 0) / list.length;
const mm = (number) => `${rounded(number)} mm`;

export function checkMeaning(glb, path, faults) {
  const vrm = glb.json.extensions.VRMC_vrm;
  const preset = vrm.expressions?.preset ?? {};
  const at = `${path}/expressions/preset`;
  const eyes = part(glb, 'eyes');
  if (eyes && vrm.lookAt) {
    checkLooks(eyes, preset, vrm.lookAt, at, faults);
    checkOrigin(glb, eyes, path, faults);
  }
  const body = part(glb, 'body');
  if (eyes && body) checkLids(body, eyes, preset, at, faults);
  const teeth = part(glb, 'teeth');
  if (eyes && body && teeth) checkMouth(faceOf(body, eyes, teeth), body, preset, at, faults);
}

// Both eyeballs turn the way that the name says, as far as the look-at counts on.
function checkLooks(eyes, preset, lookAt, at, faults) {
  const ways = { lookLeft: [0, 1], lookRight: [0, -1], lookUp: [1, 1], lookDown: [1, -1] };
  const maps = {
    lookLeft: 'rangeMapHorizontalOuter', lookRight: 'rangeMapHorizontalOuter',
    lookUp: 'rangeMapVerticalUp', lookDown: 'rangeMapVerticalDown',
  };
  for (const name of LOOKS.filter((one) => preset[one])) {
    const [axis, sign] = ways[name];
    const moved = eyes.moved(preset[name]);
    for (const [side, out] of [['left', 1], ['right', -1]]) {
      const ball = eyes.points.map((_, vertex) => vertex).filter((vertex) => eyes.points[vertex][0] * out > 0);
      const depths = ball.map((vertex) => eyes.points[vertex][2]);
      const [back, front] = [Math.min(...depths), Math.max(...depths)];
      const iris = ball.filter((vertex) => eyes.points[vertex][2] > front - 0.2 * (front - back));
      const middle = (vertices, list) => [0, 1, 2].map((k) => mean(vertices.map((vertex) => list[vertex][k])));
      const there = middle(iris, moved);
      const path = `${at}/${name}, ${side} iris`;
      const along = there[axis] * sign;
      const across = Math.abs(there[1 - axis]);
      if (!(along >= LOOK && across < along / 2)) {
        faults.add(path, `moves by (${there.map(rounded).join(', ')}) mm`, `${LOOK} mm or more towards ${sign > 0 ? '+' : '-'}${'XY'[axis]}`);
        continue;
      }
      const before = middle(iris, eyes.points).map((value, k) => value - middle(ball, eyes.points)[k]);
      const after = before.map((value, k) => value + there[k] - middle(ball, moved)[k]);
      const angle = (v) => (Math.atan2(v[axis], v[2]) * 180) / Math.PI;
      const turned = (angle(after) - angle(before)) * sign;
      const { inputMaxValue, outputScale } = lookAt[maps[name]];
      faults.within(path, Math.abs(turned * outputScale - inputMaxValue), TURN,
        `turns by ${rounded(turned * outputScale)} degrees`, `the ${rounded(inputMaxValue)} of ${maps[name]}`);
    }
  }
}

// Looks start between the eyes.
function checkOrigin(glb, eyes, path, faults) {
  const [x, y, z] = glb.lookAtOrigin.map((metres) => metres * 1000);
  const { low, high, middle } = eyes.box;
  const inside = Math.abs(x - middle[0]) <= 5 && y >= low[1] && y <= high[1] && z >= low[2] - 10 && z <= high[2] + 10;
  if (!inside) {
    faults.add(`${path}/lookAt/offsetFromHeadBone`, `a place at (${[x, y, z].map(rounded).join(', ')}) mm`,
      `one between the eyes at (${middle.map(rounded).join(', ')}) mm`);
  }
}

// Each lid comes down on its own side. Skin deep in the sockets is not seen, so it
// does not count.
function checkLids(body, { box: { low, high } }, preset, at, faults) {
  const side = (out) => body.points.map((_, vertex) => vertex).filter((vertex) => {
    const [x, y, z] = body.points[vertex];
    return x * out > 5 && x * out < high[0] + 5 && y > low[1] - 5 && y < high[1] + 10 && z > high[2] - 10;
  });
  for (const [name, sides] of [['blinkLeft', [1]], ['blinkRight', [-1]], ['blink', [1, -1]]]) {
    if (!preset[name]) continue;
    const moved = body.moved(preset[name]);
    for (const out of [1, -1]) {
      const path = `${at}/${name}, ${out > 0 ? 'left' : 'right'} lid`;
      const down = Math.max(...side(out).map((vertex) => -moved[vertex][1]));
      const most = Math.max(...side(out).map((vertex) => Math.hypot(...moved[vertex])));
      if (sides.includes(out)) faults.within(path, LID - down, 0, `comes down by ${mm(down)}`, `${LID} mm or more`);
      else faults.within(path, most, OTHER_LID, `moves by ${mm(most)}`, `at most ${OTHER_LID} mm`);
    }
  }
}

// The regions of the face, found by where eyes and teeth are.
function faceOf(body, eyes, teeth) {
  const { points } = body;
  const far = eyes.box.middle[1] - teeth.box.middle[1];
  const pick = (test) => points.map((_, vertex) => vertex).filter((vertex) => test(...points[vertex]));
  const mouth = pick((x, y, z) =>
    Math.abs(x) < 0.75 * (teeth.box.high[0] - teeth.box.low[0]) &&
    Math.abs(y - teeth.box.middle[1]) < 0.35 * far && z > teeth.box.high[2] - 10);
  const half = Math.max(...mouth.map((vertex) => Math.abs(points[vertex][0])));
  return {
    mouth,
    corners: mouth.filter((vertex) => Math.abs(points[vertex][0]) > half / 2),
    brows: pick((x, y, z) =>
      y > eyes.box.high[1] && y < eyes.box.high[1] + 35 && Math.abs(x) < 60 && z > eyes.box.low[2]),
    above: pick((x, y) => y > eyes.box.high[1]),
  };
}

function checkMouth({ mouth, corners, brows, above }, body, preset, at, faults) {
  if ([mouth, corners, brows].some((region) => region.length === 0)) {
    faults.add(at, 'no skin around the mouth and the brows', 'a face between eyes and teeth');
    return;
  }
  const seen = {};
  for (const [name, expression] of Object.entries(preset)) {
    const moved = body.moved(expression);
    seen[name] = {
      most: Math.max(...mouth.map((vertex) => Math.hypot(...moved[vertex]))),
      open: Math.max(...mouth.map((vertex) => -moved[vertex][1])),
      wide: mean(mouth.map((vertex) => Math.sign(body.points[vertex][0]) * moved[vertex][0])),
      corners: mean(corners.map((vertex) => moved[vertex][1])),
      brows: mean(brows.map((vertex) => moved[vertex][1])),
      forehead: Math.max(0, ...above.map((vertex) => Math.hypot(...moved[vertex]))),
    };
  }
  // `sign` says whether the number is a least or, when negative, a most.
  const least = (name, key, limit, sign = 1, what = key) => {
    if (!seen[name]) return;
    const value = seen[name][key];
    const path = `${at}/${name}, ${what}`;
    faults.within(path, sign * limit - sign * value, 0, mm(value), `${mm(limit)} or ${sign > 0 ? 'more' : 'less'}`);
  };
  for (const vowel of VOWELS) {
    least(vowel, 'most', VOWEL, 1, 'how far the mouth moves');
    least(vowel, 'forehead', FOREHEAD, -1, 'how far the forehead moves');
    if (seen.aa) least(vowel, 'open', seen.aa.open, -1, 'how far the mouth opens, beside aa');
  }
  least('aa', 'open', AA, 1, 'how far the mouth opens');
  least('oh', 'open', OPEN, 1, 'how far the mouth opens');
  least('surprised', 'open', OPEN, 1, 'how far the mouth opens');
  least('ou', 'wide', -NARROW, -1, 'how wide the mouth gets');
  if (seen.ou && seen.oh) {
    least('ih', 'wide', seen.ou.wide + NARROW, 1, 'how wide the mouth gets, beside ou');
    least('ee', 'wide', seen.oh.wide + NARROW, 1, 'how wide the mouth gets, beside oh');
  }
  for (const [name, limit] of Object.entries(CORNERS)) least(name, 'corners', limit, Math.sign(limit), 'how the corners of the mouth rise');
  for (const [name, limit] of Object.entries(BROWS)) least(name, 'brows', limit, Math.sign(limit), 'how the brows rise');
}
