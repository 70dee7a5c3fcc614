/** The state of a pre-authorization that its workflow reads at the start of every run and after each command. */
import { databaseNow, notFound, type Sql, type Tenant, type Tx } from '@carecover/platform';
import type { PreauthorizationReport } from '@carecover/workflow-preauthorization';
import { deadlineOf } from '../rules/preauthorization-expiry';
import { type LockedPreauthorization, lockPreauthorization, stateOf } from '../store/preauthorizations';
import { expireLockedIfDue } from './expire-overdue';

/** Expires a pre-authorization if its deadline has passed, and returns its state; null if there is no such pre-authorization. */
export async function reviewPreauthorization(
  sql: Sql,
  tenant: Tenant,
  id: string,
): Promise<PreauthorizationReport | null> {
  return sql.begin(async (tx) => {
    const row = await lockPreauthorization(tx, tenant, id);
    if (row === null) return null;
    return reportOf(tx, { ...(await expireLockedIfDue(tx, row)), is_being_approved: row.is_being_approved });
  });
}

/** Returns the state of a pre-authorization, read under its lock. @throws ApiError resource_not_found */
export async function reportPreauthorization(
  sql: Sql,
  tenant: Tenant,
  id: string,
): Promise<PreauthorizationReport> {
  return sql.begin(async (tx) => {
    const row = await lockPreauthorization(tx, tenant, id);
    if (row === null) throw notFound();
    return reportOf(tx, row);
  });
}

async function reportOf(tx: Tx, row: LockedPreauthorization): Promise<PreauthorizationReport> {
  const deadline = deadlineOf(stateOf(row));
  const dueInMs =
    deadline === null ? null : Math.max(0, deadline.getTime() - (await databaseNow(tx)).getTime());
  return {
    status: row.status,
    deadline: deadline?.toISOString() ?? null,
    dueInMs,
    usedByClaimId: row.used_by_claim_id,
  };
}
