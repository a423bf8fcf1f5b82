// Shows that what three-vrm does is really compared: a good VRM is played while
// the JSON beside it says something else. Run with `node --test`.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { CHECKS } from './checks/index.mjs';
import { check } from './checks/vrm.mjs';
import { BAD } from './fixtures/bad.mjs';
import { badBytes, goodBytes } from './fixtures/files.mjs';
import { makeGood } from './fixtures/good.mjs';
import { Faults } from './lib/faults.mjs';
import { JOINT_INDEX } from './lib/profile.mjs';
import { faultLine, fileFromBytes, runCheck } from './lib/run.mjs';
import { influencesFor, loadVrm, play } from './lib/vrm/play.mjs';
import { hasSchemas, vrmSchemaFaults } from './lib/vrm/schema.mjs';
import { HUMAN_BONES, NEEDS_ABOVE, PRESETS, REQUIRED_BONES, mirrored } from './lib/vrm/tables.mjs';

const json = () => makeGood({ vrm: true }).json;

describe('the tables of VRM', () => {
  test('have 52 bones on 52 joints, the one above first, and 18 presets', () => {
    assert.equal(HUMAN_BONES.length, 52);
    assert.equal(new Set(HUMAN_BONES.map(({ bone }) => bone)).size, 52);
    assert.equal(new Set(HUMAN_BONES.map(({ joint }) => joint)).size, 52);
    const seen = new Set([null]);
    for (const { bone, above, joint } of HUMAN_BONES) {
      assert.ok(seen.has(above), bone);
      assert.ok(JOINT_INDEX.has(joint), joint);
      seen.add(bone);
    }
    assert.equal(REQUIRED_BONES.length, 15);
    assert.equal(NEEDS_ABOVE.length, 21);
    assert.equal(new Set(PRESETS).size, 18);
  });

  test('know a name with its sides exchanged', () => {
    assert.equal(mirrored('LeftEyeturnRight'), 'RightEyeturnLeft');
    assert.equal(mirrored('blinkLeft'), 'blinkRight');
    assert.equal(mirrored('JawDrop'), 'JawDrop');
  });
});

describe('three-vrm is held against the JSON', () => {
  const cases = {
    'a bone that is elsewhere': [
      (vrm) => (vrm.humanoid.humanBones.leftFoot.node = JOINT_INDEX.get('foot_r')), /bone leftFoot: found "foot_l", expected "foot_r"/,
    ],
    'a bone that is not there': [(vrm) => delete vrm.humanoid.humanBones.leftToes, /bones: found leftToes, expected those of the file only/],
    'a weight that is another': [
      (vrm) => (vrm.expressions.preset.aa.morphTargetBinds[0].weight = 0.5), /aa at 1: .* found 0\.6, expected 0\.5/,
    ],
    'a bind on another mesh': [
      (vrm) => (vrm.expressions.preset.aa.morphTargetBinds[1].node = 66), /aa at 1: .* found 0\.6, expected 0\n[^]*aa at 1|aa at 1: .* found 0, expected 0\.6/,
    ],
    'an expression that is not there': [(vrm) => (vrm.expressions.custom.Wink = {}), /Wink: found no expression/],
    'an override that is not kept': [(vrm) => delete vrm.expressions.preset.happy.overrideBlink,
      /happy with a blink, a vowel and a look: .* found 0, expected 1/],
    'a look that begins elsewhere': [(vrm) => (vrm.lookAt.rangeMapVerticalUp = { inputMaxValue: 30, outputScale: 1 }),
      /look 15 degrees up: lookUp: found 0\.75, expected 0\.5/],
    'a look that ends elsewhere': [(vrm) => (vrm.lookAt.rangeMapHorizontalOuter = { inputMaxValue: 20, outputScale: 0.5 }),
      /look 30 degrees left: lookLeft: found 1, expected 0\.5/],
    'a head that is turned otherwise': [undefined, /look \d+ degrees up: lookUp: found 1, expected|look \d+ degrees left: lookLeft: found 0\.501/,
      (all) => (all.nodes[JOINT_INDEX.get('Head')].rotation = [0, 0.3, 0, 0.954])],
    'an arm that is longer': [undefined, /leftUpperArm turned by 45 degrees: leftHand: found/,
      (all) => (all.nodes[JOINT_INDEX.get('hand_l')].translation[1] += 0.01)],
  };
  for (const [name, [edit, says, editAll]] of Object.entries(cases)) {
    test(`and ${name} is a fault`, async () => {
      const faults = new Faults();
      const loaded = await loadVrm(goodBytes({ vrm: true }), faults);
      assert.deepEqual(faults.list, []);
      const other = json();
      edit?.(other.extensions.VRMC_vrm);
      editAll?.(other);
      play(loaded, other, faults);
      assert.match(faults.list.map((fault) => faultLine('x', fault)).join('\n'), says);
    });
  }
});

test('overrides and binary expressions are read as VRM has them', () => {
  const file = json();
  const { preset } = file.extensions.VRMC_vrm.expressions;
  const of = (node, name) => `${file.nodes[node].mesh} ${file.meshes[file.nodes[node].mesh].extras.targetNames.indexOf(name)}`;
  const jaw = of(65, 'JawDrop');
  const lid = of(65, 'LeftUpperLidClosed');
  const near = (found, expected) => assert.ok(Math.abs(found - expected) < 1e-9, `${found}, not ${expected}`);
  near(influencesFor(file, { aa: 0.5 }).get(jaw), 0.3);
  near(influencesFor(file, { aa: 1, happy: 0.4 }).get(jaw), 0.36); // blends
  near(influencesFor(file, { blink: 1, happy: 0.1 }).get(lid), 0); // blocks
  near(influencesFor(file, { blink: 2 }).get(lid), 1);
  preset.blink.isBinary = true;
  near(influencesFor(file, { blink: 0.5 }).get(lid), 0);
  near(influencesFor(file, { blink: 0.6 }).get(lid), 1);
});

test('what this check sees alone, no other check objects to', async () => {
  const alone = BAD.filter((bad) => bad.check === 'vrm' && bad.alone);
  assert.ok(alone.length >= 25);
  for (const bad of alone) {
    const file = fileFromBytes(bad.file, badBytes(bad));
    for (const other of CHECKS.filter(({ name }) => name !== 'vrm')) {
      const { faults } = await runCheck(other, file);
      assert.deepEqual(faults.map((fault) => faultLine(bad.name, fault)), [], other.name);
    }
  }
});

test('files that are no VRM are counted and left alone', async () => {
  const { faults, counts } = await check(fileFromBytes('tiny.glb', goodBytes()));
  assert.deepEqual(faults, []);
  assert.deepEqual([counts.VRM, counts['without VRMC_vrm']], [0, 1]);
});

describe('the published schemas', { skip: hasSchemas ? false : 'they are not beside the repository' }, () => {
  test('take the good extension', () => assert.deepEqual(vrmSchemaFaults(json().extensions.VRMC_vrm), []));
  const breaks = {
    'no version': [(vrm) => delete vrm.specVersion, '/specVersion', /required/],
    'an author without a letter': [(vrm) => (vrm.meta.authors = ['']), '/meta/authors/0', /fewer than 1/],
    'no references in a list of them': [(vrm) => (vrm.meta.references = []), '/meta/references', /fewer than 1/],
    'no hips': [(vrm) => delete vrm.humanoid.humanBones.hips, '/humanoid/humanBones/hips', /required/],
    'a range over 180': [(vrm) => (vrm.lookAt.rangeMapVerticalUp = { inputMaxValue: 200 }),
      '/lookAt/rangeMapVerticalUp/inputMaxValue', /<= 180/],
    'an index under 0': [(vrm) => (vrm.expressions.preset.aa.morphTargetBinds[0].index = -1),
      '/expressions/preset/aa/morphTargetBinds/0/index', />= 0/],
    'an unknown permission': [(vrm) => (vrm.meta.modification = 'all'), '/meta/modification', /allowed values/],
  };
  for (const [name, [edit, path, says]] of Object.entries(breaks)) {
    test(`refuse ${name}`, () => {
      const { VRMC_vrm: vrm } = json().extensions;
      edit(vrm);
      assert.match(vrmSchemaFaults(vrm).find((fault) => fault.path === path)?.expected ?? 'no fault there', says);
    });
  }
});
