/** Amounts of money as text, and escaped text. Amounts are integers in the minor unit of a currency with two decimals. */

/**
 * Formats an amount with two decimals, without floating point.
 *
 * @param sign `always` also writes the sign of a positive amount
 * @example amountText(123456) // '1,234.56'
 */
export function amountText(minorUnits: number, sign: 'negative' | 'always' = 'negative'): string {
  const digits = String(Math.abs(minorUnits)).padStart(3, '0');
  const whole = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ',');
  const prefix = minorUnits < 0 ? '−' : sign === 'always' && minorUnits > 0 ? '+' : '';
  return `${prefix}${whole}.${digits.slice(-2)}`;
}

const UNITS = ['', 'k', 'm', 'bn', 'tn'] as const;

/** Formats an amount in few characters, for places that are too narrow for all digits: `about 90.1 tn`. */
export function shortAmount(minorUnits: number): string {
  let value = Math.abs(minorUnits) / 100;
  let unit = 0;
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `≈${minorUnits < 0 ? '−' : ''}${value < 100 ? value.toFixed(1) : Math.round(value)} ${UNITS[unit]}`.trim();
}

/** Escapes a text for HTML and SVG, inside elements and attributes. */
export function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
