/**
 * The claims of a valuation run as CSV and as newline-delimited JSON. Equal claims have equal bytes in every release.
 */
import { type ValuationRunClaim, valuationAmounts, valuationDimensions } from '@carecover/contract';

/** The columns of CSV and Parquet, in their order: the fields of the resource, with those of `amount` after the others. */
export const TEXT_COLUMNS = [
  'id',
  'currency',
  ...valuationDimensions,
] as const satisfies readonly (keyof ValuationRunClaim)[];

/** The columns of amounts, in minor units. An amount that depends on an adjudication is empty without one. */
export const AMOUNT_COLUMNS = valuationAmounts satisfies readonly (keyof ValuationRunClaim['amount'])[];

const LINE_END = '\r\n';

/** Matches a text that starts with a character by which spreadsheets recognize a formula, or with an apostrophe. */
const FORMULA_START = /^[=+\-@\t\r']/;
const NEEDS_QUOTES = /[",\r\n]/;

/**
 * Returns a text as a CSV field (RFC 4180). A text that a spreadsheet could execute starts with an added apostrophe, and so does a text
 * that starts with one: a reader gets the original text if it removes one apostrophe from the start.
 *
 * @example csvField('=1+1') // "'=1+1"
 */
export function csvField(text: string): string {
  const safe = FORMULA_START.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Returns a CSV record with its line end. @param fields numbers are written in decimal; null is an empty field */
function csvRecord(fields: readonly (string | number | null)[]): string {
  return (
    fields.map((field) => (typeof field === 'string' ? csvField(field) : (field ?? ''))).join(',') + LINE_END
  );
}

/** The first record of the CSV file. */
export const CSV_HEADER = csvRecord([...TEXT_COLUMNS, ...AMOUNT_COLUMNS]);

/** Returns the CSV record of a claim. */
export function claimCsv(claim: ValuationRunClaim): string {
  return csvRecord([
    ...TEXT_COLUMNS.map((name) => claim[name]),
    ...AMOUNT_COLUMNS.map((name) => claim.amount[name]),
  ]);
}

/** Returns a claim's line of newline-delimited JSON: the resource as in the JSON list. */
export function claimLine(claim: ValuationRunClaim): string {
  return `${JSON.stringify(claim)}\n`;
}
