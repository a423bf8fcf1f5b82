// Unpacks a package of a Debian suite other than this machine's, with all that it
// needs, into a folder. apt gets a state of its own for it, so that the machine's
// sources and packages stay as they are; programs are started with the folder's
// own C library, which is newer than the machine's.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { install, installDebian } from './command.mjs';

const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';
// PulseAudio keeps a library that others need in a folder of its own.
const PRIVATE = ['pulseaudio'];
const UNPACK = 'for deb in "$1"/*.deb; do dpkg-deb -x "$deb" "$2" || exit; done';

/** Makes `folder`/root with the package in it, and throws when that fails. */
export function unpackDebian(name, suite, folder) {
  const apt = join(folder, 'apt');
  const started = join(folder, 'unpacking');
  for (const old of [apt, started, join(folder, 'root')]) rmSync(old, { recursive: true, force: true });
  for (const dir of ['lists/partial', 'archives/partial']) mkdirSync(join(apt, dir), { recursive: true });
  writeFileSync(join(apt, 'status'), ''); // nothing is installed there yet
  writeFileSync(join(apt, 'sources.list'), `deb [signed-by=${KEYRING}] ${findMirror()} ${suite} main\n`);
  writeFileSync(join(apt, 'apt.conf'), [
    ['Dir::Etc::SourceList', join(apt, 'sources.list')],
    ['Dir::Etc::SourceParts', '/dev/null'],
    ['Dir::Etc::Preferences', '/dev/null'],
    ['Dir::Etc::PreferencesParts', '/dev/null'],
    ['Dir::State', apt],
    ['Dir::State::Lists', join(apt, 'lists')],
    ['Dir::State::Status', join(apt, 'status')],
    ['Dir::Cache', apt],
    ['Dir::Cache::Archives', join(apt, 'archives')],
    ['Acquire::Languages', 'none'],
  ].map(([key, value]) => `${key} "${value}";\n`).join(''));

  const options = { env: { ...process.env, APT_CONFIG: join(apt, 'apt.conf') } };
  install('apt-get', ['update', '-qq'], options);
  install('apt-get', ['install', '-y', '-qq', '--no-install-recommends', '--download-only', name], options);
  mkdirSync(started);
  install('sh', ['-c', UNPACK, 'unpack', join(apt, 'archives'), started]);
  rmSync(apt, { recursive: true });
  // Only a folder that is complete has the name that is looked for.
  renameSync(started, join(folder, 'root'));
}

// The mirror that this machine has its own Debian from.
function findMirror() {
  if (!existsSync(KEYRING)) installDebian('debian-archive-keyring');
  let mirror = askMirror();
  if (mirror === undefined) {
    install('apt-get', ['update', '-qq']); // where a mirror is from is known only then
    mirror = askMirror();
  }
  if (mirror === undefined) throw new Error('apt has no mirror of Debian among its sources');
  return mirror;
}

function askMirror() {
  const { status, stdout } = spawnSync('apt-get', ['indextargets', '--format', '$(REPO_URI)',
    'Created-By: Packages', 'Origin: Debian', 'Label: Debian', 'Component: main'], { encoding: 'utf8' });
  return status === 0 ? stdout.split('\n').find(Boolean) : undefined;
}

/** How to start a program of the folder; nothing when it is not there. */
export function commandIn(folder, program) {
  const path = join(folder, 'root', 'usr', 'bin', program);
  if (!existsSync(path)) return undefined;
  const all = join(folder, 'root', 'usr', 'lib');
  const library = readdirSync(all).map((name) => join(all, name))
    .find((dir) => existsSync(join(dir, 'libc.so.6')));
  const loader = readdirSync(library).find((name) => name.startsWith('ld-linux'));
  const libraries = [library, ...PRIVATE.map((name) => join(library, name))].join(':');
  return [join(library, loader), '--library-path', libraries, path];
}
