/**
 * The expiry of pre-authorizations at their deadlines. Workflow steps, eligibility checks and sweeps expire overdue ones before they act,
 * so that a late workflow timer does not change what clients receive.
 */
import { notFound, type Tenant } from '@carecover/domain';
import type { Sql, Tx } from '@carecover/postgres';
import { isDue } from '../rules/preauthorization-expiry';
import { type LockedPreauthorization, lockPreauthorization, stateOf } from '../store/preauthorizations';
import { overdueReservationsBeside } from '../store/reservations';
import { recordChange } from './record-changes';

/** The value of `authority` in the fact of an expiry at the deadline. */
const AUTHORITY = 'service:benefits';

/** Expires a locked pre-authorization if its deadline has passed, and returns its row. */
export async function expireLockedIfDue(
  tx: Tx,
  row: LockedPreauthorization,
): Promise<LockedPreauthorization> {
  const { locked_at, is_being_approved } = row;
  if (!isDue(stateOf(row), locked_at)) return row;
  const expired = await recordChange(tx, row, { type: 'expired' }, { at: locked_at, authority: AUTHORITY });
  return { ...expired, locked_at, is_being_approved };
}

/** Expires a pre-authorization if its deadline has passed. @throws ApiError resource_not_found */
export async function expireIfDueIn(tx: Tx, tenant: Tenant, id: string): Promise<void> {
  const row = await lockPreauthorization(tx, tenant, id);
  if (row === null) throw notFound();
  await expireLockedIfDue(tx, row);
}

/** Does {@link expireIfDueIn} in its own transaction. */
export async function expireIfDue(sql: Sql, tenant: Tenant, id: string): Promise<void> {
  await sql.begin((tx) => expireIfDueIn(tx, tenant, id));
}

/**
 * Expires those of the given pre-authorizations whose deadline has passed, so that a late workflow timer does not keep their sessions
 * reserved. Locks each of them, so that a claim uses it either before or after the check of its deadline.
 */
export async function expireOverdue(tx: Tx, tenant: Tenant, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const row = await lockPreauthorization(tx, tenant, id);
    if (row !== null) await expireLockedIfDue(tx, row);
  }
}

/**
 * Expires the overdue pre-authorizations that have the coverage of the given pre-authorization. Uses a separate transaction, because the
 * transaction of a decision must lock no other pre-authorization.
 */
export async function expireOverdueBeside(sql: Sql, tenant: Tenant, id: string): Promise<void> {
  const overdue = await overdueReservationsBeside(sql, tenant, id);
  if (overdue.length > 0) await sql.begin((tx) => expireOverdue(tx, tenant, overdue));
}
