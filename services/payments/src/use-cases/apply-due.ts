/** What is due of a remittance without a command: the exception at its deadline, and the settlement of a net without a transfer. */
import type { Tenant } from '@carecover/domain';
import { serviceAuthority } from '@carecover/http';
import type { Sql, Tx } from '@carecover/postgres';
import { isDeducted } from '../rules/forwarded-balance';
import { type LockedRemittance, reconcile } from '../rules/reconciliation';
import { findForwarding } from '../store/payer-balances';
import { lockRemittance, writeReconciliation } from '../store/reconciliation';
import { findState, type RemittanceState } from '../store/remittance-state';

/**
 * Makes a remittance an exception if it is still `received` at its deadline, and settles the net of its advice if no transfer is expected: the net
 * is zero, or later advices have deducted it.
 */
export async function applyDue(sql: Sql, tenant: Tenant, remittanceId: string): Promise<void> {
  const state = await findState(sql, tenant, remittanceId);
  if (state === null || !canBeDue(state)) return;
  await sql.begin((tx) => applyDueIn(tx, tenant, remittanceId));
}

/** Does what {@link applyDue} does, in a transaction. */
export async function applyDueIn(tx: Tx, tenant: Tenant, remittanceId: string): Promise<void> {
  const found = await lockRemittance(tx, tenant, remittanceId);
  if (found === undefined || found.status === 'withdrawn') return;
  const locked = await withNetting(tx, found);
  const isOverdue = locked.status === 'received' && locked.now >= locked.deadline;
  if (!isOverdue && !locked.becomesNetted) return;
  const what = locked.becomesNetted ? 'settled without a transfer' : 'deadline passed';
  const at = locked.now.toISOString();
  const change = { what, at, actor: serviceAuthority('payments'), requestId: null };
  await writeReconciliation(tx, tenant, [{ locked, changes: reconcile(locked), change }]);
}

function canBeDue({ status, net, isNetted, now, deadline }: RemittanceState): boolean {
  if (status === 'withdrawn') return false;
  return (net <= 0 && !isNetted) || (status === 'received' && now >= deadline);
}

/** Returns the locked remittance with the decision whether later advices have deducted its net. */
async function withNetting(tx: Tx, locked: LockedRemittance): Promise<LockedRemittance> {
  if (locked.expected >= 0 || !isDeducted(await findForwarding(tx, locked.tenant, locked.id), locked.id))
    return locked;
  return { ...locked, becomesNetted: true, expected: 0 };
}
