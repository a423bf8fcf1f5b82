#!/usr/bin/env node
// Checks every GLB and VRM of a folder against the export profile.
//
//   node gate1.mjs [--dir DIR] [--json OUT.json]
//
// Exit codes: 0 when all checks pass or there is nothing to check, 1 when a
// check fails, 2 when the command line is wrong.

import { stat, writeFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { CHECKS } from './checks/index.mjs';
import { nothingToRun, reportLines, runFolder } from './lib/run.mjs';

const USAGE = 'usage: node gate1.mjs [--dir DIR] [--json OUT.json]';
const DEFAULT_DIR = fileURLToPath(new URL('../../samples/out', import.meta.url));

class UsageError extends Error {}

function readArguments(args) {
  let values;
  try {
    ({ values } = parseArgs({
      args,
      options: { dir: { type: 'string' }, json: { type: 'string' }, help: { type: 'boolean' } },
    }));
  } catch (error) {
    throw new UsageError(error.message);
  }
  for (const option of ['dir', 'json']) {
    if (values[option] === '') throw new UsageError(`--${option} needs a value`);
  }
  return values;
}

async function isFolder(path) {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return false;
    throw error;
  }
}

async function main(args) {
  const { dir, json, help } = readArguments(args);
  if (help) {
    console.log(USAGE);
    return 0;
  }
  const folder = dir ?? DEFAULT_DIR;
  const exists = await isFolder(folder);
  // A folder that was named and is not there is a slip of the pen, and must
  // not read like a folder with nothing in it.
  if (dir !== undefined && !exists) throw new UsageError(`--dir ${dir} is not a folder`);

  const report = exists ? await runFolder(folder, CHECKS) : nothingToRun(folder, CHECKS);
  // A path in the report is as given, or relative to where the command runs.
  report.dir = dir ?? (relative(process.cwd(), folder) || '.');
  console.log(reportLines(report).join('\n'));
  if (json !== undefined) {
    try {
      await writeFile(json, `${JSON.stringify(report, null, 2)}\n`);
    } catch (error) {
      throw new UsageError(`--json ${json} cannot be written: ${error.message}`);
    }
  }
  return report.verdict === 'FAIL' ? 1 : 0;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (error instanceof UsageError) {
    console.error(`gate1: ${error.message}\n${USAGE}`);
    process.exitCode = 2;
  } else {
    console.error(`gate1: the harness itself failed: ${error?.stack ?? error}`);
    process.exitCode = 1;
  }
}
