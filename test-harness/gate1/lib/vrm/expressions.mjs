// `expressions`, read from the JSON alone: VRM's rules, and the profile's for
// which shapes make up what.

import { show } from '../faults.mjs';
import { LOOKS, MOODS, OVERRIDES, PRESETS, SETTLED, VOWELS, mirrored } from './tables.mjs';

/** Where each shape is: `{ node, index }` for each mesh that has its name. */
export function placesOf(json) {
  const places = new Map();
  (json.nodes ?? []).forEach(({ mesh }, node) => {
    const names = json.meshes?.[mesh]?.extras?.targetNames ?? [];
    names.forEach((name, index) => {
      if (!places.has(name)) places.set(name, []);
      places.get(name).push({ node, index });
    });
  });
  return places;
}

/** The expressions as `[name, path, expression]`, presets first. */
export function listExpressions({ preset = {}, custom = {} } = {}) {
  return [
    ...Object.entries(preset).map(([name, value]) => [name, `preset/${name}`, value]),
    ...Object.entries(custom).map(([name, value]) => [name, `custom/${name}`, value]),
  ];
}

/**
 * Checks all expressions; the answer is whether every bind names a target that
 * is there, without which three-vrm cannot be asked.
 */
export function checkExpressions(json, path, faults) {
  const places = placesOf(json);
  const { expressions } = json.extensions.VRMC_vrm;
  const at = `${path}/expressions`;
  if (expressions === undefined) {
    if (places.size > 0) faults.add(at, 'nothing', 'expressions for the shapes that the meshes have');
    return true;
  }
  for (const name of Object.keys(expressions.preset ?? {})) {
    if (!PRESETS.includes(name)) faults.add(`${at}/preset/${name}`, 'a preset', "one of VRM's 18 names");
  }
  for (const name of Object.keys(expressions.custom ?? {})) {
    if (PRESETS.includes(name)) faults.add(`${at}/custom/${name}`, 'a custom expression', "a name that is no preset's");
  }
  let sound = true;
  for (const [name, where, expression] of listExpressions(expressions)) {
    // A gaze that is on or off meets nothing that it is aimed at.
    if (LOOKS.includes(name) && expression?.isBinary === true) faults.add(`${at}/${where}/isBinary`, 'true', 'false');
    sound = checkExpression(json, `${at}/${where}`, expression, faults) && sound;
  }
  if (!sound) return false;
  checkWhole(json, at, places, faults);
  checkPresets(json, at, places, faults);
  checkCustom(at, expressions.custom ?? {}, places, faults);
  return true;
}

function checkExpression(json, at, expression, faults) {
  if (expression === null || typeof expression !== 'object') {
    faults.add(at, show(expression), 'an object');
    return false;
  }
  const { isBinary = false, morphTargetBinds: binds } = expression;
  if (typeof isBinary !== 'boolean') faults.add(`${at}/isBinary`, show(isBinary), 'true or false');
  for (const key of ['overrideBlink', 'overrideLookAt', 'overrideMouth']) {
    const value = expression[key] ?? 'none';
    if (!OVERRIDES.includes(value)) faults.add(`${at}/${key}`, show(value), OVERRIDES.map(show).join(' or '));
  }
  // The profile moves a face by morph targets and by nothing else.
  for (const key of ['materialColorBinds', 'textureTransformBinds']) faults.absent(`${at}/${key}`, expression[key]);
  if (binds === undefined) return true;
  if (!Array.isArray(binds) || binds.length === 0) {
    faults.add(`${at}/morphTargetBinds`, show(binds), 'one bind or more, or no list');
    return false;
  }
  const seen = new Set();
  return binds.map((bind, number) => {
    const here = `${at}/morphTargetBinds/${number}`;
    const key = `${bind?.node} ${bind?.index}`;
    if (seen.has(key)) faults.add(here, 'a target that is bound above, too', 'each target once');
    seen.add(key);
    if (!(bind?.weight >= 0 && bind.weight <= 1)) faults.add(`${here}/weight`, show(bind?.weight), 'a number from 0 to 1');
    return checkTarget(json, here, bind, faults);
  }).every(Boolean);
}

// The node has a mesh, and the target is in each of its primitives.
function checkTarget(json, here, bind, faults) {
  const node = json.nodes?.[bind?.node];
  if (node === undefined) faults.add(`${here}/node`, show(bind?.node), 'the number of a node');
  else if (json.meshes?.[node.mesh] === undefined) faults.add(`${here}/node`, `${bind.node}, which has no mesh`, 'a node with a mesh');
  else {
    const fewest = Math.min(...json.meshes[node.mesh].primitives.map(({ targets = [] }) => targets.length));
    if (Number.isInteger(bind.index) && bind.index >= 0 && bind.index < fewest) return true;
    faults.add(`${here}/index`, show(bind.index), `a target's number, under ${fewest}`);
  }
  return false;
}

/** The shapes that an expression moves, by name, with their weights. */
export function shapesOf(json, { morphTargetBinds = [] }) {
  const shapes = new Map();
  for (const { node, index, weight } of morphTargetBinds) {
    const name = json.meshes[json.nodes[node].mesh].extras?.targetNames?.[index];
    if (!shapes.has(name)) shapes.set(name, []);
    shapes.get(name).push({ node, index, weight });
  }
  return shapes;
}

// One name on several meshes is one shape: whoever moves it, moves it on all.
function checkWhole(json, at, places, faults) {
  for (const [, where, expression] of listExpressions(json.extensions.VRMC_vrm.expressions)) {
    for (const [name, binds] of shapesOf(json, expression)) {
      for (const place of places.get(name) ?? []) {
        const bind = binds.find(({ node, index }) => node === place.node && index === place.index);
        const mesh = show(json.meshes[json.nodes[place.node].mesh].name);
        if (!bind) faults.add(`${at}/${where}`, `no bind for ${show(name)} on ${mesh}`, 'it on every mesh that has it');
        else faults.equal(`${at}/${where} weight of ${show(name)} on ${mesh}`, bind.weight, binds[0].weight);
      }
    }
  }
}

const weightsOf = (json, expression) =>
  Object.fromEntries([...shapesOf(json, expression)].map(([name, binds]) => [name, binds[0].weight]).sort());

// What the profile settles, all presets that the file's shapes can make, and
// left and right alike.
function checkPresets(json, at, places, faults) {
  const preset = json.extensions.VRMC_vrm.expressions.preset ?? {};
  for (const [name, choices] of Object.entries(SETTLED)) {
    const shapes = choices.find((list) => list.every((shape) => places.has(shape)));
    const path = `${at}/preset/${name}`;
    if (shapes === undefined) faults.absent(path, preset[name]);
    else if (preset[name] === undefined) faults.add(path, 'nothing', `a preset of ${shapes.join(' and ') || 'nothing'}`);
    else {
      const wanted = Object.fromEntries([...shapes].sort().map((shape) => [shape, 1]));
      faults.equal(path, weightsOf(json, preset[name]), wanted);
    }
  }
  // Moods and vowels need a mouth, which visemes have as well; moods need more.
  const has = (names) => names.some((name) => places.has(name));
  const needed = [
    ...(has(['JawDrop', 'jawOpen']) ? MOODS : []), ...(has(['JawDrop', 'jawOpen', 'aa']) ? VOWELS : []),
  ];
  for (const name of needed) {
    if ((preset[name]?.morphTargetBinds ?? []).length === 0) faults.add(`${at}/preset/${name}`, show(preset[name]), 'shapes of the face');
  }
  for (const [name, expression] of Object.entries(preset)) {
    const other = mirrored(name);
    if (preset[other] === undefined) continue; // told above
    const turned = Object.entries(weightsOf(json, expression)).map(([shape, weight]) => [mirrored(shape), weight]);
    faults.equal(`${at}/preset/${other} beside ${name}`, weightsOf(json, preset[other]),
      Object.fromEntries(turned.sort()));
  }
}

// One custom expression per shape, but for shapes that have a preset's name.
function checkCustom(at, custom, places, faults) {
  for (const [name, where] of places) {
    if (PRESETS.includes(name)) continue;
    const binds = where.map((place) => ({ ...place, weight: 1 }));
    const found = custom[name]?.morphTargetBinds?.map(({ node, index, weight }) => ({ node, index, weight }));
    faults.equal(`${at}/custom/${name}`, found, binds);
  }
  for (const name of Object.keys(custom)) {
    if (!places.has(name)) faults.add(`${at}/custom/${name}`, 'a custom expression', 'one of a shape that some mesh has');
  }
}

/** Whether a file has the four expressions that look-at drives. */
export const canLook = (json) =>
  LOOKS.every((name) => json.extensions.VRMC_vrm.expressions?.preset?.[name] !== undefined);
