/**
 * Generates the client's types and operations from the contract. Run `npm run generate -w @carecover/client` after a change of
 * the contract; a test fails until then. Not part of the package.
 */
import {
  Event,
  errorCodes,
  type IdentifierKind,
  identifierPattern,
  identifierPrefixes,
  type Operation,
  operationList,
  storesKey,
} from '@carecover/contract';
import { enumerationDescription } from '@carecover/contract/openapi';
import { compile } from 'json-schema-to-typescript';

type Json = { [key: string]: unknown };

const HEAD = '/** Generated from the contract; do not edit. */\n';
const WITH_OWN_NAME = /^[A-Z]\w+$/;

const KINDS = Object.keys(identifierPrefixes) as IdentifierKind[];

/** Returns the name of the type of a kind's identifiers. @example idTypeName('claim') // 'ClaimId' */
function idTypeName(kind: IdentifierKind): string {
  return `${kind.charAt(0).toUpperCase()}${kind.slice(1)}Id`;
}

const ID_TYPES = new Map<unknown, string>(KINDS.map((kind) => [identifierPattern(kind), idTypeName(kind)]));

/** Renders a type for the identifiers of each kind: an identifier of another kind is an error of the compiler. */
function renderIdTypes(): string {
  return KINDS.map(
    (kind) => `export type ${idTypeName(kind)} = \`${identifierPrefixes[kind]}\${string}\`;`,
  ).join('\n');
}

/**
 * Replaces every named schema inside a schema by a reference, and collects the named schemas. The use of a named enumeration keeps its own
 * description.
 */
function extractNamed(schema: unknown, named: Map<string, Json>): unknown {
  if (Array.isArray(schema)) return schema.map((item) => extractNamed(item, named));
  if (schema === null || typeof schema !== 'object') return schema;
  const { title, examples: _examples, ...rest } = schema as Json;
  const plain = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [
      key,
      key === 'enum' || key === 'const' ? value : extractNamed(value, named),
    ]),
  );
  const idType = ID_TYPES.get(rest.pattern);
  const isNullable = Array.isArray(rest.type) && rest.type.includes('null');
  if (idType !== undefined) return { ...plain, tsType: isNullable ? `${idType} | null` : idType };
  if (typeof title !== 'string' || !WITH_OWN_NAME.test(title)) return plain;
  if (Array.isArray(rest.enum)) {
    named.set(title, { type: 'string', enum: rest.enum, title, description: enumerationDescription(title) });
    return { ...plain, tsType: title };
  }
  named.set(title, { ...plain, title });
  return { $ref: `#/definitions/${title}` };
}

/** Renders `types.ts`: a type for each resource and input. */
export async function renderTypes(): Promise<string> {
  const named = new Map<string, Json>();
  for (const { body, success } of operationList) {
    for (const schema of [body, ...success.map((each) => each.schema)]) {
      if (schema !== undefined) extractNamed(JSON.parse(JSON.stringify(schema)), named);
    }
  }
  extractNamed(JSON.parse(JSON.stringify({ ...Event, title: 'Event' })), named);
  // The codes of API errors are rendered from their table.
  named.delete('ErrorCode');
  const names = [...named.keys()].sort();
  const codes = Object.keys(errorCodes).map((code) => `  | '${code}'`);
  const text = await compile(
    {
      title: 'Everything',
      type: 'object',
      additionalProperties: false,
      definitions: Object.fromEntries(named) as never,
      properties: Object.fromEntries(names.map((name) => [name, { $ref: `#/definitions/${name}` }])),
    },
    'Everything',
    { bannerComment: '', format: false, ignoreMinAndMaxItems: true },
  );
  const types = text.replace(/export interface Everything \{[\s\S]*?\n\}\n/, '');
  return `${HEAD}\n/** Every code of an API error. */\nexport type ErrorCode =\n${codes.join('\n')};\n\n${renderIdTypes()}\n\n${types.trim()}\n`;
}

/** Returns the name of a schema's type in `types.ts`. @throws TypeError if the schema has none */
function typeName(schema: object): string {
  const title: unknown = Reflect.get(schema, 'title');
  if (typeof title !== 'string' || !WITH_OWN_NAME.test(title)) throw new TypeError('the schema has no name');
  return title;
}

/** Returns the type names of all bodies of an operation's responses, including replays and a failed test delivery. */
function responseNames({ success, failures = [] }: Operation): string[] {
  return [...new Set([...success, ...failures].map((each) => typeName(each.schema)))];
}

/** Renders `operations.ts`: the method, the path and the types of each operation. */
export function renderOperations(): string {
  const rows = operationList.map((operation) => {
    const { id, method, path, failures } = operation;
    const failure = failures?.[0] === undefined ? '' : `, alsoSuccess: ${failures[0].status}`;
    return `  ${id}: { method: '${method}', path: '${path}', idempotent: ${storesKey(operation)}${failure} },`;
  });
  const bodies = operationList.map(({ body }) => (body === undefined ? undefined : typeName(body)));
  const types = operationList.map(
    (operation, i) =>
      `  ${operation.id}: { body: ${bodies[i]}; response: ${responseNames(operation).join(' | ')} };`,
  );
  const names = new Set([
    ...bodies.filter((each) => each !== undefined),
    ...operationList.flatMap(responseNames),
  ]);
  return `${HEAD}
import type { ${[...names].sort().join(', ')} } from './types.ts';

export interface OperationCall {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** Whether the client sends an Idempotency-Key. */
  readonly idempotent: boolean;
  /** A status above 399 whose body is no API error: the delivery of a test event that the receiver did not accept. */
  readonly alsoSuccess?: number;
}

export const operations = {
${rows.join('\n')}
} as const satisfies Record<string, OperationCall>;

export type OperationId = keyof typeof operations;

/** The types of each operation's request body and successful response body. */
export interface OperationTypes {
${types.join('\n')}
}
`;
}
