/**
 * Imports a bank file. Each booked entry is stored once (rules/bank-entry.ts). A credit that names a remittance is recorded by the transaction of the
 * command createSettlement, so that the rules of the API apply. Within seconds, the remittances' workflows let claims record it. All other
 * credits, and the debits with which the bank takes a credit back, are stored until an operator resolves them.
 *
 * Failure policy: a row that can't be stored or recorded is reported with its line, and the import continues. If the database is
 * unavailable, the import ends with an error; a repeated import continues after the recorded rows.
 */
import { Readable } from 'node:stream';
import {
  DEPOSIT_SHARES,
  formatMajorUnits,
  referenceKey,
  referenceSearchKey,
  type Settlement,
} from '@carecover/contract';
import { ApiError, type Tenant } from '@carecover/domain';
import { copyText, FileError } from '@carecover/import-files';
import { databaseNow, type Sql, type Tx } from '@carecover/postgres';
import {
  type ComparableEntries,
  comparableEntry,
  comparedKeys,
  entryKey,
  referenceKeysOf,
  sourceReferenceOf,
} from '../rules/bank-entry';
import {
  type Decision,
  decideEntry,
  type EntryState,
  type NamedRemittance,
  type RecordedSettlement,
} from '../rules/matching';
import { referencesOfParts } from '../rules/settlement-reference';
import { readBankStatements, type ZoneOf } from '../settlement-files/bank-statement';
import { type CsvForm, DEFAULT_CSV_FORM, readCsv } from '../settlement-files/csv';
import { localDateOf } from '../settlement-files/local-time';
import type { EntryRow, Row, StatementRow } from '../settlement-files/row';
import {
  type DeliveredEntries,
  type EntryPart,
  findComparableEntries,
  findDropped,
  findEntryStates,
  findOpenEntry,
  insertEntries,
  lockEntries,
  markTakebacks,
  planParts,
} from '../store/bank-entries';
import { findNumberBeforeGap, listEntries, readTimeZones, storeStatement } from '../store/bank-statements';
import { findNamedRemittances } from '../store/remittances';
import { findUnlinkedSettlements, linkToEntries } from '../store/settlements';
import { EntryIsRecorded } from './create-settlement';
import {
  type ImportAuthor,
  type RecordedCredit,
  recordCredit,
  recordCredits,
  recordOpenCredit,
} from './record-entry';

export type SettlementFileFormat = 'csv' | 'camt';

export interface SettlementImport {
  /** A connection with the database role of payments. */
  readonly sql: Sql;
  /** Whether the import records and stores nothing. */
  readonly isDryRun: boolean;
  readonly author: ImportAuthor;
  readonly format: SettlementFileFormat;
  /** How a CSV file is written. */
  readonly csv?: CsvForm;
  /** The IANA time zone of the project, to which local dates and times of its accounts belong; UTC by default. */
  readonly timeZone?: string;
  /** The name of the file, which is stored with its entries. */
  readonly file: string;
  /** Opens the file. The import opens and reads the file twice. */
  readonly open: () => Readable;
  /** Maximum number of rows of the file, and of statements. */
  readonly maxRows?: number;
  /** Called for each row that needs no act of a person, because a settlement records it or a person has decided about it. */
  readonly onSettled?: (row: SettledRow) => void;
  /** Called for each row that is not recorded, or recorded and not matched. */
  readonly onUnmatched?: (row: UnmatchedRow) => void;
  /** Called for each row that settles nothing and needs no act of a person: a debit, or an entry that is not booked. */
  readonly onIgnored?: (row: IgnoredRow) => void;
  /** Called for each statement that differs from its own entries or does not follow the last imported one. */
  readonly onStatement?: (statement: ReportedStatement) => void;
  /** Called during the check of the file with the first entries as they are read, so that a person sees how amounts and dates are understood. */
  readonly onPreview?: (entry: PreviewedEntry) => void;
  /** Called during the check of the file, before the first row is recorded, with the number of checked bytes. */
  readonly onChecked?: (bytes: number) => void;
  /** Called after the check of the file, before the first row is recorded. */
  readonly beforeRecording?: () => Promise<void>;
  /** Called after each imported row. `total` is the number of rows in the file. */
  readonly onProgress?: (counts: ImportCounts, total: number) => void;
}

/** A row of the file with its amount; null if the amount can't be read. */
export interface ReportedRow {
  readonly line: number;
  readonly reason: string;
  readonly currency: string | null;
  /** In minor units. */
  readonly amount: number | null;
}

export interface UnmatchedRow extends ReportedRow {
  /**
   * What became of the row: `kept` in the list of unmatched rows; `takeback`, also kept there, because the bank takes a credit back; `recorded` as a
   * settlement that waits unmatched in its remittance; or `rejected`, which is stored nowhere.
   */
  readonly kind: 'kept' | 'takeback' | 'recorded' | 'rejected';
  /** The number under which the row is kept; null if it is not kept, and in a dry run. */
  readonly row: number | null;
  /** The remittance in which a recorded settlement waits; null for the other kinds. */
  readonly remittanceId: string | null;
}

/** A row that is settled. */
interface SettledRow extends Omit<ReportedRow, 'reason'> {
  /**
   * `matched`: this import recorded the credit, or would record it in a dry run; `known`: it was recorded before; `dismissed`: a person
   * dismissed it.
   */
  readonly kind: 'matched' | 'known' | 'dismissed';
  /** The remittance that this import settles with the row; null for the other kinds. */
  readonly remittanceId: string | null;
}

export type IgnoredRow = ReportedRow;

/** An entry as it was read. */
export type PreviewedEntry = Pick<
  EntryRow,
  'line' | 'type' | 'currency' | 'amount' | 'bookedOn' | 'bankReference' | 'payerReferences'
>;

/** A statement that needs a person. */
export interface ReportedStatement {
  readonly line: number;
  readonly account: string;
  readonly statement: string;
  /** What differs, or which statement is missing. */
  readonly differences: readonly string[];
}

export interface ImportCounts {
  /** Number of processed rows of any kind. */
  readonly rows: number;
  /** Number of credits that this import recorded and that are matched; in a dry run, of all credits that it would record. */
  readonly matched: number;
  /** Number of entries that an earlier or concurrent import or a client of the API recorded, and of resolved takebacks. */
  readonly known: number;
  /** Number of debits and of entries that are not booked; each is reported to onIgnored. */
  readonly ignored: number;
  /** Number of entries that need no act because an operator dismissed them after an earlier import. */
  readonly dismissed: number;
  /** Number of reported rows: not recorded, or recorded and unmatched. */
  readonly unmatched: number;
}

const CHUNK = 200;
const PREVIEWED = 3;

/** Maximum number of rows of a file, and of statements. The CLI's report keeps values of each row in memory. */
const MAX_ROWS = 500_000;

/** Maximum length of a reason in characters: a file can have a reference that is longer than any of a remittance. */
const MAX_REASON = 400;
const CONCURRENCY = 8;
/** Number of credits that one transaction records. */
const SET = 50;
const CONCURRENT_SETS = 2;

/** Returns the format of a settlement file by its name: that of a bank statement for `.xml`, otherwise CSV. */
export function settlementFileFormat(fileName: string): SettlementFileFormat {
  return fileName.toLowerCase().endsWith('.xml') ? 'camt' : 'csv';
}

/** An entry with the decision about it and the number under which it is stored. */
interface DecidedEntry {
  readonly entry: EntryRow;
  readonly decision: Decision;
  readonly row: number;
}

/** Thrown at the end of a dry run, so that its transaction is rolled back. */
class DryRunEnded extends Error {
  override readonly name = 'DryRunEnded';
}

/**
 * Imports a bank file. Checks the whole file before it records the first row, and reads it in chunks. A dry run executes the import in one
 * transaction without the settlements, and rolls it back.
 *
 * @throws FileError if the file can't be read; ApiError service_unavailable if the database is overloaded
 */
export async function importSettlements(options: SettlementImport): Promise<ImportCounts> {
  const zones = await readTimeZones(options.sql, options.author.tenant);
  const zoneOf: ZoneOf = (account) => zones.get(account) ?? options.timeZone ?? 'UTC';
  const { total, delivered } = await checkRows(options, zoneOf);
  await options.beforeRecording?.();
  const dropped = await findDropped(options.sql, options.author.tenant, delivered);
  const run = new ImportRun(options, zoneOf, total, dropped);
  if (!options.isDryRun) return run.execute((work) => options.sql.begin(work));
  let counts: ImportCounts | undefined;
  try {
    await options.sql.begin(async (tx) => {
      counts = await run.execute((work) => work(tx));
      throw new DryRunEnded();
    });
  } catch (error) {
    if (!(error instanceof DryRunEnded) || counts === undefined) throw error;
  }
  if (counts === undefined) throw new Error('the dry run has no counts');
  return counts;
}

/** Executes work in a transaction of its own or, in a dry run, in that of the whole import. */
type Transact = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;

class ImportRun {
  private readonly counts = { rows: 0, matched: 0, known: 0, ignored: 0, dismissed: 0, unmatched: 0 };
  /** The source references under which this import has recorded entries. */
  private readonly used = new Set<string>();
  /** The settlements that this import has recorded together and not reported yet, by the number of the entry. */
  private readonly together = new Map<number, Pick<Settlement, 'id' | 'status'>>();

  constructor(
    private readonly options: SettlementImport,
    private readonly zoneOf: ZoneOf,
    private readonly total: number,
    /** The numbers of the stored entries that earlier deliveries of the file's statements listed, and the file does not. */
    private readonly dropped: readonly number[],
  ) {}

  async execute(transact: Transact): Promise<ImportCounts> {
    const { format, open, isDryRun } = this.options;
    for await (const chunk of chunks(rowsOf(this.options, format, open(), this.zoneOf))) {
      const entries: EntryRow[] = [];
      for (const row of chunk) {
        if (row.kind === 'entry') entries.push(row);
        else if (row.kind !== 'statement') this.reportUnread(row);
      }
      const decided = await transact((tx) => this.store(tx, entries));
      const takebacks = decided.filter(({ decision }) => decision.outcome === 'takeback');
      if (!isDryRun) await this.recordTogether(decided);
      await inSequence(
        decided.filter((each) => !takebacks.includes(each)),
        (each) => this.importEntry(each),
      );
      if (isDryRun) await transact((tx) => planParts(tx, plannedParts(decided)));
      // The credits of the same file are recorded before.
      for (const each of takebacks) await this.reportTakeback(each, transact);
      for (const row of chunk)
        if (row.kind === 'statement') await transact((tx) => this.storeStatement(tx, row));
    }
    return this.counts;
  }

  private count(): void {
    this.counts.rows += 1;
    this.options.onProgress?.({ ...this.counts }, this.total);
  }

  private reportUnread(row: Extract<Row, { kind: 'unreadable' | 'skipped' }>): void {
    if (row.kind === 'unreadable') this.report('rejected', row, row.reason);
    else this.ignore(row, row.reason);
    this.count();
  }

  private report(
    kind: UnmatchedRow['kind'],
    read: RowAmount,
    reason: string,
    { row = null, remittanceId = null }: Partial<Pick<UnmatchedRow, 'row' | 'remittanceId'>> = {},
  ): void {
    this.counts.unmatched += 1;
    const kept = this.options.isDryRun ? null : row;
    this.options.onUnmatched?.({ kind, row: kept, remittanceId, ...reported(read, reason) });
  }

  private settle(kind: SettledRow['kind'], row: RowAmount, remittanceId: string | null = null): void {
    this.counts[kind] += 1;
    const { reason: _, ...values } = reported(row, '');
    this.options.onSettled?.({ kind, remittanceId, ...values });
  }

  private ignore(row: RowAmount, reason: string): void {
    this.counts.ignored += 1;
    this.options.onIgnored?.(reported(row, reason));
  }

  /** Decides about entries, and stores those that are new. */
  private async store(tx: Tx, entries: readonly EntryRow[]): Promise<DecidedEntry[]> {
    if (entries.length === 0) return [];
    const { tenant } = this.options.author;
    await lockEntries(tx, tenant);
    const facts = await readFacts(tx, tenant, entries, this.zoneOf, this.dropped);
    const decided = entries.map((entry) => {
      const state = facts.states.get(entryKey(entry));
      const reference = referenceKey(entry.bankReference);
      const settlement = facts.settlements.get(reference);
      const comparable = state === undefined ? facts.comparable.of(entry) : [];
      const known = { remittances: facts.remittances, state, settlement, comparable, now: facts.now };
      const decision = decideEntry(entry, known);
      if (state === undefined) facts.comparable.add(comparedKeys(entry), comparableEntry(entry));
      // A settlement is the record of one entry.
      if ('links' in decision && decision.links.length > 0) facts.settlements.delete(reference);
      return { entry, decision, state };
    });
    const added = decided.filter(({ state }) => state === undefined);
    const doubts = added.map(({ entry, decision }) => ({
      entry,
      doubt: decision.outcome === 'keep' ? decision.doubt : null,
    }));
    const rows = await insertEntries(tx, tenant, this.options.file, doubts);
    const marked = await markTakebacks(
      tx,
      tenant,
      added.flatMap(({ entry }) => referenceKeysOf(entry)),
    );
    const stored = decided.map(({ entry, decision, state }) => {
      const key = entryKey(entry);
      const isTakeback = entry.type === 'debit' && marked.has(key) && decision.outcome === 'ignored';
      return {
        entry,
        decision: isTakeback ? ({ outcome: 'takeback' } as const) : decision,
        row: state?.row ?? rows.get(key) ?? 0,
      };
    });
    const links = stored.flatMap(({ decision, row }) =>
      'links' in decision ? decision.links.map((settlementId) => ({ settlementId, row })) : [],
    );
    await linkToEntries(tx, tenant, links);
    // A CSV file has no statement, and one without an identification can't be recognized.
    const listed = stored.flatMap(({ entry: { account, statement, page }, row }) =>
      statement === '' ? [] : [{ account, statement, page, row }],
    );
    await listEntries(tx, tenant, listed);
    return stored;
  }

  private async importEntry({ entry, decision, row }: DecidedEntry): Promise<void> {
    if (decision.outcome === 'known' || decision.outcome === 'dismissed')
      this.settle(decision.outcome, entry);
    else if (decision.outcome === 'ignored') this.ignore(entry, decision.reason);
    else if (decision.outcome === 'keep') this.report('kept', entry, decision.reason, { row });
    else if (decision.outcome === 'record') {
      if (this.options.isDryRun) this.settle('matched', entry, decision.remittanceId);
      else await this.record(entry, row, decision.remittanceId);
    }
    this.count();
  }

  /** Reports a takeback with the settlements that record what it takes back. */
  private async reportTakeback({ entry, row }: DecidedEntry, transact: Transact): Promise<void> {
    const open = await transact((tx) => findOpenEntry(tx, this.options.author.tenant, row));
    const settlements = open?.settlements ?? [];
    const named = settlements.map(({ id, remittance_id }) => `${id} of ${remittance_id}`).join(', ');
    const what =
      named === ''
        ? 'no settlement records a credit with its references'
        : `${named} ${settlements.length === 1 ? 'records' : 'record'} the credit with the same references`;
    const amount = `${formatMajorUnits(entry.amount, entry.currency)} ${entry.currency}`;
    this.report('takeback', entry, `the bank takes back ${amount} (row ${row}): ${what}`, { row });
    this.count();
  }

  /**
   * Records the entries of a chunk together, in sets, if they do not depend on each other: the first one of each remittance and of each
   * reference. The others are recorded alone, in the order of the file.
   */
  private async recordTogether(decided: readonly DecidedEntry[]): Promise<void> {
    const { sql, author } = this.options;
    const met = new Set(this.used);
    const first = decided.flatMap(({ entry, decision, row }) => {
      if (decision.outcome !== 'record') return [];
      const credit = creditOf(entry, row);
      const keys = [referenceKey(credit.sourceReference), decision.remittanceId];
      const isFirst = keys.every((key) => !met.has(key));
      for (const key of keys) met.add(key);
      return isFirst ? [{ credit, remittanceId: decision.remittanceId }] : [];
    });
    const sets = Array.from({ length: Math.ceil(first.length / SET) }, (_, index) =>
      first.slice(index * SET, (index + 1) * SET),
    ).values();
    await workOn(sets, CONCURRENT_SETS, async (set) => {
      const recorded = await recordCredits(sql, author, set);
      for (const { credit } of set) {
        const settlement = recorded.get(credit.row);
        if (settlement === undefined) continue;
        this.used.add(referenceKey(credit.sourceReference));
        this.together.set(credit.row, settlement);
      }
    });
  }

  private async record(entry: EntryRow, row: number, remittanceId: string): Promise<void> {
    const { sql, author } = this.options;
    const credit = creditOf(entry, row);
    const key = referenceKey(credit.sourceReference);
    const recorded = this.together.get(row);
    this.together.delete(row);
    const isUnused = !this.used.has(key);
    this.used.add(key);
    try {
      const settlement =
        recorded ??
        (isUnused
          ? await recordCredit(sql, author, credit, remittanceId)
          : await recordOpenCredit(sql, author, { row, remittanceId, amount: null }));
      if (settlement === undefined) this.settle('known', entry);
      else if (settlement.status === 'matched') this.settle('matched', entry, remittanceId);
      else
        this.report(
          'recorded',
          entry,
          `${settlement.id} is recorded and waits unmatched in ${remittanceId}`,
          { remittanceId },
        );
    } catch (error) {
      if (error instanceof EntryIsRecorded) this.settle('known', entry);
      else if (error instanceof ApiError && error.code === 'duplicate_settlement_reference' && isUnused)
        await this.record(entry, row, remittanceId);
      else if (error instanceof ApiError && error.code !== 'service_unavailable')
        this.report('kept', entry, `${error.code}: ${error.message}`, { row });
      else throw error;
    }
  }

  private async storeStatement(tx: Tx, row: StatementRow): Promise<void> {
    const { author, file, onStatement } = this.options;
    const { line, account, statement, number } = row;
    const last = await findNumberBeforeGap(tx, author.tenant, row);
    const gap =
      last === null ? [] : [`statement ${number} follows ${last}: those between them were not imported`];
    const differences = [...row.differences, ...gap];
    await storeStatement(tx, author.tenant, file, row);
    if (differences.length > 0) onStatement?.({ line, account, statement, differences });
  }
}

function creditOf(entry: EntryRow, row: number): RecordedCredit {
  const { currency, amount, observedAt } = entry;
  return { row, sourceReference: sourceReferenceOf(entry), currency, amount, observedAt };
}

/** Returns what an import would record of the entries. */
function plannedParts(decided: readonly DecidedEntry[]): EntryPart[] {
  const recorded = decided.filter(({ decision }) => decision.outcome === 'record');
  return recorded.map(({ row, entry: { amount } }) => ({ row, amount }));
}

/** A row with the amount that was read; without one if it is unreadable. */
type RowAmount = Pick<EntryRow, 'line'> & Partial<Pick<EntryRow, 'currency' | 'amount'>>;

function reported({ line, ...read }: RowAmount, reason: string): ReportedRow {
  const { currency = null, amount = null } = read;
  const short = reason.length > MAX_REASON ? `${copyText(reason.slice(0, MAX_REASON))}…` : reason;
  return { line, reason: short, currency, amount };
}

/** What is stored in the project about entries of a file. */
interface StoredFacts {
  readonly states: ReadonlyMap<string, EntryState>;
  readonly comparable: ComparableEntries;
  readonly settlements: Map<string, RecordedSettlement>;
  readonly remittances: ReadonlyMap<string, readonly NamedRemittance[]>;
  readonly now: number;
}

async function readFacts(
  tx: Tx,
  tenant: Tenant,
  entries: readonly EntryRow[],
  zoneOf: ZoneOf,
  dropped: readonly number[],
): Promise<StoredFacts> {
  const states = await findEntryStates(tx, tenant, entries.map(entryKey));
  const added = entries.filter((entry) => !states.has(entryKey(entry)));
  const comparable = await findComparableEntries(tx, tenant, added, dropped);
  const credits = entries.filter(({ type }) => type === 'credit');
  const names = credits.flatMap(({ payerReferences, words }) => [...payerReferences, ...words]);
  const remittances = await findNamedRemittances(tx, tenant, names.map(referenceSearchKey));
  const accounts = new Map(
    credits.map(({ bankReference, account }) => [referenceKey(bankReference), account]),
  );
  accounts.delete('');
  const unlinked = await findUnlinkedSettlements(tx, tenant, [...accounts.keys()]);
  const shares = await findUnlinkedSettlements(tx, tenant, [...unlinked.keys()].flatMap(keysOfShares));
  const settlements = new Map(
    [...unlinked].map(([key, first]): [string, RecordedSettlement] => {
      const zone = zoneOf(accounts.get(key) ?? '');
      const { currency, observed_at, status } = first;
      const others = keysOfShares(key).flatMap((each) => shares.get(each) ?? []);
      const all = [
        first,
        ...others.filter(
          (other) =>
            other.status !== 'reversed' &&
            other.currency === currency &&
            other.observed_at.getTime() === observed_at.getTime(),
        ),
      ];
      const recorded: RecordedSettlement = {
        ids: [first.id, ...all.slice(1).map(({ id }) => id)],
        remittanceIds: all.map(({ remittance_id }) => remittance_id),
        amount: sumOf(all),
        unreversed: sumOf(all.filter((each) => each.status !== 'reversed')),
        currency,
        observedOn: [localDateOf(observed_at, zone), localDateOf(observed_at, 'UTC')],
        isReversed: status === 'reversed',
      };
      return [key, recorded];
    }),
  );
  const now = await databaseNow(tx);
  return { states, comparable, settlements, remittances, now: now.getTime() };
}

const sumOf = (settlements: readonly { readonly amount: number }[]) =>
  settlements.reduce((sum, { amount }) => sum + amount, 0);

/** Returns the keys of the references of the further shares of a deposit, by the key of its reference. */
function keysOfShares(key: string): string[] {
  return referencesOfParts(key, DEPOSIT_SHARES.max).slice(1);
}

/** Checks and counts the rows of a settlement file. @throws FileError if the file can't be read to its end, or has too many rows or statements */
async function checkRows(
  options: SettlementImport,
  zoneOf: ZoneOf,
): Promise<{ readonly total: number; readonly delivered: DeliveredEntries }> {
  const { format, open, maxRows = MAX_ROWS, onChecked = () => undefined } = options;
  async function* checked(): AsyncGenerator<Buffer> {
    let bytes = 0;
    for await (const chunk of open()) {
      bytes += chunk.length;
      onChecked(bytes);
      yield chunk;
    }
  }
  const counts = { rows: 0, statements: 0 };
  const pages = new Map<string, DeliveredEntries['pages'][number]>();
  const keys = new Set<string>();
  for await (const row of rowsOf(options, format, Readable.from(checked()), zoneOf)) {
    const kind = row.kind === 'statement' ? 'statements' : 'rows';
    counts[kind] += 1;
    if (counts[kind] > maxRows)
      throw new FileError(`The file has more than ${maxRows.toLocaleString('en')} ${kind}, the maximum.`);
    if (row.kind !== 'entry') continue;
    if (counts.rows <= PREVIEWED) options.onPreview?.(row);
    const { account, statement, page } = row;
    if (statement === '') continue;
    pages.set(JSON.stringify([account, statement, page]), { account, statement, page });
    keys.add(entryKey(row));
  }
  return { total: counts.rows, delivered: { pages: [...pages.values()], keys } };
}

function rowsOf(
  { csv = DEFAULT_CSV_FORM }: SettlementImport,
  format: SettlementFileFormat,
  input: Readable,
  zoneOf: ZoneOf,
): AsyncGenerator<Row> {
  return format === 'csv' ? readCsv(input, csv, zoneOf) : readBankStatements(input, zoneOf);
}

/** Splits rows into chunks in which no entry repeats, so that a repeated one is looked up after the first one is stored. */
async function* chunks(rows: AsyncIterable<Row>): AsyncGenerator<Row[]> {
  let chunk: Row[] = [];
  const keys = new Set<string>();
  for await (const row of rows) {
    const key = row.kind === 'entry' ? entryKey(row) : null;
    if (chunk.length === CHUNK || (key !== null && keys.has(key))) {
      yield chunk;
      chunk = [];
      keys.clear();
    }
    chunk.push(row);
    if (key !== null) keys.add(key);
  }
  if (chunk.length > 0) yield chunk;
}

/** Processes entries of different remittances concurrently, and the entries of one remittance in the order of the file. */
async function inSequence(
  entries: readonly DecidedEntry[],
  work: (entry: DecidedEntry) => Promise<void>,
): Promise<void> {
  const byRemittance = new Map<string, DecidedEntry[]>();
  for (const entry of entries) {
    const remittance = entry.decision.outcome === 'record' ? entry.decision.remittanceId : '';
    const sameRemittance = byRemittance.get(remittance);
    if (sameRemittance === undefined) byRemittance.set(remittance, [entry]);
    else sameRemittance.push(entry);
  }
  await workOn(byRemittance.values(), CONCURRENCY, async (remittanceEntries) => {
    for (const entry of remittanceEntries) await work(entry);
  });
}

/** Works on items, at most `concurrency` at a time. */
async function workOn<T>(
  items: IterableIterator<T>,
  concurrency: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const worker = async () => {
    for (const item of items) await work(item);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}
