/** SQL of remittances with their allocations. The functions for sweeps read the remittances of all projects. */
import {
  CLAIM_REMITTANCE_LIMIT,
  type Environment,
  type PaymentAdviceStatus,
  type Remittance,
  type RemittanceStatus,
  referenceKey,
  referenceSearchKey,
} from '@carecover/contract';
import type { Caller, OwnedResource, Tenant } from '@carecover/domain';
import {
  type Db,
  insertedRows,
  jsonb,
  type ListQuery,
  type ListResult,
  listPage,
  type Query,
  type Tx,
} from '@carecover/postgres';
import type { Notification } from '@carecover/workflow-remittance';
import { type AdviceContent, recoveryMove } from '../rules/advice';
import { ADVICE_MOVE } from '../rules/allocation';
import type { ClaimAccount } from '../rules/chart-of-accounts';
import type { NamedRemittance } from '../rules/matching';
import { searched } from './settlements';

export const REMITTANCES = { table: 'remittance_resources' } as const;

export interface RemittanceRow {
  readonly id: string;
  readonly project_id: Tenant;
  readonly environment: Environment;
  readonly payer_reference: string;
  readonly currency: string;
  /** The sum of the allocations. */
  readonly total: number;
  /** What the payer transfers by the advice of which the remittance is a part. */
  readonly net: number;
  /** The sum of the adjustments of the kind `forwarded_balance`: below zero, balances of earlier advices that it deducts. */
  readonly forwarded: number;
  /** The name of the payer, as it was given; null if none was. */
  readonly payer: string | null;
  readonly received_at: Date;
  readonly deadline: Date;
  readonly status: PaymentAdviceStatus;
  readonly reconciled_at: Date | null;
  readonly version: number;
}

export type RemittanceResourceRow = RemittanceRow & {
  readonly created_at: Date;
  readonly allocations: Remittance['allocations'];
};

/** The row of a new remittance. Amounts in minor units. */
export type NewRemittance = Omit<RemittanceRow, 'net' | 'status' | 'reconciled_at' | 'version'> & {
  /** What the recoveries and adjustments of the advice add to the total. */
  readonly rest: number;
  /** The normal form of the payer by which balances are summed. */
  readonly payer_key: string | null;
  readonly created_at: Date;
};

export async function findRemittance(
  db: Db,
  tenant: Tenant,
  id: string,
): Promise<RemittanceResourceRow | undefined> {
  const [row] = await db<RemittanceResourceRow[]>`
    select * from remittance_resources where id = ${id} and project_id = ${tenant}`;
  return row;
}

/** The filters of the list of remittances. */
export interface RemittanceFilters {
  readonly status?: RemittanceStatus;
  readonly payer_reference?: string;
  readonly claim_id?: string;
}

/**
 * Reads one page of the project's remittances, newest first. With a status, it leaves out withdrawn ones, which wait for nothing.
 *
 * @throws ApiError validation_failed if the cursor names no remittance of this list
 */
export function listRemittances<T>(
  db: Db,
  caller: Caller,
  query: ListQuery & RemittanceFilters,
  toResource: (row: RemittanceResourceRow) => T,
): Promise<ListResult<T>> {
  const ofClaim =
    query.claim_id === undefined
      ? db``
      : db`and id = any(array(select remittance_id from remittance_allocations where claim_id = ${query.claim_id}))`;
  const filters = [
    ofClaim,
    { column: 'payer_reference_search', value: searched(query.payer_reference) },
    { column: 'status', value: query.status },
  ];
  return listPage(db, caller, REMITTANCES, query, filters, toResource);
}

/** Finds remittances of a project that are not withdrawn by the search keys of their payer_references. @returns the remittances by search key */
export async function findNamedRemittances(
  db: Db,
  tenant: Tenant,
  searchKeys: readonly string[],
): Promise<Map<string, NamedRemittance[]>> {
  const rows = await db<(NamedRemittance & { search: string })[]>`
    select id, payer_reference_key as key, payer_reference_search as search from remittances
    where project_id = ${tenant} and payer_reference_search = any(${[...new Set(searchKeys)]}) and status <> 'withdrawn' order by id`;
  const named = new Map<string, NamedRemittance[]>();
  for (const { search, ...remittance } of rows) named.set(search, [...(named.get(search) ?? []), remittance]);
  return named;
}

/** The values in the database on which the decision about an advice depends. */
export interface AdviceContext {
  /** The time of the database transaction. */
  readonly now: Date;
  /** Whether the project has an advice with the payer_reference. */
  readonly is_reference_used: boolean;
  /** The IDs of those claims that have the maximum number of remittances and recoveries. */
  readonly claims_at_limit: readonly string[];
}

/**
 * Reads the values on which the decision about an advice depends. Call this after the claims' accounts are locked, so that
 * the query sees the changes of the transactions that held these locks before.
 */
export function readAdviceContext(
  tx: Tx,
  tenant: Tenant,
  payerReference: string,
  claimIds: readonly string[],
): Query<AdviceContext> {
  const read = tx<AdviceContext[]>`
    select platform.now() as now,
      exists (select from remittances where project_id = ${tenant} and payer_reference_key = ${referenceKey(payerReference)}) as is_reference_used,
      array(select claim_id from unnest(${[...claimIds]}::text[]) as advised (claim_id)
        where exists (
          select from (
            (select from remittance_allocations where claim_id = advised.claim_id limit ${CLAIM_REMITTANCE_LIMIT})
            union all
            (select from remittance_recoveries where claim_id = advised.claim_id limit ${CLAIM_REMITTANCE_LIMIT})
          ) line offset ${CLAIM_REMITTANCE_LIMIT - 1})) as claims_at_limit`;
  return read.withResult(([row]) => {
    if (row === undefined) throw new Error('the database returned no time');
    return row;
  });
}

/**
 * Records an advice in one SQL statement: its row, its lines, their postings, and the notifications to the claims service.
 *
 * @param row the remittance, with the tenant as its project
 * @param accounts the locked accounts of the claims of the allocations and recoveries
 * @returns false if the project has another advice with this payer_reference; then nothing is written
 */
export async function insertRemittance(
  tx: Tx,
  row: NewRemittance,
  advice: AdviceContent,
  accounts: ReadonlyMap<string, ClaimAccount>,
  notifications: readonly Notification[],
): Promise<boolean> {
  const parts = advice.allocations.map(({ claim_id, paid_amount, reason_codes }, position) => ({
    claim_id,
    position,
    paid_amount,
    reason_codes,
    adjudication_version: accounts.get(claim_id)?.adjudicationVersion ?? null,
  }));
  const recoveries = advice.recoveries.map((recovery, position) => {
    const account = accounts.get(recovery.claim_id);
    if (account === undefined) throw new Error(`the account of ${recovery.claim_id} is not locked`);
    return { ...recovery, position, ...recoveryMove(account) };
  });
  const denials = advice.denials.map((denial, position) => ({ ...denial, position }));
  const records = notifications.map(({ causeId, kind, input }) => ({ cause_id: causeId, kind, input }));
  const values = {
    ...row,
    adjustments: JSON.stringify(advice.adjustments),
    payer_reference_key: referenceKey(row.payer_reference),
    payer_reference_search: referenceSearchKey(row.payer_reference),
  };
  const inserted = await tx`
    with remittance as (
      insert into remittances ${insertedRows(values)} on conflict (project_id, payer_reference_key) do nothing returning *
    ), part as materialized (
      select * from jsonb_to_recordset(${jsonb(parts)}) as part
        (claim_id text, position smallint, paid_amount bigint, reason_codes jsonb, adjudication_version integer)
    ), allocation as (
      insert into remittance_allocations (remittance_id, claim_id, position, paid_amount, reason_codes, adjudication_version)
      select remittance.id, part.* from remittance, part
    ), taken as materialized (
      select * from jsonb_to_recordset(${jsonb(recoveries)}) as taken
        (id text, claim_id text, position smallint, amount bigint, reason_codes jsonb, source account, destination account)
    ), recovery as (
      insert into remittance_recoveries (id, remittance_id, claim_id, position, amount, reason_codes)
      select taken.id, remittance.id, taken.claim_id, taken.position, taken.amount, taken.reason_codes from remittance, taken
    ), denial as (
      insert into remittance_denials (remittance_id, claim_id, position, reason_codes)
      select remittance.id, denied.claim_id, denied.position, denied.reason_codes
      from remittance, jsonb_to_recordset(${jsonb(denials)}) as denied (claim_id text, position smallint, reason_codes jsonb)
    ), posting as (
      insert into postings (project_id, claim_id, source, destination, amount, currency, cause, effective_at, recorded_at)
      select project_id, line.claim_id, line.source, line.destination, line.amount, currency, coalesce(line.cause, id), received_at, created_at
      from remittance, (
        select id as cause, claim_id, source, destination, amount, 0 as list, position from taken
        union all
        select null, claim_id, ${ADVICE_MOVE.source}::account, ${ADVICE_MOVE.destination}::account, paid_amount, 1, position from part
      ) line
      order by list, position
    ), record as (
      insert into claims_notifications (cause_id, remittance_id, kind, input)
      select record.cause_id, id, record.kind, record.input
      from remittance, rows from (jsonb_to_recordset(${jsonb(records)}) as (cause_id text, kind text, input jsonb))
        with ordinality as record (cause_id, kind, input, place) order by place
    )
    select id from remittance`;
  return inserted.length > 0;
}

/**
 * Reads one page of the remittances of all projects that are neither reconciled nor withdrawn: up to `limit` remittances with an ID above `after`, in the order of their
 * IDs.
 */
export async function findOpenRemittances(db: Db, after: string, limit: number): Promise<OwnedResource[]> {
  const rows = await db<OwnedResource[]>`
    select id, project_id as tenant, environment from remittances
    where status <> 'reconciled' and status <> 'withdrawn' and id > ${after} order by id limit ${limit}`;
  return [...rows];
}

/** Returns the IDs of those of the given remittances that await money: each of them needs a running workflow. */
export async function findWaiting(db: Db, remittances: readonly OwnedResource[]): Promise<string[]> {
  const rows = remittances.map(({ id, tenant }) => ({ id, tenant }));
  const waiting = await db<{ id: string }[]>`
    select remittance.id from remittances remittance
    join jsonb_to_recordset(${jsonb(rows)}) as given (id text, tenant text)
      on given.id = remittance.id and given.tenant = remittance.project_id
    where remittance.status not in ('reconciled', 'withdrawn')`;
  return waiting.map(({ id }) => id);
}

/** Reads at most `limit` remittances of all projects with real time that are still `received` more than `graceSeconds` after their deadline. */
export async function findOverdueRemittances(
  db: Db,
  graceSeconds: number,
  limit: number,
): Promise<OwnedResource[]> {
  const rows = await db<OwnedResource[]>`
    select id, project_id as tenant, environment from remittances
    where status = 'received' and not platform.is_simulated(project_id) and deadline < (select platform.now()) - ${graceSeconds} * interval '1 second'
    order by deadline, id limit ${limit}`;
  return [...rows];
}

/**
 * Reads one page of the remittances of all projects with a notification that is pending for more than `graceSeconds`: up to `limit`, by ID,
 * after `afterId`.
 */
export async function findUnrecordedRemittances(
  db: Db,
  graceSeconds: number,
  afterId: string,
  limit: number,
): Promise<OwnedResource[]> {
  const rows = await db<OwnedResource[]>`
    select id, project_id as tenant, environment from remittances where id > ${afterId} and id in (
      select remittance_id from claims_notifications
      where recorded_at is null
        and (platform.is_simulated(project_id) or created_at < (select platform.now()) - ${graceSeconds} * interval '1 second'))
    order by id limit ${limit}`;
  return [...rows];
}

/** Returns by how many seconds the most overdue remittance of all projects with real time that is still `received` is past its deadline; 0 if none is. */
export async function readOverdueSeconds(db: Db): Promise<number> {
  const [row] = await db<{ overdue: number }[]>`
    select coalesce(greatest(0, extract(epoch from platform.now() - min(deadline))), 0)::float8 as overdue
    from remittances where status = 'received' and not platform.is_simulated(project_id)`;
  return row?.overdue ?? 0;
}

/** Counts the remittances of all projects with the status `exception`. */
export async function countExceptions(db: Db): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*) as count from remittances where status = 'exception'`;
  return Number(row?.count ?? 0);
}
