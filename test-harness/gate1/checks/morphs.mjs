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
    primitives.forEach((primitive, number) => {
      (primitive.targets ?? []).forEach((target, slot) => {
        const at = `${path}/primitives/${number}/targets/${slot}`;
        faults.attempt(at, () => checkTarget(glb, at, target, primitive, faults));
      });
    });
    checkMoves(glb, path, mesh, targets, faults);
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
  let last = -1;
  names.forEach((unit, slot) => {
    const place = known.indexOf(unit);
    if (place < 0) faults.add(`${at}/${slot}`, show(unit), 'a face unit, or a shape that faceNames allows');
    else if (names.indexOf(unit) !== slot) faults.add(`${at}/${slot}`, `${show(unit)} again`, 'each name once');
    else if (place < last) {
      faults.add(`${at}/${slot}`, `${show(unit)} after ${show(known[last])}`, 'the order of the profile');
    }
    last = Math.max(last, place);
  });
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

// What one target is made of: position deltas, and perhaps normal deltas, as
// floats, one per vertex, finite and no longer than a face is wide.
function checkTarget(glb, path, target, primitive, faults) {
  if (target.POSITION === undefined) faults.add(`${path}/POSITION`, 'nothing', 'an accessor');
  for (const key of Object.keys(target)) {
    if (key !== 'POSITION' && key !== 'NORMAL') faults.add(`${path}/${key}`, 'deltas', 'POSITION and NORMAL only');
  }
  const vertices = glb.json.accessors?.[primitive.attributes?.POSITION]?.count;
  for (const key of ['POSITION', 'NORMAL']) {
    if (target[key] === undefined) continue;
    const at = `${path}/${key}`;
    const { accessor, data, width, count } = readAccessor(glb, target[key], at);
    if (accessor.componentType !== FLOAT || width !== 3) {
      faults.add(at, `${accessor.type} of componentType ${accessor.componentType}`, 'VEC3 of floats');
    }
    if (count !== vertices) faults.add(at, `${count} deltas`, `${vertices}, one a vertex`);
    checkSparse(glb, at, accessor, faults);
    if (key === 'POSITION') checkLengths(at, data, faults);
    else if (!data.every(Number.isFinite)) faults.add(at, 'a number that is not finite', 'finite deltas');
  }
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
function checkSparse({ json, bin }, path, { sparse }, faults) {
  if (sparse === undefined) return;
  const { bufferView, byteOffset = 0, componentType } = sparse.indices;
  const size = { 5121: 1, 5123: 2, 5125: 4 }[componentType];
  if (size === undefined) {
    faults.add(`${path} sparse indices`, `componentType ${componentType}`, '5121, 5123 or 5125');
    return;
  }
  const view = new DataView(bin.buffer, bin.byteOffset, bin.byteLength);
  const start = (json.bufferViews[bufferView].byteOffset ?? 0) + byteOffset;
  const read = { 1: 'getUint8', 2: 'getUint16', 4: 'getUint32' }[size];
  for (let slot = 1, last = view[read](start, true); slot < sparse.count; slot += 1) {
    const index = view[read](start + slot * size, true);
    if (index <= last) {
      faults.add(`${path} sparse indices[${slot}]`, `${index} after ${last}`, 'indices that rise');
      return;
    }
    last = index;
  }
}

// A unit that moves nothing on a mesh is left off it. Of several primitives,
// one that moves is enough, since all of them list the same targets.
function checkMoves(glb, path, mesh, targets, faults) {
  for (let slot = 0; slot < targets; slot += 1) {
    faults.attempt(path, () => {
      const moves = (mesh.primitives ?? []).some(({ targets: own }) => {
        const index = own?.[slot]?.POSITION;
        return index !== undefined && readAccessor(glb, index).data.some((value) => value !== 0);
      });
      if (!moves) {
        const unit = show(mesh.extras?.targetNames?.[slot]);
        faults.add(`${path} target ${slot}`, `${unit}, which moves nothing`, 'no target for it here');
      }
    });
  }
}
