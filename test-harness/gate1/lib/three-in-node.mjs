// Loads a GLB with three.js outside a browser. Everything that three prints
// while it loads is kept, because a loader that says "couldn't load texture"
// and goes on has not loaded the file.

// three asks a browser's global scope for `self.URL`.
globalThis.self ??= globalThis;

// Decoding pixels is a browser's work. The check needs to know only that the
// bytes are an image that states a size, so this reads the header and no more.
globalThis.createImageBitmap ??= async (blob) => {
  const { width, height } = imageSize(new Uint8Array(await blob.arrayBuffer()));
  return { width, height, close() {} };
};

const { LoadingManager, PropertyBinding, SkinnedMesh, setConsoleFunction } = await import('three');
const { GLTFLoader } = await import('three/examples/jsm/loaders/GLTFLoader.js');

export { PropertyBinding, SkinnedMesh };

/** Width and height of a PNG or JPEG; throws on anything else. */
export function imageSize(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isPng = bytes.length >= 24 && view.getUint32(0) === 0x89504e47 &&
    view.getUint32(4) === 0x0d0a1a0a && view.getUint32(12) === 0x49484452; // "IHDR"
  const size = isPng
    ? { width: view.getUint32(16), height: view.getUint32(20) }
    : jpegSize(bytes, view);
  if (!size || size.width === 0 || size.height === 0) {
    throw new Error('an image that is no PNG or JPEG with a size');
  }
  return size;
}

// Walks the segments of a JPEG up to the frame header, which has the size.
function jpegSize(bytes, view) {
  if (bytes.length < 4 || view.getUint16(0) !== 0xffd8) return undefined;
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1];
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}

/**
 * Parses a GLB with three's `GLTFLoader`. Returns what it made together with
 * the warnings and errors that it printed.
 */
export async function loadWithThree(bytes) {
  const printed = [];
  const keep = (type, ...parts) => {
    if (type !== 'log') printed.push(`${type}: ${parts.map(String).join(' ')}`);
  };
  // Some of three's modules print through its own function, some straight to
  // the console.
  const { warn, error } = console;
  console.warn = (...parts) => keep('warn', ...parts);
  console.error = (...parts) => keep('error', ...parts);
  setConsoleFunction(keep);
  try {
    // A copy, because the loader takes the whole of an ArrayBuffer and `bytes`
    // may be a window into a larger one.
    const buffer = Uint8Array.from(bytes).buffer;
    const gltf = await new GLTFLoader(new LoadingManager()).parseAsync(buffer, '');
    return { gltf, printed };
  } finally {
    console.warn = warn;
    console.error = error;
    setConsoleFunction(null);
  }
}
