// Tests that decimal texts of files become exact minor units, or are rejected; and the table of currencies.
import { fc } from '@carecover/testing';
import { formatMajorUnits } from './amount-text';
import { parseSeparated, parseXmlDecimal } from './decimal-text';
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

test('an amount that is written in major units is read as the same amount', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...isoCurrencies),
      fc.integer({ min: 0, max: MAX_AMOUNT }),
      (currency, amount) => {
        const exponent = currencyExponent(currency) ?? 0;
        const text = formatMajorUnits(amount, currency);
        expect(parseSeparated(text, { decimal: '.', group: ',' }, exponent)).toBe(amount);
        expect(parseXmlDecimal(text.replaceAll(',', ''), exponent)).toBe(amount);
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
