/**
 * Imports a settlement file. Each credit is recorded by the transaction of the command createSettlement, so that the rules of the API apply.
 * Within seconds, the remittances' workflows let claims record it. If a file is imported again, its recorded rows are recognized.
 *
 * A credit that matches no remittance, or whose settlement was reversed, is stored until an unreversed settlement records it. An operator can
 * assign it to a remittance (assign-unmatched-row.ts).
 *
 * Failure policy: a row that can't be recorded is reported with its line, and the import continues. If the database is
 * unavailable, the import ends with an error; a repeated import continues after the recorded rows.
 */
import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { type Environment, parseInstant, type Settlement, type SettlementInput } from '@carecover/contract';
import {
  ApiError,
  type Call,
  copyText,
  FileError,
  requestHash,
  type Sql,
  type Tenant,
} from '@carecover/platform';
import {
  type Lookup,
  matchRow,
  type RecordedSettlement,
  type RowMatch,
  type StoredRow,
} from '../rules/matching';
import { readCamt053 } from '../settlement-files/camt053';
import { readCsv } from '../settlement-files/csv';
import type { CreditRow, Row } from '../settlement-files/row';
import { findRemittanceIds } from '../store/remittances';
import { findSettlementsByReference } from '../store/settlements';
import { findStoredRows, keepUnmatchedRows } from '../store/unmatched-rows';
import { recordSettlement } from './create-settlement';

export type SettlementFileFormat = 'csv' | 'camt.053';

/** The project into which a file is imported, and the person who imports it. */
export interface ImportAuthor {
  readonly tenant: Tenant;
  readonly environment: Environment;
  /** The authority that is stored with the settlements, such as `operator:ana`. */
  readonly authority: string;
}

type KnownRow = RowMatch<CreditRow>;

export interface SettlementImport {
  /** A connection with the database role of payments. */
  readonly sql: Sql;
  /** Whether the import records and stores nothing. */
  readonly isDryRun: boolean;
  readonly author: ImportAuthor;
  readonly format: SettlementFileFormat;
  /** The name of the file, which is stored with its unmatched rows. */
  readonly file: string;
  /** Opens the file. The import opens and reads the file twice. */
  readonly open: () => Readable;
  /** Called for each row that is not recorded, or recorded and not matched. */
  readonly onUnmatched?: (row: UnmatchedRow) => void;
  /** Called during the check of the file, before the first row is recorded, with the number of checked bytes. */
  readonly onChecked?: (bytes: number) => void;
  /** Called after the check of the file, before the first row is recorded. */
  readonly beforeRecording?: () => Promise<void>;
  /** Called after each imported row. `total` is the number of rows in the file. */
  readonly onProgress?: (counts: ImportCounts, total: number) => void;
}

export interface UnmatchedRow {
  readonly line: number;
  /**
   * What became of the row: `kept` in the list of unmatched rows; `recorded` as a settlement that waits unmatched in its remittance; or
   * `rejected`, which is stored nowhere.
   */
  readonly kind: 'kept' | 'recorded' | 'rejected';
  readonly reason: string;
}

export interface ImportCounts {
  /** Number of processed rows of any kind. */
  readonly rows: number;
  /** Number of credits that this import recorded and that are matched; in a dry run, of all credits that it would record. */
  readonly matched: number;
  /** Number of credits that an earlier row, an earlier import or a concurrent import recorded. */
  readonly known: number;
  /** Number of debits and of entries that are not booked. */
  readonly ignored: number;
  /**
   * Number of credits that match no remittance, or whose settlement was reversed, and that are not reported, because an operator dismissed
   * them after an earlier import.
   */
  readonly dismissed: number;
  /** Number of reported rows: not recorded, or recorded and unmatched. */
  readonly unmatched: number;
}

const CHUNK = 200;

/** Maximum number of rows of a file. A dry run and the CLI's report keep values of each row in memory. */
const MAX_ROWS = 500_000;

/** Maximum length of a reason in characters: a file can have a reference that is longer than any of a remittance. */
const MAX_REASON = 400;
const CONCURRENCY = 8;

/** Returns the format of a settlement file by its name: camt.053 for `.xml`, otherwise CSV. */
export function settlementFileFormat(fileName: string): SettlementFileFormat {
  return fileName.toLowerCase().endsWith('.xml') ? 'camt.053' : 'csv';
}

/**
 * Imports a settlement file. Checks the whole file before it records the first row, and reads it in chunks. A dry run keeps the values of all
 * credits in memory, because it stores nothing with which a later row could be compared.
 *
 * @throws FileError if the file can't be read; ApiError service_unavailable if the database is overloaded
 */
export async function importSettlements(options: SettlementImport): Promise<ImportCounts> {
  const { sql, author, isDryRun, file } = options;
  const planned: Planned = { settlements: new Map(), rows: new Map() };
  const counts = { rows: 0, matched: 0, known: 0, ignored: 0, dismissed: 0, unmatched: 0 };

  function report(kind: UnmatchedRow['kind'], line: number, reason: string): void {
    counts.unmatched += 1;
    const reported = reason.length > MAX_REASON ? `${copyText(reason.slice(0, MAX_REASON))}…` : reason;
    options.onUnmatched?.({ line, kind, reason: reported });
  }

  async function record(row: CreditRow, remittanceId: string): Promise<void> {
    const { sourceReference, currency, amount, observedAt } = row;
    if (isDryRun) {
      const planning = { id: '', remittanceId, amount, currency, isReversed: false, isReplacement: false };
      planned.settlements.set(sourceReference, planning);
      counts.matched += 1;
      return;
    }
    try {
      const credit = { sourceReference, currency, amount, observedAt };
      const { settlement, replayed } = await recordCredit(sql, author, credit, remittanceId);
      if (replayed) counts.known += 1;
      else if (settlement.status === 'matched') counts.matched += 1;
      else
        report('recorded', row.line, `${settlement.id} is recorded and waits unmatched in ${remittanceId}`);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code === 'service_unavailable') throw error;
      report('rejected', row.line, `${error.code}: ${error.message}`);
    }
  }

  /** Stores rows, except in a dry run. Returns the source references of the rows that are stored or would be. */
  async function keep(rows: readonly CreditRow[]): Promise<Set<string>> {
    if (!isDryRun) return keepUnmatchedRows(sql, author.tenant, file, rows);
    for (const { sourceReference, currency, amount, observedAt } of rows) {
      const row = { currency, amount, observedAt: parseInstant(observedAt), isDismissed: false };
      planned.rows.set(sourceReference, row);
    }
    return new Set(rows.map(({ sourceReference }) => sourceReference));
  }

  async function importRow(match: KnownRow, kept: ReadonlySet<string>): Promise<void> {
    const { row, remittanceId, recorded, stored } = match;
    if (recorded === 'same') counts.known += 1;
    else if (recorded === 'other')
      report('rejected', row.line, 'its reference was used for another settlement');
    // A row would hide an open stored row of another credit that has its reference.
    else if (recorded === null && remittanceId !== null && stored !== 'other')
      await record(row, remittanceId);
    else if (!kept.has(row.sourceReference))
      report('rejected', row.line, 'its reference was used for another row');
    else if (stored === 'dismissed') counts.dismissed += 1;
    else report('kept', row.line, keptReason(match));
  }

  const total = await countRows(options);
  await options.beforeRecording?.();

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
      if (row.kind === 'unreadable') report('rejected', row.line, row.reason);
      else counts.ignored += 1;
      count();
    }
    const matches = await matchRows(sql, author.tenant, credits, planned);
    const kept = await keep(matches.filter(isToKeep).map(({ row }) => row));
    await inSequence(matches, async (match) => {
      await importRow(match, kept);
      count();
    });
  }
  return counts;
}

/** What a dry run would have recorded and stored, by source_reference. */
interface Planned {
  readonly settlements: Map<string, RecordedSettlement>;
  readonly rows: Map<string, StoredRow>;
}

/** Returns whether a row is stored, because it matches no remittance or its settlement was reversed, and no other credit is stored. */
function isToKeep({ remittanceId, recorded, stored }: KnownRow): boolean {
  const isUnmatched = recorded === 'reversed' || (remittanceId === null && recorded === null);
  return isUnmatched && stored !== 'other' && stored !== 'otherDismissed';
}

function keptReason({ row: { payerReferences, words }, settlementId }: KnownRow): string {
  if (settlementId !== null) return `its settlement ${settlementId} was reversed`;
  if (payerReferences.length > 0) return `no remittance has the reference ${payerReferences.join(' or ')}`;
  return words.length > 0 ? 'its text names no remittance, or several' : 'it names no remittance';
}

/** Returns a lookup in two maps, of which the first has precedence. The maps are not copied, because those of a dry run grow with the file. */
function firstOf<Value>(first: Lookup<Value>, second: Lookup<Value>): Lookup<Value> {
  return { get: (reference) => first.get(reference) ?? second.get(reference) };
}

async function matchRows(
  sql: Sql,
  tenant: Tenant,
  rows: readonly CreditRow[],
  planned: Planned,
): Promise<KnownRow[]> {
  const payerReferences = rows.flatMap((row) => [...row.payerReferences, ...row.words]);
  const sourceReferences = rows.map(({ sourceReference }) => sourceReference);
  const remittances = await findRemittanceIds(sql, tenant, payerReferences);
  const recorded = await findSettlementsByReference(sql, tenant, sourceReferences);
  const stored = await findStoredRows(sql, tenant, sourceReferences);
  const known = {
    remittances,
    settlements: firstOf(recorded, planned.settlements),
    rows: firstOf(stored, planned.rows),
  };
  return rows.map((row) => matchRow(row, known));
}

/**
 * Records a credit of a settlement file with the API command createSettlement. The idempotency key is computed from the source_reference,
 * so that every import uses the same key.
 *
 * @throws the API errors of createSettlement
 */
export async function recordCredit(
  sql: Sql,
  author: ImportAuthor,
  credit: Pick<CreditRow, 'sourceReference' | 'currency' | 'amount' | 'observedAt'>,
  remittanceId: string,
): Promise<{ readonly settlement: Settlement; readonly replayed: boolean }> {
  const body: SettlementInput = {
    remittance_id: remittanceId,
    source_reference: credit.sourceReference,
    currency: credit.currency as SettlementInput['currency'],
    amount: credit.amount,
    observed_at: credit.observedAt,
  };
  const { reply } = await recordSettlement(sql, await importCall(author, body));
  return { settlement: JSON.parse(reply.text), replayed: reply.replayed };
}

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

/** Checks and counts the rows of a settlement file. @throws FileError if the file can't be read to its end, or has too many rows */
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
  for await (const _row of rowsOf(format, Readable.from(checked()))) {
    count += 1;
    if (count > MAX_ROWS)
      throw new FileError(`The file has more than ${MAX_ROWS.toLocaleString('en')} rows, the maximum.`);
  }
  return count;
}

function rowsOf(format: SettlementFileFormat, input: Readable): AsyncGenerator<Row> {
  return format === 'csv' ? readCsv(input) : readCamt053(input);
}

/** Splits rows into chunks in which no source_reference repeats, so that a repeated row is looked up after the first one is recorded. */
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

/** Processes rows of different remittances concurrently, and the rows of one remittance in the order of the file. */
async function inSequence(rows: readonly KnownRow[], work: (row: KnownRow) => Promise<void>): Promise<void> {
  const rowsByRemittance = new Map<string, KnownRow[]>();
  for (const known of rows) {
    const remittance = known.remittanceId ?? '';
    const sameRemittance = rowsByRemittance.get(remittance);
    if (sameRemittance === undefined) rowsByRemittance.set(remittance, [known]);
    else sameRemittance.push(known);
  }
  const waiting = rowsByRemittance.values();
  const worker = async () => {
    for (const remittanceRows of waiting) for (const known of remittanceRows) await work(known);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}
