// Collects the faults of one file in one check, and prints what was found in
// the same short way everywhere.

import { Fault } from './glb.mjs';

/** A value as it stands in a message: short, and never an empty string. */
export function show(value) {
  if (value === undefined) return 'nothing';
  if (typeof value === 'number') return String(value);
  const text = JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 117)}...` : text;
}

/** A number rounded for reading; a fault needs no more digits than these. */
export const rounded = (number) => String(Number(Number(number).toPrecision(6)));

export class Faults {
  constructor() {
    this.list = [];
  }

  /** Whether nothing was wrong so far. */
  get none() {
    return this.list.length === 0;
  }

  /** Notes a fault; `found` and `expected` are already text. */
  add(path, found, expected) {
    this.list.push({ path, found: String(found), expected: String(expected) });
  }

  /** Notes a fault unless the two values are the same JSON. */
  equal(path, found, expected) {
    if (JSON.stringify(found) !== JSON.stringify(expected)) {
      this.add(path, show(found), show(expected));
    }
  }

  /** Notes a fault where a value is given that must be left out. */
  absent(path, found) {
    if (found !== undefined) this.add(path, show(found), 'nothing');
  }

  /**
   * Notes a fault for each name that is not among the `known` ones (which are
   * `what`), that comes again, or that stands before one it should follow.
   */
  names(path, names, known, what) {
    let last = -1;
    names.forEach((name, index) => {
      const at = `${path}/${index}`;
      const place = known.indexOf(name);
      if (place < 0) this.add(at, show(name), what);
      else if (names.indexOf(name) !== index) this.add(at, `${show(name)} again`, 'each name once');
      else if (place < last) {
        this.add(at, `${show(name)} after ${show(known[last])}`, 'the order of the profile');
      }
      last = Math.max(last, place);
    });
  }

  /**
   * Notes a fault unless `distance` is at most `limit`. Written so that a NaN
   * is a fault.
   */
  within(path, distance, limit, found, expected) {
    if (!(distance <= limit)) this.add(path, found, expected);
  }

  /**
   * Runs a part of a check, and notes what it throws as a fault, so that one
   * unreadable accessor does not hide what else is wrong.
   */
  attempt(path, part) {
    try {
      return part();
    } catch (error) {
      if (error instanceof Fault) this.add(error.path, error.found, error.expected);
      else this.add(path, `a crash of this check (${error.stack})`, 'a file that it can read');
      return undefined;
    }
  }
}
