// The table of checks, in the order in which their verdicts are printed. A
// check is a module with a `name` and an async `check(file)` that returns
// `{ faults: [{ path, found, expected }], counts?: { label: number }, measured? }`,
// where `file` has the `name`, the `bytes` and, read on first use, the parsed
// `glb()`. Counts are summed up for the verdict's line, what was measured is for
// the JSON report. What a check needs besides the files it reads in `ready()`,
// whose errors are about the command's environment.

import * as validator from './validator.mjs';
import * as skeleton from './skeleton.mjs';
import * as morphs from './morphs.mjs';
import * as licences from './licences.mjs';
import * as loader from './loader.mjs';
import * as walk from './walk.mjs';
import * as vrm from './vrm.mjs';

export const CHECKS = [validator, skeleton, morphs, licences, loader, walk, vrm];
