// Tests that findUnplainText finds text that PostgreSQL or UTF-8 can't represent, at any depth of a value.
import { fc } from '@carecover/testing';
import { findUnplainText, isPlainText, pointerStep } from './text';

test('NUL and lone surrogates are not plain text; surrogate pairs and other characters are', () => {
  for (const text of ['a\0', '\ud800', 'x\udfffy', '\udc00\ud800']) expect(isPlainText(text)).toBe(false);
  for (const text of ['', 'é', '\u{1f600}', '\u0001', '\uffff']) expect(isPlainText(text)).toBe(true);
});

test('plain text is exactly the text without NUL that UTF-8 encodes without loss', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const isLossless = Buffer.from(text, 'utf8').toString('utf8') === text && !text.includes('\0');
      return isPlainText(text) === isLossless;
    }),
  );
});

test('the pointers have escaped names', () => {
  expect(findUnplainText({ a: ['x', { 'b/~': '\0' }] })).toEqual(['/a/1/b~1~0']);
  expect(findUnplainText({ a: [1, null, true, 'x'] })).toEqual([]);
  expect(pointerStep('~1/')).toBe('/~01~1');
});
