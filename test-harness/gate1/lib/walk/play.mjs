// Plays a clip on a loaded character as an app would: by three's mixer, which
// binds each track to the first object that bears its name.

import {
  AnimationMixer, Matrix4, PropertyBinding, SkinnedMesh, keepingPrinted, pathOf,
} from '../three-in-node.mjs';

/** The objects that the joints' tracks find, in the profile's order. */
export function jointsByName(scene, names) {
  return names.map((joint) =>
    PropertyBinding.findNode(scene, PropertyBinding.sanitizeNodeName(joint)) ?? undefined);
}

/** The meshes of a scene, with what skinning needs of them. */
export function meshesOf(gltf) {
  const meshes = [];
  gltf.scene.traverse((object) => {
    if (!object.isMesh) return;
    const { position, skinIndex, skinWeight } = object.geometry.attributes;
    const skinned = object instanceof SkinnedMesh && skinIndex !== undefined && skinWeight !== undefined;
    meshes.push({
      path: pathOf(gltf, object),
      object,
      count: position.count,
      positions: numbersOf(position),
      bones: skinned ? object.skeleton.bones : [],
      indices: skinned ? numbersOf(skinIndex) : undefined,
      weights: skinned ? numbersOf(skinWeight) : undefined,
    });
  });
  return meshes;
}

// By component, because an attribute may be interleaved or normalised.
function numbersOf(attribute) {
  const { count, itemSize } = attribute;
  const out = new Float64Array(count * itemSize);
  for (let element = 0; element < count; element += 1) {
    for (let slot = 0; slot < itemSize; slot += 1) {
      out[element * itemSize + slot] = attribute.getComponent(element, slot);
    }
  }
  return out;
}

/**
 * Calls `look(frame)` at rest, with frame -1, and at each of the times. Returns
 * what three printed.
 */
export async function play(scene, animation, times, look) {
  const show = (frame) => {
    scene.updateMatrixWorld(true);
    scene.traverse((object) => object.skeleton?.update());
    look(frame);
  };
  show(-1);
  const { printed } = await keepingPrinted(() => {
    const mixer = new AnimationMixer(scene);
    mixer.clipAction(animation).play();
    times.forEach((time, frame) => {
      mixer.setTime(time);
      show(frame);
    });
    mixer.stopAllAction();
  });
  return [...new Set(printed)];
}

/** What a mesh's bones do to its vertices, in the world, as the renderer has it. */
export function boneMatrices({ object, bones }) {
  const after = new Matrix4().multiplyMatrices(object.matrixWorld, object.bindMatrixInverse ?? new Matrix4());
  const one = new Matrix4();
  return bones.map((_, bone) =>
    one.fromArray(object.skeleton.boneMatrices, bone * 16)
      .premultiply(after).multiply(object.bindMatrix).toArray());
}

/** Where a mesh's vertices are now, in the world. */
export function skinnedPositions(mesh) {
  const { count, positions, indices, weights } = mesh;
  const out = new Float64Array(count * 3);
  // A mesh that is not skinned stays where its node is.
  const matrices = indices ? boneMatrices(mesh) : [mesh.object.matrixWorld.toArray()];
  const slots = indices ? 4 : 1;
  for (let vertex = 0; vertex < count; vertex += 1) {
    const at = vertex * 3;
    const [x, y, z] = [positions[at], positions[at + 1], positions[at + 2]];
    for (let slot = vertex * slots; slot < (vertex + 1) * slots; slot += 1) {
      const weight = weights ? weights[slot] : 1;
      if (weight === 0) continue;
      const m = matrices[indices ? indices[slot] : 0];
      for (let row = 0; row < 3; row += 1) {
        // A joint that the skeleton lacks leaves no number, and so a fault.
        out[at + row] += m === undefined ? NaN
          : weight * (m[row] * x + m[4 + row] * y + m[8 + row] * z + m[12 + row]);
      }
    }
  }
  return out;
}
