#!/usr/bin/env node
// Imports every GLB and VRM of a folder into Godot without a display, as a game
// does that loads characters while it runs.
//
//   node godot.mjs [--dir DIR] [--json OUT.json]
//
// Exit codes: 0 when all files pass or there is none, 1 when one fails, 2 when
// the command line is wrong.

import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { runEngine } from './lib/command.mjs';
import { commandIn, unpackDebian } from './lib/debian-folder.mjs';
import { Observer } from './lib/observer.mjs';

const HERE = fileURLToPath(new URL('.', import.meta.url));
// Not in this folder: `node --test` goes through all that lies in it, and
// stumbles over Debian's links.
const FOLDER = join(HERE, '..', 'debian');
// The first Debian that has Godot 4; those before it have Godot 3 only.
const SUITE = 'forky';
const LEAST = [4, 6]; // older ones lack what the observer asks for
// Godot keeps logs and settings, which are none of the user's.
const HOME = join(FOLDER, 'home');
const ENVIRONMENT = {
  ...process.env, XDG_DATA_HOME: HOME, XDG_CONFIG_HOME: HOME, XDG_CACHE_HOME: HOME,
};

function ensureGodot() {
  const { GODOT } = process.env;
  if (GODOT) {
    if (!versionOf([GODOT])) throw new Error(`GODOT names ${GODOT}, which is no Godot ${LEAST.join('.')}`);
    return [GODOT];
  }
  const found = [['godot'], ['godot4'], commandIn(FOLDER, 'godot')].find(versionOf);
  if (found) return found;
  unpackDebian('godot', SUITE, FOLDER);
  const unpacked = commandIn(FOLDER, 'godot');
  if (!versionOf(unpacked)) throw new Error(`Debian's godot was unpacked to ${FOLDER}, but does not run`);
  return unpacked;
}

// The version of a Godot that is new enough.
function versionOf(command) {
  if (command === undefined) return undefined;
  const [program, ...args] = command;
  const { stdout } = spawnSync(program, [...args, '--headless', '--version'],
    { encoding: 'utf8', env: ENVIRONMENT, timeout: 60_000 });
  // Godot leaves a last number out that is 0.
  const [, major, minor, patch = '0'] = /^(\d+)\.(\d+)(?:\.(\d+))?\./m.exec(stdout ?? '') ?? [];
  const enough = +major > LEAST[0] || (+major === LEAST[0] && +minor >= LEAST[1]);
  return enough ? `${major}.${minor}.${patch}` : undefined;
}

async function open() {
  mkdirSync(HOME, { recursive: true });
  const godot = ensureGodot();
  const observer = new Observer(
    [...godot, '--headless', '--path', join(HERE, 'godot'), '--script', 'observe.gd'],
    { 'character.glb': 'bytes', 'clip.glb': 'clip' }, { env: ENVIRONMENT });
  return {
    name: `Godot ${versionOf(godot)}`,
    observe: (task) => observer.observe(task),
    abort: () => observer.abort(),
    close: () => observer.close(),
  };
}

await runEngine({
  // Godot sorts its bones anew.
  script: 'godot', sees: { order: false, morph: true, pose: true, pixels: true }, open,
});
