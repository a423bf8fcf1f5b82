// The little of matrix algebra that the checks need, in doubles. A matrix is an
// array of 16 numbers by columns, as glTF stores it.

/** The matrix of a node's translation and (x, y, z, w) rotation. */
export function fromTranslationRotation([tx, ty, tz], [x, y, z, w]) {
  return [
    1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w), 0,
    2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w), 0,
    2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y), 0,
    tx, ty, tz, 1,
  ];
}

/** The product `a * b`: what `b` does is done first. */
export function multiply(a, b) {
  const out = new Array(16).fill(0);
  for (let column = 0; column < 4; column += 1) {
    for (let row = 0; row < 4; row += 1) {
      for (let k = 0; k < 4; k += 1) out[column * 4 + row] += a[k * 4 + row] * b[column * 4 + k];
    }
  }
  return out;
}

/** The inverse of a matrix that only turns and moves; its last row is 0, 0, 0, 1 to the bit. */
export function invertRigid(m) {
  const out = [m[0], m[4], m[8], 0, m[1], m[5], m[9], 0, m[2], m[6], m[10], 0, 0, 0, 0, 1];
  for (let row = 0; row < 3; row += 1) {
    out[12 + row] = -(out[row] * m[12] + out[4 + row] * m[13] + out[8 + row] * m[14]);
  }
  return out;
}

/** The largest absolute difference between a matrix and the identity. */
export function distanceFromIdentity(m) {
  // `Math.max` gives NaN when any of its arguments is one, so a matrix with a
  // NaN in it is never taken for the identity.
  return Math.max(...m.map((value, slot) => Math.abs(value - (slot % 5 === 0 ? 1 : 0))));
}

/** The global matrices of joints, parents first. */
export function globalMatrices(locals, parents) {
  const globals = [];
  locals.forEach((local, index) => {
    const parent = parents[index];
    globals.push(parent < 0 ? local : multiply(globals[parent], local));
  });
  return globals;
}

/** Where a matrix puts the origin. */
export const positionOf = (m) => [m[12], m[13], m[14]];

/** The angle in degrees between two directions, NaN when one has no length. */
export function degreesBetween(a, b) {
  const dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const cosine = dot / (Math.hypot(...a) * Math.hypot(...b));
  return (Math.acos(Math.min(1, Math.max(-1, cosine))) * 180) / Math.PI;
}

/** How far apart two points are. */
export const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

/** The angle in degrees of the turn from one matrix's rotation to another's. */
export function degreesBetweenTurns(a, b) {
  // The matrices' columns may have been scaled alike; only where they point counts.
  let trace = 0;
  for (const column of [0, 4, 8]) {
    const [u, v] = [a, b].map((m) => [m[column], m[column + 1], m[column + 2]]);
    trace += (u[0] * v[0] + u[1] * v[1] + u[2] * v[2]) / (Math.hypot(...u) * Math.hypot(...v));
  }
  return (Math.acos(Math.min(1, Math.max(-1, (trace - 1) / 2))) * 180) / Math.PI;
}
