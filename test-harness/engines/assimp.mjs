#!/usr/bin/env node
// Reads every GLB and VRM of a folder with assimp, Debian's build of it. assimp
// draws and plays nothing: it hands over a scene. So the observer itself skins
// and poses what assimp handed over, with assimp's matrices, weights and keys.
//
//   node assimp.mjs [--dir DIR] [--json OUT.json]
//
// Exit codes: 0 when all files pass or there is none, 1 when one fails, 2 when
// the command line is wrong.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { sizeIfImage } from '../gate1/lib/image.mjs';
import { installDebian, runEngine } from './lib/command.mjs';
import { Observer, pythonCommand } from './lib/observer.mjs';

const OBSERVER = fileURLToPath(new URL('./assimp/observe.py', import.meta.url));
// apt's Python packages belong to Debian's own Python, which need not be the
// first on the path.
const PYTHONS = ['/usr/bin/python3', 'python3'];

function findPython() {
  return PYTHONS.find((python) => spawnSync(python, ['-c', 'import pyassimp']).status === 0);
}

function ensureAssimp() {
  const found = findPython();
  if (found) return found;
  installDebian('python3-pyassimp');
  const installed = findPython();
  if (!installed) throw new Error('apt-get installed python3-pyassimp, but no Python has pyassimp');
  return installed;
}

async function open() {
  const python = ensureAssimp();
  const observer = new Observer(pythonCommand(python, OBSERVER), { 'with-clip.glb': 'withClip' });
  const { stdout } = spawnSync(python, [OBSERVER, '--version'], { encoding: 'utf8' });
  return {
    name: `assimp ${stdout.trim()}`,
    async observe(task) {
      const seen = await observer.observe(task);
      for (const { materials } of seen.meshes) {
        // assimp leaves embedded images as they are.
        for (const texture of materials.flatMap(({ textures }) => textures)) {
          Object.assign(texture, sizeIfImage(Buffer.from(texture.bytes, 'base64')));
        }
      }
      return seen;
    },
    abort: () => observer.abort(),
    close: () => observer.close(),
  };
}

await runEngine({
  script: 'assimp', sees: { order: true, morph: true, pose: true, pixels: false }, open,
});
