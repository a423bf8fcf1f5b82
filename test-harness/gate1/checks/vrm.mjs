// VRM 1.0: the extension as VRM and the profile have it, and three-vrm doing
// with the avatar what applications do: expressions, looks, poses, first person.

import { Faults } from '../lib/faults.mjs';
import { checkExpressions } from '../lib/vrm/expressions.mjs';
import { checkHumanoid, checkPose } from '../lib/vrm/humanoid.mjs';
import { checkMeaning } from '../lib/vrm/meaning.mjs';
import { checkMeta } from '../lib/vrm/meta.mjs';
import { checkFile, checkFirstPerson, checkLookAt } from '../lib/vrm/others.mjs';
import { loadVrm, lookAtOrigin, play } from '../lib/vrm/play.mjs';
import { hasSchemas, vrmSchemaFaults } from '../lib/vrm/schema.mjs';
import { EXTENSION } from '../lib/vrm/tables.mjs';

export const name = 'vrm';

const PATH = `/extensions/${EXTENSION}`;

export async function check(file) {
  const faults = new Faults();
  const glb = file.glb();
  const { json } = glb;
  const extension = json.extensions?.[EXTENSION];
  const isVrm = /\.vrm$/i.test(file.name);
  if (extension === undefined && !isVrm) {
    return { faults: [], counts: { VRM: 0, 'without VRMC_vrm': 1, 'held against the published schemas': 0 } };
  }
  const counts = { VRM: 1, 'without VRMC_vrm': 0, 'held against the published schemas': Number(hasSchemas) };
  if (extension === null || typeof extension !== 'object') {
    faults.add(PATH, 'nothing', 'the extension, as the file is a VRM');
    return { faults: faults.list, counts };
  }
  checkFile({ name: file.name, json }, PATH, faults);
  faults.attempt(PATH, () => checkMeta(glb, PATH, faults));
  faults.attempt(PATH, () => checkHumanoid(json, PATH, faults));
  const sound = faults.attempt(PATH, () => checkExpressions(json, PATH, faults));
  faults.attempt(PATH, () => checkLookAt(json, PATH, faults));
  faults.attempt(PATH, () => checkFirstPerson(json, PATH, faults));
  // The words above are the stronger ones; of the schemas' verdicts those are
  // left to tell that are about another place.
  const told = new Set(faults.list.map(({ path }) => path));
  for (const { path, found, expected } of vrmSchemaFaults(extension)) {
    if (!told.has(`${PATH}${path}`)) faults.add(`${PATH}${path}`, found, expected);
  }
  // A bind that leads nowhere ends three-vrm with an error that nobody can
  // catch, so it is not asked about such a file.
  const readable = faults.none;
  const loaded = sound ? await loadVrm(file.bytes, faults) : undefined;
  // On a file with faults, these would say the same in more words.
  if (readable && loaded) {
    faults.attempt(PATH, () => checkPose(json, PATH, faults));
    const origin = extension.lookAt ? lookAtOrigin(json).toArray() : undefined;
    faults.attempt(PATH, () => checkMeaning({ ...glb, lookAtOrigin: origin }, PATH, faults));
    faults.attempt('(three-vrm)', () => play(loaded, json, faults));
  }
  return { faults: faults.list, counts };
}
