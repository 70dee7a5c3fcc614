/**
 * Imports a file of settlements. Each credit is recorded by the API's createSettlement command, with the same rules and guarantees. A
 * second run of a file finds its rows recorded.
 *
 * Failure policy: a row that can't be used is reported with its line, and the import continues. If Temporal or the database is
 * unavailable, the run ends with an error, and the next run continues there.
 */
import { Readable } from 'node:stream';
import type { Settlement, SettlementInput } from '@carecover/contract';
import { ApiError, type Sql, type TemporalCommands } from '@carecover/platform';
import { settlementHandlers } from '../routes/settlements';
import { readCamt053 } from './camt053';
import { readCsv } from './csv';
import { FileLookup, type KnownRow } from './file-lookup';
import { type ImportAuthor, importCall } from './import-call';
import type { CreditRow, Row } from './row';

export type SettlementFileFormat = 'csv' | 'camt.053';

export interface SettlementImport {
  /** A connection with the payments role. */
  readonly sql: Sql;
  readonly engine: TemporalCommands;
  readonly author: ImportAuthor;
  readonly format: SettlementFileFormat;
  /** Opens the file. It is read twice. */
  readonly open: () => Readable;
  /** Called for each row that is not matched. */
  readonly onUnmatched?: (row: UnmatchedRow) => void;
  /** Called with the number of bytes that were checked, while no row is recorded yet. */
  readonly onChecked?: (bytes: number) => void;
  /** Called after each row. `total` is the number of rows of the file. */
  readonly onProgress?: (counts: ImportCounts, total: number) => void;
}

export interface UnmatchedRow {
  readonly line: number;
  readonly reason: string;
}

export interface ImportCounts {
  /** Processed rows of any kind. */
  readonly rows: number;
  /** Recorded by this run and matched. */
  readonly matched: number;
  /** Recorded by an earlier run or row, or by a concurrent run. */
  readonly known: number;
  /** Debits and entries that are not booked. */
  readonly ignored: number;
  /** Reported: not recorded, or recorded and unmatched. */
  readonly unmatched: number;
}

const CHUNK = 200;
const CONCURRENCY = 8;

/** Returns the format for a file's name. */
export function settlementFileFormat(fileName: string): SettlementFileFormat {
  return fileName.toLowerCase().endsWith('.xml') ? 'camt.053' : 'csv';
}

/**
 * Imports a file. It checks the whole file before it records the first row, and keeps only some rows in memory.
 *
 * @throws FileError if the file can't be read; ApiError service_unavailable if Temporal is unavailable
 */
export async function importSettlements(options: SettlementImport): Promise<ImportCounts> {
  const { sql, engine, author } = options;
  const { createSettlement } = settlementHandlers(sql, engine);
  const lookup = new FileLookup(sql, author.tenant);
  const counts = { rows: 0, matched: 0, known: 0, ignored: 0, unmatched: 0 };

  function report(line: number, reason: string): void {
    counts.unmatched += 1;
    options.onUnmatched?.({ line, reason });
  }

  async function record(row: CreditRow, remittanceId: string): Promise<void> {
    const body: SettlementInput = {
      remittance_id: remittanceId,
      source_reference: row.sourceReference,
      currency: row.currency as SettlementInput['currency'],
      amount: row.amount,
      observed_at: row.observedAt,
    };
    try {
      const reply = await createSettlement(await importCall(author, body));
      const settlement: Settlement = 'text' in reply ? JSON.parse(reply.text) : reply.body;
      if ('replayed' in reply && reply.replayed) counts.known += 1;
      else if (settlement.status === 'matched') counts.matched += 1;
      else report(row.line, `${settlement.id} is recorded and waits unmatched in ${remittanceId}`);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code === 'service_unavailable') throw error;
      report(row.line, `${error.code}: ${error.message}`);
    }
  }

  async function importRow({ row, remittanceId, recorded }: KnownRow): Promise<void> {
    if (recorded === 'same') counts.known += 1;
    else if (recorded === 'other') report(row.line, 'its reference was used for another settlement');
    else if (remittanceId === null) report(row.line, `no remittance has the reference ${row.payerReference}`);
    else await record(row, remittanceId);
  }

  const total = await countRows(options);

  function count(): void {
    counts.rows += 1;
    options.onProgress?.({ ...counts }, total);
  }

  for await (const chunk of chunks(rowsOf(options.format, options.open()))) {
    const credits: CreditRow[] = [];
    for (const row of chunk) {
      if (row.kind === 'credit') {
        credits.push(row);
        continue;
      }
      if (row.kind === 'unreadable') report(row.line, row.reason);
      else counts.ignored += 1;
      count();
    }
    await inSequence(await lookup.find(credits), async (row) => {
      await importRow(row);
      count();
    });
  }
  return counts;
}

/** Counts the rows of the file. @throws FileError if it can't be read to its end */
async function countRows({ format, open, onChecked = () => undefined }: SettlementImport): Promise<number> {
  async function* checked(): AsyncGenerator<Buffer> {
    let bytes = 0;
    for await (const chunk of open()) {
      bytes += chunk.length;
      onChecked(bytes);
      yield chunk;
    }
  }
  let count = 0;
  for await (const _row of rowsOf(format, Readable.from(checked()))) count += 1;
  return count;
}

function rowsOf(format: SettlementFileFormat, input: Readable): AsyncGenerator<Row> {
  return format === 'csv' ? readCsv(input) : readCamt053(input);
}

/** Splits rows into chunks without a repeated reference, so that a repeated one is looked up after the first is recorded. */
async function* chunks(rows: AsyncIterable<Row>): AsyncGenerator<Row[]> {
  let chunk: Row[] = [];
  const references = new Set<string>();
  for await (const row of rows) {
    const repeats = row.kind === 'credit' && references.has(row.sourceReference);
    if (repeats || chunk.length === CHUNK) {
      yield chunk;
      chunk = [];
      references.clear();
    }
    chunk.push(row);
    if (row.kind === 'credit') references.add(row.sourceReference);
  }
  if (chunk.length > 0) yield chunk;
}

/** Processes remittances concurrently, and the rows of one remittance in the file's order. */
async function inSequence(rows: readonly KnownRow[], work: (row: KnownRow) => Promise<void>): Promise<void> {
  const rowsByRemittance = new Map<string, KnownRow[]>();
  for (const known of rows) {
    const sameRemittance = rowsByRemittance.get(known.row.payerReference);
    if (sameRemittance === undefined) rowsByRemittance.set(known.row.payerReference, [known]);
    else sameRemittance.push(known);
  }
  const waiting = rowsByRemittance.values();
  const worker = async () => {
    for (const remittanceRows of waiting) for (const known of remittanceRows) await work(known);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}
