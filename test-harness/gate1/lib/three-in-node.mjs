// Loads a GLB with three.js outside a browser. Everything that three prints
// while it loads is kept, because a loader that says "couldn't load texture"
// and goes on has not loaded the file.

import { imageSize } from './image.mjs';

// three asks a browser's global scope for `self.URL`.
globalThis.self ??= globalThis;

// Decoding pixels is a browser's work. The check needs to know only that the
// bytes are an image that states a size, so this reads the header and no more.
globalThis.createImageBitmap ??= async (blob) => {
  const { width, height } = imageSize(new Uint8Array(await blob.arrayBuffer()));
  return { width, height, close() {} };
};

const {
  AnimationMixer, LoadingManager, Matrix4, PropertyBinding, SkinnedMesh, setConsoleFunction,
} = await import('three');
const { GLTFLoader } = await import('three/examples/jsm/loaders/GLTFLoader.js');

export { AnimationMixer, Matrix4, PropertyBinding, SkinnedMesh };

/**
 * Parses a GLB with three's `GLTFLoader` and its `plugins`. Returns what it made
 * together with the warnings and errors that it printed.
 */
export async function loadWithThree(bytes, plugins = []) {
  // A copy, because the loader takes the whole of an ArrayBuffer and `bytes`
  // may be a window into a larger one.
  const { buffer } = Uint8Array.from(bytes);
  const loader = new GLTFLoader(new LoadingManager());
  for (const plugin of plugins) loader.register(plugin);
  const { result: gltf, printed } = await keepingPrinted(async () => {
    const loaded = await loader.parseAsync(buffer, '');
    // What a plugin left to itself prints, too.
    if (plugins.length > 0) await new Promise((resolve) => setTimeout(resolve));
    return loaded;
  });
  return { gltf, printed };
}

/** Where in the glTF a three object comes from. */
export function pathOf(gltf, mesh) {
  const from = gltf.parser.associations.get(mesh) ?? {};
  return `/meshes/${from.meshes}/primitives/${from.primitives ?? 0}`;
}

/** Runs something with three, and keeps the warnings and errors that it prints. */
export async function keepingPrinted(part) {
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
    return { result: await part(), printed };
  } finally {
    console.warn = warn;
    console.error = error;
    setConsoleFunction(null);
  }
}
