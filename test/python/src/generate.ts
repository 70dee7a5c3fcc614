/** Generates the functions and models of the Python client from the API description with openapi-python-client. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { operationList } from '@carecover/contract';
import { openApiDocument } from '@carecover/contract/openapi';
import { CLIENT } from './tools';

/** The parts of the generator's output that the package contains. The generator's own HTTP client is left out. */
const PARTS = ['api', 'models', 'types.py'];
const JSON_TYPE = 'application/json';

/** The event whose envelope every event has. */
const KNOWN_EVENT = 'ClaimSettledEvent';

type Json = { [key: string]: unknown };
interface Described extends Json {
  parameters?: { name?: string; required?: boolean; $ref?: string }[];
  responses: { [status: string]: { content?: Json } };
}

/**
 * Returns the API description for the generator. It makes every idempotency key optional, because the client can create the key. It leaves
 * out API errors, because the client raises them, and formats other than JSON, because the client reads no files.
 */
function describeForPython(): Json {
  const document = structuredClone(openApiDocument({ serverUrl: '/v1' }));
  for (const { method, path, success, failures = [], idempotencyKey, upload } of operationList) {
    const operation = document.paths[path]?.[method.toLowerCase()] as Described;
    operation.parameters = (operation.parameters ?? []).flatMap((parameter) => {
      if (parameter.$ref === '#/components/parameters/X-Request-Id') return [];
      if (parameter.name !== 'Idempotency-Key') return [parameter];
      return idempotencyKey === 'required' || idempotencyKey === 'optional'
        ? [{ ...parameter, required: false }]
        : [];
    });
    // The client uploads files by a function of its own.
    if (upload !== undefined) delete operation.requestBody;
    operation.responses = Object.fromEntries(
      [...success, ...failures].map(({ status }) => {
        const response = operation.responses[status];
        return [String(status), { ...response, content: { [JSON_TYPE]: response?.content?.[JSON_TYPE] } }];
      }),
    );
  }
  const { schemas } = document.components;
  const { oneOf: known } = schemas.Event as { oneOf: unknown[] };
  const { [KNOWN_EVENT]: pattern } = schemas as { [name: string]: { properties: Json } };
  // The last alternative has any type, so that an event of a type that the service adds later does not make a page of events invalid.
  const unknownEvent = {
    ...pattern,
    description: 'An event of a type that this release of the client does not know.',
    properties: {
      ...pattern?.properties,
      type: { type: 'string', description: 'The type of the event.' },
      data: { type: 'object', additionalProperties: true, description: 'The data of the event.' },
    },
  };
  const reference = { $ref: '#/components/schemas/UnknownEvent' };
  const event = { description: 'An event.', oneOf: [...known, reference] };
  const components = {
    ...document.components,
    schemas: { ...schemas, Event: event, UnknownEvent: unknownEvent },
  };
  return { ...document, components, webhooks: {} };
}

async function readFiles(folder: string): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const part of PARTS) {
    const entries = part.endsWith('.py')
      ? [part]
      : (await readdir(join(folder, part), { recursive: true, withFileTypes: true }))
          .filter((entry) => entry.isFile() && entry.name.endsWith('.py'))
          .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
    for (const name of entries.sort()) files.set(name, await readFile(join(folder, name), 'utf8'));
  }
  return files;
}

/** Yields the names of the named objects in a schema: of a body and of its parts. */
function* namesIn(schema: unknown): Generator<string> {
  if (typeof schema !== 'object' || schema === null) return;
  const { title, enum: values } = schema as Json;
  if (typeof title === 'string' && values === undefined) yield title;
  for (const [name, member] of Object.entries(schema)) if (name !== 'examples') yield* namesIn(member);
}

/** The start of the names of the files with models of request bodies. */
const REQUEST_MODELS = [...new Set(operationList.flatMap(({ body }) => [...namesIn(body)]))].map((name) =>
  name.replaceAll(/(?<=.)[A-Z]/g, (letter) => `_${letter}`).toLowerCase(),
);
const CONSTRUCTION = /\n( {8})\w+ = cls\(\n/;

/**
 * Makes the model of a request body reject unknown fields, which the generator ignores: a misspelt optional field would be lost.
 *
 * @throws TypeError if the generator's text has changed
 */
function rejectUnknownFields(name: string, text: string): string {
  const isRequest = REQUEST_MODELS.some((model) => new RegExp(`^models/${model}(_|\\.)`).test(name));
  if (!isRequest || !text.includes('def from_dict')) return text;
  if (!CONSTRUCTION.test(text)) throw new TypeError(`${name} has no construction`);
  return text.replace(
    CONSTRUCTION,
    (found) => `\n        if d:\n            raise ValueError(f"unknown fields: {', '.join(d)}")\n${found}`,
  );
}

const FIRST_IMPORT = /^(from attrs import .*\n)(?:\n(?=from \.))?/m;

/** Adds the import of the function that the template of instants calls, to a model with instants. */
function importToInstant(name: string, text: string): string {
  if (!name.startsWith('models/') || !text.includes('to_instant(')) return text;
  if (!FIRST_IMPORT.test(text)) throw new TypeError(`${name} has no import of attrs`);
  return text.replace(FIRST_IMPORT, '$1\nfrom ..caller_input import to_instant\n');
}

const UNSET_CLASS = 'class Unset:\n';

/** Makes a copy of UNSET, as of a model that is copied or passed to another process, the same object. */
function keepUnset(name: string, text: string): string {
  if (name !== 'types.py') return text;
  if (!text.includes(UNSET_CLASS)) throw new TypeError(`${name} has no class Unset`);
  return text.replace(
    UNSET_CLASS,
    (found) => `${found}    def __reduce__(self) -> str:\n        return "UNSET"\n\n`,
  );
}

/** Returns the texts of the generated files of the repository, by their paths in the Python package. */
export const readGenerated = () => readFiles(join(CLIENT, 'carecover'));

/** Generates the files. Returns their texts by their paths in the Python package. */
export async function generate(env: NodeJS.ProcessEnv): Promise<Map<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'carecover-python-'));
  try {
    const document = join(folder, 'openapi.json');
    const config = join(folder, 'config.json');
    const output = join(folder, 'carecover');
    await writeFile(document, JSON.stringify(describeForPython()));
    await writeFile(config, JSON.stringify({ package_name_override: 'carecover' }));
    const args = [
      '-m',
      'openapi_python_client',
      'generate',
      '--meta',
      'none',
      '--path',
      document,
      '--config',
      config,
    ];
    args.push(
      '--custom-template-path',
      join(CLIENT, 'templates'),
      '--output-path',
      output,
      '--fail-on-warning',
    );
    await promisify(execFile)('python', args, { env, cwd: folder });
    const files = await readFiles(output);
    return new Map(
      [...files].map(([name, text]) => [
        name,
        keepUnset(name, importToInstant(name, rejectUnknownFields(name, text))),
      ]),
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}
