// What a character's file says, worked out from its bytes alone: no engine has
// a part in it. The engines' answers are held against this.

import { readAccessor } from '../../gate1/lib/glb.mjs';
import { imageSize } from '../../gate1/lib/image.mjs';
import { invertRigid, multiply } from '../../gate1/lib/matrix.mjs';
import { jointGlobals, readDeclared, restOfJoints } from '../../gate1/lib/pose.mjs';

// The texture slots of a material, and where glTF keeps each.
const SLOTS = {
  baseColor: (material) => material.pbrMetallicRoughness?.baseColorTexture,
  metallicRoughness: (material) => material.pbrMetallicRoughness?.metallicRoughnessTexture,
  normal: (material) => material.normalTexture,
  occlusion: (material) => material.occlusionTexture,
  emissive: (material) => material.emissiveTexture,
};

/**
 * The character in a parsed GLB. Throws a `Fault` where the bytes cannot be
 * read; names that are wrong are left for the engines to trip over, because
 * what is expected of them comes from the profile.
 */
export function readCharacter(glb) {
  const { json } = glb;
  const meshNodes = (json.nodes ?? []).filter((node) => node.mesh !== undefined);
  return {
    ...readDeclared(json),
    rest: restOfJoints(json),
    meshes: meshNodes.map((node) => readMesh(glb, node)),
    materials: (json.materials ?? []).map(({ name }) => name),
  };
}

// A mesh with its primitives put one behind the other, as all engines but the
// page count them separately and the judge wants one list of vertices.
function readMesh(glb, node) {
  const mesh = glb.json.meshes[node.mesh];
  const targetNames = mesh.extras?.targetNames ?? [];
  const parts = mesh.primitives.map((primitive) => readPrimitive(glb, primitive));
  const joined = (pick) => concat(parts.map(pick));
  return {
    name: mesh.name ?? node.name,
    vertices: parts.reduce((sum, { vertices }) => sum + vertices, 0),
    triangles: parts.reduce((sum, { triangles }) => sum + triangles, 0),
    positions: joined(({ positions }) => positions),
    joints: joined(({ joints }) => joints),
    weights: joined(({ weights }) => weights),
    morphs: targetNames.map((name, index) => {
      const deltas = parts.map((part) => part.deltas[index]);
      // A name without a target: the engines must be asked, and will not have it.
      if (deltas.some((delta) => delta === undefined)) return { name };
      const delta = concat(deltas);
      return { name, delta, reach: reachOf(delta) };
    }),
    materials: mesh.primitives.map((primitive) => readMaterial(glb, primitive.material)),
  };
}

function readPrimitive(glb, { attributes, indices, targets = [] }) {
  const { data: positions, count } = readAccessor(glb, attributes.POSITION);
  const empty = new Float64Array(count * 4);
  const optional = (index) => (index === undefined ? empty : readAccessor(glb, index).data);
  return {
    vertices: count,
    triangles: (indices === undefined ? count : glb.json.accessors[indices].count) / 3,
    positions,
    joints: optional(attributes.JOINTS_0),
    weights: optional(attributes.WEIGHTS_0),
    deltas: targets.map(({ POSITION }) =>
      POSITION === undefined ? new Float64Array(count * 3) : readAccessor(glb, POSITION).data),
  };
}

function readMaterial(glb, index) {
  const material = glb.json.materials?.[index];
  if (!material) return { name: undefined, textures: [] };
  const { baseColorFactor = [1, 1, 1, 1], metallicFactor = 1, roughnessFactor = 1 } =
    material.pbrMetallicRoughness ?? {};
  return {
    name: material.name,
    baseColor: baseColorFactor,
    metallic: metallicFactor,
    roughness: roughnessFactor,
    doubleSided: material.doubleSided ?? false,
    textures: Object.entries(SLOTS).flatMap(([slot, pick]) => {
      const info = pick(material);
      return info ? [{ slot, ...sizeOfTexture(glb, info.index) }] : [];
    }),
  };
}

function sizeOfTexture({ json, bin }, index) {
  const image = json.images?.[json.textures?.[index]?.source];
  const { byteOffset = 0, byteLength } = json.bufferViews?.[image?.bufferView] ?? {};
  const bytes = bin.subarray(byteOffset, byteOffset + byteLength);
  return imageSize(bytes);
}

/** The longest vector in a list of x, y, z, x, ... */
export function reachOf(vectors) {
  let longest = 0;
  for (let at = 0; at < vectors.length; at += 3) {
    // `Math.max` never lets go of a NaN.
    longest = Math.max(longest, Math.hypot(vectors[at], vectors[at + 1], vectors[at + 2]));
  }
  return longest;
}

function concat(lists) {
  const out = new Float64Array(lists.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const list of lists) {
    out.set(list, at);
    at += list.length;
  }
  return out;
}

/**
 * A mesh's vertices in a pose, by linear blend skinning. The inverse bind
 * matrices are worked out from the rest pose and not read from the file, so
 * that spoilt ones show up as vertices in the wrong place.
 */
export function skinned(mesh, rest, pose) {
  const inverses = jointGlobals(rest).map(invertRigid);
  const matrices = jointGlobals(pose).map((global, index) => multiply(global, inverses[index]));
  const { positions, joints, weights } = mesh;
  const out = new Float64Array(positions.length);
  for (let vertex = 0; vertex < mesh.vertices; vertex += 1) {
    const [x, y, z] = positions.subarray(vertex * 3, vertex * 3 + 3);
    for (let slot = 0; slot < 4; slot += 1) {
      const weight = weights[vertex * 4 + slot];
      const m = matrices[joints[vertex * 4 + slot]];
      if (weight === 0 || m === undefined) continue;
      for (let row = 0; row < 3; row += 1) {
        out[vertex * 3 + row] +=
          weight * (m[row] * x + m[4 + row] * y + m[8 + row] * z + m[12 + row]);
      }
    }
  }
  return out;
}

/**
 * The face unit to move: the one that most meshes have, and among those the one
 * that reaches farthest. Nothing for a character without face units.
 */
export function unitToMove(character) {
  const units = new Map();
  for (const { morphs } of character.meshes) {
    for (const { name, reach = 0 } of morphs) {
      const unit = units.get(name) ?? { name, meshes: 0, reach: 0 };
      units.set(name, {
        name, meshes: unit.meshes + 1, reach: Math.max(unit.reach, reach),
      });
    }
  }
  return [...units.values()].sort((a, b) => b.meshes - a.meshes || b.reach - a.reach)[0]?.name;
}

/** A mesh's vertices at rest with one unit at full. */
export function morphed({ positions, morphs }, unit) {
  const delta = morphs.find(({ name }) => name === unit)?.delta;
  return delta ? positions.map((value, slot) => value + delta[slot]) : positions;
}
