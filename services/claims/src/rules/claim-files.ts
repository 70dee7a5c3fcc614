/**
 * The claims of a valuation run as CSV and as newline-delimited JSON. Equal claims have equal bytes in every release.
 */
import {
  csvRecord,
  type ValuationRunClaim,
  valuationAmounts,
  valuationDimensions,
} from '@carecover/contract';

/** The text columns of the CSV and Parquet files, in the order of the file. The columns of amounts follow after them. */
export const TEXT_COLUMNS = [
  'id',
  'currency',
  ...valuationDimensions,
] as const satisfies readonly (keyof ValuationRunClaim)[];

/** The columns of amounts, in minor units. The amounts that depend on an adjudication are empty for a claim that is not adjudicated. */
export const AMOUNT_COLUMNS = valuationAmounts satisfies readonly (keyof ValuationRunClaim['amount'])[];

/** The header record of the CSV file, with the names of the columns. */
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
