// Shows what the check `walk` can and cannot be fooled by, with UAL's walk and
// with our own. Run with `node --test`.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { CHECKS } from './checks/index.mjs';
import { checkWith } from './checks/walk.mjs';
import { BAD } from './fixtures/bad.mjs';
import { GOOD, badBytes, goodBytes } from './fixtures/files.mjs';
import { JOINT_INDEX } from './lib/profile.mjs';
import { faultLine, fileFromBytes, runCheck } from './lib/run.mjs';
import { clipGlb } from './lib/walk/clip-glb.mjs';
import { makeOwnWalk } from './lib/walk/own.mjs';
import { plantedIn } from './lib/walk/soles.mjs';
import { readWalk } from './lib/walk/ual.mjs';

const FEWEST_BAD_FILES = 15;
const FEWEST_ALONE = 6;
const BAD_WALKS = BAD.filter(({ check }) => check === 'walk');
const GATE1 = fileURLToPath(new URL('./gate1.mjs', import.meta.url));

const own = makeOwnWalk();
const ual = await readWalk({});
// A report says "skipped" where there is no UAL, and not nothing.
const WALKS = [['our own walk', own], ['UAL Walk_Loop', ual]];

async function linesOf(check, fileName, bytes) {
  const { faults } = await runCheck({ check }, fileFromBytes(fileName, bytes));
  return faults.map((fault) => faultLine(fileName, fault));
}

const playing = (walk) => (file) => checkWith(walk, file);

for (const [walkName, walk] of WALKS) {
  describe(walkName, { skip: walk ? false : 'UAL is not beside the repository' }, () => {
    for (const [fileName, options] of GOOD) {
      test(`is walked by ${fileName}`, async () => {
        assert.deepEqual(await linesOf(playing(walk), fileName, goodBytes(options)), []);
      });
    }
    for (const bad of BAD_WALKS) {
      test(`fails on ${bad.name}`, async () => {
        const text = (await linesOf(playing(walk), `${bad.name}.glb`, badBytes(bad))).join('\n') || '(no fault)';
        assert.match(text, bad.says);
        assert.doesNotMatch(text, /a crash/);
      });
    }
    test('has its own name, ends as it begins, and plants each foot in its turn', () => {
      assert.equal(walk.name, walkName);
      const [first, last] = [walk.poses[0], walk.poses.at(-1)];
      first.rotations.forEach((rotation, joint) => {
        const dot = rotation.reduce((sum, value, axis) => sum + value * last.rotations[joint][axis], 0);
        assert.ok(Math.abs(dot) > 0.9999, `joint ${joint}`);
      });
      const planted = plantedIn(walk).slice(0, -1);
      for (const side of ['l', 'r']) {
        const alone = planted.filter((sides) => sides.length === 1 && sides[0] === side);
        assert.ok(alone.length > planted.length / 4, `${side}: ${alone.length} of ${planted.length}`);
      }
    });
  });
}

describe('bad files that no other check sees', () => {
  const alone = BAD_WALKS.filter((bad) => bad.alone);
  test('and bad files at all are enough', () => {
    assert.ok(BAD_WALKS.length >= FEWEST_BAD_FILES);
    assert.ok(alone.length >= FEWEST_ALONE);
  });
  for (const bad of alone) {
    test(bad.name, async () => {
      for (const { name, check } of CHECKS) {
        if (name === 'walk') continue;
        assert.deepEqual(await linesOf(check, `${bad.name}.glb`, badBytes(bad)), [], name);
      }
    });
  }
});

// What the rules on the gait would catch is not in a file: a clip that is no
// walk stands for a joint that does not do what it should.
describe('what is no walk is seen on a good character', () => {
  const joint = (ue) => JOINT_INDEX.get(ue);
  // The own walk with each pose's rotations changed: `edit(rotations, key)`.
  const changed = (edit) => ({
    ...own,
    poses: own.poses.map((pose, key) => {
      const rotations = [...pose.rotations];
      edit(rotations, key);
      return { ...pose, rotations };
    }),
  });
  const half = (key) => (key + (own.poses.length - 1) / 2) % (own.poses.length - 1);
  const cases = {
    'a pose that is held': [{ ...own, poses: own.poses.map(() => own.poses[3]) },
      /joint Head: over the loop: found turns through 0 degrees, expected 2 or more/],
    'a walk backward': [{ ...own, poses: own.poses.toReversed() },
      /left foot: while planted: found goes back by -0\.\d+ of the hips' height/],
    'legs at rest': [changed((rotations) => {
      for (const ue of ['thigh_l', 'calf_l', 'thigh_r', 'calf_r']) rotations[joint(ue)] = own.rest.rotations[joint(ue)];
    }), /left foot: its swing: found 0\.\d+ of the hips' height, expected 0\.2 or more/],
    'arms that go with the leg of their side': [changed((rotations, key) => {
      for (const ue of ['upperarm_l', 'lowerarm_l', 'upperarm_r', 'lowerarm_r']) {
        rotations[joint(ue)] = own.poses[half(key)].rotations[joint(ue)];
      }
    }), /left hand and left foot: their swing: found a correlation of 0\.9/],
    'arms that swing together': [changed((rotations, key) => {
      for (const ue of ['upperarm_r', 'lowerarm_r']) {
        rotations[joint(ue)] = own.poses[half(key)].rotations[joint(ue)];
      }
    }), /left and right hand: their swing: found a correlation of (0\.\d+|-0\.[0-4]\d*)/],
    'knees that give way to the back': [changed((rotations) => {
      for (const ue of ['calf_l', 'calf_r']) {
        const [x, y, z, w] = rotations[joint(ue)];
        rotations[joint(ue)] = [-x, y, z, w];
      }
    }), /left knee: at .* found bent .* m the wrong way, expected bent to the front/],
  };
  for (const [name, [walk, says]] of Object.entries(cases)) {
    test(name, async () => {
      assert.match((await linesOf(playing(walk), 'tiny.glb', goodBytes())).join('\n') || '(no fault)', says);
    });
  }
});

describe('the command', () => {
  const dir = mkdtempSync(join(tmpdir(), 'gate1-'));
  after(() => rmSync(dir, { recursive: true }));
  writeFileSync(join(dir, 'a.glb'), goodBytes());
  writeFileSync(join(dir, 'text.bin'), 'no GLB at all, but long enough');
  writeFileSync(join(dir, 'own.bin'), clipGlb(own, [...JOINT_INDEX.keys()]));
  writeFileSync(join(dir, 'named.bin'), clipGlb({ ...own, name: 'Walk_Loop' }, [...JOINT_INDEX.keys()]));

  function gate1(clip) {
    const json = join(dir, 'report.json');
    const env = { ...process.env, ...(clip === undefined ? {} : { DRAMATIS_UAL_CLIP: clip }) };
    if (clip === undefined) delete env.DRAMATIS_UAL_CLIP;
    const { status, stdout, stderr } = spawnSync(process.execPath, [GATE1, '--dir', dir, '--json', json],
      { encoding: 'utf8', env });
    return { status, stdout, stderr, report: () => JSON.parse(readFileSync(json, 'utf8')) };
  }

  test('says which clip it played', () => {
    const { status, stdout, report } = gate1();
    const clip = (ual ?? own).name;
    assert.equal(status, 0, stdout);
    assert.ok(stdout.includes(`walk       PASS  1 file (1 with ${clip})\n`), stdout);
    const { name, files: [file] } = report().checks.find((check) => check.name === 'walk');
    assert.deepEqual([name, file.measured.clip], ['walk', clip]);
  });

  test('plays the clip that the environment names', () => {
    const { status, stdout } = gate1(join(dir, 'named.bin'));
    assert.equal(status, 0, stdout);
    assert.ok(stdout.includes('walk       PASS  1 file (1 with UAL Walk_Loop)\n'), stdout);
  });

  for (const [name, clip, says] of [
    ['is not there', join(dir, 'none.glb'), /DRAMATIS_UAL_CLIP names .*none\.glb, which cannot be read: ENOENT/],
    ['has an empty name', '', /DRAMATIS_UAL_CLIP names "", which cannot be read/],
    ['is no GLB', join(dir, 'text.bin'), /text\.bin, which is not UAL's walk: \(header\)\.magic/],
    ['has another clip', join(dir, 'own.bin'), /own\.bin, which is not UAL's walk: it has no animation "Walk_Loop"/],
  ]) {
    test(`exits 2 when the clip that the environment names ${name}`, () => {
      const { status, stdout, stderr } = gate1(clip);
      assert.equal(status, 2, stdout + stderr);
      assert.match(stderr, says);
      assert.equal(stdout, '');
    });
  }
});
