// Tests that every schema of the API follows the contract's conventions, such as closed objects, descriptions and bounds.
import type { TSchema } from 'typebox';
import { compileSchema } from './ajv';
import { eventSchemas } from './events/event';
import { operationList } from './operations';
import { ErrorEnvelope } from './resources/error';

interface Schema {
  title?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  examples?: unknown[];
  pattern?: string;
  format?: string;
  enum?: unknown[];
  const?: unknown;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
}

function toPlainSchema(schema: TSchema): Schema {
  return JSON.parse(JSON.stringify(schema));
}

const outputs = [
  ...operationList.flatMap((operation) => [...operation.success, ...(operation.failures ?? [])]),
].map((response) => toPlainSchema(response.schema));
outputs.push(...Object.values(eventSchemas).map(toPlainSchema), toPlainSchema(ErrorEnvelope));
const inputs = operationList.flatMap((operation) => (operation.body ? [toPlainSchema(operation.body)] : []));
const parameters = operationList.flatMap((operation) => [
  toPlainSchema(operation.params),
  toPlainSchema(operation.query),
]);

/** Yields a schema and every schema inside it, with names for failure messages. */
function* walk(schema: Schema, name = schema.title ?? ''): Generator<[string, Schema]> {
  yield [name, schema];
  for (const [field, member] of Object.entries(schema.properties ?? {})) {
    yield* walk(member, `${name}.${field}`);
  }
  if (schema.items) yield* walk(schema.items, `${name}[]`);
  for (const alternative of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])])
    yield* walk(alternative, name);
}

const walkAll = (schemas: Schema[]) => schemas.flatMap((schema) => [...walk(schema)]);
const isObject = ([, schema]: [string, Schema]) => schema.properties !== undefined;

test('every object is closed', () => {
  const open = walkAll([...outputs, ...inputs])
    .filter(isObject)
    .filter(([, schema]) => schema.additionalProperties !== false);
  expect(open).toEqual([]);
});

test('every field of every response is required, except the secret of an endpoint whose creation is repeated', () => {
  for (const [name, schema] of walkAll(outputs).filter(isObject)) {
    const optional = name === 'CreatedWebhookEndpoint' ? ['signing_secret'] : [];
    expect([name, [...(schema.required ?? []), ...optional].sort()]).toEqual([
      name,
      Object.keys(schema.properties ?? {}).sort(),
    ]);
  }
});

test('no two schemas share a name, and every named schema has a description and an example', () => {
  const named = new Map<string, string>();
  for (const [, schema] of walkAll([...outputs, ...inputs])) {
    if (schema.title === undefined) continue;
    // The uses of an enumeration have descriptions of their own.
    const text = JSON.stringify(schema.enum ?? schema);
    expect(named.get(schema.title) ?? text).toBe(text);
    named.set(schema.title, text);
    expect(schema.enum ?? schema.description).toBeTruthy();
    expect([schema.title, schema.enum ?? schema.oneOf ?? schema.examples]).toEqual([
      schema.title,
      expect.anything(),
    ]);
  }
  expect(named.size).toBeGreaterThan(60);
});

test('the schema of every request body and every response has a name', () => {
  for (const schema of [...inputs, ...outputs]) expect(schema.title).toBeTruthy();
});

test('every field has a description', () => {
  for (const [name, schema] of walkAll([...outputs, ...inputs, ...parameters])) {
    for (const [field, member] of Object.entries(schema.properties ?? {})) {
      const described = member.description ?? member.anyOf ?? member.const;
      expect([`${name}.${field}`, described]).toEqual([`${name}.${field}`, expect.anything()]);
    }
  }
});

test('every example satisfies its schema', () => {
  for (const [name, schema] of walkAll([...outputs, ...inputs])) {
    const validate = compileSchema(schema as TSchema);
    for (const example of schema.title ? (schema.examples ?? []) : []) {
      expect([name, validate(example), validate.errors ?? []]).toEqual([name, true, []]);
    }
  }
});

test('every string in a request is bounded by length, pattern, enumeration or format', () => {
  const unbounded = walkAll([...inputs, ...parameters]).filter(([, schema]) => {
    const isText = schema.type === 'string' || (Array.isArray(schema.type) && schema.type.includes('string'));
    const bounds = [schema.maxLength, schema.pattern, schema.enum, schema.format, schema.const];
    return isText && bounds.every((bound) => bound === undefined);
  });
  expect(unbounded).toEqual([]);
});

test('every number in a request has an upper limit within the safe integers', () => {
  for (const [name, schema] of walkAll([...inputs, ...parameters])) {
    const types = [schema.type].flat();
    if (!types.includes('integer') && !types.includes('number')) continue;
    expect([name, schema.maximum]).toEqual([name, expect.any(Number)]);
    expect(schema.maximum).toBeLessThanOrEqual(Number.MAX_SAFE_INTEGER);
  }
});
