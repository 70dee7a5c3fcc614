/**
 * Amounts as files write them: decimal numbers of XML Schema, and numbers with the separators of a locale that is known for the whole file. What a
 * person types is read by amount-text.ts. Pure functions on the digits of the text: no value passes through a floating-point number that is
 * not an integer.
 */

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
