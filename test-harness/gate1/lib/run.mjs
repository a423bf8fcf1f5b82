// Runs checks over files and puts the verdicts together.

import { readFile, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { Fault, parseGlb } from './glb.mjs';

// A check that waits for something that never comes would otherwise end the
// process without a verdict.
const CHECK_TIMEOUT = 120_000; // milliseconds
const STRAY_ERRORS = ['unhandledRejection', 'uncaughtException'];
const FAULTS_SHOWN = 20; // per file and check; the JSON report has them all

/** The GLB and VRM files straight in a folder, by code units of their names. */
export async function findFiles(dir) {
  const entries = await readdir(dir, { withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory() && /\.(glb|vrm)$/i.test(entry.name))
    .map((entry) => entry.name)
    .sort()
    .map((name) => join(dir, name));
}

/** A file as the checks take it. */
export function fileFromBytes(name, bytes) {
  let parsed;
  return {
    name,
    bytes,
    glb() {
      parsed ??= parseGlb(bytes);
      return parsed;
    },
  };
}

/**
 * One check on one file. Whatever happens inside the check, there is a result,
 * and a check that crashed has found a fault.
 */
export async function runCheck(check, file) {
  let fail;
  const failure = new Promise((_, reject) => {
    fail = reject;
  });
  const timer = setTimeout(() => fail(new Error('no answer in time')), CHECK_TIMEOUT);
  // A library may throw where nobody awaits it, which would end the process.
  for (const event of STRAY_ERRORS) process.on(event, fail);
  try {
    const { faults, counts = {}, measured } = await Promise.race([settled(check, file), failure]);
    return { file: file.name, faults, counts, measured };
  } catch (error) {
    const fault =
      error instanceof Fault
        ? { path: error.path, found: error.found, expected: error.expected }
        : {
            path: '(check)',
            found: `a crash: ${error?.stack ?? error}`,
            expected: 'a check that ends',
          };
    return { file: file.name, faults: [fault], counts: {} };
  } finally {
    clearTimeout(timer);
    for (const event of STRAY_ERRORS) process.off(event, fail);
  }
}

// Gives errors that a check left behind a turn of the event loop to show up in.
async function settled(check, file) {
  const result = await check.check(file);
  await new Promise((resolve) => setImmediate(resolve));
  return result;
}

async function openFile(path) {
  const name = basename(path);
  try {
    return fileFromBytes(name, new Uint8Array(await readFile(path)));
  } catch (error) {
    return { name, unreadable: error };
  }
}

/** Every check on every file of a folder; one file is in memory at a time. */
export async function runFolder(dir, checks) {
  const paths = await findFiles(dir);
  const results = checks.map((check) => ({ name: check.name, files: [] }));
  for (const path of paths) {
    const file = await openFile(path);
    for (const [index, check] of checks.entries()) {
      const { unreadable } = file;
      const guarded = unreadable ? { check: () => Promise.reject(unreadable) } : check;
      results[index].files.push(await runCheck(guarded, file));
    }
  }
  return report(dir, paths.map((path) => basename(path)), results);
}

/** The verdicts of a folder without any file to check. */
export function nothingToRun(dir, checks) {
  return report(dir, [], checks.map((check) => ({ name: check.name, files: [] })));
}

function report(dir, files, results) {
  const checks = results.map(({ name, files: perFile }) => {
    const failed = perFile.filter(({ faults }) => faults.length > 0).length;
    const ran = perFile.length > 0;
    return { name, verdict: !ran ? 'NOT RUN' : failed ? 'FAIL' : 'PASS', failed, files: perFile };
  });
  const any = (verdict) => checks.some((check) => check.verdict === verdict);
  const verdict = any('FAIL') ? 'FAIL' : any('NOT RUN') ? 'NOT RUN' : 'PASS';
  return { gate: 1, dir, verdict, files, checks };
}

/** A fault as one line. */
export function faultLine(file, { path, found, expected }) {
  return `${file}: ${path}: found ${found}, expected ${expected}`;
}

/** The report as the lines to print: one verdict per check, then a summary. */
export function reportLines({ dir, verdict, files, checks }) {
  const width = Math.max(...checks.map(({ name }) => name.length));
  const lines = [];
  for (const check of checks) {
    const head = `${check.name.padEnd(width)}  ${check.verdict}`;
    if (check.verdict === 'NOT RUN') lines.push(`${head} (no GLB or VRM in ${dir})`);
    else if (check.verdict === 'PASS') {
      lines.push(`${head}  ${count(files.length, 'file')}${countsText(check.files)}`);
    } else {
      lines.push(`${head}  ${check.failed} of ${count(files.length, 'file')}${countsText(check.files)}`);
    }
    for (const { file, faults } of check.files) {
      for (const fault of faults.slice(0, FAULTS_SHOWN)) lines.push(`  ${faultLine(file, fault)}`);
      const more = faults.length - FAULTS_SHOWN;
      if (more > 0) lines.push(`  ${file}: and ${count(more, 'more fault')}`);
    }
  }
  const failed = checks.filter((check) => check.verdict === 'FAIL').length;
  if (verdict === 'NOT RUN') lines.push(`gate 1: NOT RUN, no GLB or VRM in ${dir}`);
  else if (verdict === 'PASS') {
    const ran = count(checks.length, 'check');
    lines.push(`gate 1: PASS, ${ran} on ${count(files.length, 'file')}`);
  } else lines.push(`gate 1: FAIL, ${failed} of ${count(checks.length, 'check')}`);
  return lines;
}

const count = (number, noun) => `${number} ${noun}${number === 1 ? '' : 's'}`;

// What a check counted without objecting to it, over all files.
function countsText(perFile) {
  const totals = new Map();
  for (const { counts } of perFile) {
    for (const [label, number] of Object.entries(counts)) {
      totals.set(label, (totals.get(label) ?? 0) + number);
    }
  }
  const parts = [...totals].map(([label, number]) => `${number} ${label}`);
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}
