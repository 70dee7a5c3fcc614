// Tests that decimal texts of files and of people become exact minor units, or are rejected; and the table of currencies.
import { fc } from '@carecover/testing';
import { formatAmount, parseSeparated, parseTypedAmount, parseXmlDecimal } from './amounts';
import { currencyExponent, isoCurrencies } from './iso-4217';
import { MAX_AMOUNT } from './limits';

test.each([
  ['.50', 50],
  ['+1.00', 100],
  ['1000.', 100_000],
  ['0.01', 1],
  ['1', 100],
  [' 1.5 ', 150],
  ['1.500', 150],
  ['-0.00', 0],
  ['90071992547409.91', MAX_AMOUNT],
  ['90071992547409.92', undefined],
  ['1.005', undefined],
  ['-1', undefined],
  ['1,5', undefined],
  ['1e3', undefined],
  ['.', undefined],
  ['+', undefined],
  ['', undefined],
])('the xs:decimal %j is %p minor units', (text, units) => {
  expect(parseXmlDecimal(text, 2)).toBe(units);
});

test('the decimals are those of the currency', () => {
  expect([parseXmlDecimal('12', 0), parseXmlDecimal('12.5', 0)]).toEqual([12, undefined]);
  expect([parseXmlDecimal('1.234', 3), parseXmlDecimal('1.2345', 3)]).toEqual([1234, undefined]);
});

test.each([
  ['1.234,50', ',', '.', 123_450],
  ['1,234.50', '.', ',', 123_450],
  ['1 234 567,5', ',', '.', 123_456_750],
  ["1'234.50", '.', null, 123_450],
  ['1,234', '.', ',', 123_400],
  ['1,234', ',', '.', undefined],
  ['1.23', ',', '.', undefined],
  ['12.34.567,00', ',', '.', undefined],
  ['1,2,3', ',', '.', undefined],
  ['-1,00', ',', '.', undefined],
  ['', ',', '.', undefined],
] as const)('%j with the decimal separator %j is %p minor units', (text, decimal, group, units) => {
  expect(parseSeparated(text, { decimal, group }, 2)).toBe(units);
});

test.each([
  ['1,234.50', 'KES', 123_450],
  ['1.234,50', 'EUR', 123_450],
  ['1 234,50', 'EUR', 123_450],
  ['1\u00a0234\u202f567.50', 'EUR', 123_456_750],
  ["1'234.50", 'CHF', 123_450],
  ['KES 1234.5', 'KES', 123_450],
  ['1234 kes', 'KES', 123_400],
  ['\u200b1234', 'KES', 123_400],
  ['１２３４', 'KES', 123_400],
  ['1,234,567', 'KES', 123_456_700],
  ['1234', 'JPY', 1_234],
  ['1.234', 'JPY', 1_234],
  ['1.2345,678', 'KWD', null],
  ['1,234', 'KWD', null],
  ['1.005', 'KES', 100_500],
  ['12.5', 'JPY', null],
  ['USD 5', 'KES', null],
  ['$5', 'USD', null],
  ['-5', 'KES', null],
  ['', 'KES', null],
  ['5', 'XXX', null],
])('a person who types %j in %s means %p minor units', (text, currency, units) => {
  const parsed = parseTypedAmount(text, currency);
  expect(parsed).toEqual(units === null ? { reason: expect.any(String) } : { amount: units });
});

test('a text with two meanings is rejected with both', () => {
  expect(parseTypedAmount('1,234', 'KWD')).toEqual({
    reason: 'can mean 1,234.000 or 1.234: write all decimals',
  });
});

test('a formatted amount has all decimals of its currency, and is read as the same amount', () => {
  expect(['JPY', 'KES', 'KWD'].map((currency) => formatAmount(1_234_567, currency))).toEqual([
    '1,234,567',
    '12,345.67',
    '1,234.567',
  ]);
  expect([formatAmount(5, 'KES'), formatAmount(-5, 'KWD'), formatAmount(5, 'XXX')]).toEqual([
    '0.05',
    '-0.005',
    '5',
  ]);
  fc.assert(
    fc.property(
      fc.constantFrom(...isoCurrencies),
      fc.integer({ min: 0, max: MAX_AMOUNT }),
      (currency, amount) => {
        const exponent = currencyExponent(currency) ?? 0;
        const text = formatAmount(amount, currency);
        expect(parseSeparated(text, { decimal: '.', group: ',' }, exponent)).toBe(amount);
        expect(parseXmlDecimal(text.replaceAll(',', ''), exponent)).toBe(amount);
        const typed = parseTypedAmount(text, currency);
        expect('amount' in typed ? typed.amount : typed.reason).toEqual(
          'amount' in typed ? amount : expect.stringContaining('can mean'),
        );
      },
    ),
  );
});

test('the table of currencies has three-letter codes once, with 0, 2 or 3 decimals', () => {
  expect(isoCurrencies.length).toBe(new Set(isoCurrencies).size);
  for (const code of isoCurrencies) {
    expect(code).toMatch(/^[A-Z]{3}$/);
    expect([0, 2, 3]).toContain(currencyExponent(code));
  }
  // CLDR says 0 or 2 for some of these, depending on the release of Node. ISO 4217 says 2.
  for (const code of ['HUF', 'IDR', 'COP', 'PKR', 'RSD', 'KES', 'TZS'])
    expect(currencyExponent(code)).toBe(2);
  for (const code of ['JPY', 'UGX', 'RWF', 'ISK', 'XAF']) expect(currencyExponent(code)).toBe(0);
  for (const code of ['KWD', 'BHD', 'TND']) expect(currencyExponent(code)).toBe(3);
  for (const code of ['XXX', 'XAU', 'kes', '']) expect(currencyExponent(code)).toBeUndefined();
});
