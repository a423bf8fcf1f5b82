// The nodes, the skin and the rest pose: the 65 joints by name, order, parent
// and frame, the meshes bound to them, and the character standing on the floor.

import { Faults, show, rounded } from '../lib/faults.mjs';
import { readAccessor } from '../lib/glb.mjs';
import * as matrix from '../lib/matrix.mjs';
import * as profile from '../lib/profile.mjs';
import { UAL_ROTATIONS } from '../lib/ual-rest.mjs';

export const name = 'skeleton';

const FLOOR_TOLERANCE = 1e-3; // metres; the profile's millimetre
const ORIGIN_TOLERANCE = 1e-5; // metres
const ROTATION_TOLERANCE = 1e-4; // per quaternion component
const BIND_TOLERANCE = 1e-4; // per matrix element
const WEIGHT_TOLERANCE = 1e-6;
const ARM_TOLERANCE = 3; // degrees

const TRIANGLES = 4;
const FLOAT = 5126;
const UNSIGNED_BYTE = 5121;
const UNSIGNED_SHORT = 5123;

export async function check(file) {
  const faults = new Faults();
  const glb = file.glb();
  const { json } = glb;
  const settings = readSettings(file, json, faults);

  checkFile(json, faults);
  const joints = checkSkin(json, settings, faults);
  checkScene(json, joints, faults);
  checkMeshes(json, faults);

  // What follows reads joints by their number in the profile, which means
  // something only if they are the right ones.
  const globals =
    joints && faults.attempt('/skins/0', () => checkFrames(glb, joints, settings, faults));
  checkVertices(glb, globals, faults);
  return { faults: faults.list };
}

// The two choices that a file may make, from its own declaration. VRM leaves
// no choice.
function readSettings(file, json, faults) {
  const extras = json.asset?.extras?.dramatis;
  const path = '/asset/extras/dramatis';
  const isVrm = file.name.toLowerCase().endsWith('.vrm') || Boolean(json.extensions?.VRMC_vrm);
  const read = (key, known) => {
    const allowed = isVrm ? known.slice(0, 1) : known;
    if (allowed.includes(extras?.[key])) return extras[key];
    faults.add(`${path}/${key}`, show(extras?.[key]), allowed.map(show).join(' or '));
    return known[0];
  };
  return {
    naming: read('naming', profile.NAMINGS),
    restPose: read('restPose', profile.REST_POSES),
  };
}

// One scene, nothing required, nothing outside the file.
function checkFile(json, faults) {
  faults.absent('/extensionsRequired', json.extensionsRequired);
  faults.equal('/scenes', (json.scenes ?? []).length, 1);
  faults.equal('/scene', json.scene ?? 0, 0);
  for (const list of ['buffers', 'images']) {
    (json[list] ?? []).forEach((item, index) => faults.absent(`/${list}/${index}/uri`, item.uri));
  }
}

// Returns the node numbers of the 65 joints when they are the profile's, else
// undefined.
function checkSkin(json, { naming }, faults) {
  faults.equal('/skins', (json.skins ?? []).length, 1);
  const skin = json.skins?.[0];
  if (!skin) return undefined;

  faults.equal('/skins/0/name', skin.name, 'skeleton');
  const joints = skin.joints ?? [];
  if (skin.skeleton === undefined || skin.skeleton !== joints[0]) {
    faults.add('/skins/0/skeleton', show(skin.skeleton), `the root joint, node ${joints[0]}`);
  }
  if (skin.inverseBindMatrices === undefined) {
    faults.add('/skins/0/inverseBindMatrices', 'nothing', 'an accessor');
  }

  const before = faults.list.length;
  faults.equal('/skins/0/joints', joints.length, profile.JOINTS.length);
  const names = profile.jointNames(naming);
  joints.slice(0, names.length).forEach((node, index) => {
    faults.equal(`/nodes/${node}/name`, json.nodes?.[node]?.name, names[index]);
  });
  if (new Set(joints).size !== joints.length) {
    faults.add('/skins/0/joints', 'a node that is listed twice', 'each joint once');
  }

  const parentOf = parents(json);
  joints.slice(0, names.length).forEach((node, index) => {
    const parent = profile.PARENTS[index];
    const wanted = parent < 0 ? undefined : joints[parent];
    const found = parentOf.get(node);
    if (found !== wanted) {
      const nameOf = (number) => (number === undefined ? 'none' : show(json.nodes[number]?.name));
      faults.add(`/nodes/${node} (${names[index]}) parent`, nameOf(found), nameOf(wanted));
    }
  });

  const isJoint = new Set(joints);
  for (const node of joints) {
    const joint = json.nodes?.[node] ?? {};
    faults.absent(`/nodes/${node}/scale`, joint.scale);
    faults.absent(`/nodes/${node}/matrix`, joint.matrix);
    faults.absent(`/nodes/${node}/mesh`, joint.mesh);
    for (const child of joint.children ?? []) {
      if (!isJoint.has(child)) {
        faults.add(`/nodes/${node}/children`, `node ${child}, which is no joint`, 'joints only');
      }
    }
  }
  return faults.list.length === before ? joints : undefined;
}

function parents(json) {
  const parentOf = new Map();
  (json.nodes ?? []).forEach((node, index) => {
    for (const child of node.children ?? []) parentOf.set(child, index);
  });
  return parentOf;
}

// The scene's top nodes: the root joint and the mesh nodes, which are bare.
function checkScene(json, joints, faults) {
  const root = json.skins?.[0]?.joints?.[0];
  const top = json.scenes?.[0]?.nodes ?? [];
  const meshNodes = [];
  (json.nodes ?? []).forEach((node, index) => {
    if (node.mesh !== undefined) meshNodes.push(index);
  });

  const byNumber = (a, b) => a - b;
  const wanted = [root, ...meshNodes].filter((node) => node !== undefined).sort(byNumber);
  faults.equal('/scenes/0/nodes', [...top].sort(byNumber), wanted);
  if (joints && json.nodes.length !== joints.length + meshNodes.length) {
    const extra = json.nodes.length - joints.length - meshNodes.length;
    faults.add('/nodes', `${extra} that are neither joint nor mesh`, 'none');
  }

  const uses = new Map();
  for (const index of meshNodes) {
    const node = json.nodes[index];
    const path = `/nodes/${index}`;
    for (const key of ['translation', 'rotation', 'scale', 'matrix', 'children']) {
      faults.absent(`${path}/${key}`, node[key]);
    }
    faults.equal(`${path}/skin`, node.skin, 0);
    faults.equal(`${path}/name`, node.name, json.meshes?.[node.mesh]?.name);
    uses.set(node.mesh, (uses.get(node.mesh) ?? 0) + 1);
  }
  (json.meshes ?? []).forEach((_, index) => {
    if (uses.get(index) !== 1) {
      faults.add(`/meshes/${index}`, `${uses.get(index) ?? 0} nodes`, 'one node');
    }
  });
}

// The meshes' names and order, and what each primitive is made of.
function checkMeshes(json, faults) {
  const meshes = json.meshes ?? [];
  const names = meshes.map((mesh) => mesh.name);
  meshes.forEach((mesh, index) => {
    if (!/^[A-Za-z0-9_]+$/.test(mesh.name ?? '')) {
      faults.add(`/meshes/${index}/name`, show(mesh.name), 'ASCII letters, digits and _');
    } else if (!profile.isMeshName(mesh.name)) {
      faults.add(`/meshes/${index}/name`, show(mesh.name), 'a part or garment_<asset>');
    } else if (names.indexOf(mesh.name) !== index) {
      faults.add(`/meshes/${index}/name`, show(mesh.name), 'a name used once');
    }
  });
  if (!names.includes('body')) faults.add('/meshes', 'no body', 'a mesh named body');
  if (names.every((meshName) => typeof meshName === 'string')) {
    const ordered = profile.inMeshOrder(names);
    const wrong = names.findIndex((meshName, index) => meshName !== ordered[index]);
    if (wrong >= 0) faults.add('/meshes', names.join(', '), `the order ${ordered.join(', ')}`);
  }

  for (const { path, primitive } of primitives(json)) {
    faults.equal(`${path}/mode`, primitive.mode ?? TRIANGLES, TRIANGLES);
    if (primitive.indices === undefined) faults.add(`${path}/indices`, 'nothing', 'an accessor');
    const attributes = primitive.attributes ?? {};
    for (const attribute of ['POSITION', 'NORMAL', 'JOINTS_0', 'WEIGHTS_0']) {
      if (attributes[attribute] === undefined) {
        faults.add(`${path}/attributes/${attribute}`, 'nothing', 'an accessor');
      }
    }
    // More than four influences would be in a second set.
    faults.absent(`${path}/attributes/JOINTS_1`, attributes.JOINTS_1);
    faults.absent(`${path}/attributes/WEIGHTS_1`, attributes.WEIGHTS_1);
  }
}

function primitives(json) {
  return (json.meshes ?? []).flatMap((mesh, meshIndex) =>
    (mesh.primitives ?? []).map((primitive, index) => ({
      primitive,
      path: `/meshes/${meshIndex}/primitives/${index}`,
    })),
  );
}

// The joints' rest frames, and the inverse bind matrices that undo them.
// Returns the global matrices.
function checkFrames(glb, joints, { restPose }, faults) {
  const { json } = glb;
  const nodes = joints.map((node) => json.nodes[node]);
  const translations = nodes.map((node) => node.translation ?? [0, 0, 0]);
  const rotations = nodes.map((node) => node.rotation ?? [0, 0, 0, 1]);
  const locals = joints.map((_, index) =>
    matrix.fromTranslationRotation(translations[index], rotations[index]),
  );
  const globals = matrix.globalMatrices(locals, profile.PARENTS);
  const at = (joint) => matrix.positionOf(globals[profile.JOINT_INDEX.get(joint)]);
  const pathOf = (joint) => `/nodes/${joints[profile.JOINT_INDEX.get(joint)]} (${joint})`;
  const triple = (vector) => `(${vector.map(rounded).join(', ')})`;

  const root = at('root');
  faults.within(`${pathOf('root')} position`, Math.max(...root.map(Math.abs)), ORIGIN_TOLERANCE,
    triple(root), 'the origin');
  const pelvis = at('pelvis');
  faults.within(`${pathOf('pelvis')} position`, Math.max(Math.abs(pelvis[0]), Math.abs(pelvis[2])),
    ORIGIN_TOLERANCE, triple(pelvis), 'x = z = 0, over the root');
  for (const side of ['l', 'r']) {
    const forward = at(`ball_${side}`)[2] - at(`foot_${side}`)[2];
    if (!(forward > 0)) {
      faults.add(pathOf(`foot_${side}`), `toes ${rounded(forward)} m along Z`, 'toes towards +Z');
    }
  }

  if (restPose === 't-pose') {
    profile.JOINTS.forEach(({ ue }, index) => {
      const wanted = UAL_ROTATIONS[ue];
      const found = rotations[index];
      // A quaternion and its negative are the same rotation.
      const off = (sign) => Math.max(...found.map((v, slot) => Math.abs(sign * v - wanted[slot])));
      faults.within(`${pathOf(ue)}/rotation`, Math.min(off(1), off(-1)), ROTATION_TOLERANCE,
        show(found), `UAL's ${show(wanted)}`);
    });
    for (const [side, sign] of [['l', 1], ['r', -1]]) {
      const hand = at(`hand_${side}`);
      const wanted = sign > 0 ? '+X' : '-X';
      if (!(hand[0] * sign > 0)) {
        faults.add(`${pathOf(`hand_${side}`)} position`, triple(hand), `the ${wanted} side`);
      }
      for (const [from, to] of [['upperarm', 'lowerarm'], ['lowerarm', 'hand']]) {
        const start = at(`${from}_${side}`);
        const bone = at(`${to}_${side}`).map((value, slot) => value - start[slot]);
        const degrees = matrix.degreesBetween(bone, [sign, 0, 0]);
        faults.within(`${pathOf(`${from}_${side}`)} bone`, degrees, ARM_TOLERANCE,
          `${rounded(degrees)} degrees off ${wanted}`, `within ${ARM_TOLERANCE}`);
      }
    }
  }

  const { inverseBindMatrices } = json.skins[0];
  if (inverseBindMatrices !== undefined) {
    const { data, count, width } = readAccessor(glb, inverseBindMatrices);
    faults.equal(`/accessors/${inverseBindMatrices}/type`, width, 16);
    faults.equal(`/accessors/${inverseBindMatrices}/count`, count, joints.length);
    // One joint moved throws off all joints below it, so the first stands for
    // them all.
    const off = globals.map((global, index) => {
      const inverse = [...data.subarray(index * width, (index + 1) * width)];
      return matrix.distanceFromIdentity(matrix.multiply(global, inverse));
    });
    const wrong = off.flatMap((distance, index) => (distance <= BIND_TOLERANCE ? [] : [index]));
    if (wrong.length > 0) {
      const [first] = wrong;
      faults.add(`/skins/0/inverseBindMatrices[${first}] (${profile.JOINTS[first].ue})`,
        `${rounded(off[first])} off the identity when undone (${wrong.length} of ${off.length} joints)`,
        `within ${BIND_TOLERANCE}`);
    }
  }
  return globals;
}

// The vertices: their skin weights, and that the lowest one is on the floor.
// At rest the skin moves nothing, so positions as stored are where they are.
function checkVertices(glb, globals, faults) {
  let lowest = Infinity;
  for (const { path, primitive } of primitives(glb.json)) {
    faults.attempt(path, () => {
      const { POSITION } = primitive.attributes ?? {};
      if (POSITION === undefined) return;
      const { data, count } = readAccessor(glb, POSITION, `${path}/attributes/POSITION`);
      for (let vertex = 0; vertex < count; vertex += 1) {
        // `Math.min` never lets go of a NaN, so the comparison below finds it.
        lowest = Math.min(lowest, data[vertex * 3 + 1]);
      }
    });
    faults.attempt(path, () => checkWeights(glb, path, primitive.attributes ?? {}, faults));
  }
  if (globals) {
    faults.within('/meshes (lowest POSITION y)', Math.abs(lowest), FLOOR_TOLERANCE,
      `${rounded(lowest)} m`, `0 within ${FLOOR_TOLERANCE} m`);
  }
}

// Names each kind of fault once per primitive, by its first vertex: a wrong
// rule in the writer would otherwise fill the screen with one line per vertex.
function checkWeights(glb, path, { JOINTS_0, WEIGHTS_0, POSITION }, faults) {
  if (JOINTS_0 === undefined || WEIGHTS_0 === undefined) return;
  const jointsPath = `${path}/attributes/JOINTS_0`;
  const weightsPath = `${path}/attributes/WEIGHTS_0`;
  const joints = readAccessor(glb, JOINTS_0, jointsPath);
  const weights = readAccessor(glb, WEIGHTS_0, weightsPath);
  if (![UNSIGNED_BYTE, UNSIGNED_SHORT].includes(joints.accessor.componentType)) {
    faults.add(jointsPath, `componentType ${joints.accessor.componentType}`, 'bytes or shorts');
  }
  if (weights.accessor.componentType !== FLOAT) {
    faults.add(weightsPath, `componentType ${weights.accessor.componentType}`, 'floats');
  }
  const { count } = weights;
  const vertices = glb.json.accessors[POSITION]?.count;
  if (joints.width !== 4 || weights.width !== 4 || joints.count !== count || vertices !== count) {
    faults.add(weightsPath, `${joints.count} joints and ${count} weights, ${joints.width} and ` +
      `${weights.width} wide`, `${vertices} of each, 4 wide`);
    return;
  }

  const seen = new Map();
  const note = (attributePath, rule, vertex, found) => {
    const first = seen.get(rule);
    if (first) first.times += 1;
    else seen.set(rule, { attributePath, vertex, found, times: 1 });
  };
  for (let vertex = 0; vertex < count; vertex += 1) {
    let sum = 0;
    for (let slot = vertex * 4; slot < vertex * 4 + 4; slot += 1) {
      const weight = weights.data[slot];
      const joint = joints.data[slot];
      sum += weight;
      if (!(weight >= 0)) note(weightsPath, 'no weight under 0', vertex, weight);
      if (weight === 0) {
        if (joint !== 0) note(jointsPath, 'joint 0 in an unused slot', vertex, `joint ${joint}`);
      } else if (joint >= profile.JOINTS.length) {
        note(jointsPath, 'a joint under 65', vertex, `joint ${joint}`);
      } else if (profile.carriesNoWeight(joint)) {
        const { ue } = profile.JOINTS[joint];
        note(jointsPath, 'no weight on the root or a leaf', vertex, `${weight} on ${ue}`);
      }
    }
    if (!(Math.abs(sum - 1) <= WEIGHT_TOLERANCE)) {
      note(weightsPath, `a sum of 1 within ${WEIGHT_TOLERANCE}`, vertex, `a sum of ${sum}`);
    }
  }
  for (const [rule, { attributePath, vertex, found, times }] of seen) {
    faults.add(`${attributePath}[${vertex}]`, times > 1 ? `${found} (${times} times)` : found, rule);
  }
}
