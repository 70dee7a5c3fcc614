/** What a remittance's workflow does when something may be due: applies it, and reads what the remittance awaits now. */

import { isSimulated, type Tenant } from '@carecover/domain';
import type { RemittanceReport } from '@carecover/workflow-remittance';
import { releasedStatus } from '../rules/remittance-status';
import { findState, type RemittanceState } from '../store/remittance-state';
import { applyDue } from './apply-due';
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
