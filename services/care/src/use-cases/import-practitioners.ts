/**
 * Imports a directory of practitioners into a project, for the operator's CLI. The import is atomic: if a row is invalid, every invalid row
 * is reported and nothing is written. The import can be repeated: a row with a known reference updates its practitioner.
 */
import { Readable } from 'node:stream';
import type { Tenant } from '@carecover/domain';
import { FileError, limitBytes } from '@carecover/import-files';
import type { Db } from '@carecover/postgres';
import { readCsv } from '../directory/directory-csv';
import { readJson } from '../directory/directory-json';
import { type DirectoryRecord, readRecord } from '../directory/directory-record';
import { type DirectoryEntry, upsertPractitioners } from '../store/practitioners';

export interface InvalidRow {
  /** The line of the file on which the row begins, counted from 1; null if the file can't be parsed and the line is unknown. */
  readonly line: number | null;
  /** The reasons for which the row is invalid. A reason for a field begins with the field's name. */
  readonly reasons: readonly string[];
}

export type ImportResult =
  | {
      readonly outcome: 'imported';
      readonly added: number;
      readonly changed: number;
      readonly unchanged: number;
    }
  | { readonly outcome: 'rejected'; readonly invalidRows: readonly InvalidRow[] };

/** Maximums of a directory, which is in memory as a whole, because it is imported as a whole. */
const MAX_BYTES = 16_000_000;
const MAX_ROWS = 100_000;

async function* readRows(format: 'csv' | 'json', input: Readable): AsyncGenerator<DirectoryRecord> {
  const limited = Readable.from(limitBytes(input, MAX_BYTES));
  let rows = 0;
  for await (const row of format === 'csv' ? readCsv(limited) : readJson(limited)) {
    rows += 1;
    if (rows > MAX_ROWS)
      throw new FileError(`The file has more than ${MAX_ROWS.toLocaleString('en')} rows, the maximum.`);
    yield row;
  }
}

async function readEntries(rows: AsyncIterable<DirectoryRecord>): Promise<{
  entries: DirectoryEntry[];
  invalidRows: InvalidRow[];
}> {
  const entries: DirectoryEntry[] = [];
  const invalidRows: InvalidRow[] = [];
  const lineOf = new Map<string, number>();
  for await (const record of rows) {
    const { line } = record;
    const read = readRecord(record);
    if ('reasons' in read) {
      invalidRows.push({ line, reasons: read.reasons });
      continue;
    }
    const { reference } = read.value;
    const firstLine = lineOf.get(reference);
    if (firstLine !== undefined)
      invalidRows.push({ line, reasons: [`reference must be unique, but line ${firstLine} has the same`] });
    lineOf.set(reference, firstLine ?? line);
    entries.push(read.value);
  }
  return { entries, invalidRows };
}

/**
 * Inserts the practitioners of a directory into a project, and updates the known ones. Practitioners that are not in the file do not
 * change. If the file can't be read, the result has the reason, and the line if it is known.
 *
 * @param db a connection with care's role
 */
export async function importPractitioners(
  db: Db,
  tenant: Tenant,
  format: 'csv' | 'json',
  input: Readable,
): Promise<ImportResult> {
  const { entries, invalidRows } = await readEntries(readRows(format, input)).catch((error: unknown) => {
    if (!(error instanceof FileError)) throw error;
    return { entries: [], invalidRows: [{ line: error.line, reasons: [error.message] }] };
  });
  if (invalidRows.length > 0) return { outcome: 'rejected', invalidRows };
  const { added, changed } = await upsertPractitioners(db, tenant, entries);
  return { outcome: 'imported', added, changed, unchanged: entries.length - added - changed };
}
