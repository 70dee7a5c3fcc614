/** The state of a pre-authorization that its workflow reads at the start of every run and after each command. */
import { databaseNow, notFound, type Sql, type Tenant } from '@carecover/platform';
import type { PreauthorizationReport } from '@carecover/workflow-preauthorization';
import { deadlineOf } from '../rules/preauthorization-expiry';
import { lockPreauthorization, stateOf } from '../store/preauthorizations';
import { expireLockedIfDue } from './expire-overdue';

/** Expires a pre-authorization if its deadline has passed, and returns its state; null if there is no such pre-authorization. */
export async function reviewPreauthorization(
  sql: Sql,
  tenant: Tenant,
  id: string,
): Promise<PreauthorizationReport | null> {
  const exists = await sql.begin(async (tx) => {
    const row = await lockPreauthorization(tx, tenant, id);
    if (row === null) return false;
    await expireLockedIfDue(tx, row);
    return true;
  });
  return exists ? reportPreauthorization(sql, tenant, id) : null;
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
    const now = await databaseNow(tx);
    const deadline = deadlineOf(stateOf(row));
    return {
      status: row.status,
      deadline: deadline?.toISOString() ?? null,
      dueInMs: deadline === null ? null : Math.max(0, deadline.getTime() - now.getTime()),
      usedByClaimId: row.used_by_claim_id,
    };
  });
}
