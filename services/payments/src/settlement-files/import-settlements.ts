/**
 * Brings a file of settlements in: each credit becomes an observation of the remittance that it names, by the same command as
 * through the API, so the same rules and the same guarantees hold. A second run of a file finds its rows recorded.
 *
 * Failure policy: a row that can't be used is reported with its line, and the rest goes on; an engine or database that is
 * away ends the run with an error, and the next run goes on where this one ended.
 */
import type { Readable } from 'node:stream';
import { text as wholeText } from 'node:stream/consumers';
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
  /** As the payments role. */
  readonly sql: Sql;
  readonly engine: TemporalCommands;
  readonly author: ImportAuthor;
  readonly format: SettlementFileFormat;
  readonly input: Readable;
  /** Told of each row that is not matched, as it comes. */
  readonly onUnmatched?: (row: UnmatchedRow) => void;
  /** Told after each row. `total`: rows of the file. */
  readonly onProgress?: (counts: ImportCounts, total: number) => void;
}

export interface UnmatchedRow {
  readonly line: number;
  readonly reason: string;
}

export interface ImportCounts {
  /** Rows looked at, of any kind. */
  readonly rows: number;
  /** Recorded now and matched. */
  readonly matched: number;
  /** Recorded before: by an earlier run or row, or by another run at this moment. */
  readonly known: number;
  /** Debits and entries that are not booked. */
  readonly ignored: number;
  /** Reported: not recorded, or recorded and waiting unmatched. */
  readonly unmatched: number;
}

const CHUNK = 200;
const AT_ONCE = 8;

/** The format that a file's name suggests. */
export function settlementFileFormat(fileName: string): SettlementFileFormat {
  return fileName.toLowerCase().endsWith('.xml') ? 'camt.053' : 'csv';
}

/**
 * Reads the whole file before it records anything.
 * @throws FileError where it can't be read; ApiError service_unavailable where a part is away
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

  async function take({ row, remittanceId, recorded }: KnownRow): Promise<void> {
    if (recorded === 'same') counts.known += 1;
    else if (recorded === 'other') report(row.line, 'its reference was used for another settlement');
    else if (remittanceId === null) report(row.line, `no remittance has the reference ${row.payerReference}`);
    else await record(row, remittanceId);
  }

  const rows: Row[] = [];
  for await (const row of rowsOf(options)) rows.push(row);

  function count(): void {
    counts.rows += 1;
    options.onProgress?.({ ...counts }, rows.length);
  }

  for (const chunk of chunks(rows)) {
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
      await take(row);
      count();
    });
  }
  return counts;
}

async function* rowsOf({ format, input }: SettlementImport): AsyncGenerator<Row> {
  if (format === 'csv') yield* readCsv(input);
  else yield* readCamt053(await wholeText(input));
}

/** No reference is twice in a chunk, so that a row which repeats one is looked up once the first is recorded. */
function* chunks(rows: readonly Row[]): Generator<Row[]> {
  let chunk: Row[] = [];
  const references = new Set<string>();
  for (const row of rows) {
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

/** Works on a few at once; rows of one remittance stay in the file's order. */
async function inSequence(rows: readonly KnownRow[], work: (row: KnownRow) => Promise<void>): Promise<void> {
  const lanes = new Map<string, KnownRow[]>();
  for (const known of rows) {
    const lane = lanes.get(known.row.payerReference);
    if (lane === undefined) lanes.set(known.row.payerReference, [known]);
    else lane.push(known);
  }
  const waiting = lanes.values();
  const worker = async () => {
    for (const lane of waiting) for (const known of lane) await work(known);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
