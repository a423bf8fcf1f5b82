// The licence block against the profile's own JSON schema, word for word.

import { readFileSync } from 'node:fs';

import { Ajv2020 } from 'ajv/dist/2020.js';

import { show } from './faults.mjs';

const SCHEMA = new URL('./export-extras-1.schema.json', import.meta.url);
// The strict mode is about schemas, and this one is given.
const validate = new Ajv2020({ allErrors: true, strict: false, verbose: true })
  .compile(JSON.parse(readFileSync(SCHEMA, 'utf8')));

/** What the schema says against a block, as `{ path, found, expected }` with paths from the block. */
export function schemaFaults(block) {
  if (validate(block)) return [];
  return validate.errors.map(({ instancePath, keyword, params, message, data }) =>
    keyword === 'required'
      ? { path: `${instancePath}/${params.missingProperty}`, found: 'nothing', expected: 'a value (schema: required)' }
      : { path: instancePath, found: show(data), expected: `what the schema asks for: ${message}` },
  );
}
