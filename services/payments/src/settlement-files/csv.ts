/**
 * Reads the rows of a settlement file in CSV as a stream. The first row names the columns source_reference, payer_reference, currency,
 * amount (in minor units) and observed_at, in any order; other columns are ignored. Each further row is a credit. A reference that is
 * NONREF or NOTPROVIDED is absent.
 */
import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { decodeText } from './decoded-text';
import { checkedRow, FileError, type Row, withoutPlaceholder } from './row';

const COLUMNS = ['source_reference', 'payer_reference', 'currency', 'amount', 'observed_at'] as const;
type Column = (typeof COLUMNS)[number];

const MAX_ROW_CHARACTERS = 100_000;

/** Reads the rows of a CSV file. @throws FileError if a column is missing in the first row, or the file is not CSV in UTF-8 or UTF-16 */
export async function* readCsv(input: Readable): AsyncGenerator<Row> {
  // The parser itself would replace each byte that is not UTF-8 by U+FFFD.
  const text = Readable.from(decodeText(input));
  const parser = text.pipe(
    parse({
      max_record_size: MAX_ROW_CHARACTERS,
      raw: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    }),
  );
  text.once('error', (error) => parser.destroy(error));
  let heading: ReadonlyMap<Column, number> | null = null;
  let nextLine = 1;
  try {
    for await (const { record, raw } of parser as AsyncIterable<{ record: string[]; raw: string }>) {
      const line = nextLine + countLineEnds(leadingSpace(raw));
      nextLine += countLineEnds(raw);
      if (heading === null) heading = checkedHeading(record.map((name) => name.trim()));
      else yield creditRow(line, heading, record);
    }
  } catch (error) {
    if (error instanceof CsvError) throw new FileError(`This is no CSV that can be read: ${error.message}`);
    throw error;
  } finally {
    text.destroy();
  }
}

/** Returns the white space at the start of a row's raw text, in which the parser includes the empty lines before the row. */
function leadingSpace(raw: string): string {
  return /^\s*/.exec(raw)?.[0] ?? '';
}

function countLineEnds(raw: string): number {
  return raw.match(/\r\n|\r|\n/g)?.length ?? 0;
}

/** Returns the index of each required column in the first row. @throws FileError if a column is missing */
function checkedHeading(names: readonly string[]): Map<Column, number> {
  const missing = COLUMNS.filter((column) => !names.includes(column));
  if (missing.length > 0) throw new FileError(`The heading lacks ${missing.join(', ')}.`);
  return new Map(COLUMNS.map((column) => [column, names.indexOf(column)]));
}

function creditRow(line: number, heading: ReadonlyMap<Column, number>, cells: readonly string[]): Row {
  const cell = (column: Column) => cells[heading.get(column) ?? -1] ?? '';
  const amount = cell('amount');
  const payerReference = withoutPlaceholder(cell('payer_reference'));
  return checkedRow({
    line,
    sourceReference: withoutPlaceholder(cell('source_reference')),
    payerReferences: payerReference === '' ? [] : [payerReference],
    words: [],
    currency: cell('currency'),
    amount: /^\d+$/.test(amount) ? Number(amount) : Number.NaN,
    observedAt: cell('observed_at'),
  });
}
