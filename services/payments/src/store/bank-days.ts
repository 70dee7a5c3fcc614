/** SQL of a day of the bank accounts of a project: its statements, its rows with where each of them ends, and the position of the ledger. */
import type { Tenant } from '@carecover/domain';
import type { Db, Fragment } from '@carecover/postgres';
import type {
  AccountDay,
  DayStatement,
  MispostedRow,
  Position,
  RowlessSettlement,
  RowState,
  StateSum,
} from '../rules/bank-day';
import { rowStates } from '../rules/bank-day';
import type { EntryType } from '../rules/bank-entry';

/** A row of the day that is not matched, with why it is in its state. */
export interface DayRow {
  readonly row: number;
  readonly type: EntryType;
  readonly account: string;
  readonly currency: string;
  /** In minor units. */
  readonly amount: number;
  /** The part of the amount that is in the state, in minor units. */
  readonly part: number;
  readonly booked_on: string;
  readonly source_reference: string;
  readonly payer_reference: string | null;
  readonly state: RowState;
  readonly reason: string;
  /** The remittance in which a settlement of the row waits unmatched; null if none does. */
  readonly remittance_id: string | null;
  /** Whether a person can decide about it: a part of a credit or takeback is not recorded. */
  readonly is_decidable: boolean;
  /** Who decided about it, when, and until when it is expected; null if no person did. */
  readonly decided_by: string | null;
  readonly decided_at: Date | null;
  readonly expected_until: Date | null;
  readonly imported_at: Date;
  readonly file: string;
  readonly line: number;
}

/** What the project's ledger says, without the receivables, and when. */
export interface LedgerPosition {
  readonly now: Date;
  readonly positions: readonly Omit<Position, 'receivables'>[];
  /** The number of records that the claims service has not recorded. */
  readonly pending: number;
}

/** Maximum number of rows that are listed, of differing rows and of settlements without a row. */
export const MAX_DAY_ROWS = 500;

/** Returns the last day, `YYYY-MM-DD`, on which an imported statement closes or an imported entry is booked; null if nothing is imported. */
export async function findLastDay(db: Db, tenant: Tenant): Promise<string | null> {
  const [row] = await db<{ day: string | null }[]>`
    select greatest(
      (select max(closes_on) from bank_statements where project_id = ${tenant}),
      (select max(booked_on) from bank_entries where project_id = ${tenant})) as day`;
  return row?.day ?? null;
}

/** SQL of the statements of a project, each with all its pages. */
function statementsOf(db: Db, tenant: Tenant): Fragment {
  return db`
    select account, statement, max(currency) as currency, max(number) as number,
      (array_agg(opening order by page) filter (where opening is not null))[1] as opening,
      (array_agg(closing order by page desc) filter (where closing is not null))[1] as closing,
      coalesce(bool_or(has_final_closing), false) as is_complete, max(closes_on) as closes_on,
      coalesce(sum(rejected), 0)::integer as rejected,
      jsonb_path_query_array(jsonb_agg(differences order by page), '$[*][*]') as differences
    from bank_statements where project_id = ${tenant} group by account, statement`;
}

/** The numbers of the entries of a day. */
export interface DayEntries {
  /** Those that a statement with balances lists that closes on the day. */
  readonly listed: readonly number[];
  /** Those that are booked on the day, and that no statement with balances lists. */
  readonly unlisted: readonly number[];
}

/**
 * Reads which entries belong to a day: to that on which the statement closes that lists them and has balances; without such a statement, to that on
 * which they are booked. They are read once, and the other statements receive their numbers: PostgreSQL knows the length of an array, but before
 * it has statistics of the tables, as after a first large import, it takes a query for one of a few rows.
 */
export async function readDayEntries(db: Db, tenant: Tenant, day: string): Promise<DayEntries> {
  const idsOf = (rows: readonly { readonly id: number }[]) => rows.map(({ id }) => id);
  const listed = idsOf(
    await db<{ id: number }[]>`
      with statement as (${statementsOf(db, tenant)})
      select distinct link.entry_id as id from statement join bank_statement_entries link using (account, statement)
      where link.project_id = ${tenant} and statement.closes_on = ${day} and statement.closing is not null`,
  );
  const booked = idsOf(
    await db<
      { id: number }[]
    >`select id from bank_entries where project_id = ${tenant} and booked_on = ${day}`,
  );
  const isListed = new Set(listed);
  const others = booked.filter((id) => !isListed.has(id));
  const elsewhere = new Set(
    idsOf(
      await db<{ id: number }[]>`
        select distinct entry_id as id from bank_statement_entries link
        where project_id = ${tenant} and entry_id = any(${others}::bigint[]) and exists (
          select from bank_statements page
          where page.project_id = link.project_id and page.account = link.account and page.statement = link.statement
            and page.closing is not null)`,
    ),
  );
  return { listed, unlisted: others.filter((id) => !elsewhere.has(id)) };
}

/** SQL of the rows of a day, with the parts of their amounts. */
function rowsOfDay(db: Db, tenant: Tenant, { listed, unlisted }: DayEntries): Fragment {
  return db`
    day_entry as (
      select id, true as is_listed from unnest(${[...listed]}::bigint[]) as id
      union all
      select id, false from unnest(${[...unlisted]}::bigint[]) as id
    ), part as (
      select entry.*, day_entry.is_listed, entry.type in ('credit', 'debit_reversal') as is_credit, waiting.amount as waiting,
        recorded - waiting.amount as matched, entry.amount - recorded - returned as rest,
        case when entry.type = 'takeback' and returned_entry_id is not null then 'returned'
          when dismissed_at is not null or entry.type in ('debit', 'debit_reversal') then 'not_ours'
          when expected_until > platform.now() then 'expected'
          else 'open' end as rest_state
      from day_entry join bank_entries entry using (id)
      cross join lateral (
        select coalesce(sum(amount), 0)::bigint as amount from settlements
        where bank_entry_id = entry.id and status = 'unmatched') waiting
      where entry.project_id = ${tenant}
    ), stated as (
      select *, case when waiting > 0 then 'open' when rest > 0 then rest_state when returned > 0 then 'returned' else 'matched' end as state
      from part
    )`;
}

type StatementRow = Omit<DayStatement, 'isComplete' | 'numberBeforeGap' | 'broken'> & {
  readonly account: string;
  readonly currency: string;
  readonly is_complete: boolean;
  readonly number_before_gap: number | null;
  readonly broken_statement: string | null;
  readonly broken_closing: number | null;
};

/** Reads the statements that close on a day, the first of each account first. */
function readStatements(db: Db, tenant: Tenant, day: string) {
  return db<StatementRow[]>`
    with statement as (${statementsOf(db, tenant)})
    select this.account, this.currency, this.statement, this.number, this.opening, this.closing, this.is_complete, this.rejected,
      this.differences, sums.credits, sums.debits, gap.number as number_before_gap,
      case when not exists (
        select from statement other
        where other.account = this.account and other.currency = this.currency and other.statement <> this.statement
          and other.closes_on <= this.closes_on and this.opening in (other.opening, other.closing))
        then before.statement end as broken_statement,
      before.closing as broken_closing
    from statement this
    cross join lateral (
      select coalesce(sum(amount) filter (where type in ('credit', 'debit_reversal')), 0)::bigint as credits,
        coalesce(sum(amount) filter (where type in ('debit', 'takeback')), 0)::bigint as debits
      from bank_entries entry
      where entry.currency = this.currency and entry.id in (
        select entry_id from bank_statement_entries
        where project_id = ${tenant} and account = this.account and statement = this.statement)) sums
    left join lateral (
      select preceding.number from (
        select other.number from statement other
        where other.account = this.account and (other.closing is null) = (this.closing is null)
          and (other.closes_on, other.number) < (this.closes_on, this.number)
        order by other.closes_on desc, other.number desc limit 1) preceding
      where this.number <> 1 and preceding.number <> this.number - 1) gap on true
    left join lateral (
      select other.statement, other.closing from statement other
      where other.account = this.account and other.currency = this.currency and other.closing is not null
        and (other.closes_on < this.closes_on or (other.closes_on = this.closes_on and other.number < this.number))
      order by other.closes_on desc, other.number desc nulls last, other.statement desc limit 1) before on true
    where this.closes_on = ${day} and this.currency is not null
    order by this.account, this.currency, this.number nulls first, this.statement`;
}

/** Reads the sums of the rows of a day, per account, currency and state. */
function readStates(db: Db, tenant: Tenant, entries: DayEntries) {
  return db<
    {
      readonly account: string;
      readonly currency: string;
      readonly counts: Readonly<Record<RowState, number>>;
      readonly credits: Readonly<Record<RowState, number>>;
      readonly debits: Readonly<Record<RowState, number>>;
      readonly unlisted_count: number;
      readonly unlisted_amount: number;
    }[]
  >`
    with statement as (${statementsOf(db, tenant)}), ${rowsOfDay(db, tenant, entries)}, sums as (
      select account, currency, share.state,
        coalesce(sum(share.amount) filter (where is_credit), 0)::bigint as credits,
        coalesce(sum(share.amount) filter (where not is_credit), 0)::bigint as debits
      from stated cross join lateral (
        values ('matched', matched), ('returned', returned), ('open', waiting), (rest_state, rest)) as share (state, amount)
      group by 1, 2, 3
    ), counts as (
      select account, currency, state, count(*) as count,
        count(*) filter (where not is_listed) as unlisted,
        coalesce(sum(case when is_credit then amount else -amount end) filter (where not is_listed), 0)::bigint as unlisted_amount
      from stated group by 1, 2, 3
    ), day as (
      select account, currency, jsonb_object_agg(state, coalesce(count, 0)) as counts,
        jsonb_object_agg(state, credits) as credits, jsonb_object_agg(state, debits) as debits,
        coalesce(sum(unlisted), 0)::bigint as unlisted, coalesce(sum(unlisted_amount), 0)::bigint as unlisted_amount
      from sums left join counts using (account, currency, state) group by account, currency
    )
    select day.account, day.currency, counts, credits, debits, unlisted_amount,
      case when exists (
        select from statement where statement.account = day.account and statement.currency = day.currency and closing is not null)
        then unlisted else 0 end as unlisted_count
    from day order by account, currency`;
}

/** Reads the rows of a day whose settlements settle another amount of claims than the ledger has posted for them. */
function readMisposted(db: Db, tenant: Tenant, entries: DayEntries) {
  return db<(MispostedRow & { readonly account: string; readonly currency: string })[]>`
    with ${rowsOfDay(db, tenant, entries)}
    , settlement_lines as (
      select bank_entry_id, settlement.id, status, claim_id, line.amount
      from settlements settlement cross join lateral (
        select claim_id, amount from jsonb_to_recordset(settlement.allocations) as part (claim_id text, amount bigint)
        union all
        select claim_id, -amount from jsonb_to_recordset(settlement.recoveries) as part (claim_id text, amount bigint)) line
      where bank_entry_id in (select id from stated where type = 'credit')
    ), amounts as (
      select bank_entry_id, case status when 'matched' then amount else 0 end as settled, 0 as posted from settlement_lines
      union all
      select bank_entry_id, 0, case when posting.destination = 'cash_observed' then posting.amount else -posting.amount end
      from (select distinct bank_entry_id, id, claim_id from settlement_lines) line
      join postings posting on posting.claim_id = line.claim_id and posting.cause in (line.id, line.id || ':reversal')
        and 'cash_observed' in (posting.source, posting.destination)
    ), different as (
      select bank_entry_id, sum(settled)::bigint as settled, sum(posted)::bigint as posted
      from amounts group by bank_entry_id having sum(settled) <> sum(posted)
    )
    select account, currency, stated.id as "row", different.settled, different.posted
    from different join stated on stated.id = different.bank_entry_id order by stated.id limit ${MAX_DAY_ROWS}`;
}

const NO_ROWS: StateSum = { count: 0, credits: 0, debits: 0 };

/**
 * Reads the accounts of a project on a day (`YYYY-MM-DD`): those with a statement that closes on it, and those with rows of it.
 *
 * @param entries those of the day
 */
export async function readAccountDays(
  db: Db,
  tenant: Tenant,
  day: string,
  entries: DayEntries,
): Promise<AccountDay[]> {
  const statements = await readStatements(db, tenant, day);
  const sums = await readStates(db, tenant, entries);
  const misposted = await readMisposted(db, tenant, entries);
  const keyOf = ({ account, currency }: { readonly account: string; readonly currency: string }) =>
    JSON.stringify([account, currency]);
  const keys = [...new Set([...statements, ...sums].map(keyOf))].sort();
  return keys.map((key) => {
    const [account, currency]: [string, string] = JSON.parse(key);
    const found = sums.find((each) => keyOf(each) === key);
    const states = Object.fromEntries(
      rowStates.map((state) => [
        state,
        found === undefined
          ? NO_ROWS
          : {
              count: found.counts[state] ?? 0,
              credits: found.credits[state] ?? 0,
              debits: found.debits[state] ?? 0,
            },
      ]),
    ) as Record<RowState, StateSum>;
    return {
      account,
      currency,
      statements: statements.filter((each) => keyOf(each) === key).map(toStatement),
      states,
      unlisted: { count: found?.unlisted_count ?? 0, amount: found?.unlisted_amount ?? 0 },
      misposted: misposted
        .filter((each) => keyOf(each) === key)
        .map(({ row, settled, posted }) => ({ row, settled, posted })),
    };
  });
}

function toStatement(row: StatementRow): DayStatement {
  const { statement, number, opening, closing, credits, debits, rejected, differences } = row;
  const { is_complete: isComplete, number_before_gap: numberBeforeGap, broken_statement: before } = row;
  const broken =
    before === null || row.broken_closing === null
      ? null
      : { statement: before, closing: row.broken_closing };
  return {
    ...{ statement, number, opening, closing, isComplete, credits, debits, rejected, differences },
    numberBeforeGap,
    broken,
  };
}

/**
 * Reads the rows of a day that are not matched: open ones first, then expected, returned and not ours; debits that no person decided about last.
 *
 * @returns at most one row more than {@link MAX_DAY_ROWS}
 */
export async function listDayRows(db: Db, tenant: Tenant, entries: DayEntries): Promise<DayRow[]> {
  return [
    ...(await db<DayRow[]>`
      with ${rowsOfDay(db, tenant, entries)}
      select stated.id as row, type, account, currency, stated.amount,
        case when waiting > 0 then waiting + case when rest_state = 'open' then rest else 0 end
          when rest > 0 then rest else returned end as part,
        booked_on, source_reference, payer_reference, state,
        case
          when waiting > 0 then 'its settlement ' || unmatched.id || ' waits unmatched in ' || unmatched.remittance_id
          when state = 'returned' and type = 'takeback' then 'it returned row ' || returned_entry_id
          when state = 'returned' then 'the bank took it back with row ' || (select min(id) from bank_entries takeback where takeback.returned_entry_id = stated.id)
          when state in ('not_ours', 'expected') and decision.kind = state then decision.reason
          when type = 'debit' then 'it is a debit'
          when type = 'debit_reversal' then 'it takes back a debit'
          when state = 'not_ours' then 'it was dismissed'
          when doubt is not null then doubt
          when type = 'takeback' then 'the bank takes back a credit, which is not reversed'
          when matched > 0 then 'a part of it is recorded, and the rest is not assigned'
          when returned > 0 then 'a part of it was returned, and the rest is not assigned'
          when payer_reference is null then 'it names no remittance'
          else 'no remittance has the reference ' || payer_reference end as reason,
        unmatched.remittance_id, rest > 0 and type in ('credit', 'takeback') and returned_entry_id is null as is_decidable,
        case when decision.kind = state then decision.authority end as decided_by,
        case when decision.kind = state then decision.decided_at end as decided_at,
        case when state = 'expected' then stated.expected_until end as expected_until, imported_at, file, line
      from stated
      left join lateral (
        select kind, reason, authority, decided_at from bank_entry_resolutions
        where entry_id = stated.id order by id desc limit 1) decision on true
      left join lateral (
        select id, remittance_id from settlements where bank_entry_id = stated.id and status = 'unmatched' order by id limit 1) unmatched on true
      where state <> 'matched'
      order by array_position(array['open', 'expected', 'returned', 'not_ours'], state), decision.kind is null, stated.id
      limit ${MAX_DAY_ROWS + 1}`),
  ];
}

/**
 * Reads the matched settlements without a bank entry that are observed from `start` until before `end`. Those of an advice whose net needs no
 * transfer are left out, because no bank shows them.
 */
export async function listRowlessSettlements(
  db: Db,
  tenant: Tenant,
  { start, end }: { readonly start: Date; readonly end: Date },
): Promise<RowlessSettlement[]> {
  return [
    ...(await db<RowlessSettlement[]>`
      select id, remittance_id, source_reference, currency, amount from settlements
      where project_id = ${tenant} and bank_entry_id is null and status = 'matched' and amount > 0
        and observed_at >= ${start} and observed_at < ${end}
      order by id limit ${MAX_DAY_ROWS}`),
  ];
}

/** Reads what the ledger, the remittances and the settlements of a project say now, per currency. */
export async function readPosition(db: Db, tenant: Tenant): Promise<LedgerPosition> {
  const positions = await db<LedgerPosition['positions']>`
    with ledger as (
      select currency, sum(remitted)::bigint as advised, sum(cash_observed)::bigint as settled,
        coalesce(sum(approved - claim_accounts.settled) filter (where reversed_at is null), 0)::bigint as outstanding
      from claim_accounts where project_id = ${tenant} group by currency
    ), line as (
      select remittance_id, paid_amount as amount, settled from remittance_allocations
      union all
      select remittance_id, -amount, -settled from remittance_recoveries
    ), advice as (
      select remittance.currency, sum(line.amount - settled)::bigint as open, sum(settled)::bigint as settled
      from remittances remittance join line on line.remittance_id = remittance.id
      where remittance.project_id = ${tenant} and remittance.status <> 'withdrawn' group by remittance.currency
    ), mixed as (
      -- The advices with other lines than payments, or without a transfer. Of their net, the adjustments are of no claim, and what is below
      -- zero is not transferred.
      select id, currency, least(net, 0) - rest - recovered as not_transferred,
        exists (select from netted_advices where remittance_id = remittance.id) or net = (
          select sum(amount) from settlements where remittance_id = remittance.id and status = 'matched') as is_complete
      from remittances remittance, lateral (
        select coalesce(sum(amount), 0) as recovered from remittance_recoveries where remittance_id = remittance.id) taken
      where project_id = ${tenant} and status <> 'withdrawn' and (rest <> 0 or recovered <> 0 or net <= 0)
    ), matched as (
      -- The last settlement of such an advice settles all that remains, so its amount can differ from what it settles of claims. While the net
      -- is not complete, what each settles of claims is compared.
      select settlement.currency, case when advice.is_complete is not false then settlement.amount else (
          select coalesce(sum((part ->> 'amount')::bigint), 0) from jsonb_array_elements(settlement.allocations) as part) - (
          select coalesce(sum((part ->> 'amount')::bigint), 0) from jsonb_array_elements(settlement.recoveries) as part) end as amount
      from settlements settlement left join mixed advice on advice.id = settlement.remittance_id
      where project_id = ${tenant} and status = 'matched'
      union all
      select currency, not_transferred from mixed where is_complete
    ), observed as (
      select currency, sum(amount)::bigint as amount from matched group by currency
    )
    select currency, coalesce(ledger.advised, 0) as advised, coalesce(ledger.settled, 0) as settled,
      coalesce(ledger.outstanding, 0) as outstanding, coalesce(advice.open, 0) as "advicesOpen",
      coalesce(advice.settled, 0) as "advicesSettled", coalesce(observed.amount, 0) as settlements
    from ledger full join advice using (currency) full join observed using (currency) order by currency`;
  const [row] = await db<{ now: Date; pending: number }[]>`
    select platform.now() as now, count(*)::integer as pending
    from claims_notifications record
    where recorded_at is null and (select project_id from remittances where id = record.remittance_id) = ${tenant}`;
  if (row === undefined) throw new Error('the database returned no time');
  return { ...row, positions };
}
