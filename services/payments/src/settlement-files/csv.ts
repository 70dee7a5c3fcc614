/**
 * Reads the rows of a settlement file in CSV as a stream. The heading names the columns source_reference, payer_reference, currency, amount
 * (in minor units) and observed_at, in any order; other columns are ignored. Each further row is a credit. A reference that is NONREF or
 * NOTPROVIDED is absent.
 */
import type { Readable } from 'node:stream';
import { readCsvRows } from '@carecover/platform';
import { checkedRow, type Row, withoutPlaceholder } from './row';

const COLUMNS = ['source_reference', 'payer_reference', 'currency', 'amount', 'observed_at'] as const;
type Cells = Readonly<Record<(typeof COLUMNS)[number], string>>;

/** Reads the rows of a CSV file. @throws FileError if the file can't be read, such as without one of the columns */
export async function* readCsv(input: Readable): AsyncGenerator<Row> {
  for await (const row of readCsvRows(input, { required: COLUMNS, allowsOthers: true }))
    yield 'cells' in row
      ? creditRow(row.line, row.cells)
      : { kind: 'unreadable', line: row.line, reason: row.reason };
}

function creditRow(line: number, cells: Cells): Row {
  const payerReference = withoutPlaceholder(cells.payer_reference);
  return checkedRow({
    line,
    sourceReference: withoutPlaceholder(cells.source_reference),
    payerReferences: payerReference === '' ? [] : [payerReference],
    words: [],
    currency: cells.currency,
    amount: /^\d+$/.test(cells.amount) ? Number(cells.amount) : Number.NaN,
    observedAt: cells.observed_at,
  });
}
