/**
 * Imports a file of coverage records through the API, in batches. A batch's idempotency key is derived from the file's content and the line
 * numbers of the batch's records, so a repeated import of the same file has no second effect. If the previous import was interrupted, the
 * repeated one imports the missing records.
 *
 * Failure policy: the whole file is read before the first batch is sent, and a file that can't be read has no effect. A row that can't be read,
 * or a record that the API rejects, is reported, and the other records of its batch are sent again without it. If a batch still fails after
 * the client's retries, the import ends with the batch's error.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { type Carecover, hasCode } from '@carecover/client';
import {
  BATCH_CONTRACT_VERSION,
  BATCH_RECORD_LIMIT,
  type CoverageBatchInput,
  CoverageBatchRecord,
  validateBody,
} from '@carecover/contract';
import { readCsvRows, readJsonLines } from '@carecover/import-files';
import { invalidOptions } from './operator-calls';

export interface CoverageImport {
  readonly client: Carecover;
  /** The path of the file. A file whose name ends with `.csv` is CSV with a heading line; any other file has one JSON object per line. */
  readonly file: string;
  readonly contractReference: string;
  readonly generatedAt: string;
  readonly onRejected: (row: RejectedRow) => void;
  /** A function that is called after each batch with the number of bytes of the file that were read so far. */
  readonly onProgress: (bytes: number) => void;
}

interface RejectedRow {
  /** The line on which the row starts, counted from 1. */
  readonly line: number;
  readonly reason: string;
}

export interface CoverageImportCounts {
  readonly rows: number;
  readonly recorded: number;
  /** Number of the file's observations that an earlier request, such as the import of another file, had already recorded. */
  readonly known: number;
  readonly rejected: number;
}

interface Row {
  readonly line: number;
  readonly record: CoverageBatchRecord;
}

const CONCURRENCY = 4;
const COLUMNS = Object.keys(CoverageBatchRecord.properties);
const NUMBERS = ['amount_limit', 'remaining_sessions', 'coordination_priority'];

/**
 * Converts a CSV row to a record. In a number or boolean column, a cell of another form stays a text, and the validation rejects the
 * record. Spreadsheets write booleans in capital letters.
 */
function fromCells(cells: Readonly<Record<string, string>>): Record<string, unknown> {
  const record: Record<string, unknown> = { ...cells };
  for (const name of NUMBERS) if (/^\d{1,16}$/.test(cells[name] ?? '')) record[name] = Number(cells[name]);
  if (cells.coordination_priority === '') record.coordination_priority = null;
  const required = cells.authorization_required?.toLowerCase();
  if (required === 'true' || required === 'false') record.authorization_required = required === 'true';
  return record;
}

type FileRecord =
  | { readonly line: number; readonly record: unknown }
  | { readonly line: number; readonly reason: string };

/** Reads the records of a file without validation. @throws FileError if the file can't be read */
async function* readRecords(input: Readable, file: string): AsyncGenerator<FileRecord> {
  if (file.toLowerCase().endsWith('.csv')) {
    for await (const row of readCsvRows(input, { required: COLUMNS, allowsOthers: false }))
      yield 'cells' in row ? { line: row.line, record: fromCells(row.cells) } : row;
    return;
  }
  for await (const row of readJsonLines(input))
    yield 'value' in row ? { line: row.line, record: row.value } : row;
}

/** Reads a whole file, and returns its digest in hex. @throws FileError if the file can't be read */
async function checkFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  async function* hashed() {
    for await (const chunk of createReadStream(file)) {
      hash.update(chunk);
      yield chunk;
    }
  }
  for await (const _row of readRecords(Readable.from(hashed()), file));
  return hash.digest('hex');
}

function newBatch(
  reference: string,
  contractReference: string,
  generatedAt: string,
  records: CoverageBatchRecord[],
): CoverageBatchInput {
  return {
    contract_version: BATCH_CONTRACT_VERSION,
    batch_reference: reference,
    source_contract_reference: contractReference,
    batch_version: '1',
    generated_at: generatedAt,
    records,
  };
}

/** Validates the fields that all batches share. @throws OperatorError that names the option of each invalid field */
function requireValidHeader(contractReference: string, generatedAt: string): void {
  const result = validateBody('createCoverageBatch', newBatch('file', contractReference, generatedAt, []));
  const problems = result.ok ? [] : result.problems.filter(({ pointer }) => !pointer.startsWith('/records'));
  if (problems.length > 0) throw invalidOptions(problems);
}

/**
 * Imports the file.
 *
 * @throws OperatorError if the contract's reference or the time of creation is invalid
 * @throws FileError if the file can't be read; nothing is then sent
 * @throws CarecoverError or CarecoverConnectionError if a batch was not accepted
 */
export async function importCoverages(options: CoverageImport): Promise<CoverageImportCounts> {
  const { client, file, contractReference, generatedAt } = options;
  requireValidHeader(contractReference, generatedAt);
  const digest = await checkFile(file);
  const counts = { rows: 0, recorded: 0, known: 0, rejected: 0 };
  const input = createReadStream(file);

  function reject(line: number, reason: string): void {
    counts.rejected += 1;
    options.onRejected({ line, reason });
  }

  function batchOf(rows: readonly Row[]): CoverageBatchInput {
    const reference = `file/${digest.slice(0, 32)}/${rows[0]?.line ?? 0}`;
    const records = rows.map(({ record }) => record);
    return newBatch(reference, contractReference, generatedAt, records);
  }

  /** Validates a record. Returns its row; null if the record is invalid, which is then reported. */
  function checked(line: number, record: unknown): Row | null {
    const row = { line, record: record as CoverageBatchRecord };
    const result = validateBody('createCoverageBatch', batchOf([row]));
    if (result.ok) return row;
    const [{ pointer, message }] = result.problems;
    reject(line, `${pointer.replace('/records/0', '') || 'it'} ${message}`);
    return null;
  }

  async function send(rows: readonly Row[]): Promise<void> {
    if (rows.length === 0) return;
    const batch = batchOf(rows);
    const positions = rows.map(({ line }) => line).join();
    const key = createHash('sha256')
      .update(`${digest} ${contractReference} ${generatedAt} ${positions}`)
      .digest('hex');
    try {
      const { recorded, replayed } = await client.coverages.recordBatch(`file/${digest}`, batch, {
        idempotencyKey: `coverage-file:${key}`,
      });
      counts.recorded += recorded;
      counts.known += replayed;
    } catch (error) {
      if (!hasCode(error, 'source_version_conflict', 'validation_failed')) throw error;
      const index = Number(/\/records\/(\d+)\//.exec(error.message)?.[1] ?? Number.NaN);
      const row = rows[index];
      if (row === undefined) throw error;
      reject(row.line, error.message.replace(`/records/${index}`, ''));
      await send(rows.filter((other) => other !== row));
    }
  }

  /** The batches that were sent and have no response yet, each with the references of its coverages. */
  const pending = new Map<Promise<void>, ReadonlySet<string>>();

  /**
   * Sends the batch as soon as fewer than CONCURRENCY batches are pending and no pending batch contains a coverage of this batch. The
   * observations of one coverage are therefore recorded in the order of the file.
   */
  async function enqueue(rows: readonly Row[]): Promise<void> {
    const coverages = new Set(rows.map(({ record }) => record.coverage_reference));
    const isBlocked = () =>
      [...pending.values()].some((others) => [...coverages].some((coverage) => others.has(coverage)));
    while (pending.size >= CONCURRENCY || isBlocked()) await Promise.race(pending.keys());
    const sent: Promise<void> = send(rows).then(() => {
      pending.delete(sent);
      options.onProgress(input.bytesRead);
    });
    // The import awaits the pending batches later, and then throws the error of a failed batch. If a batch fails earlier, this handler
    // prevents Node.js from reporting an unhandled rejection.
    sent.catch(() => undefined);
    pending.set(sent, coverages);
  }

  let rows: Row[] = [];
  try {
    for await (const read of readRecords(input, file)) {
      counts.rows += 1;
      if ('reason' in read) {
        reject(read.line, read.reason);
        continue;
      }
      const row = checked(read.line, read.record);
      if (row !== null) rows.push(row);
      if (rows.length === BATCH_RECORD_LIMIT) {
        await enqueue(rows);
        rows = [];
      }
    }
    await enqueue(rows);
    await Promise.all(pending.keys());
  } finally {
    await Promise.allSettled(pending.keys());
    input.destroy();
  }
  return counts;
}
