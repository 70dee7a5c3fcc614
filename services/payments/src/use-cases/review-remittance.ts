/** Updates the status of a remittance at the current time: it becomes `exception` if it is still `received` at its deadline. */
import type { Sql, Tenant } from '@carecover/platform';
import type { RemittanceState } from '@carecover/workflow-remittance';
import { reconcile } from '../rules/reconciliation';
import { lockRemittance, writeReconciliation } from '../store/reconciliation';
import { findState, requireState } from '../store/remittance-state';

/**
 * Updates a remittance's status if its deadline has passed. Returns the remittance's state, whether or not it changed; null if the tenant
 * has no such remittance.
 */
export async function reviewRemittance(
  sql: Sql,
  tenant: Tenant,
  remittanceId: string,
): Promise<RemittanceState | null> {
  const state = await findState(sql, tenant, remittanceId);
  if (state?.status !== 'received') return state;
  return sql.begin(async (tx) => {
    const locked = await lockRemittance(tx, tenant, remittanceId);
    if (locked === undefined || locked.now < locked.deadline) return requireState(tx, tenant, remittanceId);
    const changes = reconcile(locked);
    await writeReconciliation(tx, locked, changes);
    return changes.state;
  });
}
