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
import type { ClaimAccount } from '../rules/chart-of-accounts';
import type { Match } from '../rules/matching';
import type { LockedRemittance, Reconciliation } from '../rules/reconciliation';
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
  insertSettlements,
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
  readonly id: string;
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
  return lockRemittances(tx, tenant, [id]).withResult((locked) => locked.get(id));
}

/**
 * Does the same as {@link lockRemittance} for several remittances. Their rows and then all accounts are locked in the order of their IDs, to
 * prevent deadlocks. Remittances that share a claim are read as they are before any of them changes.
 *
 * @returns those that exist, by ID
 */
export function lockRemittances(
  tx: Tx,
  tenant: Tenant,
  ids: readonly string[],
): Query<ReadonlyMap<string, LockedRemittance>> {
  // The facts are read after both locks, so that they can't change until the commit.
  const locked = tx.pipeline([
    lockRows(tx, tenant, ids),
    lockRemittedAccounts(tx, tenant, ids),
    readFacts(tx, tenant, ids),
  ]);
  return locked.withResult(([rows, accounts, facts]) => {
    const rowsById = new Map(rows.map((row) => [row.id, row]));
    return new Map(
      facts.flatMap((read) => {
        const row = rowsById.get(read.id);
        return row === undefined ? [] : [[read.id, toLocked(tenant, row, accounts, read)] as const];
      }),
    );
  });
}

/** Counts the lines of remittances' advices that change accounts, by the ID of the remittance. Their number never changes. */
export async function countLines(
  db: Db,
  tenant: Tenant,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await db<{ id: string; lines: number }[]>`
    select id, (select count(*) from remittance_allocations where remittance_id = remittance.id)::integer
      + (select count(*) from remittance_recoveries where remittance_id = remittance.id)::integer as lines
    from remittances remittance where id = any(${[...ids]}) and project_id = ${tenant}`;
  return new Map(rows.map(({ id, lines }) => [id, lines]));
}

/** @param locked the locked accounts of this and other remittances, by claim ID */
function toLocked(
  tenant: Tenant,
  row: RemittanceRow,
  locked: ReadonlyMap<string, ClaimAccount>,
  { unreversed, isNetted, ...read }: FactsRow,
): LockedRemittance {
  const { environment, currency, total, net, forwarded, received_at, deadline, status, version } = row;
  const becomesNetted = !isNetted && net === 0;
  const claimIds = new Set([...read.allocations, ...read.recoveries].map(({ claimId }) => claimId));
  const accounts = new Map(
    [...claimIds].sort().flatMap((claimId) => {
      const account = locked.get(claimId);
      return account === undefined ? [] : [[claimId, account] as const];
    }),
  );
  return {
    ...{ tenant, environment, currency, total, deadline, status, version, accounts, ...read },
    forwarded,
    receivedAt: received_at,
    becomesNetted,
    expected: isNetted || becomesNetted ? 0 : net,
    unreversed: unreversed.map((settlement) => observationOf(fromJson(settlement))),
  };
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
  return tx.pipeline([lockRows(tx, tenant, [id]), lockRemittedAccounts(tx, tenant, [id], claimIds)]);
}

function lockRows(tx: Tx, tenant: Tenant, ids: readonly string[]): Query<RemittanceRow[]> {
  return tx<RemittanceRow[]>`
    select * from remittances where id = any(${[...ids]}) and project_id = ${tenant} order by id for update`;
}

function readFacts(tx: Tx, tenant: Tenant, ids: readonly string[]): Query<FactsRow[]> {
  return tx<FactsRow[]>`
    select remittance.id, platform.now() as now,
      (select coalesce(json_agg(json_build_object('claimId', claim_id, 'paidAmount', paid_amount, 'settled', settled) order by position), '[]')
       from remittance_allocations where remittance_id = remittance.id) as allocations,
      (select coalesce(json_agg(json_build_object('id', id, 'claimId', claim_id, 'amount', amount, 'settled', settled) order by position), '[]')
       from remittance_recoveries where remittance_id = remittance.id) as recoveries,
      (select coalesce(json_agg(settlement order by position), '[]')
       from settlements settlement where remittance_id = remittance.id and status <> 'reversed') as unreversed,
      (select coalesce(max(position), 0) from settlements where remittance_id = remittance.id) as "settlementCount",
      exists (select from netted_advices where remittance_id = remittance.id) as "isNetted",
      ${pendingNotifications(tx)} as pending
    from remittances remittance where id = any(${[...ids]}) and project_id = ${tenant}`;
}

/** The decided changes of a locked remittance, with the settlement that is recorded, or the reversal of one; with neither if only its status changes. */
export interface RemittanceChange {
  readonly locked: LockedRemittance;
  readonly changes: Reconciliation;
  /** What the remittance's workflow receives. */
  readonly change: ResourceChange;
  readonly recorded?: NewSettlement;
  readonly reversal?: Reversal;
}

/**
 * Writes the decided changes of locked remittances that share no claim, and enqueues the signals to their workflows, in one SQL statement.
 *
 * @param items at least one, each of another remittance of the project
 */
export async function writeReconciliation(
  tx: Tx,
  tenant: Tenant,
  items: readonly RemittanceChange[],
): Promise<void> {
  const recorded = items.flatMap((item) => [
    ...(item.recorded ? [item.recorded] : []),
    ...(item.changes.netting ? [nettingOf(item, item.changes.netting)] : []),
  ]);
  const matchedBefore = items.flatMap((item) =>
    item.changes.matched
      .filter((match) => match.id !== item.recorded?.id)
      .map((match) => ({ remittanceId: item.locked.id, match })),
  );
  const posted = insertPostings(
    tx,
    items.flatMap(({ changes }) => changes.postings),
  );
  const accounts = items.flatMap(({ changes }) => changes.accounts);
  const netted = items.filter(({ changes }) => changes.netting !== null);
  const events = items.flatMap(({ changes: { statusChange } }) => statusChange?.event ?? []);
  const notified = insertNotifications(
    tx,
    items.map(({ locked, changes: { notifications } }) => ({ locked, notifications })),
  );
  await writeTogether(tx, [
    ...(recorded.length > 0 ? [insertSettlements(tx, tenant, recorded)] : []),
    ...items.flatMap(({ locked, reversal }) => (reversal ? insertReversal(tx, locked, reversal) : [])),
    ...(posted ? [posted] : []),
    ...(matchedBefore.length > 0 ? [setMatched(tx, tenant, matchedBefore)] : []),
    ...addSettled(tx, items, 'remittance_allocations', ({ allocations }) => allocations),
    ...addSettled(tx, items, 'remittance_recoveries', ({ recoveries }) => recoveries),
    ...(accounts.length > 0 ? [setSettled(tx, tenant, accounts)] : []),
    ...(netted.length > 0 ? [insertNetted(tx, netted)] : []),
    ...setStatuses(tx, tenant, items),
    ...(events.length > 0 ? [appendEvents(tx, events)] : []),
    ...(notified ? [notified] : []),
    signalsInsert(
      tx,
      items.map(({ locked: { id, environment }, change }) => ({
        resource: { id, tenant, environment },
        changes: [change],
      })),
    ),
  ]);
  for (const { locked, changes, change } of items)
    if (changes.statusChange?.status === 'reconciled') await signalDeducted(tx, locked, change);
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

/** Returns the SQL that adds amounts to the settled amounts of locked remittances' allocations or recoveries, if there are any. */
function addSettled(
  db: Db,
  items: readonly RemittanceChange[],
  table: 'remittance_allocations' | 'remittance_recoveries',
  amountsOf: (settled: Reconciliation['settled']) => readonly ClaimAmount[],
): Fragment[] {
  const rows = items.flatMap(({ locked, changes }) =>
    amountsOf(changes.settled).map(({ claimId, amount }) => ({
      remittance_id: locked.id,
      claim_id: claimId,
      amount,
    })),
  );
  if (rows.length === 0) return [];
  const added = db`
    update ${identifier(table)} line set settled = settled + added.amount
    from (
      select remittance_id, claim_id, sum(amount)::bigint as amount
      from jsonb_to_recordset(${jsonb(rows)}) as part (remittance_id text, claim_id text, amount bigint) group by remittance_id, claim_id
    ) added
    where line.remittance_id = added.remittance_id and line.claim_id = added.claim_id`;
  return [added];
}

/** Returns the settlement of zero of a locked remittance. */
function nettingOf(
  { locked, recorded }: RemittanceChange,
  { id, allocations, recoveries }: Match,
): NewSettlement {
  return {
    id,
    remittance_id: locked.id,
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
  };
}

/** Returns the SQL that records that the nets of locked remittances' advices are settled without a transfer. */
function insertNetted(db: Db, items: readonly RemittanceChange[]): Fragment {
  const rows = items.map(({ locked: { id, now } }) => ({ remittance_id: id, settled_at: now }));
  return db`
    insert into netted_advices (remittance_id, settled_at)
    select * from jsonb_to_recordset(${jsonb(rows)}) as netted (remittance_id text, settled_at timestamptz)`;
}

/** Returns the SQL that sets the statuses of locked remittances, and the versions of their last events, if any status changes. */
function setStatuses(db: Db, tenant: Tenant, items: readonly RemittanceChange[]): Fragment[] {
  const rows = items.flatMap(({ locked, changes: { statusChange } }) =>
    statusChange === null
      ? []
      : [
          {
            id: locked.id,
            status: statusChange.status,
            reconciled_at: statusChange.reconciledAt,
            version: statusChange.version,
          },
        ],
  );
  if (rows.length === 0) return [];
  const changed = db`
    update remittances held set status = changed.status, reconciled_at = changed.reconciled_at, version = changed.version
    from jsonb_to_recordset(${jsonb(rows)}) as changed (id text, status text, reconciled_at timestamptz, version integer)
    where held.id = changed.id and held.project_id = ${tenant}`;
  return [changed];
}
