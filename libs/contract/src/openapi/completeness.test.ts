// What a reader of the description needs, for every operation and field: examples that hold, headers, words and units.
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
import type { Json, JsonObject } from './components';
import { openApiDocument } from './document';

const ORIGIN = 'https://api.example.com';
const document = openApiDocument({ serverUrl: `${ORIGIN}/v1` });

function at(value: Json | undefined, ...path: (string | number)[]): Json | undefined {
  return path.reduce<Json | undefined>((found, step) => Reflect.get(Object(found), step), value);
}

/** What a reference leads to, or the value itself. */
function resolved(value: Json | undefined): Json | undefined {
  const reference = at(value, '$ref');
  return typeof reference === 'string' ? at(document, ...reference.slice(2).split('/')) : value;
}

function described({ path, method }: Operation): JsonObject {
  return document.paths[path]?.[method.toLowerCase()] ?? {};
}

/** The examples of a media type object, whichever way they are given. */
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

test.each(named)('%s: every answer has an example that keeps the contract', (id, operation) => {
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

test.each(named)('%s: every error that it can answer with is shown', (_id, operation) => {
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

test.each(named)('%s: every answer tells its headers', (_id, operation) => {
  const remembers = ['required', 'optional'].includes(operation.idempotencyKey);
  for (const [status, reference] of Object.entries(
    Object(at(described(operation), 'responses')) as JsonObject,
  )) {
    const headers = Object.keys(Object(at(resolved(reference), 'headers')));
    expect([status, headers]).toEqual([status, expect.arrayContaining(['X-Request-Id'])]);
    const wanted = {
      'X-RateLimit-Remaining': status !== '401',
      'WWW-Authenticate': status === '401',
      'Retry-After': status === '429' || status === '503',
      Allow: status === '405',
      'Idempotent-Replayed': Number(status) < 300 && remembers,
    };
    for (const [name, isWanted] of Object.entries(wanted)) {
      if (status === '502') continue;
      expect([status, name, headers.includes(name)]).toEqual([status, name, isWanted]);
    }
  }
});

test('every event has an example that keeps the contract', () => {
  for (const [type, item] of Object.entries(document.webhooks)) {
    const [example] = examplesIn(at(item, 'post', 'requestBody', 'content'));
    expect([type, at(example, 'type'), validateEvent(example)]).toEqual([type, type, undefined]);
  }
});

test('every parameter, header, operation and area is told in words', () => {
  const parameters = operationList.flatMap((operation) =>
    Object.values(Object(at(described(operation), 'parameters'))),
  );
  const told = [
    ...parameters.map((parameter) => resolved(parameter as Json)),
    ...Object.values(document.components.headers),
    ...operationList.map(described),
    ...Object.values(Object(at(document, 'tags'))),
  ];
  for (const item of told) expect(at(item as Json, 'description')).toMatch(/^.{8,}/s);
});

/** Every field of every component, with where it stands. */
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

test('every field is told in words', () => {
  expect(everyField.length).toBeGreaterThan(200);
  const pending = everyField.filter(([, field]) => typeof at(resolved(field), 'description') !== 'string');
  expect(pending.map(([place]) => place)).toEqual([]);
});

test('every amount says its unit, and every time its form', () => {
  const amounts = everyField.filter(
    ([place, field]) =>
      at(field, 'maximum') === MAX_AMOUNT &&
      !/version|sequence|count|attempts|duration_ms|number|total|recorded|replayed|remaining|priority/.test(
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
