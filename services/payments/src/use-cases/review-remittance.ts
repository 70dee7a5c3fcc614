/** What a remittance's workflow does when something may be due: applies it, and reads what the remittance awaits now. */

import { isSimulated, type Tenant } from '@carecover/domain';
import { serviceAuthority } from '@carecover/http';
import type { Sql, Tx } from '@carecover/postgres';
import type { RemittanceReport } from '@carecover/workflow-remittance';
import { isDeducted } from '../rules/forwarded-balance';
import { type LockedRemittance, reconcile } from '../rules/reconciliation';
import { releasedStatus } from '../rules/remittance-status';
import { findForwarding } from '../store/payer-balances';
import { lockRemittance, writeReconciliation } from '../store/reconciliation';
import { findState, type RemittanceState } from '../store/remittance-state';
import { deliverNotifications, type RemittanceDeps } from './deliver-notifications';

/**
 * Updates a remittance's status if its deadline has passed or its net is settled without a transfer, delivers its pending notifications, and reads its state; null if the tenant has
 * no such remittance.
 *
 * @throws ApiError service_unavailable while claims is unavailable; the status is updated before
 */
export async function reviewRemittance(
  deps: Pick<RemittanceDeps, 'sql' | 'claims'>,
  tenant: Tenant,
  remittanceId: string,
): Promise<RemittanceReport | null> {
  await applyDue(deps.sql, tenant, remittanceId);
  // The delivery has no request of a client. The remittance's ID identifies it in the logs.
  await deliverNotifications(deps, tenant, remittanceId, remittanceId);
  const state = await findState(deps.sql, tenant, remittanceId);
  return state && reportOf(tenant, state);
}

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

function reportOf(
  tenant: Tenant,
  { status, deadline, currency, net, settled, now }: RemittanceState,
): RemittanceReport {
  const until = deadline.toISOString();
  const awaits = {
    received: net < 0 ? `the deduction of its balance until ${until}` : `settlements until ${until}`,
    exception: 'a settlement, or the reversal of a wrong one, that resolves the exception',
    reconciled: null,
    withdrawn: null,
  }[status];
  const amounts = `${currency}, minor units: advised ${net}, settled ${settled}`;
  return {
    status: releasedStatus(status),
    deadline: status === 'received' ? until : null,
    // No timer waits for the deadline of a simulated project: an advance of its clock applies it.
    dueInMs:
      status === 'received' && !isSimulated(tenant) ? Math.max(0, deadline.getTime() - now.getTime()) : null,
    awaits,
    words: [`**${status}**`, amounts, ...(awaits === null ? [] : [`Waits for ${awaits}`])].join('\n\n'),
    interrupted: [],
  };
}
