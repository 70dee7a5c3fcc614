/**
 * Imports a bank file that an operator uploaded, and returns what each of its rows became. The rules are those of importSettlements; the size of
 * the file is bounded, so that the response comes within the time of a request. Larger files are imported with the CLI.
 *
 * Failure policy: a file that can't be read is rejected as a whole. If the response is lost, the same upload can be sent again: no row is
 * recorded twice.
 */
import { ApiError, type Caller } from '@carecover/domain';
import { FileError } from '@carecover/import-files';
import type { Sql } from '@carecover/postgres';
import { bankFileInMemory } from '../settlement-files/bank-file';
import type { CsvForm } from '../settlement-files/csv';
import {
  type ImportCounts,
  importSettlements,
  type PreviewedEntry,
  type ReportedStatement,
  settlementFileFormat,
} from './import-settlements';

/** Maximum number of bytes of an uploaded file, as it is uploaded. */
export const MAX_UPLOAD_BYTES = 4 * 1024 * 1024;
/** Maximum number of bytes to which a compressed upload unpacks. */
const MAX_UNPACKED_UPLOAD_BYTES = 64 * 1024 * 1024;
/** Maximum number of rows of an uploaded file, and of statements; some hundred are recorded per second. */
const MAX_UPLOAD_ROWS = 3_000;

/** An uploaded file. */
export interface Upload {
  /** The name of the file, by which the format is known, and which is stored with its entries. */
  readonly file: string;
  readonly content: Buffer;
  /** How a CSV file is written. */
  readonly csv: CsvForm;
  /** The IANA time zone of the project. */
  readonly timeZone: string;
  /** Whether nothing is recorded and stored. */
  readonly isDryRun: boolean;
}

/** What a row became. Amounts in minor units. */
interface ImportedRow {
  readonly line: number;
  readonly result:
    | 'matched'
    | 'known'
    | 'dismissed'
    | 'kept'
    | 'takeback'
    | 'recorded'
    | 'rejected'
    | 'ignored';
  /** Why the row settles nothing; null if it is settled. */
  readonly reason: string | null;
  readonly currency: string | null;
  readonly amount: number | null;
  /** The number of the unmatched row; null if it is not kept, and in a dry run. */
  readonly row: number | null;
  readonly remittance_id: string | null;
}

export interface UploadReport {
  readonly counts: ImportCounts;
  /** What each row became, in the order of the file. */
  readonly rows: readonly ImportedRow[];
  /** The statements that differ from their own entries, or do not follow the last imported one. */
  readonly statements: readonly ReportedStatement[];
  /** The first entries as they are read. */
  readonly preview: readonly PreviewedEntry[];
}

/** Imports the uploaded file. @throws ApiError validation_failed if it can't be read or is too large; service_unavailable */
export async function importUploadedFile(
  sql: Sql,
  author: Pick<Caller, 'tenant' | 'environment' | 'authority'>,
  { file, content, csv, timeZone, isDryRun }: Upload,
): Promise<UploadReport> {
  const rows: ImportedRow[] = [];
  const statements: ReportedStatement[] = [];
  const preview: PreviewedEntry[] = [];
  const nothing = { row: null, remittance_id: null };
  try {
    const { name, open } = await bankFileInMemory(file, content, MAX_UNPACKED_UPLOAD_BYTES);
    const counts = await importSettlements({
      ...{ sql, author, csv, timeZone, isDryRun, file, open },
      format: settlementFileFormat(name),
      maxRows: MAX_UPLOAD_ROWS,
      onSettled: ({ kind, remittanceId, ...row }) =>
        rows.push({ ...nothing, ...row, result: kind, reason: null, remittance_id: remittanceId }),
      onUnmatched: ({ kind, remittanceId, ...row }) =>
        rows.push({ ...row, result: kind, remittance_id: remittanceId }),
      onIgnored: (row) => rows.push({ ...nothing, ...row, result: 'ignored' }),
      onStatement: (statement) => statements.push(statement),
      onPreview: ({ line, type, currency, amount, bookedOn, bankReference, payerReferences }) =>
        preview.push({ line, type, currency, amount, bookedOn, bankReference, payerReferences }),
    });
    return { counts, rows: rows.sort((a, b) => a.line - b.line), statements, preview };
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    const where = error.line === null ? '' : `line ${error.line}: `;
    throw new ApiError('validation_failed', `/file can't be imported: ${where}${error.message}`);
  }
}
