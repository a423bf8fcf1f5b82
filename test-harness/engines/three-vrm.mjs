#!/usr/bin/env node
// Opens every VRM of a folder with @pixiv/three-vrm in headless Chromium: a page
// with a WebGL renderer, served on localhost. The character smiles, looks to its
// left and lets its arms hang; a picture of each is kept in `out/`.
//
//   node three-vrm.mjs [--dir DIR] [--json OUT.json]
//
// Exit codes: 0 when all files pass or there is none, 1 when one fails, 2 when
// the command line is wrong.

import { Faults, rounded } from '../gate1/lib/faults.mjs';
import { count, runEngine } from './lib/command.mjs';
import { packageVersion } from './lib/packages.mjs';
import { openPage } from './lib/page.mjs';

const SIZE = { width: 1500, height: 600 };

const LEAST_FIGURE = 0.03;
const MOST_FIGURE = 0.95;
const LEAST_SHADES = 32;
// Pixels that a mood and a look must change in their half of the face.
const LEAST_CHANGED = 50;
// Metres: how far an iris goes, and how far a hand sinks as the arm comes down.
const LEAST_LOOK = 1e-3;
const LEAST_FALL = 0.2;
const BONES = 52;

async function open() {
  const page = await openPage(new URL('./three-vrm/', import.meta.url), SIZE);
  const versions = await Promise.all(['@pixiv/three-vrm', 'three'].map(packageVersion));
  return {
    name: `three-vrm ${versions[0]} on three.js ${versions[1]} in Chromium ${page.version}`,
    check: (name, glb, bytes) => check(page, name, glb, bytes),
    close: page.close,
  };
}

async function check(page, name, { json }, bytes) {
  const { expressions: { preset = {} } = {}, lookAt } = json.extensions?.VRMC_vrm ?? {};
  // A face of visemes has no moods, but it opens its mouth.
  const mood = ['happy', 'aa'].find((one) => preset[one]);
  const task = { mood, looks: lookAt !== undefined };
  const seen = await page.ask({ name, files: { '/character.vrm': bytes }, task });
  return { faults: faultsOf(seen, task), did: told(seen, task) };
}

// What must have come of the mood, the look and the pose.
function faultsOf({ warnings, bones, influences, look, eyes, fell, panels }, { mood, looks }) {
  const faults = new Faults();
  for (const line of warnings) faults.add('(import)', line, 'no warning and no error');
  faults.equal('human bones', bones, BONES);
  if (mood && influences === 0) faults.add(mood, 'no morph target moved', 'some');
  if (looks) {
    if (!(look > 0.3)) faults.add('look to the left: lookLeft', rounded(look), 'more than 0.3');
    eyes.forEach(([x, y], side) => {
      if (x >= LEAST_LOOK && Math.abs(y) < x / 2) return;
      faults.add(`look to the left: ${['left', 'right'][side]} iris`, `moves by (${rounded(x)}, ${rounded(y)}) m`,
        `${LEAST_LOOK} m or more towards +X`);
    });
  }
  fell.forEach((metres, side) => {
    if (metres >= LEAST_FALL) return;
    faults.add(`hanging arms: ${['left', 'right'][side]} hand`, `sinks by ${rounded(metres)} m`, `${LEAST_FALL} m or more`);
  });
  for (const { name, figure, shades, upper, lower } of panels) {
    const path = `picture, panel "${name}"`;
    if (!(figure >= LEAST_FIGURE && figure <= MOST_FIGURE)) {
      faults.add(path, `a figure on ${(figure * 100).toFixed(1)} % of the pixels`,
        `between ${LEAST_FIGURE * 100} and ${MOST_FIGURE * 100} %`);
    }
    if (shades < LEAST_SHADES) faults.add(path, `${shades} colours`, `${LEAST_SHADES} or more`);
    const changes = [['eyes', looks, upper], ['mouth', mood, lower]];
    for (const [half, moves, changed] of name === 'mood' ? changes : []) {
      if (moves && !(changed >= LEAST_CHANGED)) {
        faults.add(`${path}, ${half}`, `${changed} pixels that differ from the face at rest`, `${LEAST_CHANGED} or more`);
      }
    }
  }
  return faults.list;
}

function told({ bones, expressions, look, eyes, fell }, { mood, looks }) {
  return [
    count(bones, 'bone'),
    count(expressions, 'expression'),
    ...(mood ? [`${mood} at 0.9`] : []),
    ...(looks ? [`looks left by ${rounded(look)} (irises ${eyes.map(([x]) => (x * 1000).toFixed(1)).join(' and ')} mm)`] : []),
    `hands sink by ${fell.map((metres) => (metres * 100).toFixed(0)).join(' and ')} cm`,
  ].join(', ');
}

await runEngine({ script: 'three-vrm', ending: '.vrm', open });
