/** Converts decimal amounts to minor units without floating point. */

/** Every currency of the contract has two decimals (ISO 4217). */
const DECIMALS = 2;

/** Converts a decimal amount to minor units: `"1234.5"` to 123450. NaN if it is not decimal, too fine, or beyond the safe integers. */
export function minorUnits(decimal: string): number {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(decimal.trim());
  if (match === null) return Number.NaN;
  const [, whole = '', fraction = ''] = match;
  if (/[1-9]/.test(fraction.slice(DECIMALS))) return Number.NaN;
  const units = Number(whole + fraction.slice(0, DECIMALS).padEnd(DECIMALS, '0'));
  return Number.isSafeInteger(units) ? units : Number.NaN;
}
