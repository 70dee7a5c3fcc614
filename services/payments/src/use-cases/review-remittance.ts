/** What a remittance's workflow does when something may be due: applies it, and reads what the remittance awaits now. */

import type { Tenant } from '@carecover/domain';
import { serviceAuthority } from '@carecover/http';
import type { Sql } from '@carecover/postgres';
import type { RemittanceReport } from '@carecover/workflow-remittance';
import { reconcile } from '../rules/reconciliation';
import { lockRemittance, writeReconciliation } from '../store/reconciliation';
import { findState, type RemittanceState } from '../store/remittance-state';
import { deliverNotifications, type RemittanceDeps } from './deliver-notifications';

/**
 * Updates a remittance's status if its deadline has passed, delivers its pending notifications, and reads its state; null if the tenant has
 * no such remittance.
 *
 * @throws ApiError service_unavailable while claims is unavailable; the status is updated before
 */
export async function reviewRemittance(
  deps: Pick<RemittanceDeps, 'sql' | 'claims'>,
  tenant: Tenant,
  remittanceId: string,
): Promise<RemittanceReport | null> {
  await applyDeadline(deps.sql, tenant, remittanceId);
  // The delivery has no request of a client. The remittance's ID identifies it in the logs.
  await deliverNotifications(deps, tenant, remittanceId, remittanceId);
  const state = await findState(deps.sql, tenant, remittanceId);
  return state && reportOf(state);
}

/** Makes a remittance an exception if it is still `received` at its deadline. */
export async function applyDeadline(sql: Sql, tenant: Tenant, remittanceId: string): Promise<void> {
  const state = await findState(sql, tenant, remittanceId);
  if (state?.status !== 'received' || state.now < state.deadline) return;
  await sql.begin(async (tx) => {
    const locked = await lockRemittance(tx, tenant, remittanceId);
    if (locked?.status !== 'received' || locked.now < locked.deadline) return;
    const at = locked.now.toISOString();
    const change = { what: 'deadline passed', at, actor: serviceAuthority('payments'), requestId: null };
    await writeReconciliation(tx, locked, reconcile(locked), change);
  });
}

function reportOf({ status, deadline, currency, total, settled, now }: RemittanceState): RemittanceReport {
  const until = deadline.toISOString();
  const awaits = {
    received: `settlements until ${until}`,
    exception: 'a settlement, or the reversal of a wrong one, that resolves the exception',
    reconciled: null,
  }[status];
  const amounts = `${currency}, minor units: advised ${total}, settled ${settled}`;
  return {
    status,
    deadline: status === 'received' ? until : null,
    dueInMs: status === 'received' ? Math.max(0, deadline.getTime() - now.getTime()) : null,
    awaits,
    words: [`**${status}**`, amounts, ...(awaits === null ? [] : [`Waits for ${awaits}`])].join('\n\n'),
    interrupted: [],
  };
}
