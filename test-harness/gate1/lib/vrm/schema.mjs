// The published schemas of VRMC_vrm, from the folder beside the repository when
// it is there. The repository does without: the checks in words say the same.

import { existsSync, readFileSync, readdirSync } from 'node:fs';

import { Ajv2020 } from 'ajv/dist/2020.js';

import { show } from '../faults.mjs';

const DATA = new URL('../../../../../shared/data/gate/', import.meta.url);
const FOLDERS = ['gltf-schema/', 'vrm-schema/'].map((name) => new URL(name, DATA));
const ROOT = 'VRMC_vrm.schema.json';

const validate = FOLDERS.every((folder) => existsSync(folder)) ? compile() : undefined;

/** Whether the schemas are there. */
export const hasSchemas = validate !== undefined;

function compile() {
  // The schemas name themselves by their files, and most name no draft.
  const ajv = new Ajv2020({ allErrors: true, strict: false, verbose: true, validateFormats: false });
  for (const folder of FOLDERS) {
    for (const name of readdirSync(folder)) {
      // Of VRM's schemas only those of the extension are asked for; others
      // are in an older draft.
      if (folder === FOLDERS[1] && !name.startsWith('VRMC_vrm.')) continue;
      const schema = JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
      delete schema.$id;
      delete schema.$schema;
      ajv.addSchema(schema, name);
    }
  }
  return ajv.getSchema(ROOT);
}

/** What the schemas say against the extension, as `{ path, found, expected }`; nothing without them. */
export function vrmSchemaFaults(extension) {
  if (validate === undefined || validate(extension)) return [];
  return validate.errors.map(({ instancePath, keyword, params, message, data }) =>
    keyword === 'required'
      ? { path: `${instancePath}/${params.missingProperty}`, found: 'nothing', expected: 'a value (schema: required)' }
      : { path: instancePath, found: show(data), expected: `what the schema asks for: ${message}` },
  );
}
