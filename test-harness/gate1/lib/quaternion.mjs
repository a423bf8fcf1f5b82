// The little of quaternions that a clip needs; (x, y, z, w), as glTF has them.

/** The product `a * b`: what `b` does is done first. */
export function multiplyQuaternions([ax, ay, az, aw], [bx, by, bz, bw]) {
  return [
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz,
  ];
}

/** The turn that undoes a turn. */
export const undo = ([x, y, z, w]) => [-x, -y, -z, w];

/** A turn or a direction at a length of 1, which products of rounded ones lose. */
export function unit(q) {
  const length = Math.hypot(...q);
  return q.map((value) => value / length);
}

/** A turn about an axis of length 1, in radians. */
export function turn(axis, angle) {
  const sine = Math.sin(angle / 2);
  return [...axis.map((value) => value * sine), Math.cos(angle / 2)];
}

/** Where a turn puts a vector. */
export function rotate(q, [x, y, z]) {
  return multiplyQuaternions(multiplyQuaternions(q, [x, y, z, 0]), undo(q)).slice(0, 3);
}

/** The shortest turn from one direction to another. */
export function arc(from, to) {
  const [a, b] = [from, to].map(unit);
  const w = 1 + a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  // Opposite directions have many shortest turns; about X is one of them.
  if (!(w > 1e-9)) return [1, 0, 0, 0];
  return unit([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0], w]);
}

/** The way from `a` to `b` on the shorter arc. */
export function slerp(a, b, share) {
  const dot = a.reduce((sum, value, axis) => sum + value * b[axis], 0);
  const end = dot < 0 ? b.map((value) => -value) : b;
  const angle = Math.acos(Math.min(1, Math.abs(dot)));
  const sine = Math.sin(angle);
  // So close together, the straight line is the arc.
  if (sine < 1e-6) return a.map((value, axis) => value + (end[axis] - value) * share);
  const [from, to] = [Math.sin((1 - share) * angle) / sine, Math.sin(share * angle) / sine];
  return a.map((value, axis) => value * from + end[axis] * to);
}
