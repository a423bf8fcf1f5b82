// A page in headless Chromium that is asked, file by file, what its engine made
// of a file. Pictures of it are kept in `out/`.

import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { servePage } from '../three/serve.mjs';
import { ensureChromium, launchOptions } from './chromium.mjs';
import { ensurePackages } from './packages.mjs';

const OUT = new URL('../out/', import.meta.url);

/** Installs what is missing, serves the page of a folder and starts the browser. */
export async function openPage(folder, size) {
  await ensurePackages();
  const executablePath = ensureChromium();
  const { chromium } = await import('playwright-core');
  await mkdir(OUT, { recursive: true });
  const browser = await chromium.launch(launchOptions(executablePath));
  const server = await servePage(folder).catch(async (error) => {
    // A browser left open would keep the script from ending.
    await browser.close();
    throw error;
  });
  return {
    version: browser.version(),
    ask: (question) => ask(browser, server, size, question),
    async close() {
      await browser.close();
      await server.close();
    },
  };
}

// What `window.observe` answers to `task`, with `files` on the server by path.
// The page's own errors are added to the answer's warnings; the picture is named
// for `name`.
async function ask(browser, server, viewport, { name, files, task }) {
  for (const [path, bytes] of Object.entries(files)) server.files.set(path, bytes);
  // A page of its own for each file, so that none inherits another's context.
  const page = await browser.newPage({ viewport });
  const errors = [];
  page.on('pageerror', (error) => errors.push(`page error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(`console: ${message.text()}`);
  });
  try {
    await page.goto(server.address);
    await page.waitForFunction('window.observe !== undefined', undefined, { timeout: 30_000 });
    const seen = await page.evaluate((what) => window.observe(what), task);
    await writeFile(fileURLToPath(new URL(`${name}.png`, OUT)), await page.screenshot());
    seen.warnings.push(...errors);
    return seen;
  } catch (error) {
    // The page's own errors say more than that it did not answer.
    throw new Error([error.message.split('\n')[0], ...errors].join('; '));
  } finally {
    await page.close();
  }
}
