// What all engine scripts do alike: install, go through the files of a folder,
// print a line for each and a summary.

import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';

import { UsageError, folderOf, runCommand, writeReport } from '../../gate1/lib/command-line.mjs';
import { Fault, parseGlb } from '../../gate1/lib/glb.mjs';
import { faultLine, findFiles } from '../../gate1/lib/run.mjs';
import { clipGlb } from '../../gate1/lib/walk/clip-glb.mjs';
import { readWalk } from '../../gate1/lib/walk/ual.mjs';
import { readCharacter, unitToMove } from './character.mjs';
import { clipFor, withClip } from './clip.mjs';
import { judge } from './judge.mjs';

const FAULTS_SHOWN = 20; // per file; the JSON report has them all
const TIMEOUT = 180_000; // milliseconds for one file
const INSTALL_TIMEOUT = 900_000; // a mirror that hangs is an error, too
const INSTALL_TALK = 1 << 26; // bytes; some installers say much

/**
 * Runs an engine script. `engine` is:
 *   script   the script's own name, for messages
 *   sees     what the engine can show: order, morph, pose, pixels
 *   open()   installs what is missing and starts the engine; resolves to
 *            { name, observe(task), close() }, and abort() where a program
 *            that does not answer can be ended
 * A script for one kind of file has its `ending` (".vrm") and, in place of
 * `observe`, a check(name, glb, bytes) of its own, which resolves to
 * { faults, did }.
 */
export const runEngine = (engine) =>
  runCommand(engine.script, `${engine.script}.mjs`, (options) => main(engine, options));

async function main(engine, { dir, json }) {
  const { path: folder, exists, shown } = await folderOf(dir);
  const { ending = '' } = engine;
  const paths = (exists ? await findFiles(folder) : []).filter((path) => path.toLowerCase().endsWith(ending));
  if (paths.length === 0) {
    console.log(`${engine.script}  NOT RUN, no ${ending ? 'VRM' : 'GLB or VRM'} in ${shown}`);
    await writeReport(json, { engine: engine.script, dir: shown, verdict: 'NOT RUN', files: [] });
    return 0;
  }
  const walk = await readWalk().catch((error) => {
    throw new UsageError(error.message);
  });

  const opened = await engine.open();
  const files = [];
  try {
    const width = Math.max(...paths.map((path) => basename(path).length));
    for (const path of paths) {
      const file = await checkFile(opened, engine.sees, path, walk);
      files.push(file);
      console.log(fileLines(file, width).join('\n'));
    }
  } finally {
    await opened.close();
  }
  const failed = files.filter(({ faults }) => faults.length > 0).length;
  const verdict = failed ? 'FAIL' : 'PASS';
  console.log(`${opened.name}  ${verdict}  ${failed ? `${failed} of ` : ''}${count(files.length, 'file')}`);
  await writeReport(json, { engine: opened.name, dir: shown, verdict, files });
  return failed ? 1 : 0;
}

/** One file in one engine: whatever happens, there is a result. */
async function checkFile(opened, sees, path, walk) {
  const name = basename(path);
  try {
    const bytes = new Uint8Array(await readFile(path));
    const glb = parseGlb(bytes);
    if (opened.check) {
      return { file: name, ...(await inTime(opened.check(name, glb, bytes), () => opened.abort?.())) };
    }
    const character = readCharacter(glb);
    const clip = clipFor(character, walk);
    const unit = unitToMove(character);
    const task = {
      file: name,
      bytes,
      // Each engine reads the clip in one of two ways.
      get clip() {
        return clipGlb(clip, character.jointNames);
      },
      get withClip() {
        return withClip(glb, clip);
      },
      time: clip.time,
      unit,
    };
    const seen = await inTime(opened.observe(task), () => opened.abort?.());
    const { faults, moved } = judge({ character, clip, unit }, seen, sees);
    return { file: name, faults, did: told(character, clip, unit, moved) };
  } catch (error) {
    const fault = error instanceof Fault
      ? { path: error.path, found: error.found, expected: error.expected }
      : { path: '(import)', found: `an error: ${error?.message ?? error}`, expected: 'none' };
    return { file: name, faults: [fault], did: '' };
  }
}

async function inTime(promise, abort) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`no answer in ${TIMEOUT / 1000} s`));
      abort();
    }, TIMEOUT);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

// What was done with a file, in numbers that the engine itself gave.
function told({ meshes, materials }, clip, unit, moved) {
  const sum = (pick) => meshes.reduce((total, mesh) => total + pick(mesh), 0);
  const textures = sum((mesh) =>
    mesh.materials.reduce((total, material) => total + material.textures.length, 0));
  return [
    '65 joints',
    count(meshes.length, 'mesh', 'meshes'),
    count(sum(({ morphs }) => morphs.length), 'morph'),
    ...(unit === undefined ? [] : [`${unit} moves ${(moved.morph * 1000).toFixed(1)} mm`]),
    `${clip.name} moves ${(moved.pose * 100).toFixed(1)} cm`,
    count(materials.length, 'material'),
    count(textures, 'texture'),
  ].join(', ');
}

function fileLines({ file, faults, did }, width) {
  if (faults.length === 0) return [`${file.padEnd(width)}  PASS  ${did}`];
  const lines = [`${file.padEnd(width)}  FAIL  ${count(faults.length, 'fault')}`];
  for (const fault of faults.slice(0, FAULTS_SHOWN)) lines.push(`  ${faultLine(file, fault)}`);
  const more = faults.length - FAULTS_SHOWN;
  if (more > 0) lines.push(`  ${file}: and ${count(more, 'more fault')}`);
  return lines;
}

export const count = (number, one, many = `${one}s`) => `${number} ${number === 1 ? one : many}`;

/** Runs a program that installs something; throws with what it printed. */
export function install(program, args, options = {}) {
  console.log(`installing: ${program} ${args.join(' ')}`);
  const { status, stdout, stderr, error } = spawnSync(program, args,
    { encoding: 'utf8', timeout: INSTALL_TIMEOUT, maxBuffer: INSTALL_TALK, ...options });
  if (error || status !== 0) {
    throw new Error(`\`${program} ${args.join(' ')}\` failed: ${error?.message ?? `${stdout}${stderr}`}`);
  }
}

/** Installs a package of Debian's. */
export function installDebian(name) {
  const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  install('apt-get', ['update', '-qq'], options);
  install('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name], options);
}
