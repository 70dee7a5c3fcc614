/** SQL of bank entries: the booked entries of imported files, each once, with what settlements record of them. */
import { parseInstant, referenceKey } from '@carecover/contract';
import type { Tenant } from '@carecover/domain';
import { type Db, type Fragment, jsonb, type Query, type Tx } from '@carecover/postgres';
import {
  type BankEntry,
  ComparableEntries,
  comparedKeys,
  type EntryType,
  entryKey,
  referenceKeysOf,
  type StoredEntry,
  soughtKeys,
  sourceReferenceOf,
} from '../rules/bank-entry';
import type { EntryState } from '../rules/matching';
import { depositOf, referencesOfParts } from '../rules/settlement-reference';
import type { EntryRow } from '../settlement-files/row';
import type { ListedEntry } from './bank-statements';
import type { SettlementRow } from './settlements';

/** An open entry, as the operator CLI and the console show it. */
export interface OpenEntry {
  /** The number of the entry, which PostgreSQL generates and an operator passes to the CLI. Not its line in the file. */
  readonly row: number;
  readonly project_id: Tenant;
  readonly type: EntryType;
  readonly account: string;
  readonly source_reference: string;
  readonly payer_reference: string | null;
  readonly currency: string;
  /** In minor units. */
  readonly amount: number;
  /** The part of the amount that no settlement records, in minor units. */
  readonly open: number;
  readonly observed_at: Date;
  /** Why a person must decide about the entry; null if it is certain. */
  readonly doubt: string | null;
  /** Of a takeback: the unreversed settlements of the credit that has the same references, and their remittances. */
  readonly settlements: readonly { readonly id: string; readonly remittance_id: string }[];
  readonly file: string;
  readonly line: number;
}

/** Lets only one transaction at a time add entries of a project, so that each compares its entries with those of the others. */
export async function lockEntries(tx: Tx, tenant: Tenant): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended('bank entries of ' || ${tenant}, 0))`;
}

interface StoredRow {
  readonly id: number;
  readonly entry_key: string;
  readonly type: EntryType;
  readonly account: string;
  readonly statement: string;
  readonly booked_on: string;
  readonly bank_reference: string;
  readonly payment_references: readonly string[];
  readonly currency: string;
  readonly amount: number;
  readonly file: string;
  readonly line: number;
}

function storedEntry(row: StoredRow): StoredEntry {
  const { id, entry_key, booked_on, bank_reference, payment_references, ...values } = row;
  return {
    ...values,
    row: id,
    key: entry_key,
    bookedOn: booked_on,
    bankReference: bank_reference,
    references: payment_references,
  };
}

/** Finds the entries of a project by their keys. */
export async function findEntryStates(
  db: Db,
  tenant: Tenant,
  keys: readonly string[],
): Promise<Map<string, EntryState>> {
  if (keys.length === 0) return new Map();
  const rows = await db<(EntryState & { readonly key: string })[]>`
    select entry_key as key, id as row, type, recorded, returned, doubt,
      (dismissed_at is not null or coalesce(expected_until > platform.now(), false)) as "isDismissed",
      returned_entry_id is not null as "isResolved",
      (select id from settlements where bank_entry_id = entry.id and status = 'reversed' order by id desc limit 1) as "reversedSettlement",
      (select remittance_id from settlements where bank_entry_id = entry.id and status <> 'reversed' order by id limit 1)
        as "remittanceId"
    from bank_entries entry where project_id = ${tenant} and entry_key = any(${[...keys]})`;
  return new Map(rows.map(({ key, ...state }) => [key, state]));
}

/** What a file lists of statements. */
export interface DeliveredEntries {
  readonly pages: readonly Pick<ListedEntry, 'account' | 'statement' | 'page'>[];
  /** The keys of the entries. */
  readonly keys: ReadonlySet<string>;
}

/** Returns the numbers of the stored entries that earlier deliveries of the pages of statements listed, and a new delivery does not. */
export async function findDropped(
  db: Db,
  tenant: Tenant,
  { pages, keys }: DeliveredEntries,
): Promise<number[]> {
  const listed = await db<{ id: number; entry_key: string }[]>`
    select distinct entry.id, entry_key
    from jsonb_to_recordset(${jsonb(pages)}) as given (account text, statement text, page integer)
    join bank_statement_entries link on link.project_id = ${tenant} and link.account = given.account
      and link.statement = given.statement and link.page = coalesce(given.page, 0)
    join bank_entries entry on entry.id = link.entry_id`;
  return listed.flatMap(({ id, entry_key }) => (keys.has(entry_key) ? [] : [id]));
}

/**
 * Finds the stored entries of other statements of a project with which the given entries are compared, at most two per key, and of their own
 * statements one of the dropped ones.
 */
export async function findComparableEntries(
  db: Db,
  tenant: Tenant,
  entries: readonly BankEntry[],
  dropped: readonly number[],
): Promise<ComparableEntries> {
  const comparable = new ComparableEntries();
  if (entries.length === 0) return comparable;
  const sought = entries.flatMap((entry) =>
    soughtKeys(entry).map(({ key }) => ({ key, statement: entry.statement })),
  );
  // The two nearest statements are read from the index, so that the work does not grow with the number of entries of one statement.
  const rows = await db<(StoredRow & { readonly found_key: string })[]>`
    select found.key as found_key, entry.id, entry_key, type, account, entry.statement, booked_on, bank_reference, payment_references, currency, amount, file, line
    from (
      select distinct sought.key, found.entry_id from jsonb_to_recordset(${jsonb(sought)}) as sought (key text, statement text)
      cross join lateral (
        (select entry_id from bank_entry_keys stored
         where stored.project_id = ${tenant} and stored.key = sought.key and stored.statement < sought.statement
         order by stored.statement desc, entry_id desc limit 1)
        union all
        (select entry_id from bank_entry_keys stored
         where stored.project_id = ${tenant} and stored.key = sought.key and stored.statement > sought.statement
         order by stored.statement, entry_id limit 1)
        union all
        (select entry_id from bank_entry_keys stored
         where stored.project_id = ${tenant} and stored.key = sought.key and stored.statement = '' and sought.statement = ''
         order by entry_id limit 1)
        union all
        (select entry_id from bank_entry_keys stored
         where stored.project_id = ${tenant} and stored.key = sought.key and stored.statement = sought.statement
           and entry_id = any(${[...dropped]}::bigint[])
         order by entry_id limit 1)
      ) found
    ) found join bank_entries entry on entry.id = found.entry_id
    order by entry.id`;
  const isDropped = new Set(dropped);
  for (const { found_key, ...row } of rows)
    comparable.add([found_key], storedEntry(row), isDropped.has(row.id));
  return comparable;
}

/** A new entry with the decision about it. */
export interface NewEntry {
  readonly entry: EntryRow;
  readonly doubt: string | null;
}

/** Stores new entries. @returns the numbers of the stored entries, by key */
export async function insertEntries(
  db: Db,
  tenant: Tenant,
  file: string,
  entries: readonly NewEntry[],
): Promise<Map<string, number>> {
  if (entries.length === 0) return new Map();
  const rows = entries.map(({ entry, doubt }, position) => ({
    position,
    entry_key: entryKey(entry),
    type: entry.type,
    account: entry.account,
    statement: entry.statement,
    booked_on: entry.bookedOn,
    bank_reference: entry.bankReference,
    keys: comparedKeys(entry),
    source_reference: sourceReferenceOf(entry),
    source_reference_key: referenceKey(sourceReferenceOf(entry)),
    payer_reference: entry.payerReferences[0] ?? null,
    payment_references: entry.references,
    reference_keys: referenceKeysOf(entry),
    currency: entry.currency,
    amount: entry.amount,
    observed_at: new Date(parseInstant(entry.observedAt)),
    doubt,
    line: entry.line,
  }));
  const stored = await db<{ id: number; entry_key: string }[]>`
    with given as materialized (
      select * from jsonb_to_recordset(${jsonb(rows)}) as entry (entry_key text, type text, account text, statement text,
        booked_on text, bank_reference text, source_reference text, source_reference_key text, payer_reference text, payment_references text[],
        reference_keys text[], currency text, amount bigint, observed_at timestamptz, doubt text, line integer, position bigint,
        keys text[])
    ), stored as (
    insert into bank_entries (project_id, entry_key, type, account, statement, booked_on, bank_reference, source_reference,
      source_reference_key, payer_reference, payment_references, reference_keys, currency, amount, observed_at, doubt, file, line)
    select ${tenant}, entry_key, type, account, statement, booked_on, bank_reference, source_reference,
      source_reference_key, payer_reference, payment_references, reference_keys, currency, amount, observed_at, doubt, ${file}, line
    from given order by position
    returning id, entry_key, project_id, statement
    ), keyed as (
      insert into bank_entry_keys (project_id, key, statement, entry_id)
      select distinct stored.project_id, unnest(given.keys), stored.statement, stored.id
      from stored join given using (entry_key)
    )
    select id, entry_key from stored`;
  return new Map(stored.map(({ id, entry_key }) => [entry_key, id]));
}

/**
 * Makes those stored debits of a project takebacks that have a reference of a credit of the same account, as a bank sends them that does not mark what
 * it takes back. Called after the entries of a file are stored, so that the order of files does not matter.
 *
 * @param references search keys of references of the stored entries
 * @returns the keys of the debits that are takebacks now
 */
export async function markTakebacks(
  db: Db,
  tenant: Tenant,
  references: readonly string[],
): Promise<Set<string>> {
  if (references.length === 0) return new Set();
  const marked = await db<{ entry_key: string }[]>`
    update bank_entries debit set type = 'takeback'
    where project_id = ${tenant} and type = 'debit' and reference_keys && ${[...references]}::text[]
      and exists (
        select from bank_entries credit
        where credit.project_id = debit.project_id and credit.type = 'credit' and credit.currency = debit.currency
          and credit.reference_keys && debit.reference_keys
          and (credit.account = debit.account or '' in (credit.account, debit.account)))
    returning entry_key`;
  return new Set(marked.map(({ entry_key }) => entry_key));
}

/** Returns the SQL of the columns of an {@link OpenEntry}. */
function openEntries(db: Db, condition: Fragment): Fragment {
  return db`
    select entry.id as row, entry.project_id, type, account, source_reference, payer_reference, currency, amount,
      amount - recorded - returned as open, observed_at, doubt, file, line, dismissed_at is not null as dismissed,
      case when type = 'takeback' then coalesce((
        select jsonb_agg(jsonb_build_object('id', settlement.id, 'remittance_id', settlement.remittance_id) order by settlement.id)
        from settlements settlement
        where settlement.bank_entry_id = ${returnedCredit(db)} and settlement.status <> 'reversed'), '[]') else '[]' end as settlements
    from bank_entries entry
    where ${condition}`;
}

/**
 * Returns the SQL of the number of the credit that the takeback `entry` returns: one of the same account and currency with a shared reference and an
 * amount that is not returned yet; first one of the same amount, then one that settlements record, then the oldest.
 */
function returnedCredit(db: Db): Fragment {
  return db`(
    select credit.id from bank_entries credit
    where credit.project_id = entry.project_id and credit.type = 'credit' and credit.currency = entry.currency
      and credit.reference_keys && entry.reference_keys
      and (credit.account = entry.account or '' in (credit.account, entry.account))
      and credit.amount - credit.returned >= entry.amount
    order by credit.amount <> entry.amount, credit.recorded = 0, credit.id limit 1)`;
}

const IS_OPEN = (db: Db) => db`
  dismissed_at is null and (expected_until is null or expected_until <= platform.now())
  and returned_entry_id is null and type in ('credit', 'takeback') and recorded + returned < amount`;

/** Reads the open entries of a project, oldest first. @param limit maximum number; all if null */
export async function listOpenEntries(
  db: Db,
  tenant: Tenant,
  limit: number | null = null,
): Promise<OpenEntry[]> {
  const condition = db`project_id = ${tenant} and ${IS_OPEN(db)} order by entry.id limit ${limit}`;
  const rows = await db<(OpenEntry & { readonly dismissed: boolean })[]>`${openEntries(db, condition)}`;
  return rows.map(({ dismissed: _, ...entry }) => entry);
}

export const openEntryKinds = ['credit', 'doubt', 'takeback'] as const;
export const openEntryOrders = ['oldest', 'largest', 'observed', 'reference'] as const;

/** Which open entries a page of them has, and where it begins. */
export interface OpenEntriesQuery {
  /** A credit that is certain, a credit in doubt, or a takeback; null for all. */
  readonly kind: (typeof openEntryKinds)[number] | null;
  readonly currency: string | null;
  /** A part of the source_reference or the payer_reference, in any case; empty for all. */
  readonly text: string;
  readonly order: (typeof openEntryOrders)[number];
  /** The `next` of the page before; null for the first page. */
  readonly after: string | null;
  readonly limit: number;
}

/** A page of open entries. */
export interface OpenEntriesPage {
  readonly data: readonly OpenEntry[];
  readonly has_more: boolean;
  /** The place of the last entry, for the next page; null if there is none. */
  readonly next: string | null;
  /** What all open entries of the query have, also those of other pages, by currency. `open` is in minor units. */
  readonly totals: readonly { readonly currency: string; readonly count: number; readonly open: number }[];
}

/** Returns the SQL of the value by which an order sorts first. Entries with an equal value are in the order of their numbers. */
function sortedBy(db: Db, order: OpenEntriesQuery['order']): { value: Fragment; type: Fragment } {
  if (order === 'largest')
    return { value: db`(entry.recorded + entry.returned - entry.amount)`, type: db`bigint` };
  if (order === 'observed') return { value: db`entry.observed_at`, type: db`timestamptz` };
  if (order === 'reference') return { value: db`entry.source_reference`, type: db`text` };
  return { value: db`entry.id`, type: db`bigint` };
}

function sortValueOf(
  { row, open, observed_at, source_reference }: OpenEntry,
  order: OpenEntriesQuery['order'],
) {
  if (order === 'largest') return String(-open);
  if (order === 'observed') return observed_at.toISOString();
  return order === 'reference' ? source_reference : String(row);
}

/** Returns the number and the sort value of a page's place; undefined if the text is no place of a page. */
export function readEntryPlace(text: string): { readonly row: number; readonly value: string } | undefined {
  const [, row, value] = /^(\d{1,15})~(.*)$/s.exec(text) ?? [];
  return row === undefined || value === undefined ? undefined : { row: Number(row), value };
}

/** Reads a page of the project's open entries, and what all entries of the query have, in one statement each. */
export async function pageOfOpenEntries(
  db: Db,
  tenant: Tenant,
  { kind, currency, text, order, after, limit }: OpenEntriesQuery,
): Promise<OpenEntriesPage> {
  const asked = db`entry.project_id = ${tenant} and ${IS_OPEN(db)}
    and (${kind}::text is null or ${kind} = case when type = 'takeback' then 'takeback' when doubt is null then 'credit' else 'doubt' end)
    and (${currency}::text is null or currency = ${currency})
    and strpos(lower(source_reference || ' ' || coalesce(payer_reference, '')), lower(${text}::text)) > 0`;
  const { value, type } = sortedBy(db, order);
  const place = after === null ? undefined : readEntryPlace(after);
  const isAfter =
    place === undefined
      ? db``
      : db`and (${value}, entry.id) > (${place.value}::text::${type}, ${place.row}::bigint)`;
  const condition = db`${asked} ${isAfter} order by ${value}, entry.id limit ${limit + 1}`;
  const found = await db<(OpenEntry & { readonly dismissed: boolean })[]>`${openEntries(db, condition)}`;
  const totals = await db<{ currency: string; count: number; open: number }[]>`
    select currency, count(*) as count, sum(amount - recorded - returned)::bigint as open
    from bank_entries entry where ${asked} group by currency order by currency`;
  const data = found.slice(0, limit).map(({ dismissed: _, ...entry }) => entry);
  const last = data.at(-1);
  const hasMore = found.length > limit;
  const next = last !== undefined && hasMore ? `${last.row}~${sortValueOf(last, order)}` : null;
  return { data, has_more: hasMore, next, totals };
}

/**
 * Reads the open entry with the given number, of one project or, if `tenant` is null, of any project. An entry that is dismissed or expected is
 * found too. Returns undefined if there is no such entry, or if it is recorded or returned.
 */
export async function findOpenEntry(
  db: Db,
  tenant: Tenant | null,
  row: number,
): Promise<(OpenEntry & { readonly dismissed: boolean }) | undefined> {
  const condition = db`(${tenant}::text is null or project_id = ${tenant}) and entry.id = ${row}
    and returned_entry_id is null and type in ('credit', 'takeback') and recorded + returned < amount`;
  const [found] = await db<(OpenEntry & { readonly dismissed: boolean })[]>`${openEntries(db, condition)}`;
  return found;
}

/** What is recorded of an entry: a part of its amount, or the whole, as a settlement with a source_reference of its own. */
export interface EntryPart {
  readonly row: number;
  readonly amount: number;
}

/**
 * Adds amounts to what is recorded of different credits. A credit that has less open does not change.
 *
 * @returns the numbers of the credits that changed
 */
export async function recordParts(
  tx: Tx,
  tenant: Tenant,
  parts: readonly EntryPart[],
): Promise<ReadonlySet<number>> {
  if (parts.length === 0) return new Set();
  // The credits are locked in the order of their numbers, to prevent deadlocks; the lock does not block imports that list them again.
  const updated = await tx<{ id: number }[]>`
    update bank_entries entry set recorded = entry.recorded + part.amount
    from (
      select locked.id, given.amount
      from (
        select id from bank_entries where project_id = ${tenant} and id = any(${parts.map(({ row }) => row)}::bigint[]) order by id for no key update
      ) locked
      join jsonb_to_recordset(${jsonb(parts)}) as given ("row" bigint, amount bigint) on given."row" = locked.id
    ) part
    where entry.id = part.id and entry.project_id = ${tenant} and entry.type = 'credit'
      and entry.recorded + entry.returned + part.amount <= entry.amount
    returning entry.id`;
  return new Set(updated.map(({ id }) => id));
}

/** An imported credit that a settlement names by its source_reference. */
export interface NamedCredit {
  readonly row: number;
  /**
   * What the source_reference of the settlement is: that of the `credit`, of a `part` of it, or of a `batch` of which the credit is a transaction.
   */
  readonly names: 'credit' | 'part' | 'batch';
  readonly source_reference: string;
  readonly currency: string;
  /** What no settlement records of it, in minor units. */
  readonly open: number;
}

/**
 * Reads the credits of a project that a source_reference names, those that it names exactly first, then the oldest; of a batch the first transaction.
 */
export function findNamedCredits(db: Db, tenant: Tenant, sourceReference: string): Query<NamedCredit[]> {
  const key = referenceKey(sourceReference);
  const deposit = depositOf(key);
  // The source_reference of a transaction is that of its batch with the place in the statement, such as `B-9/3/2`.
  return db<NamedCredit[]>`
    (select id as row, case source_reference_key when ${key} then 'credit' else 'part' end as names, source_reference, currency,
       amount - recorded - returned as open
     from bank_entries
     where project_id = ${tenant} and source_reference_key = any(${[key, deposit]}) and type = 'credit'
     order by source_reference_key <> ${key}, id)
    union all
    (select id, 'batch', source_reference, currency, amount - recorded - returned from bank_entries
     where project_id = ${tenant} and source_reference_key >= ${`${deposit}/`} and source_reference_key < ${`${deposit}0`}
       and substr(source_reference_key, length(${deposit}) + 2) ~ '^\\d+/\\d+$' and bank_reference <> source_reference and type = 'credit'
     order by id limit 1)`;
}

/** Adds amounts to what is recorded of credits, each of which has as much open: the plan of a dry run. */
export async function planParts(tx: Tx, parts: readonly EntryPart[]): Promise<void> {
  if (parts.length === 0) return;
  await tx`
    update bank_entries entry set recorded = recorded + part.amount
    from jsonb_to_recordset(${jsonb(parts)}) as part ("row" bigint, amount bigint) where entry.id = part."row"`;
}

/** An open credit with the source_reference of the next settlement that records it or a part of it; null if all are used. */
export type AssignedEntry = Pick<OpenEntry, 'currency' | 'open' | 'observed_at'> & {
  readonly next_reference: string | null;
};

/**
 * Reads an open credit with the source_reference of its next settlement: because no two settlements of a project have one source_reference, this is
 * the first unused one of the entry's own reference, and that with `#2` to `#1000`, in the 200 characters of the API's limit.
 *
 * @param keyOf computes the normal form in which references are unique
 * @returns undefined if the project has no open credit with this number
 */
export async function findAssignedEntry(
  db: Db,
  tenant: Tenant,
  row: number,
  keyOf: (reference: string) => string,
): Promise<AssignedEntry | undefined> {
  const [entry] = await db<(AssignedEntry & { source_reference: string })[]>`
    select currency, amount - recorded - returned as open, observed_at, source_reference, null as next_reference from bank_entries
    where project_id = ${tenant} and id = ${row} and type = 'credit' and recorded + returned < amount`;
  if (entry === undefined) return undefined;
  const { source_reference: own, ...values } = entry;
  const candidates = referencesOfParts(own, MAX_PARTS);
  const used = await db<{ key: string }[]>`
    select source_reference_key as key from settlements
    where project_id = ${tenant} and source_reference_key = any(${candidates.map(keyOf)})`;
  const keys = new Set(used.map(({ key }) => key));
  return { ...values, next_reference: candidates.find((candidate) => !keys.has(keyOf(candidate))) ?? null };
}

/** A part of an entry that was to be recorded in a remittance, in a list of acts that can be executed more than once. */
export interface ListedPart {
  readonly row: number;
  readonly remittanceId: string;
  /** In minor units; null for all that was open. */
  readonly amount: number | null;
  /** Which of the equal parts of the list this is, from 1. */
  readonly ordinal: number;
}

/**
 * Returns the settlement that has recorded a part: the one with its ordinal among the unreversed settlements of the entry and the remittance that have
 * its amount. For a part of no given amount it is the entry's newest one, if nothing of the entry is open. Null if none has.
 */
export async function findRecordedPart(
  db: Db,
  tenant: Tenant,
  { row, remittanceId, amount, ordinal }: ListedPart,
): Promise<SettlementRow | null> {
  const [found] = await db<SettlementRow[]>`
    select settlement.* from settlements settlement join bank_entries entry on entry.id = settlement.bank_entry_id
    where settlement.project_id = ${tenant} and entry.project_id = ${tenant} and entry.id = ${row}
      and settlement.remittance_id = ${remittanceId} and settlement.status <> 'reversed'
      and (settlement.amount = ${amount}::bigint
        or ${amount}::bigint is null and entry.recorded + entry.returned >= entry.amount and settlement.id = (
          select max(newest.id) from settlements newest where newest.bank_entry_id = entry.id and newest.status <> 'reversed'))
    order by settlement.id offset ${amount === null ? 0 : ordinal - 1} limit 1`;
  return found ?? null;
}

/** Maximum number of settlements of one entry, reversed ones included. */
const MAX_PARTS = 1_000;

/** A settlement that records an entry or a part of it, with its remittance. The amount is in minor units. */
export interface EntrySettlement {
  readonly id: string;
  readonly source_reference: string;
  readonly amount: number;
  readonly remittance_id: string;
  readonly payer_reference: string;
}

/** A takeback with the credit that it returns; the credit is null if none is found. Amounts in minor units. */
export interface Takeback {
  readonly amount: number;
  readonly credit: {
    readonly row: number;
    readonly source_reference: string;
    readonly amount: number;
    readonly recorded: number;
    readonly returned: number;
  } | null;
  /** The unreversed settlements of the credit, newest first. */
  readonly settlements: readonly EntrySettlement[];
}

/** Finds an open takeback of a project, and the credit that it returns. One statement, so that the amounts are of one instant. */
export async function findTakeback(db: Db, tenant: Tenant, row: number): Promise<Takeback | undefined> {
  const [found] = await db<Takeback[]>`
    select entry.amount,
      case when credit.id is not null then jsonb_build_object('row', credit.id, 'source_reference', credit.source_reference,
        'amount', credit.amount, 'recorded', credit.recorded, 'returned', credit.returned) end as credit,
      coalesce((
        select jsonb_agg(jsonb_build_object('id', settlement.id, 'source_reference', settlement.source_reference,
          'amount', settlement.amount, 'remittance_id', remittance.id, 'payer_reference', remittance.payer_reference)
          order by settlement.id desc)
        from settlements settlement join remittances remittance on remittance.id = settlement.remittance_id
        where settlement.bank_entry_id = credit.id and settlement.status <> 'reversed'), '[]') as settlements
    from bank_entries entry left join bank_entries credit on credit.id = ${returnedCredit(db)}
    where entry.project_id = ${tenant} and entry.id = ${row} and entry.type = 'takeback' and entry.returned_entry_id is null`;
  return found;
}

/**
 * Returns the first settlement that has the reference of a credit, or of the batch of which it is a transaction, or a part of either, is not
 * reversed and records no imported entry; null if there is none. A person decides which funds it records, so that no funds are recorded twice.
 */
export async function findUnlinkedOfCredit(db: Db, tenant: Tenant, row: number): Promise<string | null> {
  const [entry] = await db<{ source_reference: string; bank_reference: string }[]>`
    select source_reference, bank_reference from bank_entries where project_id = ${tenant} and id = ${row}`;
  if (entry === undefined) return null;
  const references = [entry.source_reference, entry.bank_reference].filter((each) => each !== '');
  const keys = references.flatMap((each) => referencesOfParts(each, MAX_PARTS)).map(referenceKey);
  const [found] = await db<{ id: string }[]>`
    select id from settlements
    where project_id = ${tenant} and bank_entry_id is null and status <> 'reversed'
      and source_reference_key = any(${[...new Set(keys)]}) order by id limit 1`;
  return found?.id ?? null;
}

/**
 * Records that a takeback returned a credit. @returns whether the takeback was open and the credit had as much open; otherwise nothing changes
 */
export async function recordReturn(
  tx: Tx,
  tenant: Tenant,
  takeback: number,
  credit: number,
): Promise<boolean> {
  const resolved = await tx<{ amount: number }[]>`
    update bank_entries set returned_entry_id = ${credit}, dismissed_at = null
    where project_id = ${tenant} and id = ${takeback} and type = 'takeback' and returned_entry_id is null returning amount`;
  const [entry] = resolved;
  if (entry === undefined) return false;
  const returned = await tx`
    update bank_entries set returned = returned + ${entry.amount}
    where project_id = ${tenant} and id = ${credit} and type = 'credit' and recorded + returned + ${entry.amount} <= amount returning id`;
  return returned.length > 0;
}
