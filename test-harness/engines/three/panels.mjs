// Runs in the browser, for both pages: panels side by side in one canvas, and
// what can be told from their pixels.

import { PerspectiveCamera, SRGBColorSpace, WebGLRenderer } from 'three';

export const BACKGROUND = 0x88aacc;

export function look(from, to, degrees) {
  const camera = new PerspectiveCamera(degrees, 1, 0.01, 50);
  camera.position.set(...from);
  camera.lookAt(...to);
  return camera;
}

/**
 * Draws a view, one of the cameras `views`, into one of the panels and returns
 * its pixels. `edges` says where each panel begins and ends, as shares of the
 * width.
 */
export function drawer(scene, views, edges) {
  const renderer = new WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
  renderer.setSize(innerWidth, innerHeight);
  renderer.outputColorSpace = SRGBColorSpace;
  renderer.setScissorTest(true);
  document.body.append(renderer.domElement);
  const height = innerHeight;
  return (view, panel) => {
    const [left, right] = edges.slice(panel, panel + 2).map((share) => Math.round(share * innerWidth));
    const width = right - left;
    renderer.setViewport(left, 0, width, height);
    renderer.setScissor(left, 0, width, height);
    views[view].aspect = width / height;
    views[view].updateProjectionMatrix();
    renderer.render(scene, views[view]);
    const gl = renderer.getContext();
    const pixels = new Uint8Array(width * height * 4);
    gl.readPixels(left, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    return pixels;
  };
}

// The share of a panel that is not background, and how many colours it has.
export function figureIn(pixels) {
  const [r, g, b] = [BACKGROUND >> 16, (BACKGROUND >> 8) & 255, BACKGROUND & 255];
  const colours = new Set();
  let count = 0;
  for (let at = 0; at < pixels.length; at += 4) {
    const far = Math.abs(pixels[at] - r) + Math.abs(pixels[at + 1] - g) + Math.abs(pixels[at + 2] - b);
    if (far < 8) continue;
    count += 1;
    colours.add((pixels[at] << 16) | (pixels[at + 1] << 8) | pixels[at + 2]);
  }
  return { figure: count / (pixels.length / 4), shades: colours.size };
}

// How many pixels differ between two shares of the height, counted from below as
// WebGL does.
export function changedIn(before, after, from = 0, to = 1) {
  let changed = 0;
  const [start, end] = [from, to].map((share) => Math.round((before.length / 4) * share) * 4);
  for (let at = start; at < end; at += 4) {
    const far = [0, 1, 2].reduce((sum, c) => sum + Math.abs(before[at + c] - after[at + c]), 0);
    if (far > 24) changed += 1;
  }
  return changed;
}
