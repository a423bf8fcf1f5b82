// The morph targets of each mesh: their names, their order, their weights, and
// that each one moves something by a distance that a face can move.

import { Faults, show, rounded } from '../lib/faults.mjs';
import { readAccessor } from '../lib/glb.mjs';
import { FACE_UNITS, OTHER_FACE_NAMES } from '../lib/profile.mjs';

export const name = 'morphs';

// Metres. The samples' longest delta is 0.051, of the tongue's tip in
// TongueOut; files in centimetres or with absolute positions are far above.
const LONGEST_DELTA = 0.2;
const FLOAT = 5126;

export async function check(file) {
  const faults = new Faults();
  const glb = file.glb();
  const { json } = glb;
  const others = OTHER_FACE_NAMES.get(json.asset?.extras?.dramatis?.faceNames) ?? [];
  const known = [...FACE_UNITS, ...others];
  let count = 0;
  (json.meshes ?? []).forEach((mesh, index) => {
    const path = `/meshes/${index}`;
    const primitives = mesh.primitives ?? [];
    const targets = primitives[0]?.targets?.length ?? 0;
    count += targets;
    primitives.forEach(({ targets: own = [] }, number) => {
      faults.equal(`${path}/primitives/${number}/targets`, own.length, targets);
    });
    checkNames(path, mesh, targets, known, faults);
    checkWeights(path, mesh, targets, faults);
    const most = Math.max(0, ...primitives.map(({ targets: own = [] }) => own.length));
    for (let slot = 0; slot < most; slot += 1) checkTargets(glb, path, mesh, slot, faults);
  });
  return { faults: faults.list, counts: { targets: count } };
}

// One name per target, each of them known, each once, in the known order.
function checkNames(path, mesh, targets, known, faults) {
  const at = `${path}/extras/targetNames`;
  const names = mesh.extras?.targetNames;
  if (targets === 0 && names === undefined) return;
  if (!Array.isArray(names)) {
    faults.add(at, show(names), `an array of ${targets} names`);
    return;
  }
  if (names.length !== targets) faults.add(at, `${names.length} names`, `${targets}, one a target`);
  faults.names(at, names, known, 'a face unit, or a shape that faceNames allows');
}

// `mesh.weights` are all 0, so that the face is at rest; a node may not say
// otherwise, but no node of the profile has weights of its own.
function checkWeights(path, mesh, targets, faults) {
  if (targets === 0) {
    faults.absent(`${path}/weights`, mesh.weights);
    return;
  }
  const weights = mesh.weights;
  if (!Array.isArray(weights) || weights.length !== targets) {
    faults.add(`${path}/weights`, show(weights), `${targets} zeros`);
    return;
  }
  weights.forEach((weight, slot) => faults.equal(`${path}/weights/${slot}`, weight, 0));
}

// One target in all primitives. A unit that moves nothing on a mesh is left off
// it; of several primitives, one that moves is enough, since all of them list
// the same targets.
function checkTargets(glb, path, mesh, slot, faults) {
  let moves = false;
  mesh.primitives.forEach((primitive, number) => {
    const target = primitive.targets?.[slot];
    if (target === undefined) return; // told as a wrong number of targets
    const at = `${path}/primitives/${number}/targets/${slot}`;
    const moved = faults.attempt(at, () => checkTarget(glb, at, target, primitive, faults));
    moves ||= moved !== false; // what could not be read may well move something
  });
  if (!moves) {
    const unit = show(mesh.extras?.targetNames?.[slot]);
    faults.add(`${path} target ${slot}`, `${unit}, which moves nothing`, 'no target for it here');
  }
}

// What one target is made of: position deltas, and perhaps normal deltas, as
// floats, one per vertex, finite and no longer than a face is wide. Returns
// whether it moves a vertex.
function checkTarget(glb, path, target, primitive, faults) {
  if (target.POSITION === undefined) faults.add(`${path}/POSITION`, 'nothing', 'an accessor');
  for (const key of Object.keys(target)) {
    if (key !== 'POSITION' && key !== 'NORMAL') faults.add(`${path}/${key}`, 'deltas', 'POSITION and NORMAL only');
  }
  let moves = false;
  const vertices = glb.json.accessors?.[primitive.attributes?.POSITION]?.count;
  for (const key of ['POSITION', 'NORMAL']) {
    if (target[key] === undefined) continue;
    const at = `${path}/${key}`;
    const { accessor, data, width, count, substituted } = readAccessor(glb, target[key], at);
    if (accessor.componentType !== FLOAT || width !== 3) {
      faults.add(at, `${accessor.type} of componentType ${accessor.componentType}`, 'VEC3 of floats');
    }
    if (count !== vertices) faults.add(at, `${count} deltas`, `${vertices}, one a vertex`);
    checkSubstituted(at, substituted, faults);
    if (key === 'POSITION') {
      moves = data.some((value) => value !== 0);
      checkLengths(at, data, faults);
    } else if (!data.every(Number.isFinite)) {
      faults.add(at, 'a number that is not finite', 'finite deltas');
    }
  }
  return moves;
}

function checkLengths(path, data, faults) {
  for (let vertex = 0; vertex * 3 < data.length; vertex += 1) {
    const length = Math.hypot(data[vertex * 3], data[vertex * 3 + 1], data[vertex * 3 + 2]);
    // Written so that a NaN is a fault.
    if (!(length <= LONGEST_DELTA)) {
      faults.add(`${path}[${vertex}]`, `a delta of ${rounded(length)} m`, `at most ${LONGEST_DELTA} m`);
      return; // the first one stands for all
    }
  }
}

// Sparse indices rise, so that no vertex is given twice.
function checkSubstituted(path, indices, faults) {
  const at = indices.findIndex((index, slot) => slot > 0 && index <= indices[slot - 1]);
  if (at < 0) return;
  faults.add(`${path} sparse indices[${at}]`, `${indices[at]} after ${indices[at - 1]}`,
    'indices that rise');
}
