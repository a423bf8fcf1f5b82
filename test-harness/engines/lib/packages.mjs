// Installs the Node packages of this folder when they are missing or not those
// of the lock file.

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { install } from './command.mjs';

const FOLDER = fileURLToPath(new URL('..', import.meta.url));

/** Where a package of this folder has been installed. */
export const packageFolder = (name) => `${FOLDER}node_modules/${name}`;

/** The version of an installed package. */
export async function packageVersion(name) {
  return JSON.parse(await readFile(`${packageFolder(name)}/package.json`, 'utf8')).version;
}

export async function ensurePackages() {
  if (await matchLock()) return;
  // Nothing here has an install script that it would need.
  install('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: FOLDER });
}

async function matchLock() {
  const { packages } = JSON.parse(await readFile(`${FOLDER}package-lock.json`, 'utf8'));
  for (const [path, { version }] of Object.entries(packages)) {
    if (path === '') continue;
    try {
      const there = JSON.parse(await readFile(`${FOLDER}${path}/package.json`, 'utf8'));
      if (there.version !== version) return false;
    } catch {
      return false;
    }
  }
  return true;
}
