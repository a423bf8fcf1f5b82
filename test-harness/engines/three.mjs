#!/usr/bin/env node
// Opens every GLB and VRM of a folder with three.js in headless Chromium: a
// page with a WebGL renderer, served on localhost. Keeps a picture of each
// character in `out/`.
//
//   node three.mjs [--dir DIR] [--json OUT.json]
//
// Exit codes: 0 when all files pass or there is none, 1 when one fails, 2 when
// the command line is wrong.

import { runEngine } from './lib/command.mjs';
import { packageVersion } from './lib/packages.mjs';
import { openPage } from './lib/page.mjs';

const SIZE = { width: 1200, height: 600 };

// What share of a panel a person fills: far from nothing, far from everything.
const LEAST_FIGURE = 0.03;
const MOST_FIGURE = 0.9;
// Pixels that a unit or a step must change in its panel.
const LEAST_CHANGED = 50;
// A lit body has many shades; a black or white cut-out has not.
const LEAST_SHADES = 32;

async function open() {
  const page = await openPage(new URL('./three/', import.meta.url), SIZE);
  return {
    name: `three.js ${await packageVersion('three')} in Chromium ${page.version}`,
    observe: (task) => observe(page, task),
    close: page.close,
  };
}

async function observe(page, task) {
  const { file: name, bytes, clip, unit, time } = task;
  const files = { '/character.glb': bytes, '/clip.glb': clip };
  const { panels, ...seen } = await page.ask({ name, files, task: { unit, time } });
  seen.faults.push(...pictureFaults(panels, task));
  return seen;
}

// The picture shows a figure in front of the background, and it changes where
// the unit and the clip move the figure.
function pictureFaults(panels, { unit }) {
  const faults = [];
  for (const { name, figure, shades, changed } of panels) {
    if (!(figure >= LEAST_FIGURE && figure <= MOST_FIGURE)) {
      faults.push({
        path: `picture, panel "${name}"`,
        found: `a figure on ${(figure * 100).toFixed(1)} % of the pixels`,
        expected: `between ${LEAST_FIGURE * 100} and ${MOST_FIGURE * 100} %`,
      });
    }
    if (shades < LEAST_SHADES) {
      faults.push({
        path: `picture, panel "${name}"`, found: `${shades} colours`, expected: `${LEAST_SHADES} or more`,
      });
    }
    const moves = name === 'unit' ? unit !== undefined : name === 'clip';
    if (moves && !(changed >= LEAST_CHANGED)) {
      faults.push({
        path: `picture, panel "${name}"`,
        found: `${changed} pixels that differ from the rest pose`,
        expected: `${LEAST_CHANGED} or more`,
      });
    }
  }
  return faults;
}

await runEngine({
  script: 'three', sees: { order: true, morph: true, pose: true, pixels: true }, open,
});
