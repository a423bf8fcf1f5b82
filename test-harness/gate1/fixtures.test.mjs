// Shows that each check can fail: every bad file must make its check object in
// the right words, and the good file must make none object. Run with
// `node --test`.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { CHECKS } from './checks/index.mjs';
import { BAD } from './fixtures/bad.mjs';
import { GOOD, badBytes, goodBytes } from './fixtures/files.mjs';
import { makeGood } from './fixtures/good.mjs';
import { imageSize } from './lib/image.mjs';
import { FACE_UNITS, JOINTS, PARENTS } from './lib/profile.mjs';
import { faultLine, fileFromBytes, reportLines, runCheck, runFolder } from './lib/run.mjs';
import { schemaFaults } from './lib/schema.mjs';
import { UAL_ROTATIONS } from './lib/ual-rest.mjs';

const FEWEST_BAD_FILES = 25;
const GATE1 = fileURLToPath(new URL('./gate1.mjs', import.meta.url));

async function faultsOf(checkName, fileName, bytes) {
  const check = CHECKS.find(({ name }) => name === checkName);
  const { faults } = await runCheck(check, fileFromBytes(fileName, bytes));
  return faults.map((fault) => faultLine(fileName, fault));
}

describe('the tables', () => {
  test('have 65 joints, parents first, and 59 face units', () => {
    assert.equal(JOINTS.length, 65);
    assert.equal(new Set(JOINTS.flatMap(({ ue, mixamo }) => [ue, mixamo])).size, 129); // `root` twice
    PARENTS.forEach((parent, index) => assert.ok(parent < index));
    assert.equal(new Set(FACE_UNITS).size, 59);
  });

  test("have UAL's rotation for each joint, of length 1", () => {
    assert.deepEqual(Object.keys(UAL_ROTATIONS), JOINTS.map(({ ue }) => ue));
    for (const rotation of Object.values(UAL_ROTATIONS)) {
      assert.ok(Math.abs(Math.hypot(...rotation) - 1) < 1e-6);
    }
  });
});

describe('the good file passes', () => {
  for (const [fileName, options] of GOOD) {
    for (const { name } of CHECKS) {
      test(`${name} on ${fileName}`, async () => {
        assert.deepEqual(await faultsOf(name, fileName, goodBytes(options)), []);
      });
    }
  }
});

describe('a bad file fails', () => {
  test('and there are enough of them, for every check, each of its own name', () => {
    assert.ok(BAD.length >= FEWEST_BAD_FILES);
    for (const { name } of CHECKS) assert.ok(BAD.some(({ check }) => check === name), name);
    assert.equal(new Set(BAD.map(({ name }) => name)).size, BAD.length);
  });

  for (const bad of BAD) {
    test(`${bad.check}: ${bad.name}`, async () => {
      const lines = await faultsOf(bad.check, bad.file ?? `${bad.name}.glb`, badBytes(bad));
      const text = lines.join('\n') || '(no fault)';
      assert.ok(lines.some((line) => bad.says.test(line)), `${bad.says} is not in:\n${text}`);
      // A crash inside the check is a fault, but not one that names anything.
      assert.doesNotMatch(text, /a crash/);
    });
  }
});

describe("the profile's schema", () => {
  const block = () => makeGood().json.asset.extras.dramatis;
  const breaks = {
    'a key left out': [(b) => delete b.character, '/character', /required/],
    'another version': [(b) => (b.version = 2), '/version', /constant/],
    'an unknown naming': [(b) => (b.naming = 'rigify'), '/naming', /one of the allowed values/],
    'a unit twice': [(b) => b.faceUnits.push(b.faceUnits[0]), '/faceUnits', /duplicate/],
    'no licences': [(b) => (b.licences = []), '/licences', /fewer than 1/],
    'no base': [(b) => (b.licences[0].kind = 'other'), '/licences', /contain/],
    'an entry without its author': [(b) => delete b.licences[1].author, '/licences/1/author', /required/],
    'an empty title': [(b) => (b.licences[1].title = ''), '/licences/1/title', /fewer than 1/],
    'modified as a text': [(b) => (b.licences[0].modified = 'yes'), '/licences/0/modified', /boolean/],
  };
  test('takes the good block', () => assert.deepEqual(schemaFaults(block()), []));
  for (const [name, [edit, path, says]] of Object.entries(breaks)) {
    test(`refuses ${name}`, () => {
      const bad = block();
      edit(bad);
      const fault = schemaFaults(bad).find((one) => one.path === path);
      assert.match(fault?.expected ?? 'no fault there', says);
    });
  }
});

test('all files can be written for other checkers', () => {
  const dir = mkdtempSync(join(tmpdir(), 'gate1-'));
  after(() => rmSync(dir, { recursive: true }));
  const write = fileURLToPath(new URL('./fixtures/write.mjs', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [write, '--dir', dir], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  const index = JSON.parse(readFileSync(join(dir, 'INDEX.json'), 'utf8'));
  assert.equal(index.length, GOOD.length + BAD.length);
  assert.equal(new Set(index.map(({ file }) => file)).size, index.length);
  for (const { file, check, errors, warnings } of index) {
    assert.ok(readFileSync(join(dir, file)).length > 0, file);
    if (check === null) assert.equal(errors + warnings, 0, file);
    if (check === 'validator') assert.ok(errors + warnings > 0, file);
  }
  assert.equal(spawnSync(process.execPath, [write]).status, 2);
});

describe('a check that does not end well counts as a fault', () => {
  const file = fileFromBytes('tiny.glb', goodBytes());
  const crashes = {
    'it throws': () => Promise.reject(new Error('boom')),
    'it throws at once': () => {
      throw new Error('boom');
    },
    'it returns nothing': async () => undefined,
  };
  for (const [name, check] of Object.entries(crashes)) {
    test(name, async () => {
      const { faults } = await runCheck({ name: 'broken', check }, file);
      assert.equal(faults.length, 1);
      assert.match(faultLine(file.name, faults[0]), /tiny\.glb: \(check\): found a crash/);
    });
  }
});

// In a process of its own, because the test runner watches for such errors too.
test('an error that nobody awaits counts as a fault, not as the end', () => {
  const script = `
    import { runCheck } from ${JSON.stringify(new URL('./lib/run.mjs', import.meta.url))};
    const check = async () => (Promise.reject(new Error('boom')), { faults: [] });
    const { faults } = await runCheck({ name: 'broken', check }, { name: 'tiny.glb' });
    console.log(faults.length, faults[0].found.split('\\n')[0]);`;
  const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  assert.equal(status, 0);
  assert.equal(stdout, '1 a crash: Error: boom\n');
});

test('image sizes are read from PNG and JPEG headers', () => {
  const jpeg = [0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 1, 0xff, 0xc0, 0, 11, 8, 0, 3, 0, 5, 1, 1, 0x11, 0];
  assert.deepEqual(imageSize(Uint8Array.from(jpeg)), { width: 5, height: 3 });
  assert.throws(() => imageSize(new Uint8Array(30)));
  assert.throws(() => imageSize(new Uint8Array(0)));
});

describe('the command', () => {
  const folders = [];
  after(() => folders.forEach((dir) => rmSync(dir, { recursive: true })));

  function folder(files) {
    const dir = mkdtempSync(join(tmpdir(), 'gate1-'));
    folders.push(dir);
    for (const [name, bytes] of Object.entries(files)) writeFileSync(join(dir, name), bytes);
    return dir;
  }

  function gate1(...args) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [GATE1, ...args], { encoding: 'utf8' });
    return { status, stderr, lines: stdout.trimEnd().split('\n') };
  }

  test('passes good files, sorted, and writes the same as JSON', () => {
    const dir = folder({ 'b.vrm': goodBytes({ vrm: true }), 'a.glb': goodBytes({ naming: 'mixamo' }), 'c.txt': 'no' });
    const out = join(dir, 'verdicts.json');
    const { status, lines, stderr } = gate1('--dir', dir, '--json', out);
    assert.equal(status, 0, stderr + lines.join('\n'));
    assert.match(lines[0], /^validator  PASS  2 files \(\d infos, 0 hints\)$/);
    assert.equal(lines[1], 'skeleton   PASS  2 files');
    assert.equal(lines.at(-1), `gate 1: PASS, ${CHECKS.length} checks on 2 files`);
    const report = JSON.parse(readFileSync(out, 'utf8'));
    assert.equal(report.verdict, 'PASS');
    assert.deepEqual(report.files, ['a.glb', 'b.vrm']);
    assert.deepEqual(report.checks.map(({ name, verdict }) => [name, verdict]),
      CHECKS.map(({ name }) => [name, 'PASS']));
  });

  test('fails when one file of several is bad, and names it', () => {
    const bad = BAD.find(({ name }) => name === 'skin-named-otherwise');
    const dir = folder({ 'good.glb': goodBytes(), 'bad.glb': badBytes(bad) });
    const { status, lines } = gate1('--dir', dir);
    assert.equal(status, 1);
    assert.ok(lines.includes('skeleton   FAIL  1 of 2 files'), lines.join('\n'));
    assert.ok(lines.includes('  bad.glb: /skins/0/name: found "Armature", expected "skeleton"'));
    assert.equal(lines.at(-1), `gate 1: FAIL, 1 of ${CHECKS.length} checks`);
  });

  test('fails every check on an empty file', () => {
    const { status, lines } = gate1('--dir', folder({ 'empty.glb': new Uint8Array(0) }));
    assert.equal(status, 1);
    assert.equal(lines.at(-1), `gate 1: FAIL, ${CHECKS.length} of ${CHECKS.length} checks`);
  });

  test('says NOT RUN, for each check and at the end, when there is nothing to check', () => {
    const dir = folder({ 'readme.txt': 'no avatar here' });
    const { status, lines } = gate1('--dir', dir);
    assert.equal(status, 0);
    assert.equal(lines[1], `skeleton   NOT RUN (no GLB or VRM in ${dir})`);
    assert.equal(lines.filter((line) => line.includes('NOT RUN (')).length, CHECKS.length);
    assert.equal(lines.at(-1), `gate 1: NOT RUN, no GLB or VRM in ${dir}`);
  });

  for (const [name, args] of [
    ['--dir without a value', ['--dir']],
    ['--dir with an empty value', ['--dir=']],
    ['a folder that is not there', ['--dir', join(tmpdir(), 'gate1-no-such-folder')]],
    ['an unknown option', ['--fast']],
    ['an argument too many', ['out']],
  ]) {
    test(`exits 2 on ${name}`, () => {
      const { status, stderr } = gate1(...args);
      assert.equal(status, 2);
      assert.match(stderr, /^gate1: .*\nusage: node gate1\.mjs/);
    });
  }

  test('exits 2 when the JSON cannot be written', () => {
    const dir = folder({});
    assert.equal(gate1('--dir', dir, '--json', join(dir, 'none', 'out.json')).status, 2);
  });

  test('shows the first faults of a file and counts the others', async () => {
    const faults = Array.from({ length: 25 }, (_, index) => ({ path: `/${index}`, found: 'a', expected: 'b' }));
    const dir = folder({ 'a.glb': goodBytes() });
    const lines = reportLines(await runFolder(dir, [{ name: 'many', check: async () => ({ faults }) }]));
    assert.equal(lines.filter((line) => line.includes('found a')).length, 20);
    assert.ok(lines.includes('  a.glb: and 5 more faults'));
  });
});
