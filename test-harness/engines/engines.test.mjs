// Shows that each engine script can fail: every bad file must fail with its
// reason, and the good ones must pass. Run with `node --test`.
//
// three.js, three-vrm and Babylon.js run always; the others, which need a large download and
// Debian, when DRAMATIS_ENGINES=all.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { parseGlb } from '../gate1/lib/glb.mjs';
import { faultLine } from '../gate1/lib/run.mjs';
import { clipGlb } from '../gate1/lib/walk/clip-glb.mjs';
import { BAD, GOOD, fixtureFiles, makeCharacter } from './fixtures/bad.mjs';
import { BAD_VRM, vrmFiles } from './fixtures/bad-vrm.mjs';
import { reachOf, readCharacter } from './lib/character.mjs';
import { clipFor } from './lib/clip.mjs';

const script = (name) => fileURLToPath(new URL(`./${name}.mjs`, import.meta.url));
const folders = [];
after(() => folders.forEach((dir) => rmSync(dir, { recursive: true })));

function folder(files) {
  const dir = mkdtempSync(join(tmpdir(), 'engines-'));
  folders.push(dir);
  for (const [name, bytes] of files) writeFileSync(join(dir, name), bytes);
  return dir;
}

const run = (name, ...args) => runWith({}, name, ...args);

function runWith(env, name, ...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script(name), ...args],
    { encoding: 'utf8', env: { ...process.env, ...env } });
  return { status, stderr, text: stdout + stderr, lines: stdout.trimEnd().split('\n') };
}

for (const engine of ['three', 'babylon', 'blender', 'assimp', 'godot']) {
  const quick = ['three', 'babylon'].includes(engine);
  const skip = quick || process.env.DRAMATIS_ENGINES === 'all' ? false : 'DRAMATIS_ENGINES is not "all"';
  describe(engine, { skip }, () => {
    // One run for all files, as starting an engine takes longest.
    const dir = folder(fixtureFiles());
    const json = join(dir, 'report.json');
    let done;
    const result = () => {
      done ??= run(engine, '--dir', dir, '--json', json);
      if (!existsSync(json)) throw new Error(`no report:\n${done.text}`);
      return { ...done, report: JSON.parse(readFileSync(json, 'utf8')) };
    };
    const faultsOf = (file) => {
      const { faults } = result().report.files.find((one) => one.file === file);
      return faults.map((fault) => faultLine(file, fault));
    };

    for (const file of Object.keys(GOOD)) {
      test(`passes ${file}`, () => assert.deepEqual(faultsOf(file), []));
    }
    for (const { file, says, engines } of BAD) {
      if (!engines.includes(engine)) continue;
      test(`fails ${file}`, () => {
        const text = faultsOf(file).join('\n') || '(no fault)';
        assert.match(text, says);
      });
    }
    test('exits 1 and says how many failed', () => {
      const { status, lines, report } = result();
      assert.equal(status, 1);
      assert.equal(report.verdict, 'FAIL');
      assert.match(lines.at(-1), /^\S.* \d+\.\d+\.\d+.*  FAIL  \d+ of \d+ files$/);
    });
  });
}

describe('three-vrm', () => {
  const dir = folder(vrmFiles());
  const json = join(dir, 'report.json');
  let done;
  const report = () => {
    done ??= run('three-vrm', '--dir', dir, '--json', json);
    if (!existsSync(json)) throw new Error(`no report:\n${done.text}`);
    return JSON.parse(readFileSync(json, 'utf8'));
  };
  const faultsOf = (file) =>
    report().files.find((one) => one.file === file).faults.map((fault) => faultLine(file, fault));

  test('passes good.vrm', () => assert.deepEqual(faultsOf('good.vrm'), []));
  for (const { file, says } of BAD_VRM) {
    test(`fails ${file}`, () => assert.match(faultsOf(file).join('\n') || '(no fault)', says));
  }
  test('leaves GLBs alone, exits 1 and says how many failed', () => {
    assert.ok(report().files.every(({ file }) => file.endsWith('.vrm')));
    assert.equal(done.status, 1);
    assert.match(done.lines.at(-1), /^three-vrm \d+\.\d+\.\d+ .*  FAIL  15 of 16 files$/);
  });
  test('says NOT RUN where there is no VRM', () => {
    const none = folder([['plain.glb', 'no VRM']]);
    assert.deepEqual(run('three-vrm', '--dir', none).lines, [`three-vrm  NOT RUN, no VRM in ${none}`]);
  });
});

describe('the command', () => {
  test('says NOT RUN when there is nothing to import', () => {
    const dir = folder([['readme.txt', 'no avatar here']]);
    const { status, lines } = run('babylon', '--dir', dir);
    assert.equal(status, 0);
    assert.deepEqual(lines, [`babylon  NOT RUN, no GLB or VRM in ${dir}`]);
  });

  for (const [name, args] of [
    ['--dir without a value', ['--dir']],
    ['a folder that is not there', ['--dir', join(tmpdir(), 'engines-no-such-folder')]],
    ['an unknown option', ['--fast']],
  ]) {
    test(`exits 2 on ${name}`, () => {
      const { status, stderr } = run('three', ...args);
      assert.equal(status, 2);
      assert.match(stderr, /^three: .*\nusage: node three\.mjs/);
    });
  }
});

describe('an engine that cannot be had is an error', () => {
  const character = () => folder([...fixtureFiles()].slice(0, 1));

  test('when apt has no Chromium', () => {
    // A path with nothing on it but an apt-get that fails.
    const apt = '#!/bin/sh\necho "E: no such package" >&2\nexit 100\n';
    const path = folder([]);
    writeFileSync(join(path, 'apt-get'), apt, { mode: 0o755 });
    const { status, stderr } = runWith({ PATH: path, CHROMIUM: '' }, 'three', '--dir', character());
    assert.equal(status, 1);
    assert.match(stderr, /^three: .*`apt-get update -qq` failed: E: no such package/);
  });

  for (const [name, program] of [['three', 'CHROMIUM'], ['godot', 'GODOT']]) {
    test(`when ${program} names another program`, () => {
      const { status, stderr } = runWith({ [program]: 'false' }, name, '--dir', character());
      assert.equal(status, 1);
      assert.match(stderr, new RegExp(`^${name}: .*${program} names false, which `));
    });
  }
});

test('the reach of deltas is the longest, and no NaN is lost', () => {
  assert.equal(reachOf([0, 0, 1, 3, 4, 0, 2, 0, 0]), 5);
  assert.ok(Number.isNaN(reachOf([NaN, 0, 0, 3, 4, 0])));
});

describe('the clip made here', () => {
  const { json, bin } = makeCharacter({});
  const character = readCharacter({ json, bin });
  const clip = clipFor(character, undefined);

  test('moves hands and feet, and keeps every bone as long as it was', () => {
    assert.equal(clip.name, 'our own walk');
    assert.ok(clip.key > 0 && clip.key < clip.times.length - 1);
    for (const pose of clip.poses) {
      pose.translations.forEach((translation, joint) => {
        if (joint !== 1) assert.deepEqual(translation, character.rest.translations[joint]);
      });
      for (const rotation of pose.rotations) {
        assert.ok(Math.abs(Math.hypot(...rotation) - 1) < 1e-6);
      }
    }
  });

  test('ends as it begins', () => {
    const [first, last] = [clip.poses[0], clip.poses.at(-1)];
    first.rotations.forEach((rotation, joint) => rotation.forEach((value, axis) =>
      assert.ok(Math.abs(value - last.rotations[joint][axis]) < 1e-9)));
  });

  test('is a GLB that reads back', () => {
    const { json: read } = parseGlb(clipGlb(clip, character.jointNames));
    assert.equal(read.animations[0].channels.length, 67);
    assert.deepEqual(read.nodes.map(({ name }) => name), character.jointNames);
  });
});
