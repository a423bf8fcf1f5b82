// The licence block, `asset.extras.dramatis`: the profile's JSON schema, and
// what the profile says in prose beyond it.

import { Faults, show } from '../lib/faults.mjs';
import { FACE_UNITS, OTHER_FACE_NAMES, LICENCE_KINDS, NAMINGS, REST_POSES } from '../lib/profile.mjs';
import { schemaFaults } from '../lib/schema.mjs';

export const name = 'licences';

const PATH = '/asset/extras/dramatis';

// A version: one to three numbers, and what Semantic Versioning lets follow.
const GENERATOR = /^dramatis@\d+(\.\d+){0,2}(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/;
// `<source>:<kind>/<name>`
const ASSET_ID = /^([^\s:/]+):([^\s:/]+)\/(\S(?:.*\S)?)$/;
// Every licence of the CC BY family has its credit line copied into the file.
const CC_BY = /^CC[- ]BY\b/i;

export async function check(file) {
  const faults = new Faults();
  const { json } = file.glb();
  const block = json.asset?.extras?.dramatis;
  if (!isObject(block)) {
    faults.add(PATH, show(block), 'an object');
    return { faults: faults.list };
  }
  faults.equal(`${PATH}/format`, block.format, 'dramatis-export');
  faults.equal(`${PATH}/version`, block.version, 1);
  oneOf(`${PATH}/naming`, block.naming, NAMINGS, faults);
  oneOf(`${PATH}/restPose`, block.restPose, REST_POSES, faults);
  if (typeof block.generator !== 'string' || !GENERATOR.test(block.generator)) {
    faults.add(`${PATH}/generator`, show(block.generator), 'dramatis@<version>');
  }
  if (typeof block.character !== 'string') {
    faults.add(`${PATH}/character`, show(block.character), 'a string');
  }
  checkFaceUnits(json, block, faults);
  checkLicences(json, block, faults);
  // The words above are the stronger ones; of the schema's verdicts those are
  // left to tell that are about another place.
  const named = new Set(faults.list.map((fault) => fault.path));
  for (const { path, found, expected } of schemaFaults(block)) {
    if (!named.has(`${PATH}${path}`)) faults.add(`${PATH}${path}`, found, expected);
  }
  return { faults: faults.list };
}

const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

function oneOf(path, value, allowed, faults) {
  if (!allowed.includes(value)) faults.add(path, show(value), allowed.map(show).join(' or '));
}

// The units named are among the 59, in their order, each once, and exactly
// those that the meshes carry.
function checkFaceUnits(json, block, faults) {
  const path = `${PATH}/faceUnits`;
  const units = block.faceUnits;
  if (!Array.isArray(units)) {
    faults.add(path, show(units), 'an array');
    return;
  }
  faults.names(path, units, FACE_UNITS, 'one of the 59 face units');

  const onMeshes = new Map();
  (json.meshes ?? []).forEach((mesh, index) => {
    const names = mesh.extras?.targetNames ?? [];
    if (!Array.isArray(names)) {
      faults.add(`/meshes/${index}/extras/targetNames`, show(names), 'an array');
      return;
    }
    for (const unit of names) onMeshes.set(unit, index);
  });
  // A file may carry other people's shapes when it says whose; the list is
  // for the profile's units only.
  const others = OTHER_FACE_NAMES.get(block.faceNames) ?? [];
  if (block.faceNames !== undefined && !OTHER_FACE_NAMES.has(block.faceNames)) {
    faults.add(`${PATH}/faceNames`, show(block.faceNames),
      `nothing or one of ${[...OTHER_FACE_NAMES.keys()].join(', ')}`);
  }
  for (const [unit, mesh] of onMeshes) {
    if (!units.includes(unit) && !others.includes(unit)) {
      faults.add(path, `no ${show(unit)}`, `it, as /meshes/${mesh}/extras/targetNames has it`);
    }
  }
  units.forEach((unit, index) => {
    if (!onMeshes.has(unit)) {
      faults.add(`${path}/${index}`, show(unit), 'a unit that some mesh has in targetNames');
    }
  });
}

function checkLicences(json, block, faults) {
  const path = `${PATH}/licences`;
  const entries = block.licences;
  if (!Array.isArray(entries) || entries.length === 0) {
    faults.add(path, show(entries), 'an array of one entry or more');
    return;
  }
  entries.forEach((entry, index) => checkEntry(`${path}/${index}`, entry, faults));
  if (!entries.some((entry) => entry?.kind === 'base')) {
    faults.add(path, 'no entry of kind "base"', 'one');
  }

  const copyright = entries.map((entry) => `${entry?.title}: ${entry?.licence}`).join('; ');
  faults.equal('/asset/copyright', json.asset.copyright, copyright);
}

function checkEntry(path, entry, faults) {
  if (!isObject(entry)) {
    faults.add(path, show(entry), 'an object');
    return;
  }
  for (const key of ['asset', 'title', 'licence', 'licenceUrl', 'source', 'author']) {
    if (!isFilled(entry[key])) faults.add(`${path}/${key}`, show(entry[key]), 'a text');
  }
  oneOf(`${path}/kind`, entry.kind, LICENCE_KINDS, faults);
  if (entry.modified !== undefined && typeof entry.modified !== 'boolean') {
    faults.add(`${path}/modified`, show(entry.modified), 'true or false');
  }

  if (isFilled(entry.asset)) {
    const [, , kind] = ASSET_ID.exec(entry.asset) ?? [];
    if (kind === undefined) {
      faults.add(`${path}/asset`, show(entry.asset), '<source>:<kind>/<name>');
    } else if (kind !== entry.kind) {
      faults.add(`${path}/asset`, show(entry.asset), `${show(entry.kind)} as its <kind>`);
    }
  }

  const needsCredit = typeof entry.licence === 'string' && CC_BY.test(entry.licence);
  if (needsCredit || entry.attribution !== undefined) {
    if (!isFilled(entry.attribution)) {
      faults.add(`${path}/attribution`, show(entry.attribution),
        needsCredit ? `the credit line that ${entry.licence} asks for` : 'a text, when given');
    }
  }
}

// The schema's `minLength: 1`; a text of blanks alone says as little as none.
const isFilled = (value) => typeof value === 'string' && value.trim() !== '';
