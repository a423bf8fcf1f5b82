// A walk is played on the character as an app would play it: loaded by three.js,
// bound by name, stepped through by the mixer. The joints do what the clip says,
// the feet meet the floor and the skin comes along.

import { Faults, show } from '../lib/faults.mjs';
import { positionOf } from '../lib/matrix.mjs';
import { readDeclared } from '../lib/pose.mjs';
import { JOINTS } from '../lib/profile.mjs';
import { loadWithThree } from '../lib/three-in-node.mjs';
import { clipGlb } from '../lib/walk/clip-glb.mjs';
import { fitWalk } from '../lib/walk/fit.mjs';
import { watchJoints } from '../lib/walk/joints.mjs';
import { makeOwnWalk } from '../lib/walk/own.mjs';
import { jointsByName, meshesOf, play, skinnedPositions } from '../lib/walk/play.mjs';
import { watchSkin } from '../lib/walk/skin.mjs';
import { plantedIn, watchSoles } from '../lib/walk/soles.mjs';
import { readWalk } from '../lib/walk/ual.mjs';

export const name = 'walk';

let reading;

/** The walk for all files: UAL's where it is to be had, else our own. */
export function ready() {
  reading ??= readWalk().then((walk) => walk ?? makeOwnWalk());
  return reading;
}

export async function check(file) {
  let walk;
  try {
    walk = await ready();
  } catch (error) {
    return { faults: [{ path: '(clip)', found: error.message, expected: 'a walk to play' }] };
  }
  return checkWith(walk, file);
}

/** The check with one particular walk. */
export async function checkWith(walk, file) {
  const faults = new Faults();
  const counts = { [`with ${walk.name}`]: 1 };
  const declared = readDeclared(file.glb().json);
  let gltf;
  try {
    ({ gltf } = await loadWithThree(file.bytes));
  } catch (error) {
    faults.add('(GLTFLoader)', `an error: ${error?.message ?? error}`, 'a loaded file');
    return { faults: faults.list, counts };
  }
  const joints = jointsByName(gltf.scene, declared.jointNames);
  const meshes = meshesOf(gltf);
  if (!checkBinding(declared, joints, meshes, faults)) return { faults: faults.list, counts };

  const rest = {
    translations: joints.map(({ position }) => position.toArray()),
    rotations: joints.map(({ quaternion }) => quaternion.toArray()),
  };
  const clip = fitWalk(walk, { ...declared, rest });
  const { gltf: { animations: [animation] } } = await loadWithThree(clipGlb(clip, declared.jointNames));
  const scene = {
    clip,
    planted: plantedIn(walk),
    names: declared.jointNames,
    joints,
    meshes,
    mesh: meshes.find(({ bones }) => bones.length > 0),
  };
  const watchers = [watchJoints(scene), watchSoles(scene), watchSkin(scene)];
  // The last pose is the first again.
  const printed = await play(gltf.scene, animation, clip.times.slice(0, -1), (frame) => {
    const state = {
      positions: joints.map(({ matrixWorld }) => positionOf(matrixWorld.elements)),
      skins: meshes.map(skinnedPositions),
    };
    for (const watcher of watchers) watcher.look(frame, state);
  });
  for (const line of printed) faults.add('(AnimationMixer)', line, 'no warning and no error');
  const measured = Object.assign({ clip: walk.name }, ...watchers.map((watcher) => watcher.judge(faults)));
  return { faults: faults.list, counts, measured };
}

// Each joint's track finds a bone, and the bone is one that moves the meshes.
function checkBinding({ jointNames }, joints, meshes, faults) {
  const before = faults.list.length;
  const skinned = meshes.filter(({ bones }) => bones.length > 0);
  if (skinned.length === 0) faults.add('(scene)', 'no skinned mesh', 'one or more');
  JOINTS.forEach((_, joint) => {
    const path = `joint ${jointNames[joint]}`;
    if (!joints[joint]) {
      faults.add(path, 'nothing of this name in the scene', 'a bone that the clip is bound to');
      return;
    }
    const unmoved = skinned.find(({ bones }) => !bones.includes(joints[joint]));
    if (unmoved) {
      faults.add(path, `${show(joints[joint].type)} that is no bone of ${unmoved.path}`,
        'a bone of every skinned mesh');
    }
  });
  return faults.list.length === before;
}
