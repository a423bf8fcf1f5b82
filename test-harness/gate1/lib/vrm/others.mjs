// What is left of the extension: `lookAt`, `firstPerson`, and the file itself.

import { show } from '../faults.mjs';
import { canLook } from './expressions.mjs';
import { EXTENSION, FIRST_PERSON_TYPES, RANGE_MAPS } from './tables.mjs';

// Extensions that VRM has and that the profile does not write.
const NOT_WRITTEN = [
  'VRM', 'VRMC_springBone', 'VRMC_springBone_extended_collider', 'VRMC_node_constraint',
  'VRMC_materials_mtoon', 'VRMC_vrm_animation',
];

export function checkFile({ name, json }, path, faults) {
  if (!/\.vrm$/.test(name)) faults.add('(file name)', show(name), 'one that ends in .vrm');
  if (!(json.extensionsUsed ?? []).includes(EXTENSION)) faults.add('/extensionsUsed', show(json.extensionsUsed), `${EXTENSION} in it`);
  if ((json.extensionsRequired ?? []).includes(EXTENSION)) faults.add('/extensionsRequired', EXTENSION, 'nothing, as all can read the file');
  const used = new Set([...(json.extensionsUsed ?? []), ...Object.keys(json.extensions ?? {})]);
  for (const other of NOT_WRITTEN) {
    if (used.has(other)) faults.add(`/extensions/${other}`, 'an extension', 'none of this name');
  }
  faults.equal(`${path}/specVersion`, json.extensions[EXTENSION].specVersion, '1.0');
  const { naming, restPose } = json.asset?.extras?.dramatis ?? {};
  faults.equal('/asset/extras/dramatis/naming', naming, 'ue');
  faults.equal('/asset/extras/dramatis/restPose', restPose, 't-pose');
}

export function checkLookAt(json, path, faults) {
  const at = `${path}/lookAt`;
  const { lookAt } = json.extensions[EXTENSION];
  if (!canLook(json)) {
    // Nothing would come of it.
    faults.absent(at, lookAt);
    return;
  }
  if (lookAt === undefined) {
    faults.add(at, 'nothing', 'a look-at that drives the four presets');
    return;
  }
  faults.equal(`${at}/type`, lookAt.type, 'expression');
  const offset = lookAt.offsetFromHeadBone;
  if (!(Array.isArray(offset) && offset.length === 3 && offset.every(Number.isFinite))) {
    faults.add(`${at}/offsetFromHeadBone`, show(offset), 'three numbers');
  }
  for (const key of RANGE_MAPS) {
    const { inputMaxValue, outputScale } = lookAt[key] ?? {};
    if (!(inputMaxValue > 0 && inputMaxValue <= 180)) {
      faults.add(`${at}/${key}/inputMaxValue`, show(inputMaxValue), 'degrees above 0, at most 180');
    }
    // A weight: at full turn, the whole of the expression.
    if (!(outputScale > 0 && outputScale <= 1)) {
      faults.add(`${at}/${key}/outputScale`, show(outputScale), 'a weight above 0, at most 1');
    }
  }
}

export function checkFirstPerson(json, path, faults) {
  const at = `${path}/firstPerson/meshAnnotations`;
  const annotations = json.extensions[EXTENSION].firstPerson?.meshAnnotations;
  if (!Array.isArray(annotations) || annotations.length === 0) {
    faults.add(at, show(annotations), 'an annotation for each mesh');
    return;
  }
  const seen = new Set();
  annotations.forEach((annotation, index) => {
    const { node, type } = annotation ?? {};
    if (json.nodes?.[node]?.mesh === undefined) faults.add(`${at}/${index}/node`, show(node), 'a node with a mesh');
    else if (seen.has(node)) faults.add(`${at}/${index}/node`, `${node} again`, 'each mesh once');
    seen.add(node);
    if (!FIRST_PERSON_TYPES.includes(type)) {
      faults.add(`${at}/${index}/type`, show(type), FIRST_PERSON_TYPES.map(show).join(' or '));
    }
  });
  (json.nodes ?? []).forEach(({ mesh, name }, node) => {
    if (mesh !== undefined && !seen.has(node)) faults.add(at, `no annotation for ${show(name)}`, 'one for each mesh');
  });
}
