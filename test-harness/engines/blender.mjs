#!/usr/bin/env node
// Imports every GLB and VRM of a folder into Blender, as the Python module
// `bpy`, with Blender's own glTF importer.
//
//   node blender.mjs [--dir DIR] [--json OUT.json]
//
// Exit codes: 0 when all files pass or there is none, 1 when one fails, 2 when
// the command line is wrong.

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { install, runEngine } from './lib/command.mjs';
import { Observer, pythonCommand } from './lib/observer.mjs';

const HERE = fileURLToPath(new URL('.', import.meta.url));
// Each bpy is built for one Python. The newest first.
const PYTHONS = ['3.13', '3.11'];
const ASK = 'import sys; print("%d.%d" % sys.version_info[:2])';

// A Python of this version: the environment's, one on the path, or pyenv's.
function findPython(version) {
  const pyenv = join(process.env.PYENV_ROOT ?? join(homedir(), '.pyenv'), 'versions');
  const ours = existsSync(pyenv)
    ? readdirSync(pyenv).filter((name) => name.startsWith(`${version}.`))
      .map((name) => join(pyenv, name, 'bin', 'python'))
    : [];
  const candidates = [process.env.BLENDER_PYTHON, `python${version}`, ...ours, 'python3'];
  return candidates.filter(Boolean).find((python) => {
    const { status, stdout } = spawnSync(python, ['-c', ASK], { encoding: 'utf8' });
    return status === 0 && stdout.trim() === version;
  });
}

// A venv in this folder with the bpy for its Python, made when it is missing.
function ensureBlender() {
  for (const version of PYTHONS) {
    const venv = join(HERE, 'venv', version);
    const python = join(venv, 'bin', 'python');
    const wanted = join(HERE, 'blender', `requirements-${version}.txt`);
    if (versionOf(python)) return python;
    const base = findPython(version);
    if (!base) continue;
    install(base, ['-m', 'venv', '--clear', venv]);
    install(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', wanted]);
    return python;
  }
  throw new Error(`bpy needs a Python ${PYTHONS.join(' or ')}; BLENDER_PYTHON may name one`);
}

function versionOf(python) {
  const { status, stdout } = spawnSync(python,
    ['-c', 'import bpy; print("@@", bpy.app.version_string)'], { encoding: 'utf8' });
  return status === 0 ? /@@ (\S+)/.exec(stdout)?.[1] : undefined;
}

async function open() {
  const python = ensureBlender();
  const observer = new Observer(pythonCommand(python, join(HERE, 'blender', 'observe.py')),
    { 'character.glb': 'bytes', 'clip.glb': 'clip' });
  return {
    name: `Blender ${versionOf(python)}`,
    observe: (task) => observer.observe(task),
    abort: () => observer.abort(),
    close: () => observer.close(),
  };
}

await runEngine({
  // Blender keeps its bones in an order of its own.
  script: 'blender', sees: { order: false, morph: true, pose: true, pixels: true }, open,
});
