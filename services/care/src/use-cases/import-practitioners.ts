/**
 * Imports a directory of practitioners into a project, for the operator's CLI. The import is atomic: if a row is invalid, every invalid row
 * is reported and nothing is written. The import can be repeated: a row with a known reference updates its practitioner.
 */
import type { Db, Tenant } from '@carecover/platform';
import { readCsv } from '../directory/directory-csv';
import { readJson } from '../directory/directory-json';
import { DirectoryFileError, type DirectoryRecord, readRecord } from '../directory/directory-record';
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

function readFile(format: 'csv' | 'json', text: string): DirectoryRecord[] {
  return format === 'csv' ? readCsv(text) : readJson(text);
}

function readEntries(records: readonly DirectoryRecord[]): {
  entries: DirectoryEntry[];
  invalidRows: InvalidRow[];
} {
  const entries: DirectoryEntry[] = [];
  const invalidRows: InvalidRow[] = [];
  const lineOf = new Map<string, number>();
  for (const record of records) {
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
 * change. If the file can't be parsed, the result names the line.
 *
 * @param db a connection with care's role
 */
export async function importPractitioners(
  db: Db,
  tenant: Tenant,
  format: 'csv' | 'json',
  text: string,
): Promise<ImportResult> {
  let records: DirectoryRecord[];
  try {
    records = readFile(format, text);
  } catch (error) {
    if (!(error instanceof DirectoryFileError)) throw error;
    return { outcome: 'rejected', invalidRows: [{ line: error.line, reasons: [error.message] }] };
  }
  const { entries, invalidRows } = readEntries(records);
  if (invalidRows.length > 0) return { outcome: 'rejected', invalidRows };
  const { added, changed } = await upsertPractitioners(db, tenant, entries);
  return { outcome: 'imported', added, changed, unchanged: entries.length - added - changed };
}
