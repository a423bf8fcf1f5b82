#!/usr/bin/env node
// Checks every GLB and VRM of a folder against the export profile.
//
//   node gate1.mjs [--dir DIR] [--json OUT.json]
//
// Exit codes: 0 when all checks pass or there is nothing to check, 1 when a
// check fails, 2 when the command line or the environment is wrong.

import { CHECKS } from './checks/index.mjs';
import { UsageError, folderOf, runCommand, writeReport } from './lib/command-line.mjs';
import { nothingToRun, reportLines, runFolder } from './lib/run.mjs';

await runCommand('gate1', 'gate1.mjs', async ({ dir, json }) => {
  const { path, exists, shown } = await folderOf(dir);
  try {
    for (const check of CHECKS) await check.ready?.();
  } catch (error) {
    throw new UsageError(error.message);
  }
  const report = exists ? await runFolder(path, CHECKS) : nothingToRun(path, CHECKS);
  report.dir = shown;
  console.log(reportLines(report).join('\n'));
  await writeReport(json, report);
  return report.verdict === 'FAIL' ? 1 : 0;
});
