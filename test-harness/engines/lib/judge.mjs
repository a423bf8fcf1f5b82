// Holds what an engine made of a file against what the file says. An engine's
// observer only reports; everything that can be right or wrong is decided here,
// alike for all engines.
//
// An observation is:
//   warnings   what the engine printed while it imported, as lines
//   joints     [{ name, parent }], the parent by name, null for the topmost
//   materials  the names of all materials
//   meshes     [{ name, triangles, joints, morphs, materials, positions }]
//                joints: how many bones the mesh is bound to, 0 when not skinned
//                morphs: [{ name, reach }], the reach in metres
//                materials: [{ name, baseColor, metallic, roughness,
//                  doubleSided, textures: [{ slot, width, height, pixels }] }];
//                  null stands for what the engine does not tell
//                positions: { rest, morph, pose }, each base64 of floats, skinned
//   pose       { joint name: [x, y, z] } while the clip is shown
//   faults     faults that only this engine's observer can see

import { Faults, rounded, show } from '../../gate1/lib/faults.mjs';
import { positionOf } from '../../gate1/lib/matrix.mjs';
import { jointGlobals } from '../../gate1/lib/pose.mjs';
import { JOINTS, PARENTS } from '../../gate1/lib/profile.mjs';
import { morphed, reachOf, skinned } from './character.mjs';

// Metres. Engines compute in single precision, some turn axes about twice.
const NEAR = 1e-4;
// A morph's reach and a colour are copied, not computed.
const COPIED = 2e-5;
// A unit or a clip that moves less proves nothing.
const LEAST_MORPH = 1e-3;
const LEAST_POSE = 0.05;

/**
 * The faults of one file in one engine, and the numbers for its line. `sees`
 * says what the engine can show at all: a thing that it sees and that is
 * missing from its observation is a fault.
 */
export function judge({ character, clip, unit }, seen, sees) {
  const faults = new Faults();
  for (const line of seen.warnings ?? []) faults.add('(import)', line, 'no warning and no error');
  for (const { path, found, expected } of seen.faults ?? []) faults.add(path, found, expected);

  checkJoints(character, seen, sees, faults);
  faults.equal('materials', sorted(seen.materials), sorted(character.materials));
  faults.equal('meshes', sorted(seen.meshes.map(({ name }) => name)),
    sorted(character.meshes.map(({ name }) => name)));
  const moved = { morph: 0, pose: 0 };
  for (const mesh of character.meshes) {
    const found = seen.meshes.find(({ name }) => name === mesh.name);
    if (!found) continue;
    const path = `mesh ${mesh.name}`;
    faults.equal(`${path}: bones it is bound to`, found.joints, JOINTS.length);
    faults.equal(`${path}: triangles`, found.triangles, mesh.triangles);
    checkMorphs(mesh, found, path, faults);
    checkMaterials(mesh, found, path, sees, faults);
    for (const state of ['morph', 'pose']) {
      moved[state] = Math.max(moved[state], checkState(character, mesh, found, state,
        { clip, unit }, path, sees, faults));
    }
  }
  if (sees.pose) checkPose(character, clip, seen, faults);
  if (unit !== undefined && !(moved.morph >= LEAST_MORPH)) {
    faults.add(`unit ${unit}`, `moves a vertex by ${rounded(moved.morph)} m at most`,
      `${LEAST_MORPH} m or more`);
  }
  if (!(moved.pose >= LEAST_POSE)) {
    faults.add(`clip ${clip.name}`, `moves a vertex by ${rounded(moved.pose)} m at most`,
      `${LEAST_POSE} m or more`);
  }
  return { faults: faults.list, moved };
}

const sorted = (names) => [...(names ?? [])].map(String).sort();

// All 65 by name, each under its parent; in the skin's order where the engine
// keeps one.
function checkJoints({ jointNames }, { joints = [] }, { order }, faults) {
  faults.equal('joints', joints.length, jointNames.length);
  const parents = new Map(joints.map(({ name, parent }) => [name, parent]));
  jointNames.forEach((name, index) => {
    const parent = PARENTS[index] < 0 ? null : jointNames[PARENTS[index]];
    if (!parents.has(name)) {
      // Which one stands there instead can be told only by its place.
      const other = order ? show(joints[index]?.name) : 'no such joint';
      faults.add(`joint ${index}`, other, show(name));
    } else {
      faults.equal(`joint ${index} ${name}: parent`, parents.get(name), parent);
      if (order) faults.equal(`joint ${index}`, joints[index]?.name, name);
    }
  });
}

function checkMorphs(mesh, found, path, faults) {
  const names = mesh.morphs.map(({ name }) => name);
  const foundNames = found.morphs.map(({ name }) => name);
  faults.equal(`${path}: morphs`, foundNames.length, names.length);
  const wrong = names.findIndex((name, index) => foundNames[index] !== name);
  if (wrong >= 0) {
    faults.add(`${path}: morph ${wrong}`, show(foundNames[wrong]), show(names[wrong]));
  }
  mesh.morphs.forEach(({ name, reach }, index) => {
    const there = found.morphs[index]?.reach;
    if (reach === undefined || there === undefined) return;
    faults.within(`${path}: morph ${name}: farthest reach`, Math.abs(there - reach), COPIED,
      `${rounded(there)} m`, `${rounded(reach)} m`);
  });
}

function checkMaterials(mesh, found, path, sees, faults) {
  faults.equal(`${path}: materials`, found.materials.length, mesh.materials.length);
  mesh.materials.forEach((material, index) => {
    const there = found.materials[index];
    if (!there) return;
    const at = `${path}: material ${index}`;
    faults.equal(at, there.name, material.name);
    const numbers = {
      baseColor: material.baseColor, metallic: [material.metallic], roughness: [material.roughness],
    };
    for (const [key, wanted] of Object.entries(numbers)) {
      if (there[key] === null) continue;
      const values = [there[key] ?? []].flat();
      const far = wanted.map((value, slot) => Math.abs(value - values[slot]));
      faults.within(`${at} ${material.name}: ${key}`, Math.max(...far), COPIED,
        show(values.map(rounded)), show(wanted.map(rounded)));
    }
    if (there.doubleSided !== null) {
      faults.equal(`${at} ${material.name}: doubleSided`, there.doubleSided, material.doubleSided);
    }
    checkTextures(material, there, at, sees, faults);
  });
}

function checkTextures(material, there, at, { pixels }, faults) {
  const slots = ({ textures }) => textures.map(({ slot }) => slot).sort();
  faults.equal(`${at} ${material.name}: textures`, slots(there), slots(material));
  for (const { slot, width, height } of material.textures) {
    const texture = there.textures.find((one) => one.slot === slot);
    if (!texture) continue;
    const path = `${at} ${material.name}: ${slot} texture`;
    faults.equal(`${path}: size`, [texture.width, texture.height], [width, height]);
    if (pixels) faults.equal(`${path}: pixels decoded`, texture.pixels, true);
  }
}

// Compares every vertex at rest and in one other state with what the file says,
// and returns how far the engine itself moved the farthest one.
function checkState(character, mesh, found, state, { clip, unit }, path, sees, faults) {
  if (!sees[state] || (state === 'morph' && unit === undefined)) return NaN;
  const expected = state === 'morph'
    ? morphed(mesh, unit)
    : skinned(mesh, character.rest, clip.pose);
  const rest = floats(found.positions?.rest);
  const there = floats(found.positions?.[state]);
  // Rest is told once, although it is looked at for each state.
  if (state === 'pose') compare(rest, mesh.positions, `${path}: at rest`, faults);
  const label = state === 'morph' ? `with ${unit} at 1` : `in ${clip.name}`;
  compare(there, expected, `${path}: ${label}`, faults);
  if (rest.length !== there.length) return 0;
  return reachOf(there.map((value, slot) => value - rest[slot]));
}

function compare(found, expected, path, faults) {
  if (found.length !== expected.length) {
    faults.add(path, `${found.length / 3} vertices`, `${expected.length / 3}`);
    return;
  }
  let worst = 0;
  let far = 0;
  let wrong = 0;
  for (let vertex = 0; vertex * 3 < found.length; vertex += 1) {
    const at = vertex * 3;
    const distance = Math.hypot(found[at] - expected[at], found[at + 1] - expected[at + 1],
      found[at + 2] - expected[at + 2]);
    if (distance <= NEAR) continue;
    wrong += 1;
    if (!(distance <= far)) [worst, far] = [vertex, distance];
  }
  if (wrong === 0) return;
  const point = (list) => `(${[0, 1, 2].map((axis) => rounded(list[worst * 3 + axis])).join(', ')})`;
  faults.add(path, `${wrong} of ${found.length / 3} vertices elsewhere, vertex ${worst} at ${point(found)}`,
    point(expected));
}

function checkPose({ jointNames }, clip, { pose = {} }, faults) {
  const expected = jointGlobals(clip.pose).map(positionOf);
  jointNames.forEach((name, index) => {
    const there = pose[name];
    const far = there
      ? Math.hypot(...there.map((value, axis) => value - expected[index][axis]))
      : NaN;
    faults.within(`joint ${name}: in ${clip.name}`, far, NEAR,
      there ? show(there.map(rounded)) : 'nothing', show(expected[index].map(rounded)));
  });
}

/** The floats in a base64 text. */
function floats(text = '') {
  const bytes = Uint8Array.from(Buffer.from(text, 'base64'));
  return new Float32Array(bytes.buffer, 0, bytes.length >> 2);
}

/** Floats as base64, as observers report them. */
export function base64(numbers) {
  return Buffer.from(Float32Array.from(numbers).buffer).toString('base64');
}
