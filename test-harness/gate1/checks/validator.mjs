// Khronos' own glTF validator: zero errors and zero warnings.

import validator from 'gltf-validator';

import { Faults } from '../lib/faults.mjs';

export const name = 'validator';

const SEVERITIES = ['error', 'warning', 'info', 'hint'];
const WORST_ALLOWED = SEVERITIES.indexOf('info');

/** What the validator finds in a GLB: its `issues`, with counts by severity. */
export async function issuesOf(name, bytes) {
  const { issues } = await validator.validateBytes(bytes, {
    uri: name,
    format: 'glb', // also for .vrm, which is a GLB by another name
    maxIssues: 0, // no limit: a thousand hints must not hide an error
    writeTimestamp: false,
    externalResourceFunction: async (uri) => {
      throw new Error(`the file points outside itself, at ${uri}`);
    },
  });
  return issues;
}

export async function check(file) {
  const faults = new Faults();
  const issues = await issuesOf(file.name, file.bytes);
  for (const message of issues.messages) {
    if (message.severity < WORST_ALLOWED) {
      const where = message.pointer ?? `(offset ${message.offset ?? 'unknown'})`;
      const severity = SEVERITIES[message.severity];
      faults.add(where, `${severity} ${message.code}: ${message.message}`, 'no such issue');
    }
  }
  // The counts are the validator's verdict; the messages only explain it.
  const counted = issues.numErrors + issues.numWarnings;
  if (counted !== faults.list.length) {
    faults.add('(report)', `${counted} errors and warnings`, `the ${faults.list.length} listed`);
  }
  return { faults: faults.list, counts: { infos: issues.numInfos, hints: issues.numHints } };
}
