/** Request bodies within the size limit of an operation that cost a parser or validator much more time or memory than usual bodies. */
import type { Operation } from '@carecover/contract';
import { fc } from '@carecover/testing';

/** Returns `head`, then as many comma-separated units as fit into `bytes`, then `tail`. */
function fillBody(
  bytes: number,
  head: string,
  unit: (index: number) => string,
  tail: string,
): Buffer<ArrayBuffer> {
  const parts: string[] = [];
  let left = bytes - head.length - tail.length;
  for (let index = 0; left > 0; index++) {
    const next = unit(index);
    left -= Buffer.byteLength(next) + 1;
    if (left >= 0) parts.push(next);
  }
  return Buffer.from(head + parts.join(',') + tail);
}

interface AnySchema {
  readonly properties?: Readonly<Record<string, AnySchema>>;
  readonly items?: AnySchema;
  readonly maxItems?: number;
  readonly oneOf?: readonly AnySchema[];
}

/** Renders JSON with all fields and the maximum number of items of a schema. The value of every scalar field is the JSON text `scalar`. */
function renderEveryField(schema: AnySchema, scalar: string): string {
  const { properties, items, maxItems = 0 } = schema.oneOf?.[0] ?? schema;
  if (properties !== undefined) {
    const members = Object.entries(properties).map(
      ([name, member]) => `${JSON.stringify(name)}:${renderEveryField(member, scalar)}`,
    );
    return `{${members.join(',')}}`;
  }
  if (items === undefined) return scalar;
  return `[${Array(maxItems).fill(renderEveryField(items, scalar)).join(',')}]`;
}

function padBody(bytes: number, text: string, blank = ' '): Buffer<ArrayBuffer> {
  return Buffer.from(text + blank.repeat(Math.max(0, bytes - Buffer.byteLength(text))));
}

type CreateBody = (operation: Operation, bytes: number) => Buffer<ArrayBuffer>;
const withEveryField =
  (scalar: string): CreateBody =>
  ({ body }, bytes) =>
    padBody(bytes, renderEveryField((body ?? {}) as AnySchema, scalar));

/** Functions that create costly bodies, by what makes the body costly. */
export const costlyBodies: Readonly<Record<string, CreateBody>> = {
  'names of one object': (_, bytes) => fillBody(bytes, '{', (n) => `"n${n}":1`, '}'),
  'one repeated name': (_, bytes) => fillBody(bytes, '{', () => '"a":1', '}'),
  'names of deeply nested objects': (_, bytes) =>
    fillBody(bytes, `${'{"a":'.repeat(29)}{`, (n) => `"n${n}":1`, '}'.repeat(30)),
  nesting: (_, bytes) => Buffer.from('['.repeat(bytes)),
  items: (_, bytes) => fillBody(bytes, '[', () => '1', ']'),
  'empty objects': (_, bytes) => fillBody(bytes, '{"records":[', () => '{}', ']}'),
  'objects of unknown fields': (_, bytes) =>
    fillBody(bytes, '{"records":[', () => '{"a":1,"b":2,"c":3,"d":4}', ']}'),
  digits: (_, bytes) => Buffer.from(`{"amount":${'1'.repeat(bytes - 11)}}`),
  'a long string': (_, bytes) => Buffer.from(`{"url":"${'%a'.repeat((bytes - 11) / 2)}"}`),
  'a long string of non-ASCII characters': (_, bytes) =>
    Buffer.from(`{"plan_name":"${'é'.repeat((bytes - 20) / 2)}"}`),
  escapes: (_, bytes) => Buffer.from(`{"plan_name":"${'\\u0041'.repeat((bytes - 20) / 6)}"}`),
  'a long name': (_, bytes) => Buffer.from(`{"${'x'.repeat(bytes - 10)}":1}`),
  whitespace: (_, bytes) => padBody(bytes, '{}'),
  'a syntax error at the end': (_, bytes) => padBody(bytes - 1, '{}').fill('x', bytes - 2),
  'every field of a wrong type': withEveryField('[]'),
  'every field a string that matches no pattern': withEveryField(`"${'\u00e9'.repeat(200)}"`),
  'every field half a surrogate pair': withEveryField('"\\ud800"'),
  'every field a number outside the range of a double': withEveryField('1e999'),
};

/** Generates costly bodies for an operation, of at most the permitted size. */
export function costlyBody(operation: Operation): fc.Arbitrary<Buffer<ArrayBuffer>> {
  return fc
    .tuple(
      fc.constantFrom(...Object.values(costlyBodies)),
      fc.oneof(
        fc.constant(operation.bodyLimitBytes),
        fc.integer({ min: 100, max: operation.bodyLimitBytes }),
      ),
    )
    .map(([make, bytes]) => make(operation, bytes).subarray(0, operation.bodyLimitBytes));
}
