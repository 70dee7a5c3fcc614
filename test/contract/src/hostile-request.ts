/**
 * Generators of random requests to an operation, made from valid requests, data of another project and hostile values. Identifiers of the
 * other project are used only where a request names a resource. In a free text, the response would rightly contain them, and the test
 * would report a leak.
 */
import { expandPath, isPlainText, type Operation, pathParameterNames } from '@carecover/contract';
import { fc } from '@carecover/testing';
import { costlyBody } from '@carecover/testing/stack';
import type { RawRequest } from './http';
import type { Attempt } from './provocations/provocation';

/** The data from which requests are generated. */
export interface Material {
  /** A request that succeeds if the project that sends the hostile requests sends it unchanged. */
  readonly own: Attempt;
  /** A request that has succeeded for another project, whose data the hostile requests must not reach. */
  readonly foreign: Attempt;
  /** The Idempotency-Key of the request that has succeeded for another project. */
  readonly foreignKey: string;
  /** The identifiers of the resources of the project whose data the hostile requests must not reach. */
  readonly foreignIds: readonly string[];
}

const hostileText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '',
    '..',
    '%00',
    '__proto__',
    '\u0000',
    '\ud800',
    "' or 1=1 --",
    '{{7*7}}',
    'a'.repeat(300),
  ),
);
const plainText = hostileText.filter((text) => isPlainText(text));
const headerText = fc.string({ unit: 'grapheme-ascii', maxLength: 30 }).map((text) => text.trim());

/** Generates a valid value most of the time, so that the other parts of a request with one hostile part are usually valid. */
function mostly<T>(valid: fc.Arbitrary<T>, ...hostile: fc.Arbitrary<T>[]): fc.Arbitrary<T> {
  return fc.oneof({ weight: 4 * hostile.length, arbitrary: valid }, ...hostile);
}

function encodeForPath(text: string): string {
  return isPlainText(text) ? encodeURIComponent(text) : '%00%ed%a0%80';
}

function pathOf({ path }: Operation, { own, foreign, foreignIds }: Material): fc.Arbitrary<string> {
  const names = pathParameterNames(path);
  const parameters = names.map((name) =>
    fc.oneof(
      { weight: 5, arbitrary: fc.constant(own.params?.[name] ?? '') },
      { weight: 3, arbitrary: fc.constant(foreign.params?.[name] ?? '') },
      fc.constantFrom(...foreignIds),
      hostileText.map(encodeForPath),
    ),
  );
  return fc.tuple(...parameters).map((values) => {
    const left = [...values];
    return expandPath(path, () => left.shift() ?? '');
  });
}

function queryOf({ own, foreignIds }: Material): fc.Arbitrary<string> {
  return mostly(
    fc.constant(new URLSearchParams(own.query).toString()),
    fc
      .dictionary(plainText, plainText, { maxKeys: 3 })
      .map((pairs) => new URLSearchParams(Object.entries(pairs)).toString()),
    fc.constantFrom(...foreignIds).map((id) => `limit=100&starting_after=${id}`),
    fc.constantFrom(
      'limit=0',
      'limit=1&limit=2',
      'limit=100',
      'status=nothing',
      'created_after=yesterday',
      '%ff=%ff',
      '&&&=&',
    ),
  );
}

type MemberPath = readonly (string | number)[];

/** Returns the path of every scalar (neither object nor array) in a JSON value. */
function leavesOf(value: unknown, at: MemberPath = []): MemberPath[] {
  if (typeof value !== 'object' || value === null) return [at];
  return Object.entries(value).flatMap(([name, member]) => leavesOf(member, [...at, name]));
}

function setAt(target: unknown, [first, ...rest]: MemberPath, value: unknown): void {
  if (typeof target !== 'object' || target === null || first === undefined) return;
  if (rest.length > 0) setAt(Reflect.get(target, first), rest, value);
  // Defines the property instead of assigning it, because an assignment to the name `__proto__` would set the object's prototype.
  else Object.defineProperty(target, first, { value, enumerable: true, configurable: true, writable: true });
}

/** Generates the JSON of a body in which some fields are changed, removed or added. */
function mutatedJson(body: unknown, foreignIds: readonly string[]): fc.Arbitrary<string> {
  const paths = [...leavesOf(body), ['__proto__'], ['constructor'], ['more']];
  const change = fc.constantFrom(...paths).chain((path) => {
    const junk = fc.option(fc.oneof(fc.jsonValue(), hostileText, fc.integer(), fc.maxSafeInteger()), {
      nil: undefined,
    });
    const namesResource = String(path.at(-1)).endsWith('_id');
    return fc.tuple(fc.constant(path), namesResource ? fc.oneof(fc.constantFrom(...foreignIds), junk) : junk);
  });
  return fc.array(change, { maxLength: 3 }).map((changes) => {
    const changed = structuredClone(body);
    for (const [path, value] of changes) setAt(changed, path, value);
    return JSON.stringify(changed) ?? 'null';
  });
}

function bodyOf(operation: Operation, { own, foreign, foreignIds }: Material) {
  const hostile = fc.oneof(
    mutatedJson({}, foreignIds),
    fc.json(),
    plainText.filter((text) => text !== ''),
    fc.constantFrom('{"a":1,"a":2}', '['.repeat(5_000), '{"__proto__":1}', '1e999', '"\\ud800"'),
    fc.uint8Array({ minLength: 1, maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
  );
  const costly = costlyBody(operation);
  if (operation.body === undefined) return mostly(fc.constant(undefined), hostile, costly);
  return mostly(
    mutatedJson(own.body, foreignIds),
    mutatedJson(foreign.body, foreignIds),
    hostile,
    costly,
    fc.constant(undefined),
  );
}

/**
 * Generates headers that contain the given headers. One of the given headers, chosen at random, is sent twice, with the same value or with
 * two values.
 */
function repeatedHeader(headers: Readonly<Record<string, string>>): fc.Arbitrary<RawRequest['headers']> {
  return fc
    .tuple(fc.constantFrom(...Object.keys(headers)), fc.option(headerText))
    .map(([name, other]) => ({ ...headers, [name]: [headers[name] ?? '', other ?? headers[name] ?? ''] }));
}

/** Generates headers for a request to an operation, most of them valid. */
function headersOf({ own, foreignKey }: Material): fc.Arbitrary<RawRequest['headers']> {
  const hostile = fc.record(
    { 'x-artifact-reference': headerText, 'x-request-id': headerText, traceparent: headerText },
    { requiredKeys: [] },
  );
  return fc
    .record({
      'idempotency-key': mostly(fc.uuid(), fc.constant(foreignKey), headerText),
      'content-type': mostly(fc.constant('application/json'), headerText),
      others: mostly(fc.constant(own.headers ?? {}), hostile),
    })
    .map(({ others, ...needed }) => ({ ...needed, ...others }))
    .chain((headers) => mostly(fc.constant(headers), repeatedHeader(headers)));
}

/** Generates requests to an operation, some valid and some hostile. */
export function hostileRequest(operation: Operation, material: Material): fc.Arbitrary<RawRequest> {
  return fc
    .record({
      path: pathOf(operation, material),
      query: queryOf(material),
      headers: headersOf(material),
      body: bodyOf(operation, material),
    })
    .map(({ path, query, headers, body }) => ({
      path: query === '' ? path : `${path}?${query}`,
      headers,
      body,
    }));
}
