/** Tables as CSV (RFC 4180) with plain numbers, which a spreadsheet reads as numbers. */
import { csvField, formatMajorUnits } from '@carecover/contract';

/** The value of a cell: a text, a number, or an amount of money. */
export type CsvValue = string | number | null | { readonly amount: number; readonly currency: string };

export interface CsvTable {
  readonly header: readonly string[];
  readonly rows: readonly (readonly CsvValue[])[];
}

function cellOf(value: CsvValue): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'object') return formatMajorUnits(value.amount, value.currency).replaceAll(',', '');
  return csvField(value);
}

/** Writes a table as CSV with a header record. Amounts are in major units, without group marks and currency. */
export function writeCsv({ header, rows }: CsvTable): string {
  return [header, ...rows].map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');
}
