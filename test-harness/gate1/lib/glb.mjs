// Reads a GLB container and its accessors, strictly and without help from any
// library, so that a fault which a forgiving loader would pass over is named.

/** A fault in a file: where it is, what is there, and what should be. */
export class Fault extends Error {
  constructor(path, found, expected) {
    super(`${path}: found ${found}, expected ${expected}`);
    this.path = path;
    this.found = found;
    this.expected = expected;
  }
}

const MAGIC = 0x46546c67; // "glTF", read as a little-endian number
const JSON_CHUNK = 0x4e4f534a;
const BIN_CHUNK = 0x004e4942;
const HEADER = 12;
const CHUNK_HEADER = 8;

const hex = (number) => `0x${number.toString(16).padStart(8, '0')}`;

function expectEqual(path, found, expected, show = String) {
  if (found !== expected) throw new Fault(path, show(found), show(expected));
}

// Reads one chunk and returns its payload with the offset of what follows.
function readChunk(bytes, view, offset, type, name) {
  if (bytes.length - offset < CHUNK_HEADER) {
    throw new Fault(`(${name} chunk)`, `${bytes.length - offset} bytes`, 'a chunk header');
  }
  const length = view.getUint32(offset, true);
  expectEqual(`(${name} chunk).type`, view.getUint32(offset + 4, true), type, hex);
  if (length % 4 !== 0) {
    throw new Fault(`(${name} chunk).length`, length, 'a multiple of 4');
  }
  const start = offset + CHUNK_HEADER;
  if (start + length > bytes.length) {
    throw new Fault(`(${name} chunk).length`, length, `at most ${bytes.length - start}`);
  }
  return { data: bytes.subarray(start, start + length), end: start + length };
}

/**
 * Takes a GLB apart: one JSON chunk, one binary chunk, and nothing else.
 * Throws a `Fault` at the first thing that is not as glTF 2.0 and the profile
 * have it.
 */
export function parseGlb(bytes) {
  if (bytes.length < HEADER) {
    throw new Fault('(header)', `${bytes.length} bytes`, `at least ${HEADER}`);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  expectEqual('(header).magic', view.getUint32(0, true), MAGIC, hex);
  expectEqual('(header).version', view.getUint32(4, true), 2);
  expectEqual('(header).length', view.getUint32(8, true), bytes.length);

  const jsonChunk = readChunk(bytes, view, HEADER, JSON_CHUNK, 'JSON');
  const binChunk = readChunk(bytes, view, jsonChunk.end, BIN_CHUNK, 'BIN');
  if (binChunk.end !== bytes.length) {
    throw new Fault('(file)', `${bytes.length - binChunk.end} bytes after BIN`, 'none');
  }

  let text;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(jsonChunk.data);
  } catch {
    throw new Fault('(JSON chunk)', 'bytes that are not UTF-8', 'UTF-8');
  }
  let json;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new Fault('(JSON chunk)', error.message, 'JSON');
  }
  if (json === null || typeof json !== 'object' || Array.isArray(json)) {
    throw new Fault('(JSON chunk)', JSON.stringify(json), 'an object');
  }

  // The chunk may be longer than the buffer only by the padding to 4 bytes.
  expectEqual('/buffers', (json.buffers ?? []).length, 1, (n) => `${n} buffers`);
  const { byteLength } = json.buffers[0];
  const slack = binChunk.data.length - byteLength;
  if (!(slack >= 0 && slack < 4)) {
    throw new Fault('/buffers/0/byteLength', byteLength, `the BIN chunk's ${binChunk.data.length}`);
  }
  return { json, bin: binChunk.data };
}

const COMPONENTS = {
  5120: { size: 1, read: (view, at) => view.getInt8(at), whole: 127 },
  5121: { size: 1, read: (view, at) => view.getUint8(at), whole: 255 },
  5122: { size: 2, read: (view, at) => view.getInt16(at, true), whole: 32767 },
  5123: { size: 2, read: (view, at) => view.getUint16(at, true), whole: 65535 },
  5125: { size: 4, read: (view, at) => view.getUint32(at, true) },
  5126: { size: 4, read: (view, at) => view.getFloat32(at, true) },
};
const INDEX_COMPONENTS = [5121, 5123, 5125];
const WIDTHS = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };

// Copies `count` elements out of a buffer view into `out`, element after
// element, and refuses to read outside the view or the buffer.
function readView({ json, bin }, path, viewIndex, byteOffset, component, width, count) {
  const bufferView = json.bufferViews?.[viewIndex];
  if (!bufferView) throw new Fault(path, `bufferView ${viewIndex}`, 'one that exists');
  const elementSize = component.size * width;
  const stride = bufferView.byteStride ?? elementSize;
  const start = bufferView.byteOffset ?? 0;
  const used = count === 0 ? 0 : byteOffset + stride * (count - 1) + elementSize;
  if (used > bufferView.byteLength || start + bufferView.byteLength > bin.length) {
    throw new Fault(path, `${used} bytes of bufferView ${viewIndex}`, 'a range inside it');
  }
  const view = new DataView(bin.buffer, bin.byteOffset, bin.byteLength);
  const out = new Float64Array(count * width);
  for (let element = 0; element < count; element += 1) {
    const from = start + byteOffset + stride * element;
    for (let slot = 0; slot < width; slot += 1) {
      out[element * width + slot] = component.read(view, from + component.size * slot);
    }
  }
  return out;
}

/**
 * An accessor's numbers as doubles, with its sparse part put in and normalised
 * integers turned into fractions. Returns them with the accessor's own JSON and
 * the numbers of the elements that the sparse part substituted.
 */
export function readAccessor(glb, index, from) {
  const path = `/accessors/${index}`;
  const accessor = glb.json.accessors?.[index];
  if (!accessor) throw new Fault(from ?? path, `accessor ${index}`, 'one that exists');
  const component = COMPONENTS[accessor.componentType];
  if (!component) {
    throw new Fault(`${path}/componentType`, accessor.componentType, 'a component type');
  }
  const width = WIDTHS[accessor.type];
  if (!width) throw new Fault(`${path}/type`, accessor.type, Object.keys(WIDTHS).join(' or '));
  const { count, byteOffset = 0, bufferView, sparse } = accessor;
  if (!Number.isInteger(count) || count < 1) throw new Fault(`${path}/count`, count, '1 or more');

  const data =
    bufferView === undefined
      ? new Float64Array(count * width)
      : readView(glb, path, bufferView, byteOffset, component, width, count);
  let substituted = [];
  if (sparse) {
    const { indices, values } = sparse;
    if (!INDEX_COMPONENTS.includes(indices.componentType)) {
      throw new Fault(`${path}/sparse/indices/componentType`, indices.componentType,
        INDEX_COMPONENTS.join(' or '));
    }
    const where = readView(glb, `${path}/sparse/indices`, indices.bufferView,
      indices.byteOffset ?? 0, COMPONENTS[indices.componentType], 1, sparse.count);
    const what = readView(glb, `${path}/sparse/values`, values.bufferView,
      values.byteOffset ?? 0, component, width, sparse.count);
    where.forEach((element, slot) => {
      if (element >= count) throw new Fault(`${path}/sparse/indices`, element, `under ${count}`);
      data.set(what.subarray(slot * width, (slot + 1) * width), element * width);
    });
    substituted = where;
  }
  if (accessor.normalized && component.whole) {
    data.forEach((value, slot) => {
      data[slot] = Math.max(value / component.whole, -1);
    });
  }
  return { accessor, data, width, count, substituted };
}
