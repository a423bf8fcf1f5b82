// three.js loads the file: every mesh comes out skinned to the whole skeleton,
// every vertex is a number, and the character has a person's size.

import { Faults, show, rounded } from '../lib/faults.mjs';
import { NAMINGS, jointNames } from '../lib/profile.mjs';
import { PropertyBinding, SkinnedMesh, loadWithThree, pathOf } from '../lib/three-in-node.mjs';

export const name = 'loader';

// Metres. A character outside these bounds was written in other units.
const SHORTEST = 0.3;
const TALLEST = 3;

export async function check(file) {
  const faults = new Faults();
  const { json } = file.glb();
  let loaded;
  try {
    loaded = await loadWithThree(file.bytes);
  } catch (error) {
    faults.add('(GLTFLoader)', `an error: ${error?.message ?? error}`, 'a loaded file');
    return { faults: faults.list };
  }
  const { gltf, printed } = loaded;
  for (const line of printed) faults.add('(GLTFLoader)', line, 'no warning and no error');

  gltf.scene.updateMatrixWorld(true);
  const skinned = [];
  gltf.scene.traverse((object) => {
    if (object instanceof SkinnedMesh) skinned.push(object);
  });

  checkCounts(json, gltf, skinned, faults);
  const names = expectedBoneNames(json);
  let low = Infinity;
  let high = -Infinity;
  for (const mesh of skinned) {
    const path = pathOf(gltf, mesh);
    checkSkeleton(mesh, names, path, faults);
    checkNumbers(mesh, path, faults);
    // This is the box of the skinned vertices, so it also shows that the skin
    // at rest leaves the body where it was.
    faults.attempt(path, () => {
      mesh.computeBoundingBox();
      low = Math.min(low, mesh.boundingBox.min.y);
      high = Math.max(high, mesh.boundingBox.max.y);
    });
  }
  const height = high - low;
  if (!(height > SHORTEST && height < TALLEST)) {
    faults.add('(bounding box)', `a height of ${rounded(height)} m`,
      `between ${SHORTEST} and ${TALLEST} m`);
  }
  return { faults: faults.list };
}

// A skinned mesh for each primitive of each node that has a mesh.
function checkCounts(json, gltf, skinned, faults) {
  const counted = new Map();
  for (const mesh of skinned) {
    const path = pathOf(gltf, mesh);
    counted.set(path, (counted.get(path) ?? 0) + 1);
  }
  const meshNodes = (json.nodes ?? []).filter((node) => node.mesh !== undefined);
  if (meshNodes.length === 0) faults.add('/nodes', 'no mesh node', 'one or more');
  for (const node of meshNodes) {
    (json.meshes?.[node.mesh]?.primitives ?? []).forEach((_, index) => {
      const path = `/meshes/${node.mesh}/primitives/${index}`;
      const count = counted.get(path) ?? 0;
      if (count !== 1) faults.add(path, `${count} SkinnedMesh in the scene`, '1');
    });
  }
}

// The names that bones must have in three, which takes the colon out of
// Mixamo's names and puts a number after a name that was taken already. Clips
// are bound by these.
function expectedBoneNames(json) {
  const declared = json.asset?.extras?.dramatis?.naming;
  const naming = NAMINGS.includes(declared) ? declared : NAMINGS[0];
  return jointNames(naming).map((joint) => PropertyBinding.sanitizeNodeName(joint));
}

function checkSkeleton(mesh, names, path, faults) {
  const { bones, boneInverses } = mesh.skeleton;
  faults.equal(`${path} skeleton.bones`, bones.length, names.length);
  faults.equal(`${path} skeleton.boneInverses`, boneInverses.length, names.length);
  const wrong = names.findIndex((bone, index) => bones[index]?.name !== bone);
  if (wrong >= 0) {
    faults.add(`${path} skeleton.bones[${wrong}].name`, show(bones[wrong]?.name),
      show(names[wrong]));
  }
  const notFinite = boneInverses.findIndex(
    (inverse) => !inverse.elements.every((value) => Number.isFinite(value)),
  );
  if (notFinite >= 0) {
    faults.add(`${path} skeleton.boneInverses[${notFinite}]`, 'a number that is not finite',
      'finite numbers');
  }
}

// Every number of every vertex attribute and morph target is finite.
function checkNumbers(mesh, path, faults) {
  const { attributes, morphAttributes } = mesh.geometry;
  const named = Object.entries(attributes).concat(
    Object.entries(morphAttributes).flatMap(([key, targets]) =>
      targets.map((target, index) => [`targets[${index}].${key}`, target]),
    ),
  );
  for (const [attribute, { array }] of named) {
    const wrong = array.findIndex((value) => !Number.isFinite(value));
    if (wrong >= 0) {
      faults.add(`${path} ${attribute}[${wrong}]`, array[wrong], 'a finite number');
    }
  }
}
