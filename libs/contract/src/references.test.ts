// Tests the normal forms in which references that people type are compared.
import { fc } from '@carecover/testing';
import { referenceKey, referenceSearchKey } from './references';

const UNSEEN = [
  ['a space', ' '],
  ['a no-break space', '\u00a0'],
  ['a tab', '\t'],
  ['a line feed', '\n'],
  ['a zero-width space', '\u200b'],
  ['a zero-width joiner', '\u200d'],
  ['a byte order mark', '\ufeff'],
  ['a soft hyphen', '\u00ad'],
  ['a right-to-left mark', '\u200f'],
  ['a variation selector', '\ufe0f'],
  ['a Hangul filler', '\u3164'],
] as const;

test.each(UNSEEN)('%s is no part of a reference', (_name, unseen) => {
  for (const typed of [`BANK-100${unseen}`, `${unseen}BANK-100`, `BANK-${unseen}100`])
    expect([typed, referenceKey(typed)]).toEqual([typed, 'BANK-100']);
});

test.each([
  ['ＢＡＮＫ－１００', 'BANK-100'],
  ['E\u0301RA-1', '\u00c9RA-1'],
  ['RF18 5390 0754 7034', 'RF18539007547034'],
  ['\u200b \u00a0', ''],
])('%j is the same reference as %j', (typed, key) => {
  expect(referenceKey(typed)).toBe(key);
});

test('case is a difference for uniqueness, and none for search', () => {
  expect(referenceKey('era-1')).not.toBe(referenceKey('ERA-1'));
  expect(referenceSearchKey('era -1')).toBe(referenceSearchKey('ERA-1'));
  expect(referenceSearchKey('straße')).toBe(referenceSearchKey('STRASSE'));
});

test('a normal form is the normal form of itself, and equal keys have equal search keys', () => {
  const reference = fc.string({ unit: 'binary', maxLength: 20 });
  const padded = fc.tuple(reference, fc.constantFrom(...UNSEEN.map(([, unseen]) => unseen)), reference);
  fc.assert(
    fc.property(padded, ([start, unseen, end]) => {
      for (const form of [referenceKey, referenceSearchKey])
        expect(form(form(start + end))).toBe(form(start + end));
      expect(referenceKey(start + unseen + end)).toBe(referenceKey(start + end));
      expect(referenceSearchKey(referenceKey(start))).toBe(referenceSearchKey(start));
    }),
  );
});
