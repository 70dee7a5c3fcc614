/** Amounts as banks write them, turned into minor units without floating point. */

/** Every currency that the contract takes has two decimals (ISO 4217). */
const DECIMALS = 2;

/** `"1234.5"` is 123450. NaN where it is no such number, is finer than the minor unit, or beyond the safe integers. */
export function minorUnits(decimal: string): number {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(decimal.trim());
  if (match === null) return Number.NaN;
  const [, whole = '', fraction = ''] = match;
  if (/[1-9]/.test(fraction.slice(DECIMALS))) return Number.NaN;
  const units = Number(whole + fraction.slice(0, DECIMALS).padEnd(DECIMALS, '0'));
  return Number.isSafeInteger(units) ? units : Number.NaN;
}
