/**
 * Locks a remittance, reads all values from which its next state is computed, and writes the decided changes. Functions that take a
 * {@link LockedRemittance} write only rows of that remittance.
 */

import type { ResourceChange, Tenant } from '@carecover/domain';
import { appendEvents } from '@carecover/events';
import { type Db, type Fragment, jsonb, type Query, type Tx, writeTogether } from '@carecover/postgres';
import { signalsInsert } from '@carecover/temporal';
import type { Notification, SettledAmount } from '@carecover/workflow-remittance';
import type { LockedRemittance, Reconciliation, StatusChange } from '../rules/reconciliation';
import { lockRemittedAccounts } from './accounts';
import { insertNotifications, pendingNotifications } from './claims-notifications';
import { insertPostings } from './postings';
import type { RemittanceRow } from './remittances';
import {
  fromJson,
  insertReversal,
  insertSettlement,
  type NewSettlement,
  observationOf,
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
  /** The database's time at which the remittance and its settlements were read. */
  readonly now: Date;
}

/** Reads a remittance with all its settlements in one SQL statement, without a lock; undefined if the tenant has no such remittance. */
export async function findReconciliationSnapshot(
  db: Db,
  tenant: Tenant,
  id: string,
): Promise<ReconciliationSnapshot | undefined> {
  const [row] = await db<(RemittanceRow & { now: Date; settlements: SettlementJson[] })[]>`
    select *, platform.now() as now,
      (select coalesce(json_agg(settlement order by position), '[]')
       from settlements settlement where remittance_id = remittance.id) as settlements
    from remittances remittance where id = ${id} and project_id = ${tenant}`;
  if (row === undefined) return undefined;
  const { now, settlements, ...remittance } = row;
  return { remittance, settlements: settlements.map(fromJson), now };
}

interface FactsRow {
  readonly now: Date;
  readonly allocations: LockedRemittance['allocations'];
  readonly unreversed: readonly SettlementJson[];
  readonly settlementCount: number;
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
    lockRemittedAccounts(tx, tenant, id),
    readFacts(tx, tenant, id),
  ]);
  return locked.withResult(([row, accounts, facts]) => {
    if (row === undefined || facts === undefined) return undefined;
    const { environment, currency, total, deadline, status, version } = row;
    const { unreversed, ...read } = facts;
    return {
      ...{ id, tenant, environment, currency, total, deadline, status, version, accounts, ...read },
      unreversed: unreversed.map((settlement) => observationOf(fromJson(settlement))),
    };
  });
}

function lockRow(tx: Tx, tenant: Tenant, id: string): Query<RemittanceRow | undefined> {
  const locked = tx<RemittanceRow[]>`
    select * from remittances where id = ${id} and project_id = ${tenant} for update`;
  return locked.withResult(([row]) => row);
}

function readFacts(tx: Tx, tenant: Tenant, id: string): Query<FactsRow | undefined> {
  const read = tx<FactsRow[]>`
    select platform.now() as now,
      (select json_agg(json_build_object('claimId', claim_id, 'paidAmount', paid_amount, 'settled', settled, 'lastCause', (
         select cause from postings
         where claim_id = allocation.claim_id
           and ((source = 'remitted' and destination = 'cash_observed')
                or (source = 'cash_observed' and destination = 'remitted'))
         order by id desc limit 1)) order by position)
       from remittance_allocations allocation where remittance_id = remittance.id) as allocations,
      (select coalesce(json_agg(settlement order by position), '[]')
       from settlements settlement where remittance_id = remittance.id and status <> 'reversed') as unreversed,
      (select coalesce(max(position), 0) from settlements where remittance_id = remittance.id) as "settlementCount",
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
  { postings, matched, amounts, statusChange, notifications }: Reconciliation,
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
    ...(amounts.length > 0 ? [addSettled(tx, locked, amounts)] : []),
    ...(statusChange ? [setStatus(tx, locked, statusChange)] : []),
    ...(event ? [appendEvents(tx, [event])] : []),
    ...(notifications.length > 0 ? [insertNotifications(tx, locked, notifications)] : []),
    signalsInsert(tx, [{ resource: { id, tenant, environment }, changes: [change] }]),
  ]);
}

/** Returns the SQL that adds amounts to the settled amounts of a locked remittance's allocations. */
function addSettled(db: Db, { id }: LockedRemittance, amounts: readonly SettledAmount[]): Fragment {
  const rows = amounts.map(({ claimId, amount }) => ({ claim_id: claimId, amount }));
  return db`
    update remittance_allocations allocation set settled = settled + added.amount
    from (
      select claim_id, sum(amount)::bigint as amount
      from jsonb_to_recordset(${jsonb(rows)}) as part (claim_id text, amount bigint) group by claim_id
    ) added
    where allocation.remittance_id = ${id} and allocation.claim_id = added.claim_id`;
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
