/**
 * Renders the client's types and operations from the contract. Run `npm run generate -w @carecover/client` after a change of
 * the contract; a test fails while the two differ. Not part of the package.
 */
import { Event, errorCodes, type Operation, operationList } from '@carecover/contract';
import { compile } from 'json-schema-to-typescript';

type Json = { [key: string]: unknown };

const HEAD = '/** Generated from the contract; do not edit. */\n';
const WITH_OWN_NAME = /^[A-Z]\w+$/;

/** The schema with every named schema inside it replaced by a reference, and those collected. */
function extract(schema: unknown, named: Map<string, Json>): unknown {
  if (Array.isArray(schema)) return schema.map((item) => extract(item, named));
  if (schema === null || typeof schema !== 'object') return schema;
  const { title, examples: _examples, ...rest } = schema as Json;
  const plain = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [
      key,
      key === 'enum' || key === 'const' ? value : extract(value, named),
    ]),
  );
  if (typeof title !== 'string' || !WITH_OWN_NAME.test(title)) return plain;
  named.set(title, { ...plain, title });
  return { $ref: `#/definitions/${title}` };
}

/** `types.ts`: a type for each resource and input. */
export async function renderTypes(): Promise<string> {
  const named = new Map<string, Json>();
  for (const { body, success } of operationList) {
    for (const schema of [body, ...success.map((each) => each.schema)]) {
      if (schema !== undefined) extract(JSON.parse(JSON.stringify(schema)), named);
    }
  }
  extract(JSON.parse(JSON.stringify({ ...Event, title: 'Event' })), named);
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
  return `${HEAD}\n/** Every code that an error answer can carry. */\nexport type ErrorCode =\n${codes.join('\n')};\n\n${types.trim()}\n`;
}

/** The name under which `types.ts` has a schema. @throws TypeError where it has none */
function typeName(schema: object): string {
  const title: unknown = Reflect.get(schema, 'title');
  if (typeof title !== 'string' || !WITH_OWN_NAME.test(title)) throw new TypeError('the schema has no name');
  return title;
}

/** Every form that an operation's answer can have: a replay's and a failed test delivery's too. */
function answerNames({ success, failures = [] }: Operation): string[] {
  return [...new Set([...success, ...failures].map((each) => typeName(each.schema)))];
}

/** `operations.ts`: how each operation is called, what it takes and what it gives. */
export function renderOperations(): string {
  const rows = operationList.map(({ id, method, path, idempotencyKey, failures }) => {
    const idempotent = idempotencyKey === 'required' || idempotencyKey === 'optional';
    const failure = failures?.[0] === undefined ? '' : `, alsoSuccess: ${failures[0].status}`;
    return `  ${id}: { method: '${method}', path: '${path}', idempotent: ${idempotent}${failure} },`;
  });
  const bodies = operationList.map(({ body }) => (body === undefined ? undefined : typeName(body)));
  const types = operationList.map(
    (operation, i) =>
      `  ${operation.id}: { body: ${bodies[i]}; answer: ${answerNames(operation).join(' | ')} };`,
  );
  const names = new Set([
    ...bodies.filter((each) => each !== undefined),
    ...operationList.flatMap(answerNames),
  ]);
  return `${HEAD}
import type { ${[...names].sort().join(', ')} } from './types.ts';

export interface OperationCall {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** Whether an Idempotency-Key is sent. */
  readonly idempotent: boolean;
  /** A status above 399 whose body is no error: the delivery of a test event that nobody accepted. */
  readonly alsoSuccess?: number;
}

export const operations = {
${rows.join('\n')}
} as const satisfies Record<string, OperationCall>;

export type OperationId = keyof typeof operations;

/** The body that each operation takes, and the body of its successful response. */
export interface OperationTypes {
${types.join('\n')}
}
`;
}
