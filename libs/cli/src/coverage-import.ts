/**
 * Imports a file of coverage records through the API, in batches. A batch's idempotency key is derived from the file's content and the line
 * numbers of the batch's records, so a repeated import of the same file has no second effect. If the previous import was interrupted, the
 * repeated one imports the missing records.
 *
 * Failure policy: a record that the API rejects is reported, and the other records of its batch are sent again without it. If a batch still
 * fails after the client's retries, the import ends with the batch's error.
 */
import { createHash } from 'node:crypto';
import { createReadStream, type ReadStream } from 'node:fs';
import { basename } from 'node:path';
import { createInterface } from 'node:readline';
import { type Carecover, hasCode } from '@carecover/client';
import {
  BATCH_CONTRACT_VERSION,
  BATCH_RECORD_LIMIT,
  type CoverageBatchInput,
  type CoverageBatchRecord,
  validateBody,
} from '@carecover/contract';
import { OperatorError } from '@carecover/gateway';
import { parse } from 'csv-parse';
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
  /** The line on which the row ends, counted from 1. */
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
const MAX_ROW_CHARACTERS = 100_000;
const NUMBERS = ['amount_limit', 'remaining_sessions', 'coordination_priority'];

/**
 * Converts a CSV row to a record. In a number or boolean column, a cell of another form stays a text, and the validation rejects the
 * record.
 */
function fromCells(cells: Readonly<Record<string, string>>): Record<string, unknown> {
  const record: Record<string, unknown> = { ...cells };
  for (const name of NUMBERS) if (/^\d{1,16}$/.test(cells[name] ?? '')) record[name] = Number(cells[name]);
  if (cells.coordination_priority === '') record.coordination_priority = null;
  const { authorization_required: required } = cells;
  if (required === 'true' || required === 'false') record.authorization_required = required === 'true';
  return record;
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Reads the file's rows without validation, each with the number of the line on which it ends. */
async function* readRows(
  input: ReadStream,
  isCsv: boolean,
): AsyncGenerator<{ line: number; record: unknown }> {
  if (isCsv) {
    const parser = input.pipe(
      parse({
        bom: true,
        columns: true,
        info: true,
        max_record_size: MAX_ROW_CHARACTERS,
        skip_empty_lines: true,
        trim: true,
      }),
    );
    input.once('error', (error) => parser.destroy(error));
    for await (const { info, record } of parser) yield { line: info.lines, record: fromCells(record) };
    return;
  }
  let line = 0;
  for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    line += 1;
    // A program on Windows can start a file with a byte order mark, which JSON does not allow.
    const json = line === 1 ? text.replace(/^\uFEFF/, '') : text;
    if (json.trim() !== '') yield { line, record: parseLine(json) };
  }
}

/** Reads the whole file and returns its digest in hex. @throws OperatorError if the file is not UTF-8 text */
async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of createReadStream(file)) {
      hash.update(chunk);
      decoder.decode(chunk, { stream: true });
    }
    decoder.decode();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === 'ERR_ENCODING_INVALID_ENCODED_DATA'
      ? new OperatorError(`${file} is not UTF-8 text.`)
      : error;
  }
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
 * @throws OperatorError if the contract's reference or the time of creation is invalid, or if a `.csv` file can't be parsed
 * @throws CarecoverError or CarecoverConnectionError if a batch was not accepted
 */
export async function importCoverages(options: CoverageImport): Promise<CoverageImportCounts> {
  const { client, file, contractReference, generatedAt } = options;
  requireValidHeader(contractReference, generatedAt);
  const digest = await digestOf(file);
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
    reject(
      line,
      record === undefined ? 'it is no JSON' : `${pointer.replace('/records/0', '') || 'it'} ${message}`,
    );
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
    for await (const { line, record } of readRows(input, file.toLowerCase().endsWith('.csv'))) {
      counts.rows += 1;
      const row = checked(line, record);
      if (row !== null) rows.push(row);
      if (rows.length === BATCH_RECORD_LIMIT) {
        await enqueue(rows);
        rows = [];
      }
    }
    await enqueue(rows);
    await Promise.all(pending.keys());
  } catch (error) {
    await Promise.allSettled(pending.keys());
    const isCsvError = error instanceof Error && 'code' in error && String(error.code).startsWith('CSV_');
    throw isCsvError ? new OperatorError(`${basename(file)}: ${error.message}`) : error;
  } finally {
    input.destroy();
  }
  return counts;
}
