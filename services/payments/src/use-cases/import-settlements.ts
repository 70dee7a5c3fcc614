/**
 * Imports a file of settlements. Each credit is recorded by the API's createSettlement command, with the same rules and guarantees. A
 * second run of a file finds its rows recorded.
 *
 * Failure policy: a row that can't be used is reported with its line, and the import continues. If Temporal or the database is
 * unavailable, the run ends with an error, and the next run continues there.
 */
import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Environment, Settlement, SettlementInput } from '@carecover/contract';
import {
  ApiError,
  type Call,
  requestHash,
  type Sql,
  type TemporalCommands,
  type Tenant,
} from '@carecover/platform';
import { matchRow, type RowMatch } from '../rules/matching';
import { readCamt053 } from '../settlement-files/camt053';
import { readCsv } from '../settlement-files/csv';
import type { CreditRow, Row } from '../settlement-files/row';
import { findRemittanceIds } from '../store/remittances';
import { findSettlementsByReference } from '../store/settlements';
import { RemittanceWorkflows } from '../workflow';
import { createSettlement } from './create-settlement';

export type SettlementFileFormat = 'csv' | 'camt.053';

/** The project of a file, and who imports it. */
interface ImportAuthor {
  readonly tenant: Tenant;
  readonly environment: Environment;
  /** As facts record it, such as `operator:ana`. */
  readonly authority: string;
}

type KnownRow = RowMatch<CreditRow>;

export interface SettlementImport {
  /** A connection with the payments role. */
  readonly sql: Sql;
  readonly temporal: TemporalCommands;
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
  const { sql, author } = options;
  const workflows = new RemittanceWorkflows(options.temporal);
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
      const reply = await createSettlement(sql, workflows, await importCall(author, body));
      const settlement: Settlement = JSON.parse(reply.text);
      if (reply.replayed) counts.known += 1;
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
    await inSequence(await matchRows(sql, author.tenant, credits), async (row) => {
      await importRow(row);
      count();
    });
  }
  return counts;
}

async function matchRows(sql: Sql, tenant: Tenant, rows: readonly CreditRow[]): Promise<KnownRow[]> {
  const payerReferences = rows.map(({ payerReference }) => payerReference);
  const sourceReferences = rows.map(({ sourceReference }) => sourceReference);
  const remittances = await findRemittanceIds(sql, tenant, payerReferences);
  const settlements = await findSettlementsByReference(sql, tenant, sourceReferences);
  return rows.map((row) => matchRow(row, { remittances, settlements }));
}

/** Converts a row to an API call. Every run of a file makes the same idempotency key. */
async function importCall(author: ImportAuthor, body: SettlementInput): Promise<Call<'createSettlement'>> {
  const reference = createHash('sha256').update(body.source_reference).digest('hex');
  return {
    operation: 'createSettlement',
    caller: {
      tenant: author.tenant,
      environment: author.environment,
      authority: author.authority,
      requestId: randomUUID(),
      resourceIds: null,
      consentDefault: 'withdrawn',
      endpointLimit: 0,
    },
    params: {},
    query: {},
    body,
    rawBody: Buffer.alloc(0),
    headers: {},
    idempotencyKey: `settlement-file:${reference}`,
    requestHash: await requestHash('settlement-file', body, 'settlement-file'),
    replayStatus: 201,
  };
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
