/**
 * Locks a remittance, reads all values from which its next state is computed, and writes the decided changes. Functions that take a
 * {@link LockedRemittance} write only rows of that remittance.
 */

import type { ResourceChange, Tenant } from '@carecover/domain';
import { appendEvents } from '@carecover/events';
import {
  type Db,
  type Fragment,
  identifier,
  jsonb,
  type Query,
  type Tx,
  writeTogether,
} from '@carecover/postgres';
import { signalsInsert } from '@carecover/temporal';
import type { Notification } from '@carecover/workflow-remittance';
import { adviceIdOf } from '../rules/advice';
import type { Match } from '../rules/matching';
import type { LockedRemittance, Reconciliation, StatusChange } from '../rules/reconciliation';
import type { ClaimAmount } from '../rules/remittance-status';
import { nettingReference } from '../rules/settlement-reference';
import { lockRemittedAccounts, setSettled } from './accounts';
import { insertNotifications, pendingNotifications } from './claims-notifications';
import { findForwarding } from './payer-balances';
import { insertPostings } from './postings';
import type { RemittanceRow } from './remittances';
import {
  fromJson,
  insertReversal,
  insertSettlement,
  type NewSettlement,
  observationOf,
  partsOf,
  type Reversal,
  type SettlementJson,
  type SettlementRow,
  setMatched,
} from './settlements';

/** A remittance and all of its settlements, read at one instant. */
export interface ReconciliationSnapshot {
  readonly remittance: RemittanceRow;
  /** The remittance's settlements, reversed ones included, in the order in which they were recorded. */
  readonly settlements: readonly SettlementRow[];
  /** The sum of the settlements that reconcile the remittance: the net of its advice, or 0 if the net is settled without a transfer, or the advice withdrawn. */
  readonly expected: number;
  /** The database's time at which the remittance and its settlements were read. */
  readonly now: Date;
}

/** Reads a remittance with all its settlements in one SQL statement, without a lock; undefined if the tenant has no such remittance. */
export async function findReconciliationSnapshot(
  db: Db,
  tenant: Tenant,
  id: string,
): Promise<ReconciliationSnapshot | undefined> {
  const [row] = await db<(RemittanceRow & { now: Date; expected: number; settlements: SettlementJson[] })[]>`
    select *, platform.now() as now, ${expectedOf(db)} as expected,
      (select coalesce(json_agg(settlement order by position), '[]')
       from settlements settlement where remittance_id = remittance.id) as settlements
    from remittances remittance where id = ${id} and project_id = ${tenant}`;
  if (row === undefined) return undefined;
  const { now, expected, settlements, ...remittance } = row;
  return { remittance, settlements: settlements.map(fromJson), expected, now };
}

/** Returns the SQL of the sum of the settlements that reconcile the row `remittance` of the query. */
function expectedOf(db: Db): Fragment {
  return db`case when remittance.status = 'withdrawn' or exists (select from netted_advices where remittance_id = remittance.id) then 0 else remittance.net end`;
}

interface FactsRow {
  readonly now: Date;
  readonly allocations: LockedRemittance['allocations'];
  readonly recoveries: LockedRemittance['recoveries'];
  readonly unreversed: readonly SettlementJson[];
  readonly settlementCount: number;
  readonly isNetted: boolean;
  readonly pending: readonly Notification[];
}

/**
 * Locks a remittance and the accounts of its claims until the transaction ends, and then reads the remittance's allocations and
 * settlements, in one pipeline. To prevent deadlocks, a transaction that locks a claim's account must not call this afterwards.
 *
 * @returns undefined if the tenant has no such remittance
 */
export function lockRemittance(tx: Tx, tenant: Tenant, id: string): Query<LockedRemittance | undefined> {
  // The facts are read after both locks, so that they can't change until the commit.
  const locked = tx.pipeline([
    lockRow(tx, tenant, id),
    lockRemittedAccounts(tx, tenant, [id]),
    readFacts(tx, tenant, id),
  ]);
  return locked.withResult(([row, accounts, facts]) => {
    if (row === undefined || facts === undefined) return undefined;
    const { environment, currency, total, net, forwarded, received_at, deadline, status, version } = row;
    const { unreversed, isNetted, ...read } = facts;
    const becomesNetted = !isNetted && net === 0;
    return {
      ...{ id, tenant, environment, currency, total, deadline, status, version, accounts, ...read },
      forwarded,
      receivedAt: received_at,
      becomesNetted,
      expected: isNetted || becomesNetted ? 0 : net,
      unreversed: unreversed.map((settlement) => observationOf(fromJson(settlement))),
    };
  });
}

/**
 * Locks a remittance, and then the accounts of its claims and of further claims in the order of their IDs, until the transaction ends.
 * {@link lockRemittance} reads the remittance afterwards.
 */
export function lockWithClaims(
  tx: Tx,
  tenant: Tenant,
  id: string,
  claimIds: readonly string[],
): Query<unknown> {
  return tx.pipeline([lockRow(tx, tenant, id), lockRemittedAccounts(tx, tenant, [id], claimIds)]);
}

/**
 * Locks several remittances, and then the accounts of all their claims, until the transaction ends, each in the order of their IDs to prevent
 * deadlocks. {@link lockRemittance} reads each of them afterwards. Returns the IDs of those that exist.
 */
export function lockRemittances(tx: Tx, tenant: Tenant, ids: readonly string[]): Query<Set<string>> {
  const locked = tx.pipeline([
    tx<{ id: string }[]>`
      select id from remittances where id = any(${[...ids]}) and project_id = ${tenant} order by id for update`,
    lockRemittedAccounts(tx, tenant, ids),
  ]);
  return locked.withResult(([rows]) => new Set(rows.map(({ id }) => id)));
}

function lockRow(tx: Tx, tenant: Tenant, id: string): Query<RemittanceRow | undefined> {
  const locked = tx<RemittanceRow[]>`
    select * from remittances where id = ${id} and project_id = ${tenant} for update`;
  return locked.withResult(([row]) => row);
}

function readFacts(tx: Tx, tenant: Tenant, id: string): Query<FactsRow | undefined> {
  const read = tx<FactsRow[]>`
    select platform.now() as now,
      (select coalesce(json_agg(json_build_object('claimId', claim_id, 'paidAmount', paid_amount, 'settled', settled) order by position), '[]')
       from remittance_allocations where remittance_id = remittance.id) as allocations,
      (select coalesce(json_agg(json_build_object('id', id, 'claimId', claim_id, 'amount', amount, 'settled', settled) order by position), '[]')
       from remittance_recoveries where remittance_id = remittance.id) as recoveries,
      (select coalesce(json_agg(settlement order by position), '[]')
       from settlements settlement where remittance_id = remittance.id and status <> 'reversed') as unreversed,
      (select coalesce(max(position), 0) from settlements where remittance_id = remittance.id) as "settlementCount",
      exists (select from netted_advices where remittance_id = remittance.id) as "isNetted",
      ${pendingNotifications(tx)} as pending
    from remittances remittance where id = ${id} and project_id = ${tenant}`;
  return read.withResult(([row]) => row);
}

/**
 * Writes the decided changes of a locked remittance, and enqueues the signal to its workflow, in one SQL statement. With a settlement that is
 * recorded, or the reversal of one; with neither if only the status changes.
 *
 * @param change what the workflow receives
 */
export async function writeReconciliation(
  tx: Tx,
  locked: LockedRemittance,
  { postings, matched, netting, settled, accounts, statusChange, notifications }: Reconciliation,
  change: ResourceChange,
  { recorded, reversal }: { readonly recorded?: NewSettlement; readonly reversal?: Reversal } = {},
): Promise<void> {
  const { id, tenant, environment } = locked;
  const matchedBefore = matched.filter((match) => match.id !== recorded?.id);
  const posted = insertPostings(tx, postings);
  const event = statusChange?.event;
  await writeTogether(tx, [
    ...(recorded ? [insertSettlement(tx, locked, recorded)] : []),
    ...(reversal ? insertReversal(tx, locked, reversal) : []),
    ...(posted ? [posted] : []),
    ...(matchedBefore.length > 0 ? [setMatched(tx, locked, matchedBefore)] : []),
    ...(settled.allocations.length > 0
      ? [addSettled(tx, locked, 'remittance_allocations', settled.allocations)]
      : []),
    ...(settled.recoveries.length > 0
      ? [addSettled(tx, locked, 'remittance_recoveries', settled.recoveries)]
      : []),
    ...(accounts.length > 0 ? [setSettled(tx, tenant, accounts)] : []),
    ...(netting ? [insertNetted(tx, locked), insertNetting(tx, locked, netting, recorded)] : []),
    ...(statusChange ? [setStatus(tx, locked, statusChange)] : []),
    ...(event ? [appendEvents(tx, [event])] : []),
    ...(notifications.length > 0 ? [insertNotifications(tx, locked, notifications)] : []),
    signalsInsert(tx, [{ resource: { id, tenant, environment }, changes: [change] }]),
  ]);
  if (statusChange?.status === 'reconciled') await signalDeducted(tx, locked, change);
}

/** Enqueues signals to the workflows of the advices whose balances other advices can have deducted after an advice is reconciled or withdrawn. */
export async function signalDeducted(
  tx: Tx,
  { id, tenant, environment, forwarded }: LockedRemittance,
  change: ResourceChange,
): Promise<void> {
  if (forwarded >= 0) return;
  const open = (await findForwarding(tx, tenant, id)).filter(
    (advice) => advice.net < 0 && advice.status !== 'reconciled' && advice.id !== id,
  );
  if (open.length === 0) return;
  const changes = [{ ...change, what: 'a balance was deducted' }];
  await tx`${signalsInsert(
    tx,
    open.map((advice) => ({ resource: { id: advice.id, tenant, environment }, changes })),
  )}`;
}

/** Returns the SQL that adds amounts to the settled amounts of a locked remittance's allocations or recoveries. */
function addSettled(
  db: Db,
  { id }: LockedRemittance,
  table: 'remittance_allocations' | 'remittance_recoveries',
  amounts: readonly ClaimAmount[],
): Fragment {
  const rows = amounts.map(({ claimId, amount }) => ({ claim_id: claimId, amount }));
  return db`
    update ${identifier(table)} line set settled = settled + added.amount
    from (
      select claim_id, sum(amount)::bigint as amount
      from jsonb_to_recordset(${jsonb(rows)}) as part (claim_id text, amount bigint) group by claim_id
    ) added
    where line.remittance_id = ${id} and line.claim_id = added.claim_id`;
}

/** Returns the SQL that inserts the settlement of zero of a locked remittance. */
function insertNetting(
  db: Db,
  locked: LockedRemittance,
  { id, allocations, recoveries }: Match,
  recorded: NewSettlement | undefined,
): Fragment {
  return insertSettlement(db, locked, {
    id,
    position: (recorded?.position ?? locked.settlementCount) + 1,
    source_reference: nettingReference(adviceIdOf(locked.id)),
    bank_entry_id: null,
    currency: locked.currency,
    amount: 0,
    allocations: partsOf(allocations),
    recoveries: partsOf(recoveries),
    status: 'matched',
    observed_at: locked.receivedAt,
    created_at: locked.now,
  });
}

/** Returns the SQL that records that the net of a locked remittance's advice is settled without a transfer. */
function insertNetted(db: Db, { id, now }: LockedRemittance): Fragment {
  return db`insert into netted_advices (remittance_id, settled_at) values (${id}, ${now})`;
}

/** Returns the SQL that sets the status of a locked remittance, and the version of its last event. */
function setStatus(
  db: Db,
  { id, tenant }: LockedRemittance,
  { status, reconciledAt, version }: StatusChange,
): Fragment {
  return db`
    update remittances set status = ${status}, reconciled_at = ${reconciledAt}, version = ${version}
    where id = ${id} and project_id = ${tenant}`;
}
