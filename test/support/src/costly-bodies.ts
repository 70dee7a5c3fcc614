/** Bodies that an operation's limit in bytes permits and that cost a careless reader, validator or writer far more than others. */
import type { Operation } from '@carecover/contract';
import { fc } from '@carecover/local/properties';

/** `head`, then units separated by commas until `bytes` are reached, then `tail`. */
function filled(
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

/** A value with every field and every item that the schema may have, each of them the given JSON text. */
function everyField(schema: AnySchema, scalar: string): string {
  const { properties, items, maxItems = 0 } = schema.oneOf?.[0] ?? schema;
  if (properties !== undefined) {
    const members = Object.entries(properties).map(
      ([name, member]) => `${JSON.stringify(name)}:${everyField(member, scalar)}`,
    );
    return `{${members.join(',')}}`;
  }
  if (items === undefined) return scalar;
  return `[${Array(maxItems).fill(everyField(items, scalar)).join(',')}]`;
}

function padded(bytes: number, text: string, blank = ' '): Buffer<ArrayBuffer> {
  return Buffer.from(text + blank.repeat(Math.max(0, bytes - Buffer.byteLength(text))));
}

type Maker = (operation: Operation, bytes: number) => Buffer<ArrayBuffer>;
const skeleton =
  (scalar: string): Maker =>
  ({ body }, bytes) =>
    padded(bytes, everyField((body ?? {}) as AnySchema, scalar));

/** By what they cost. */
export const costlyBodies: Readonly<Record<string, Maker>> = {
  'names of one object': (_, bytes) => filled(bytes, '{', (n) => `"n${n}":1`, '}'),
  'one name again and again': (_, bytes) => filled(bytes, '{', () => '"a":1', '}'),
  'names of many objects, deep down': (_, bytes) =>
    filled(bytes, `${'{"a":'.repeat(29)}{`, (n) => `"n${n}":1`, '}'.repeat(30)),
  nesting: (_, bytes) => Buffer.from('['.repeat(bytes)),
  items: (_, bytes) => filled(bytes, '[', () => '1', ']'),
  'empty objects': (_, bytes) => filled(bytes, '{"records":[', () => '{}', ']}'),
  'objects of unknown fields': (_, bytes) =>
    filled(bytes, '{"records":[', () => '{"a":1,"b":2,"c":3,"d":4}', ']}'),
  digits: (_, bytes) => Buffer.from(`{"amount":${'1'.repeat(bytes - 11)}}`),
  'a text': (_, bytes) => Buffer.from(`{"url":"${'%a'.repeat((bytes - 11) / 2)}"}`),
  'a text beyond ASCII': (_, bytes) => Buffer.from(`{"plan_name":"${'é'.repeat((bytes - 20) / 2)}"}`),
  escapes: (_, bytes) => Buffer.from(`{"plan_name":"${'\\u0041'.repeat((bytes - 20) / 6)}"}`),
  'a name': (_, bytes) => Buffer.from(`{"${'x'.repeat(bytes - 10)}":1}`),
  blanks: (_, bytes) => padded(bytes, '{}'),
  'broken at its end': (_, bytes) => padded(bytes - 1, '{}').fill('x', bytes - 2),
  'every field of a wrong type': skeleton('[]'),
  'every field a text that no pattern takes': skeleton(`"${'\u00e9'.repeat(200)}"`),
  'every field half a surrogate pair': skeleton('"\\ud800"'),
  'every field a number beyond a double': skeleton('1e999'),
};

/** Some costly body of the operation, up to the largest that it permits. */
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
