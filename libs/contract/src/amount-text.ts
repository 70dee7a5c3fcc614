/**
 * Amounts as people write them: in major units of the currency, with group marks, a decimal mark and the currency. Every form, file and
 * command that reads an amount from a person uses {@link readAmount}, so that no text has two meanings in two places. Pure functions.
 */
import { currencyExponent } from './iso-4217';
import { MAX_AMOUNT } from './limits';

/** The mark before the decimals of a number, as a language writes it: `.` in English, `,` in German. */
export type DecimalMark = '.' | ',';

/** Returns the decimal mark of a language. A language with another mark, such as Arabic, has the one of English. */
export function decimalMarkOf(locale: string): DecimalMark {
  const parts = new Intl.NumberFormat(locale).formatToParts(0.5);
  return parts.find(({ type }) => type === 'decimal')?.value === ',' ? ',' : '.';
}

/** How amounts of some currencies are marked beside their code. */
const SYMBOLS: Readonly<Record<string, readonly string[]>> = {
  KES: ['KSH'],
  USD: ['$', 'US$'],
  EUR: ['€'],
  GBP: ['£'],
};

/** Returns the number of decimals of a currency (ISO 4217). @throws RangeError for a text that is no active currency */
export function currencyDecimals(currency: string): number {
  const decimals = currencyExponent(currency);
  if (decimals === undefined) throw new RangeError(`not a currency of ISO 4217: ${currency.slice(0, 10)}`);
  return decimals;
}

/**
 * Writes an amount in major units with all decimals of its currency, without floating point.
 *
 * @param amount integer in minor units; it can be negative
 * @throws RangeError for a text that is no active currency of ISO 4217
 * @example formatMajorUnits(287000, 'KES') // '2,870.00'
 */
export function formatMajorUnits(amount: number, currency: string): string {
  const decimals = currencyDecimals(currency);
  const digits = String(Math.abs(amount)).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(\d{3})+$)/g, ',');
  const fraction = decimals === 0 ? '' : `.${digits.slice(-decimals)}`;
  return `${amount < 0 ? '-' : ''}${whole}${fraction}`;
}

/**
 * Writes an amount with its currency.
 *
 * @param amount integer in minor units; it can be negative
 * @throws RangeError for a text that is no active currency of ISO 4217
 * @example formatAmount(287000, 'KES') // '2,870.00 KES'
 */
export function formatAmount(amount: number, currency: string): string {
  return `${formatMajorUnits(amount, currency)} ${currency}`;
}

/** An amount in minor units, or what is wrong with the text: words that follow the name of the field, such as "must not be empty". */
export type ReadAmount =
  | { readonly ok: true; readonly amount: number }
  | { readonly ok: false; readonly problem: string };

/** The longest text that is read. The largest amount with all marks and its currency is shorter. */
const MAX_TEXT_LENGTH = 60;

/** One way to understand a text as a number. */
interface Reading {
  readonly whole: string;
  readonly fraction: string;
}

/** Digits, or groups of three that one mark separates. The groups before the last can have two digits, as in India: 1,23,456. */
const WHOLE =
  /^(?:\d+|[1-9]\d{0,2}(?:(?<mark>[., '])\d{3})(?:\k<mark>\d{3})*|[1-9]\d?(?:(?<lakh>[, ])\d{2})(?:\k<lakh>\d{2})*\k<lakh>\d{3})$/;

/** Reads a text with this decimal mark; undefined if the text is not a number then. */
function readWith(mark: DecimalMark, text: string): Reading | undefined {
  const [whole = '', fraction, ...more] = text.split(mark);
  if (more.length > 0 || !WHOLE.test(whole) || (fraction !== undefined && !/^\d+$/.test(fraction)))
    return undefined;
  return { whole: whole.replace(/\D/g, ''), fraction: fraction ?? '' };
}

const rejected = (problem: string): ReadAmount => ({ ok: false, problem });

/** Removes the currency before or after the number. Returns undefined if the text names another currency. */
function withoutCurrency(text: string, currency: string): string | undefined {
  const [, before = '', number = '', after = ''] = /^([^\d.,'-]*)(.*?)([^\d.,']*)$/.exec(text) ?? [];
  const marks = [before, after].map((mark) => mark.trim().toUpperCase()).filter((mark) => mark !== '');
  const own = [currency, ...(SYMBOLS[currency] ?? [])];
  return marks.every((mark) => own.includes(mark)) ? number.trim() : undefined;
}

/** Writes a reading for a person, also one with more decimals than its currency has. */
function describe({ whole, fraction }: Reading, currency: string): string {
  const decimals = currencyDecimals(currency);
  const grouped = whole.replace(/^0+(?=\d)/, '').replace(/\B(?=(\d{3})+$)/g, ',');
  const shown = fraction.padEnd(decimals, '0');
  return `${grouped}${shown === '' ? '' : `.${shown}`} ${currency}`;
}

/**
 * Reads an amount that a person typed or pasted: `3,000.50`, `3 000,50`, `3'000.50`, `3000.5 KES`.
 *
 * A mark with three digits after it can separate groups or decimals. The language decides: its group mark separates groups, and its decimal
 * mark separates decimals if the currency has three. Otherwise, as in `3.000` KES in English, the text is rejected, and the problem names both
 * readings. A text with one reading is accepted in every language.
 *
 * @param currency the currency of the amount; a text that names another one is rejected
 * @param mark the decimal mark of the person's language
 * @returns the amount in minor units, from 0 to 2^53 - 1, or the problem
 * @throws RangeError for a text that is no active currency of ISO 4217
 * @example readAmount('2,870', 'KES', '.') // { ok: true, amount: 287000 }
 */
export function readAmount(text: string, currency: string, mark: DecimalMark): ReadAmount {
  const decimals = currencyDecimals(currency);
  if (text.length > MAX_TEXT_LENGTH) return rejected('must be an amount, such as 3,000.50');
  const plain = text
    .normalize('NFKC')
    .replace(/\s/gu, ' ')
    .replace(/[’‘ʼ`]/g, "'")
    .replace(/[−–]/g, '-')
    .trim();
  if (plain === '') return rejected('must not be empty');
  const number = withoutCurrency(plain, currency);
  if (number === undefined) return rejected(`must be in ${currency}, without another currency or text`);
  if (/^[-(]/.test(number)) return rejected('must not be negative');
  const own = readWith(mark, number);
  const other = readWith(mark === '.' ? ',' : '.', number);
  const isSame = own?.whole === other?.whole && own?.fraction === other?.fraction;
  if (own !== undefined && other !== undefined && !isSame && own.fraction.length > decimals)
    return rejected(
      `can mean ${describe(other, currency)} or ${describe(own, currency)}: write it with ${decimals} decimals, or without marks`,
    );
  const reading = own ?? other;
  if (reading === undefined) return rejected('must be an amount, such as 3,000.50');
  // Decimals that are 0 beyond those of the currency are accepted only after the mark of the language: 3000.0000.
  const excess = reading.fraction.slice(decimals);
  if (excess !== '' && (own === undefined || /[1-9]/.test(excess)))
    return rejected(`must have at most ${decimals} decimals`);
  const units = BigInt(reading.whole + reading.fraction.slice(0, decimals).padEnd(decimals, '0'));
  if (units > BigInt(MAX_AMOUNT)) return rejected(`must be at most ${formatAmount(MAX_AMOUNT, currency)}`);
  return { ok: true, amount: Number(units) };
}
