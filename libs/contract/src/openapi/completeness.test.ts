// Tests that the OpenAPI document has valid examples, headers, descriptions and units for every operation and field.
import { errorCodes } from '../errors';
import {
  errorStatus,
  type Operation,
  operationErrors,
  operationList,
  validateBody,
  validateEvent,
  validateOutput,
} from '../index';
import { MAX_AMOUNT } from '../limits';
import { openApiDocument } from '../openapi';
import type { Json, JsonObject } from './components';

const ORIGIN = 'https://api.example.com';
const document = openApiDocument({ serverUrl: `${ORIGIN}/v1` });

function at(value: Json | undefined, ...path: (string | number)[]): Json | undefined {
  return path.reduce<Json | undefined>((found, step) => Reflect.get(Object(found), step), value);
}

/** Returns the target of a `$ref`, or the value itself if it is not a reference. */
function resolved(value: Json | undefined): Json | undefined {
  const reference = at(value, '$ref');
  return typeof reference === 'string' ? at(document, ...reference.slice(2).split('/')) : value;
}

function described({ path, method }: Operation): JsonObject {
  return document.paths[path]?.[method.toLowerCase()] ?? {};
}

/** Returns the examples of a media type object, from `example` or `examples`. */
function examplesIn(content: Json | undefined): Json[] {
  const media = at(content, 'application/json');
  const one = at(media, 'example');
  const several = Object.values(Object(at(media, 'examples')) as JsonObject);
  return one === undefined ? several.flatMap((each) => at(each, 'value') ?? []) : [one];
}

const named = operationList.map((operation) => [operation.id, operation] as const);

test.each(named.filter(([, { body }]) => body))(
  '%s: the examples of its body are accepted',
  (id, operation) => {
    const examples = examplesIn(at(described(operation), 'requestBody', 'content'));
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) expect(validateBody(id, example)).toEqual({ ok: true, value: example });
  },
);

test.each(named)('%s: every response has an example that satisfies the contract', (id, operation) => {
  for (const [status, reference] of Object.entries(
    Object(at(described(operation), 'responses')) as JsonObject,
  )) {
    const examples = examplesIn(at(resolved(reference), 'content'));
    expect([status, examples.length > 0]).toEqual([status, true]);
    for (const example of examples) {
      expect([status, validateOutput(id, Number(status), example)]).toEqual([status, undefined]);
    }
  }
});

test.each(named)('%s: every documented error has an example', (_id, operation) => {
  for (const code of operationErrors(operation)) {
    const response = resolved(at(described(operation), 'responses', String(errorStatus(code))));
    const example = at(response, 'content', 'application/json', 'examples', code, 'value', 'error');
    expect(example).toEqual({
      code,
      message: errorCodes[code].explanation,
      docs: `${ORIGIN}/docs/errors#${code}`,
    });
  }
});

test.each(named)('%s: every response documents its headers', (_id, operation) => {
  const storesKey = ['required', 'optional'].includes(operation.idempotencyKey);
  for (const [status, reference] of Object.entries(
    Object(at(described(operation), 'responses')) as JsonObject,
  )) {
    const headers = Object.keys(Object(at(resolved(reference), 'headers')));
    expect([status, headers]).toEqual([status, expect.arrayContaining(['X-Request-Id'])]);
    const expected = {
      'X-RateLimit-Remaining': status !== '401',
      'WWW-Authenticate': status === '401',
      'Retry-After': status === '429' || status === '503',
      Allow: status === '405',
      'Idempotent-Replayed': Number(status) < 300 && storesKey,
    };
    for (const [name, isExpected] of Object.entries(expected)) {
      if (status === '502') continue;
      expect([status, name, headers.includes(name)]).toEqual([status, name, isExpected]);
    }
  }
});

/** Yields every field inside a value with its name. */
function* members(value: Json | undefined): Generator<[string, Json]> {
  for (const [name, member] of Object.entries(Object(value) as JsonObject)) {
    yield [name, member];
    if (typeof member === 'object') yield* members(member);
  }
}

test('the instants in examples of requests stay in the past or in the future, as the operation requires', () => {
  const past = [
    'received_at',
    'observed_at',
    'generated_at',
    'valid_from',
    'since',
    'until',
    'valuation_at',
    'effective_through',
    'at',
    'now',
  ];
  const future = ['starts_at', 'ends_at', 'scheduled_at', 'due_at', 'valid_until', 'from', 'to'];
  const bodies = operationList.flatMap((operation) =>
    examplesIn(at(described(operation), 'requestBody', 'content')),
  );
  const parameters = operationList.flatMap((operation) =>
    Object.values(Object(at(described(operation), 'parameters')) as JsonObject).map(
      (parameter): [string, Json] => [
        String(at(parameter, 'name')),
        at(parameter, 'schema', 'examples', 0) ?? null,
      ],
    ),
  );
  const instants = [...members(bodies), ...parameters].filter(
    ([, value]) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value),
  );
  expect(new Set(instants.map(([name]) => name))).toEqual(new Set([...past, ...future]));
  for (const [name, instant] of instants) {
    const year = Number(String(instant).slice(0, 4));
    expect([name, instant, past.includes(name) ? year <= 2025 : year >= 2099]).toEqual([name, instant, true]);
  }
});

test('every event has an example that satisfies the contract', () => {
  for (const [type, item] of Object.entries(document.webhooks)) {
    const [example] = examplesIn(at(item, 'post', 'requestBody', 'content'));
    expect([type, at(example, 'type'), validateEvent(example)]).toEqual([type, type, undefined]);
  }
});

test('every parameter, header, operation and tag has a description', () => {
  const parameters = operationList.flatMap((operation) =>
    Object.values(Object(at(described(operation), 'parameters'))),
  );
  const items = [
    ...parameters.map((parameter) => resolved(parameter as Json)),
    ...Object.values(document.components.headers),
    ...operationList.map(described),
    ...Object.values(Object(at(document, 'tags'))),
  ];
  for (const item of items) expect(at(item as Json, 'description')).toMatch(/^.{8,}/s);
});

/** Yields every field inside a schema with its dotted path. */
function* fields(value: Json, place: string): Generator<[string, Json]> {
  for (const [name, member] of Object.entries(Object(at(value, 'properties')) as JsonObject)) {
    yield [`${place}.${name}`, member];
    yield* fields(member, `${place}.${name}`);
  }
  for (const part of ['items', 'anyOf', 'oneOf'] as const) {
    const inner = at(value, part);
    for (const each of Array.isArray(inner) ? inner : inner === undefined ? [] : [inner])
      yield* fields(each, place);
  }
}

const everyField = Object.entries(document.components.schemas).flatMap(([name, schema]) => [
  ...fields(schema, name),
]);

test('every field has a description', () => {
  expect(everyField.length).toBeGreaterThan(200);
  const undescribed = everyField.filter(
    ([, field]) => typeof at(resolved(field), 'description') !== 'string',
  );
  expect(undescribed.map(([place]) => place)).toEqual([]);
});

test('every amount documents its unit, and every timestamp its format', () => {
  const amounts = everyField.filter(
    ([place, field]) =>
      at(field, 'maximum') === MAX_AMOUNT &&
      !/version|sequence|count|attempts|duration_ms|number|total|recorded|replayed|remaining|completed|priority/.test(
        place,
      ),
  );
  expect(amounts.length).toBeGreaterThan(40);
  for (const [place, field] of amounts) {
    expect([place, at(field, 'description')]).toEqual([place, expect.stringMatching(/minor units/)]);
  }
  const instants = everyField.filter(([, field]) => at(field, 'format') === 'date-time');
  expect(instants.length).toBeGreaterThan(30);
  for (const [place, field] of instants) {
    expect([place, at(field, 'description')]).toEqual([
      place,
      expect.stringMatching(/RFC 3339|UTC, in milliseconds/),
    ]);
  }
});
