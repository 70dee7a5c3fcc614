import { fc } from '@carecover/local/properties';
import { parseStrictJson } from './strict-json';

const parse = (text: string) => parseStrictJson(Buffer.from(text));

test('what JSON.stringify writes is read back as it was', () => {
  const value = fc.jsonValue({ maxDepth: 5 }).filter((candidate) => {
    // Numbers of more than 15 digits are refused, and so is the one name that no object should have.
    return !/\d{16}|__proto__|e[+-]?\d/.test(JSON.stringify(candidate).replaceAll('.', ''));
  });
  fc.assert(
    fc.property(value, (candidate) => {
      expect(parse(JSON.stringify(candidate))).toEqual({
        ok: true,
        value: JSON.parse(JSON.stringify(candidate)),
      });
    }),
  );
});

test('whatever arrives, the answer is a value or a problem', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(typeof parseStrictJson(bytes).ok).toBe('boolean');
    }),
  );
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'{}[]":,\\-0eu\n ') }), (text) => {
      const ours = parse(text);
      if (ours.ok) expect(ours.value).toEqual(JSON.parse(text));
    }),
  );
});

test.each([
  ['{"a":1,"a":2}', '/a'],
  ['{"a":1,"\\u0061":2}', '/a'],
  ['{"a":{"b":[{"c":1},{"c":1,"c":2}]}}', '/a/b/1/c'],
  ['{"a":[[],{},"x",{"a~/b":1,"a~/b":2}]}', '/a/3/a~0~1b'],
  ['[{"":1,"":2}]', '/0/'],
])('a name that is given twice is named: %s', (text, pointer) => {
  expect(parse(text)).toEqual({ ok: false, problem: { pointer, message: 'is given twice' } });
});

test('the same name in two objects is none given twice', () => {
  expect(parse('[{"a":1},{"a":{"a":2}},{"b":"\\"a\\":","a":"{"}]').ok).toBe(true);
});

test.each([
  ['{"__proto__":{"admin":true}}', '/__proto__'],
  ['{"a":{"\\u005f_proto__":1}}', '/a/__proto__'],
])('__proto__ is no name: %s', (text, pointer) => {
  expect(parse(text)).toMatchObject({ ok: false, problem: { pointer } });
});

test.each([
  '9007199254740992',
  '-9007199254740992',
  '1e400',
  '1e-400',
  '100.00000000000000001',
  '1e16',
  '0.1234567890123456',
])('the number %s is refused with its place, since a double does not hold it', (number) =>
  expect(parse(`{"a":[0,${number}]}`)).toMatchObject({ ok: false, problem: { pointer: '/a/1' } }),
);

test.each(['9007199254740991', '-0', '0.1', '1.50', '1e3', '123456789.123456', '0.000001', '0e9'])(
  'the number %s is taken',
  (number) => expect(parse(number)).toEqual({ ok: true, value: Number(number) }),
);

test('nesting is bounded, and a long row of brackets costs next to nothing', () => {
  expect(parse(`${'['.repeat(32)}${']'.repeat(32)}`).ok).toBe(true);
  expect(parse(`${'['.repeat(33)}${']'.repeat(33)}`).ok).toBe(false);
  expect(parse('['.repeat(5_000_000)).ok).toBe(false);
  expect(parse(`"${'['.repeat(100)}"`).ok).toBe(true);
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
])('%s is refused', (_, bytes) => {
  expect(parseStrictJson(bytes).ok).toBe(false);
});

test('the message about broken JSON quotes nothing of the body', () => {
  const answer = parse('{"member_reference":"member-7" oops}');
  expect(JSON.stringify(answer)).not.toContain('member-7');
});
