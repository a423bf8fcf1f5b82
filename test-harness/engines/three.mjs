#!/usr/bin/env node
// Opens every GLB and VRM of a folder with three.js in headless Chromium: a
// page with a WebGL renderer, served on localhost. Keeps a picture of each
// character in `out/`.
//
//   node three.mjs [--dir DIR] [--json OUT.json]
//
// Exit codes: 0 when all files pass or there is none, 1 when one fails, 2 when
// the command line is wrong.

import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { ensureChromium, launchOptions } from './lib/chromium.mjs';
import { runEngine } from './lib/command.mjs';
import { ensurePackages, packageVersion } from './lib/packages.mjs';
import { servePage } from './three/serve.mjs';

const OUT = new URL('./out/', import.meta.url);
const SIZE = { width: 1200, height: 600 };

// What share of a panel a person fills: far from nothing, far from everything.
const LEAST_FIGURE = 0.03;
const MOST_FIGURE = 0.9;
// Pixels that a unit or a step must change in its panel.
const LEAST_CHANGED = 50;
// A lit body has many shades; a black or white cut-out has not.
const LEAST_SHADES = 32;

async function open() {
  await ensurePackages();
  const executablePath = ensureChromium();
  const { chromium } = await import('playwright-core');
  await mkdir(OUT, { recursive: true });
  const browser = await chromium.launch(launchOptions(executablePath));
  const server = await servePage().catch(async (error) => {
    // A browser left open would keep this script from ending.
    await browser.close();
    throw error;
  });
  return {
    name: `three.js ${await packageVersion('three')} in Chromium ${browser.version()}`,
    observe: (task) => observe(browser, server, task),
    async close() {
      await browser.close();
      await server.close();
    },
  };
}

async function observe(browser, server, task) {
  server.files.set('/character.glb', task.bytes);
  server.files.set('/clip.glb', task.clip);
  // A page of its own for each file, so that none inherits another's context.
  const page = await browser.newPage({ viewport: SIZE });
  const errors = [];
  page.on('pageerror', (error) => errors.push(`page error: ${error.message}`));
  try {
    await page.goto(server.address);
    await page.waitForFunction('window.observe !== undefined', undefined, { timeout: 30_000 });
    const { panels, ...seen } = await page.evaluate(
      ({ unit, time }) => window.observe(unit, time), { unit: task.unit, time: task.time });
    await writeFile(fileURLToPath(new URL(`${task.file}.png`, OUT)), await page.screenshot());
    seen.warnings.push(...errors);
    seen.faults.push(...pictureFaults(panels, task));
    return seen;
  } catch (error) {
    // The page's own errors say more than that it did not answer.
    throw new Error([error.message.split('\n')[0], ...errors].join('; '));
  } finally {
    await page.close();
  }
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
