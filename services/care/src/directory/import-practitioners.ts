/**
 * How an operator brings a directory into a project. All or none: where any row is bad, every bad row is named and nothing is
 * written. Repeatable: rows are known again by their reference, so an import that broke off, or a newer file, is simply imported
 * again; practitioners that the file doesn't name stay as they are, and so does what was booked.
 */
import type { Db, Tenant } from '@carecover/platform';
import { type DirectoryEntry, upsertPractitioners } from '../store/practitioners';
import { readCsv } from './directory-csv';
import { DirectoryFileError } from './directory-file';
import { readJson } from './directory-json';
import { type DirectoryRecord, readRecord } from './directory-record';

export interface BadRow {
  /** The line of the file on which the row begins, from 1; null where the file as a whole can't be read. */
  readonly line: number | null;
  /** Each begins with the field it is about. */
  readonly reasons: readonly string[];
}

export type ImportResult =
  | {
      readonly outcome: 'imported';
      readonly added: number;
      readonly changed: number;
      readonly unchanged: number;
    }
  | { readonly outcome: 'refused'; readonly badRows: readonly BadRow[] };

function readFile(format: 'csv' | 'json', text: string): DirectoryRecord[] {
  return format === 'csv' ? readCsv(text) : readJson(text);
}

function readEntries(records: readonly DirectoryRecord[]): { entries: DirectoryEntry[]; badRows: BadRow[] } {
  const entries: DirectoryEntry[] = [];
  const badRows: BadRow[] = [];
  const lineOf = new Map<string, number>();
  for (const record of records) {
    const { line } = record;
    const read = readRecord(record);
    if ('reasons' in read) {
      badRows.push({ line, reasons: read.reasons });
      continue;
    }
    const { reference } = read.value;
    const before = lineOf.get(reference);
    if (before !== undefined) badRows.push({ line, reasons: [`reference is that of line ${before} too`] });
    lineOf.set(reference, before ?? line);
    entries.push(read.value);
  }
  return { entries, badRows };
}

/**
 * Adds a directory's practitioners to a project, and changes those that are there already.
 *
 * @param db acting as care's role
 * @throws what the database throws; a file that can't be read at all is refused with the line that says so
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
    return { outcome: 'refused', badRows: [{ line: error.line, reasons: [error.message] }] };
  }
  const { entries, badRows } = readEntries(records);
  if (badRows.length > 0) return { outcome: 'refused', badRows };
  const { added, changed } = await upsertPractitioners(db, tenant, entries);
  return { outcome: 'imported', added, changed, unchanged: entries.length - added - changed };
}
