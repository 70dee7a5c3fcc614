// Tests that generators of clients and mock servers can read the OpenAPI document: each test states one property of the whole document.
import { operationList, tryParseInstant } from '../index';
import { COMPATIBILITY, openApiDocument } from '../openapi';
import type { Json, JsonObject } from './components';

const document = openApiDocument({ serverUrl: 'https://api.example.com/v1' });
const INT32_MAX = 2 ** 31 - 1;

/** Yields every object inside a value with its JSON pointer. Examples are data and not schemas. */
function* objectsIn(value: Json | undefined, pointer = ''): Generator<[string, JsonObject]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [pointer, value];
  for (const [name, member] of Object.entries(value)) {
    if (name !== 'examples' && name !== 'example') yield* objectsIn(member, `${pointer}/${name}`);
  }
}

const everyObject = [...objectsIn(document)];
const schemas = Object.entries(document.components.schemas as { [name: string]: JsonObject });

function hasType({ type }: JsonObject, name: string): boolean {
  return [type].flat().includes(name);
}

/** Every media type object with a JSON body. */
const bodies = everyObject.filter(([pointer]) => pointer.endsWith('/content/application/json'));
const notifications = Object.values(document.webhooks).map((item) => Object(item).post as JsonObject);

test('every integer that can be above 2^31 - 1 is an int64, and no other integer is', () => {
  const integers = everyObject.filter(([, schema]) => hasType(schema, 'integer'));
  const isLong = ({ maximum }: JsonObject) => typeof maximum === 'number' && maximum > INT32_MAX;
  for (const [pointer, schema] of integers) {
    // The headers have no maximum. A Unix timestamp needs 64 bits from 2038 on.
    const expected = isLong(schema) || pointer.includes('X-RateLimit-Reset') ? 'int64' : undefined;
    expect([pointer, schema.format]).toEqual([pointer, expected]);
  }
  expect(integers.filter(([, schema]) => schema.format === 'int64').length).toBeGreaterThan(100);
});

test('every number that is no integer is a double', () => {
  const numbers = everyObject.filter(([, schema]) => hasType(schema, 'number'));
  expect(numbers.length).toBeGreaterThan(1);
  for (const [pointer, schema] of numbers) expect([pointer, schema.format]).toEqual([pointer, 'double']);
});

test('bounds are inclusive, because generators for OpenAPI 3.0 read an exclusive bound as a boolean', () => {
  const exclusive = everyObject.filter(
    ([, schema]) => 'exclusiveMinimum' in schema || 'exclusiveMaximum' in schema,
  );
  expect(exclusive).toEqual([]);
});

test('every body has one named schema', () => {
  expect(bodies.length).toBeGreaterThan(100);
  for (const [pointer, { schema }] of bodies) {
    expect([pointer, schema]).toEqual([
      pointer,
      { $ref: expect.stringMatching(/^#\/components\/schemas\/\w+$/) },
    ]);
  }
});

test('a choice without discriminator is a choice of one schema and null', () => {
  const choices = everyObject.filter(([, schema]) => Array.isArray(schema.anyOf));
  expect(choices.length).toBeGreaterThan(5);
  for (const [pointer, { anyOf }] of choices)
    expect([pointer, anyOf]).toEqual([pointer, [expect.anything(), { type: 'null' }]]);
  for (const [pointer, schema] of everyObject.filter(([, { oneOf }]) => Array.isArray(oneOf)))
    expect([pointer, schema]).toEqual([
      pointer,
      expect.objectContaining({ discriminator: expect.anything() }),
    ]);
});

test('every enumeration is a component, and no two have the same values', () => {
  const enumerations = everyObject.filter(([, schema]) => Array.isArray(schema.enum));
  expect(enumerations.length).toBeGreaterThan(30);
  const nameOf = new Map<string, string>();
  for (const [pointer, schema] of enumerations) {
    expect(pointer).toMatch(/^\/components\/schemas\/\w+$/);
    expect(schema).toEqual({ type: 'string', enum: expect.anything(), description: expect.any(String) });
    const values = JSON.stringify([...(schema.enum as string[])].sort());
    expect([pointer, nameOf.get(values)]).toEqual([pointer, undefined]);
    nameOf.set(values, pointer);
  }
});

test('no schema has an example in place of that of the body, which a mock server would send', () => {
  for (const [name, schema] of schemas) {
    expect([name, 'example' in schema, 'examples' in schema]).toEqual([name, false, false]);
  }
  for (const [pointer, media] of bodies) {
    expect([pointer, 'example' in media || 'examples' in media]).toEqual([pointer, true]);
  }
});

test('events have operation IDs and a tag that no operation has', () => {
  const tags = new Set<string>(operationList.map(({ tag }) => tag));
  for (const { tags: own } of notifications)
    for (const tag of own as string[]) expect(tags).not.toContain(tag);
  const ids = [
    ...operationList.map(({ id }) => id as string),
    ...notifications.map(({ operationId }) => operationId),
  ];
  expect(ids).not.toContain(undefined);
  expect(new Set(ids).size).toBe(ids.length);
  const described = (document.tags as JsonObject[]).map(({ name }) => name);
  for (const { tags: own } of notifications)
    expect(described).toEqual(expect.arrayContaining(own as string[]));
});

test('every instant of a request says that a leap second is rejected, as it is', () => {
  expect(tryParseInstant('2016-12-31T23:59:60Z')).toBeUndefined();
  expect(Object(document.info).description).toContain('A leap second (`23:59:60`) is rejected.');
  const inputs = everyObject.filter(
    ([, { format, pattern }]) => format === 'date-time' && pattern === undefined,
  );
  expect(inputs.length).toBeGreaterThan(20);
  for (const [pointer, { description }] of inputs)
    expect([pointer, description]).toEqual([pointer, expect.stringContaining('without a leap second (:60)')]);
});

test('the introduction states the rule of compatibility', () => {
  expect(Object(document.info).description).toContain(COMPATIBILITY);
});
