/**
 * Settlement rows of a CSV file, read as a stream: a heading that names source_reference, payer_reference, currency, amount (in
 * minor units) and observed_at, in any order and with any others beside them; then a line for each credit.
 */
import type { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { checkedRow } from './check-row';
import { FileError, type Row } from './row';

const COLUMNS = ['source_reference', 'payer_reference', 'currency', 'amount', 'observed_at'] as const;
type Cells = Partial<Record<(typeof COLUMNS)[number], string>>;

const MAX_ROW_CHARACTERS = 100_000;

/** @throws FileError where the heading lacks a column or the file is no CSV */
export async function* readCsv(input: Readable): AsyncGenerator<Row> {
  const parser = input.pipe(
    parse({
      bom: true,
      columns: (heading: string[]) => checkedHeading(heading.map((name) => name.trim())),
      info: true,
      max_record_size: MAX_ROW_CHARACTERS,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    }),
  );
  input.once('error', (error) => parser.destroy(error));
  try {
    for await (const { record, info } of parser as AsyncIterable<{
      record: Cells;
      info: { lines: number };
    }>) {
      const {
        source_reference = '',
        payer_reference = '',
        currency = '',
        amount = '',
        observed_at = '',
      } = record;
      yield checkedRow({
        line: info.lines,
        sourceReference: source_reference,
        payerReference: payer_reference,
        currency,
        amount: /^\d+$/.test(amount) ? Number(amount) : Number.NaN,
        observedAt: observed_at,
      });
    }
  } catch (error) {
    if (error instanceof CsvError) throw new FileError(`This is no CSV that can be read: ${error.message}`);
    throw error;
  }
}

function checkedHeading(heading: string[]): string[] {
  const missing = COLUMNS.filter((column) => !heading.includes(column));
  if (missing.length > 0) throw new FileError(`The heading lacks ${missing.join(', ')}.`);
  return heading;
}
