import { isUtf8 } from 'node:buffer';
import { fc } from '@carecover/testing';
import { parseStrictJson, StrictJsonReader } from './strict-json';

const BOUNDS = { depth: 30, fields: 100, items: 100, values: 1_000, characters: 1_000 };
const parseBytes = (bytes: Uint8Array) => parseStrictJson(Buffer.from(bytes), BOUNDS);
const parse = (text: string) => parseBytes(Buffer.from(text));
const isAccepted = async (text: string) => {
  const parsed = await parse(text);
  return parsed.isRead && parsed.problems.length === 0;
};

test('the output of JSON.stringify is parsed to the same value', async () => {
  const value = fc.jsonValue({ maxDepth: 5 }).filter((candidate) => {
    // The parser rejects numbers beyond the safe integers and the name __proto__, so this filter removes such values.
    let isLarge = false;
    const text = JSON.stringify(candidate, (_, part) => {
      isLarge ||= typeof part === 'number' && Math.abs(part) > Number.MAX_SAFE_INTEGER;
      return part;
    });
    return !isLarge && !text.includes('__proto__');
  });
  await fc.assert(
    fc.asyncProperty(value, async (candidate) => {
      expect(await parse(JSON.stringify(candidate))).toEqual({
        isRead: true,
        value: JSON.parse(JSON.stringify(candidate)),
        problems: [],
      });
    }),
  );
});

/** Returns a JSON number as an integer and the power of ten by which it is multiplied, without trailing zeros. */
function exactDecimal(number: string): readonly [bigint, number] {
  const [mantissa = '', exponent = '0'] = number.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  let digits = BigInt(whole + fraction);
  let power = Number(exponent) - fraction.length;
  for (; digits !== 0n && digits % 10n === 0n; power += 1) digits /= 10n;
  return [digits, digits === 0n ? 0 : power];
}

test('a number is accepted only if a double keeps all of its digits', async () => {
  const digits = fc.stringMatching(/^(0|[1-9][0-9]{0,2})\.[0-9]{1,20}$/);
  const decimal = fc.tuple(digits, fc.constantFrom('', 'e-9', 'E+3', 'e-310')).map((parts) => parts.join(''));
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(decimal, fc.double({ min: 0, max: 100, noNaN: true }).map(String)),
      async (text) => {
        const isKept = String(exactDecimal(text)) === String(exactDecimal(String(Number(text))));
        expect([text, await isAccepted(text)]).toEqual([text, isKept]);
      },
    ),
    { numRuns: 2_000 },
  );
});

function nativeValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

test('for any bytes, the result is the value that JSON.parse returns, or a problem if it throws', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
      expect(typeof (await parseBytes(bytes)).isRead).toBe('boolean');
    }),
  );
  const pieces = [
    '{',
    '}',
    '[',
    ']',
    ':',
    ',',
    '"a"',
    '"b"',
    '"\\u0041"',
    '"\\x"',
    '"',
    '\\',
    '0',
    '-',
    '1.5',
    'e2',
  ];
  const words = [
    'true',
    'false',
    'null',
    'nul',
    ' ',
    '\n',
    '\u0001',
    '\u00e9',
    '\u00a0',
    '""',
    '{"a":1}',
    '[1,2]',
  ];
  const text = fc
    .array(fc.constantFrom(...pieces, ...words), { maxLength: 12 })
    .map((parts) => parts.join(''));
  await fc.assert(
    fc.asyncProperty(text, async (candidate) => {
      const parsed = await parse(candidate);
      const native = nativeValue(candidate);
      expect([candidate, parsed.isRead]).toEqual([candidate, native !== undefined]);
      if (parsed.isRead && parsed.problems.length === 0) expect(parsed.value).toEqual(native);
    }),
    { numRuns: 5_000 },
  );
});

test('a text that is cut or changed at any byte is parsed as JSON.parse parses it', async () => {
  const good = Buffer.from(
    '{"a":[1,-2.5e3,true,false,null,"x\\n\\u00e9\u00e9\ud83d\ude00",{"b":{}},[]],"c":""}',
  );
  const positions = fc.nat({ max: good.length });
  const change = fc.oneof(fc.constant(''), fc.constantFrom(...'{}[]":,\\0-eutfn \n\u0000\u007f'));
  await fc.assert(
    fc.asyncProperty(positions, positions, change, async (from, to, put) => {
      const parts = [
        good.subarray(0, Math.min(from, to)),
        Buffer.from(put),
        good.subarray(Math.max(from, to)),
      ];
      const bytes = Buffer.concat(parts);
      const text = bytes.toString();
      const parsed = await parseBytes(bytes);
      const native = isUtf8(bytes) ? nativeValue(text) : undefined;
      expect([text, parsed.isRead]).toEqual([text, native !== undefined]);
      if (parsed.isRead && parsed.problems.length === 0) expect(parsed.value).toEqual(native);
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  ['{"a":1,"a":2}', '/a'],
  ['{"a":1,"\\u0061":2}', '/a'],
  ['{"a":{"b":[{"c":1},{"c":1,"c":2}]}}', '/a/b/1/c'],
  ['{"a":[[],{},"x",{"a~/b":1,"a~/b":2}]}', '/a/3/a~0~1b'],
  ['[{"":1,"":2}]', '/0/'],
])('a duplicate name is reported with its pointer: %s', async (text, pointer) => {
  expect((await parse(text)).problems).toEqual([{ pointer, message: 'is given twice' }]);
});

test('the same name in two objects is not a duplicate', async () => {
  expect(await isAccepted('[{"a":1},{"a":{"a":2}},{"b":"\\"a\\":","a":"{"}]')).toBe(true);
});

test.each([
  ['{"__proto__":{"admin":true}}', '/__proto__'],
  ['{"a":{"\\u005f_proto__":1}}', '/a/__proto__'],
])('__proto__ is rejected as a name: %s', async (text, pointer) => {
  expect(await parse(text)).toMatchObject({ problems: [{ pointer }] });
});

test.each([
  '9007199254740992',
  '-9007199254740992',
  '1e400',
  '1e-400',
  '100.00000000000000001',
  '1e16',
  '0.12345678901234567',
  '0.10000000000000001',
  '3e-324',
  '1.23456789012345e-320',
])('the number %s is rejected with its pointer, because a double does not represent it', async (number) =>
  expect(await parse(`{"a":[0,${number}]}`)).toMatchObject({ problems: [{ pointer: '/a/1' }] }),
);

test.each([
  '9007199254740991',
  '-0',
  '0.1',
  '1.50',
  '1e3',
  '123456789.123456',
  '0.000001',
  '0e9',
  '3.3000000000000003',
  '0.1234567890123456',
  '5e-324',
  '2.5000000000000000000',
  '99.99999999999999',
])('the number %s is accepted', async (number) =>
  expect(await parse(number)).toEqual({ isRead: true, value: Number(number), problems: [] }),
);

const many = (length: number, item: (index: number) => string) =>
  Array.from({ length }, (_, index) => item(index));
const million = 1_000_000;

test.each([
  ['depth', '['.repeat(5 * million), 'must not be nested deeper than 30 levels', '/0'.repeat(32)],
  ['fields', `{"a":{${many(million, (n) => `"n${n}":1`)}}}`, 'must have at most 100 fields', '/a'],
  ['items', `{"a":[${many(million, () => '1')}]}`, 'must have at most 100 items', '/a'],
  ['values', `[${many(100, () => `[${many(100, () => '1')}]`)}]`, 'must hold at most 1000 values in all', ''],
  ['characters', `{"a":"${'x'.repeat(5 * million)}"}`, /^must have at most 1000 characters/, '/a'],
  ['characters of a name', `{"${'x'.repeat(5 * million)}":1}`, /^must have at most 1000 characters/, '/'],
  ['digits', `{"a":${'1'.repeat(5 * million)}}`, /^must be a number of at most 15 digits/, '/a'],
])('parsing stops when a body exceeds its bounds: %s', (_, text, message, pointer) => {
  const reader = new StrictJsonReader(Buffer.from(text), BOUNDS);
  let parsed = reader.readSlice();
  for (; parsed === undefined; parsed = reader.readSlice());
  expect(parsed).toEqual({
    isRead: false,
    problems: [{ pointer, message: typeof message === 'string' ? message : expect.stringMatching(message) }],
  });
  expect(reader.position).toBeLessThan(10_000);
  expect(reader.values).toBeLessThan(1_200);
});

test('a long body within its bounds is parsed in slices of a limited number of bytes', () => {
  const text = `{${' '.repeat(2 * million)}"a":[${many(100, () => `"${'\u00e9'.repeat(900)}"`)}]${'\n'.repeat(million)}}`;
  const reader = new StrictJsonReader(Buffer.from(text), BOUNDS);
  let before = 0;
  let parsed = reader.readSlice();
  for (; parsed === undefined; parsed = reader.readSlice()) {
    expect(reader.position - before).toBeLessThan(70_000);
    before = reader.position;
  }
  expect(parsed).toEqual({ isRead: true, value: JSON.parse(text), problems: [] });
});

test('a body slightly beyond its bounds is parsed to its end, so that all problems are reported', async () => {
  const fields = many(110, (n) => `"n${n}":1`);
  expect(await parse(`{${[...fields, '"n0":1', '"x":1e999']}}`)).toMatchObject({
    isRead: true,
    problems: [{ pointer: '/n0' }, { pointer: '/x' }],
  });
});

test.each([
  ['a byte order mark', Buffer.from('\ufeff{}')],
  ['invalid UTF-8', Buffer.from([0x22, 0xff, 0x22])],
  ['half a surrogate pair in UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
  ['nothing', Buffer.from('')],
  ['blanks', Buffer.from(' \n')],
  ['two values', Buffer.from('{} {}')],
  ['a comment', Buffer.from('{} // comment')],
  ['a trailing comma', Buffer.from('{"a":1,}')],
  ['NaN', Buffer.from('NaN')],
  ['single quotes', Buffer.from("{'a':1}")],
])('%s is rejected', async (_, bytes) => {
  expect((await parseBytes(bytes)).isRead).toBe(false);
});

test('the message about broken JSON quotes nothing of the body', async () => {
  const parsed = await parse('{"member_reference":"member-7" oops}');
  expect(JSON.stringify(parsed)).not.toContain('member-7');
});
