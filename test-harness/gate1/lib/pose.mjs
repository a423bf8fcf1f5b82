// Where a file's 65 joints are at rest, and where a pose puts them. A pose is
// `{ translations, rotations }`, each joint's own, in the profile's order.

import { fromTranslationRotation, globalMatrices } from './matrix.mjs';
import { JOINTS, NAMINGS, PARENTS, REST_POSES, jointNames } from './profile.mjs';
import { multiplyQuaternions, undo, unit } from './quaternion.mjs';

/** What a file says of its joints: its naming, its rest pose and their names. */
export function readDeclared(json) {
  const declared = json.asset?.extras?.dramatis ?? {};
  const naming = NAMINGS.includes(declared.naming) ? declared.naming : NAMINGS[0];
  const restPose = REST_POSES.includes(declared.restPose) ? declared.restPose : REST_POSES[0];
  return { naming, restPose, jointNames: jointNames(naming) };
}

/**
 * The joints' own translations and rotations, in the profile's order. A file
 * without a skin still says where its joints are: its first 65 nodes.
 */
export function restOfJoints(json) {
  const numbers = json.skins?.[0]?.joints ?? JOINTS.map((_, index) => index);
  const nodes = JOINTS.map((_, index) => json.nodes?.[numbers[index]] ?? {});
  return {
    translations: nodes.map(({ translation = [0, 0, 0] }) => translation),
    rotations: nodes.map(({ rotation = [0, 0, 0, 1] }) => rotation),
  };
}

/** The global matrices of all joints in a pose. */
export function jointGlobals({ translations, rotations }) {
  const locals = translations.map((translation, index) =>
    fromTranslationRotation(translation, rotations[index]));
  return globalMatrices(locals, PARENTS);
}

/** The global rotations of all joints, from their own. */
export function globalRotations(rotations) {
  const out = [];
  rotations.forEach((rotation, joint) => {
    const parent = PARENTS[joint];
    out.push(parent < 0 ? rotation : multiplyQuaternions(out[parent], rotation));
  });
  return out;
}

/** The joints' own rotations, from their global ones. */
export function ownRotations(globals) {
  return globals.map((rotation, joint) => unit(
    PARENTS[joint] < 0 ? rotation : multiplyQuaternions(undo(globals[PARENTS[joint]]), rotation)));
}
