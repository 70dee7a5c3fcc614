// Tests that the text of an amount has its one meaning, or is rejected: never an amount that is a hundred or a thousand times another.
import { fc } from '@carecover/testing';
import {
  currencyDecimals,
  type DecimalMark,
  formatAmount,
  formatMajorUnits,
  readAmount,
} from './amount-text';
import { MAX_AMOUNT } from './limits';
import { currencies } from './money';

const MARKS: readonly DecimalMark[] = ['.', ','];
const amountOf = (text: string, mark: DecimalMark = '.') => {
  const read = readAmount(text, 'KES', mark);
  return read.ok ? read.amount : read.problem;
};

test.each([
  ['2870', 287_000],
  ['2,870', 287_000],
  ['2870.5', 287_050],
  ['2,870.00', 287_000],
  ['3,000.50', 300_050],
  ['3 000,50', 300_050],
  ['3 000.50', 300_050],
  ["3'000.50", 300_050],
  ['3’000.50', 300_050],
  ['3.000,50', 300_050],
  ['3\u00a0000,50', 300_050],
  ['3\u202f000,50', 300_050],
  ['3000.5 KES', 300_050],
  ['KES 3,000.50', 300_050],
  ['kes3000', 300_000],
  ['KSh 3,000', 300_000],
  ['３０００', 300_000],
  ['1,23,456.50', 12_345_650],
  ['1.234.567', 123_456_700],
  ['1,234,567', 123_456_700],
  ['3000.0000', 300_000],
  ['0', 0],
  ['0.05', 5],
  ['0,05', 5],
  ['3,5', 350],
  ['90,071,992,547,409.91', MAX_AMOUNT],
])('%s is read', (text, amount) => {
  expect(amountOf(text)).toBe(amount);
});

test.each([
  ['', 'must not be empty'],
  ['  ', 'must not be empty'],
  ['-5', 'must not be negative'],
  ['−5.00', 'must not be negative'],
  ['3.005', 'can mean 3,005.00 KES or 3.005 KES: write it with 2 decimals, or without marks'],
  ['3.000', 'can mean 3,000.00 KES or 3.000 KES: write it with 2 decimals, or without marks'],
  ['0.125', 'must have at most 2 decimals'],
  ['1,2000', 'must have at most 2 decimals'],
  ['3000.5 USD', 'must be in KES, without another currency or text'],
  ['$3000', 'must be in KES, without another currency or text'],
  ['three', 'must be in KES, without another currency or text'],
  ['3,00,00', 'must be an amount, such as 3,000.50'],
  ['3000.', 'must be an amount, such as 3,000.50'],
  ['1e3', 'must be an amount, such as 3,000.50'],
  ['3 000 50', 'must be an amount, such as 3,000.50'],
  ['1,234.567.890', 'must be an amount, such as 3,000.50'],
  ['90,071,992,547,409.92', 'must be at most 90,071,992,547,409.91 KES'],
  ['9'.repeat(61), 'must be an amount, such as 3,000.50'],
])('%j is rejected', (text, problem) => {
  expect(amountOf(text)).toBe(problem);
});

test('the language decides what a mark before three digits means', () => {
  expect(amountOf('3,000', '.')).toBe(300_000);
  expect(amountOf('3.000', ',')).toBe(300_000);
  expect(amountOf('3,000', ',')).toMatch(/^can mean 3,000\.00 KES or 3\.000 KES/);
});

test('a currency of the API has its decimals, and another one is an error', () => {
  expect(currencies.map((currency) => currencyDecimals(currency))).toEqual([2, 2, 2, 2]);
  expect(() => currencyDecimals('XXX')).toThrow(RangeError);
  expect(() => readAmount('1', 'XXX', '.')).toThrow(RangeError);
});

const amount = fc.oneof(
  fc.integer({ min: 0, max: MAX_AMOUNT }),
  fc.integer({ min: 0, max: 100_000 }),
  fc.integer({ min: 0, max: 9_999 }).map((whole) => whole * 100_000),
);
const RUNS = 10_000;

test('an amount that is written and read again is the same', () => {
  fc.assert(
    fc.property(amount, fc.constantFrom(...currencies), (value, currency) => {
      for (const text of [formatAmount(value, currency), formatMajorUnits(value, currency)])
        expect(readAmount(text, currency, '.')).toEqual({ ok: true, amount: value });
    }),
    { numRuns: RUNS },
  );
});

/** Numbers as programs of several countries write them. */
const WRITERS = ['en', 'de', 'fr', 'de-CH', 'en-IN', 'sw-KE', 'sv', 'pt-PT'].flatMap((locale) =>
  [0, 2].map((minimumFractionDigits) => ({
    mark: new Intl.NumberFormat(locale).formatToParts(0.5).find(({ type }) => type === 'decimal')?.value,
    format: new Intl.NumberFormat(locale, { minimumFractionDigits, maximumFractionDigits: 2 }),
  })),
);

test('an amount as any country writes it is read as that amount or is rejected, and in its own language it is read', () => {
  fc.assert(
    fc.property(amount, fc.constantFrom(...WRITERS), fc.constantFrom(...MARKS), (value, writer, mark) => {
      const text = writer.format.format(
        `${BigInt(value) / 100n}.${String(value % 100).padStart(2, '0')}` as never,
      );
      const read = readAmount(text, 'KES', mark);
      if (read.ok) expect([text, read.amount]).toEqual([text, value]);
      else
        expect([text, read.problem, mark]).toEqual([
          text,
          expect.stringMatching(/^can mean /),
          expect.not.stringContaining(writer.mark ?? ''),
        ]);
    }),
    { numRuns: RUNS },
  );
});

test('any text of digits and marks has one meaning or is rejected', () => {
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.constantFrom('1', '2', '0', '5', '.', ',', ' ', "'"),
        minLength: 1,
        maxLength: 14,
      }),
      fc.constantFrom(...MARKS),
      (text, mark) => {
        const read = readAmount(text, 'KES', mark);
        if (!read.ok) return;
        // The digits are kept in their order, so an amount is at most its digits with two decimals added, and at least its digits.
        const digits = BigInt(text.replace(/\D/g, ''));
        expect([digits, digits * 10n, digits * 100n]).toContain(
          read.amount === 0
            ? digits
            : BigInt(read.amount) * 10n ** BigInt(Math.max(0, excessZeros(text, mark))),
        );
      },
    ),
    { numRuns: RUNS },
  );
});

/** Returns how many zeros after the second decimal a text has. */
function excessZeros(text: string, mark: DecimalMark): number {
  const fraction = text.trim().split(mark)[1];
  return fraction === undefined || /\D/.test(fraction) || text.trim().split(mark).length > 2
    ? 0
    : fraction.length - 2;
}
