// The command line that every program of the harness has: a folder to check,
// a file for the report, and exit code 2 for what nobody can have meant.

import { stat, writeFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const DEFAULT_DIR = fileURLToPath(new URL('../../../samples/out', import.meta.url));

/** A slip in the command line, or in what the environment says. */
export class UsageError extends Error {}

/**
 * Runs `main(options)`, which returns the exit code, and reports what it
 * throws: exit code 2 and the usage for a `UsageError`, else 1.
 */
export async function runCommand(name, program, main, args = process.argv.slice(2)) {
  const usage = `usage: node ${program} [--dir DIR] [--json OUT.json]`;
  try {
    const options = readArguments(args);
    if (options.help) console.log(usage);
    else process.exitCode = await main(options);
  } catch (error) {
    if (error instanceof UsageError) {
      console.error(`${name}: ${error.message}\n${usage}`);
      process.exitCode = 2;
    } else {
      console.error(`${name}: the harness itself failed: ${error?.stack ?? error}`);
      process.exitCode = 1;
    }
  }
}

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

/**
 * The folder to check: `path`, whether it `exists`, and how to print it, which
 * is as given or relative to where the command runs.
 */
export async function folderOf(dir) {
  const path = dir ?? DEFAULT_DIR;
  const exists = await isFolder(path);
  // A folder that was named and is not there is a slip of the pen, and must
  // not read like a folder with nothing in it.
  if (dir !== undefined && !exists) throw new UsageError(`--dir ${dir} is not a folder`);
  return { path, exists, shown: dir ?? (relative(process.cwd(), path) || '.') };
}

async function isFolder(path) {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return false;
    throw error;
  }
}

/** Writes a report as JSON where one was asked for. */
export async function writeReport(json, report) {
  if (json === undefined) return;
  try {
    await writeFile(json, `${JSON.stringify(report, null, 2)}\n`);
  } catch (error) {
    throw new UsageError(`--json ${json} cannot be written: ${error.message}`);
  }
}
