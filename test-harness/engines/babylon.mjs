#!/usr/bin/env node
// Imports every GLB and VRM of a folder into Babylon.js with its NullEngine,
// which has everything of Babylon but the drawing.
//
//   node babylon.mjs [--dir DIR] [--json OUT.json]
//
// Exit codes: 0 when all files pass or there is none, 1 when one fails, 2 when
// the command line is wrong.

import { sizeIfImage } from '../gate1/lib/image.mjs';
import { reachOf } from './lib/character.mjs';
import { runEngine } from './lib/command.mjs';
import { base64 } from './lib/judge.mjs';
import { ensurePackages, packageVersion } from './lib/packages.mjs';

// Babylon's names of the texture slots.
const SLOTS = {
  baseColor: 'albedoTexture',
  metallicRoughness: 'metallicTexture',
  normal: 'bumpTexture',
  occlusion: 'ambientTexture',
  emissive: 'emissiveTexture',
};

async function open() {
  await ensurePackages();
  const babylon = await import('@babylonjs/core');
  await import('@babylonjs/loaders/glTF/2.0/index.js');
  return {
    name: `Babylon.js ${await packageVersion('@babylonjs/core')} NullEngine`,
    observe: (task) => observe(babylon, task),
    close: async () => {},
  };
}

async function observe(babylon, task) {
  const { Logger, NullEngine, Scene, FreeCamera, Vector3, LoadAssetContainerAsync } = babylon;
  const warnings = [];
  // This keeps the greeting of each new engine out of the output, too.
  Logger.LogLevels = Logger.WarningLogLevel | Logger.ErrorLogLevel;
  const engine = new NullEngine();
  Logger.OnNewCacheEntry = (entry) => warnings.push(plain(entry));
  try {
    const scene = new Scene(engine);
    // As glTF has it; in Babylon's own left-handed space all X would be turned.
    scene.useRightHandedSystem = true;
    scene.activeCamera = new FreeCamera('camera', new Vector3(0, 1, 3), scene);
    const load = (bytes) => LoadAssetContainerAsync(bytes, scene, { pluginExtension: '.glb' });
    const character = await load(task.bytes);
    character.addAllToScene();
    return await observeCharacter(task, character, scene, () => load(task.clip), warnings);
  } finally {
    Logger.OnNewCacheEntry = undefined;
    engine.dispose();
  }
}

// A log entry without the HTML and the time that Babylon wraps it in.
const plain = (entry) => entry.replace(/<[^>]*>/g, '').replace(/^\[[\d:]+\]:? ?/, '').trim();

async function observeCharacter({ unit, time }, character, scene, loadClip, warnings) {
  const faults = [];
  const meshes = glTFMeshes(character);
  const skeletons = new Set(character.meshes.map(({ skeleton }) => skeleton).filter(Boolean));
  if (skeletons.size !== 1) {
    faults.push({ path: 'skeletons', found: skeletons.size, expected: '1' });
  }
  const bones = [...skeletons][0]?.bones ?? [];

  const positions = meshes.map(() => ({}));
  const keep = (state) => {
    scene.render();
    for (const skeleton of skeletons) skeleton.prepare(true);
    meshes.forEach(({ parts }, index) => {
      positions[index][state] = base64(parts.flatMap(worldPositions));
    });
  };
  keep('rest');
  setUnit(character, unit, 1);
  keep('morph');
  setUnit(character, unit, 0);
  await play(await loadClip(), character, time, faults);
  keep('pose');

  return {
    warnings,
    faults,
    joints: bones.map((bone) => ({ name: bone.name, parent: bone.getParent()?.name ?? null })),
    materials: character.materials.map(({ name }) => name),
    meshes: await Promise.all(meshes.map(async ({ name, parts }, index) => ({
      name,
      triangles: parts.reduce((sum, part) => sum + part.getTotalIndices() / 3, 0),
      joints: Math.min(...parts.map(({ skeleton }) => skeleton?.bones.length ?? 0)),
      morphs: morphsOf(parts),
      materials: await Promise.all(parts.map(({ material }) => materialOf(material))),
      positions: positions[index],
    }))),
    pose: Object.fromEntries(bones.map((bone) => [
      bone.name, (bone.getTransformNode() ?? bone).getAbsolutePosition().asArray(),
    ])),
  };
}

// Babylon has a mesh for each primitive. The only one of its mesh has the
// mesh's name, several are children of a node that has it.
function glTFMeshes({ meshes }) {
  const byName = new Map();
  for (const part of meshes) {
    if (part.getTotalVertices() === 0) continue;
    const name = /_primitive\d+$/.test(part.name) ? part.parent.name : part.name;
    byName.set(name, [...(byName.get(name) ?? []), part]);
  }
  return [...byName].map(([name, parts]) => ({ name, parts }));
}

// Vertices as they would be drawn: morphed, skinned and put into the world.
function worldPositions(mesh) {
  const local = mesh.getPositionData(true, true);
  const m = mesh.computeWorldMatrix(true).asArray();
  const out = new Array(local.length);
  for (let at = 0; at < local.length; at += 3) {
    for (let row = 0; row < 3; row += 1) {
      out[at + row] = m[row] * local[at] + m[4 + row] * local[at + 1] +
        m[8 + row] * local[at + 2] + m[12 + row];
    }
  }
  return out;
}

function setUnit({ meshes }, unit, influence) {
  for (const { morphTargetManager: manager } of meshes) {
    for (let index = 0; index < (manager?.numTargets ?? 0); index += 1) {
      const target = manager.getTarget(index);
      if (target.name === unit) target.influence = influence;
    }
  }
}

function morphsOf(parts) {
  const managers = parts.map(({ morphTargetManager }) => morphTargetManager);
  return Array.from({ length: managers[0]?.numTargets ?? 0 }, (_, index) => {
    const reaches = parts.map((part, number) => {
      const base = part.getVerticesData('position');
      const target = managers[number]?.getTarget(index).getPositions();
      return target ? reachOf(target.map((value, slot) => value - base[slot])) : NaN;
    });
    return { name: managers[0].getTarget(index).name, reach: Math.max(...reaches) };
  });
}

async function materialOf(material) {
  if (!material) return undefined;
  const textures = [];
  for (const [slot, key] of Object.entries(SLOTS)) {
    const texture = material[key];
    if (!texture) continue;
    // The NullEngine decodes no pixels, but Babylon has handed it the image.
    const data = texture._buffer;
    const bytes = data instanceof Blob ? await data.arrayBuffer() : data;
    textures.push({ slot, ...sizeIfImage(ArrayBuffer.isView(bytes) ? bytes : new Uint8Array(bytes)) });
  }
  return {
    name: material.name,
    baseColor: [...material.albedoColor.asArray(), material.alpha],
    metallic: material.metallic,
    roughness: material.roughness,
    doubleSided: !material.backFaceCulling,
    textures,
  };
}

// Binds the clip's group to the character's joints by name, and shows one moment.
async function play({ animationGroups: [group] }, character, time, faults) {
  const nodes = new Map(character.transformNodes.map((node) => [node.name, node]));
  const unbound = new Set();
  const bound = group.clone('clip', (target) => {
    if (!nodes.has(target.name)) unbound.add(target.name);
    return nodes.get(target.name) ?? target;
  });
  for (const name of unbound) {
    faults.push({ path: `clip: joint ${name}`, found: 'no node of this name', expected: 'one' });
  }
  const fps = bound.targetedAnimations[0].animation.framePerSecond;
  bound.start(true);
  bound.pause();
  bound.goToFrame(time * fps);
}

await runEngine({
  script: 'babylon', sees: { order: true, morph: true, pose: true, pixels: false }, open,
});
