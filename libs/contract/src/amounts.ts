/**
 * Conversion between amounts in minor units and the decimal texts that people, files and banks write. Pure functions on the digits of the
 * text: no value passes through a floating-point number that is not an integer.
 */
import { currencyExponent } from './iso-4217';

/** A parsed amount in minor units, or the reason why the text is none. The reason says what is expected, and can follow a field's name. */
export type ParsedAmount = { readonly amount: number } | { readonly reason: string };

/** The separators of a decimal text. */
export interface Separators {
  readonly decimal: '.' | ',';
  /** The separator of groups of three digits. White space and apostrophes are always accepted between groups; null accepts no other. */
  readonly group: '.' | ',' | null;
}

/**
 * Converts digits before and after the decimal separator to minor units. @returns undefined if there is a fraction of a minor unit, or the
 * amount is above 2^53 - 1
 */
function toMinorUnits(whole: string, fraction: string, exponent: number): number | undefined {
  if (/[1-9]/.test(fraction.slice(exponent))) return undefined;
  const units = Number(whole + fraction.slice(0, exponent).padEnd(exponent, '0'));
  return Number.isSafeInteger(units) ? units : undefined;
}

/**
 * Parses a decimal number in the lexical form of the type xs:decimal of XML Schema, such as `1234.5`, `.50`, `+1.00` or `1000.`, and returns it
 * in minor units.
 *
 * @returns undefined if the text is another form, is negative, has a fraction of a minor unit, or is above 2^53 - 1 minor units
 * @example parseXmlDecimal('1000.', 2) // 100000
 */
export function parseXmlDecimal(text: string, exponent: number): number | undefined {
  const match = /^(\+|-(?=[0.]*$))?(\d*)(?:\.(\d*))?$/.exec(text.trim());
  if (match === null) return undefined;
  const [, , whole = '', fraction = ''] = match;
  return whole + fraction === '' ? undefined : toMinorUnits(whole, fraction, exponent);
}

/** White space and apostrophes, which several countries write between groups of digits. */
const GROUP_MARKS = /(?<=\d)[\s'’ʼ](?=\d)/gu;

/**
 * Parses a decimal number with known separators, such as those of a file's locale, and returns it in minor units.
 *
 * @returns undefined if groups do not have three digits, or for a reason of {@link parseXmlDecimal}
 * @example parseSeparated('1.234,50', { decimal: ',', group: '.' }, 2) // 123450
 */
export function parseSeparated(
  text: string,
  { decimal, group }: Separators,
  exponent: number,
): number | undefined {
  const written = text.normalize('NFKC').trim().replace(/^\+/, '');
  const [whole = '', fraction = '', ...more] = written.split(decimal);
  if (more.length > 0 || !/^\d*$/.test(fraction)) return undefined;
  const groups = whole.replace(GROUP_MARKS, group ?? ' ').split(group ?? ' ');
  const [first = '', ...others] = groups;
  if (!/^\d*$/.test(first) || (others.length > 0 && !/^\d{1,3}$/.test(first))) return undefined;
  if (!others.every((digits) => /^\d{3}$/.test(digits))) return undefined;
  const digits = groups.join('');
  return digits + fraction === '' ? undefined : toMinorUnits(digits, fraction, exponent);
}

const POINT: Separators = { decimal: '.', group: ',' };
const COMMA: Separators = { decimal: ',', group: '.' };

/**
 * Parses an amount that a person typed or pasted in major units, such as `1,234.50`, `1 234,50`, `1'234.50` or `KES 1234.5`. A text that means
 * different amounts in different countries, such as `1,234`, is rejected with both meanings.
 *
 * @param currency an active currency of ISO 4217
 * @example parseTypedAmount('1.234,50', 'EUR') // { amount: 123450 }
 */
export function parseTypedAmount(text: string, currency: string): ParsedAmount {
  const exponent = currencyExponent(currency);
  if (exponent === undefined) return { reason: `is in ${currency}, which is no currency of ISO 4217` };
  const code = new RegExp(`^${currency}\\b|\\b${currency}$`, 'i');
  const visible = text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .trim();
  const digits = visible.replace(code, '').trim();
  if (digits === '') return { reason: 'is empty: an amount is expected' };
  if (/[A-Za-z\p{Sc}]/u.test(digits)) return { reason: `names another currency than ${currency}` };
  if (/^[-−(]/.test(digits)) return { reason: 'is negative: an amount of 0 or more is expected' };
  const readings = [POINT, COMMA].map((separators) => parseSeparated(digits, separators, exponent));
  const [amount, ...others] = [...new Set(readings.filter((each) => each !== undefined))];
  if (amount !== undefined && others.length === 0) return { amount };
  if (amount !== undefined)
    return {
      reason: `can mean ${[amount, ...others].map((each) => formatAmount(each, currency)).join(' or ')}: write all decimals`,
    };
  const decimals = exponent === 0 ? 'no decimals' : `at most ${exponent} decimals`;
  return {
    reason: `is no amount in ${currency}: digits with ${decimals} are expected, such as ${formatAmount(123456, currency)}`,
  };
}

/**
 * Formats an amount of minor units with all decimals of its currency and a comma between groups, without the currency. The minor units of an
 * unknown currency are returned as they are.
 *
 * @example formatAmount(123450, 'KES') // '1,234.50'
 */
export function formatAmount(amount: number, currency: string): string {
  const exponent = currencyExponent(currency) ?? 0;
  const digits = String(Math.abs(amount)).padStart(exponent + 1, '0');
  const whole = digits.slice(0, digits.length - exponent).replace(/\B(?=(\d{3})+$)/g, ',');
  const fraction = exponent === 0 ? '' : `.${digits.slice(-exponent)}`;
  return `${amount < 0 ? '-' : ''}${whole}${fraction}`;
}
