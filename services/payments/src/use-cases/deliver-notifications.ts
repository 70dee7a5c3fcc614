/**
 * Delivers notifications about a remittance to the claims service, which records them on its claims and can't reject them.
 *
 * Failure policy: a notification stays pending until claims has recorded it. The request that caused it delivers it before it responds; after
 * an interruption the remittance's workflow and a sweep do. Every delivery can be repeated, also by several processes at once.
 */
import { type JsonResponse, repeatUntilDeadline } from '@carecover/commands';
import { ApiError, isSimulated, type Tenant } from '@carecover/domain';
import type { Sql } from '@carecover/postgres';
import type { ClaimsForPayments, Notification } from '@carecover/workflow-remittance';
import { isDeducted } from '../rules/forwarded-balance';
import { partsOf } from '../rules/notification-parts';
import { findPending, markRecorded, PENDING_PAGE } from '../store/claims-notifications';
import { findForwarding } from '../store/payer-balances';
import { applyDue } from './apply-due';

/** What the use cases of commands on remittances call. */
export interface RemittanceDeps {
  readonly sql: Sql;
  readonly claims: ClaimsForPayments;
  /** Called after a commit that enqueued a signal to a remittance's workflow. */
  readonly notifySignals: () => void;
}

/**
 * Delivers all pending notifications about a remittance, in their order, page by page.
 *
 * @param known the oldest page, if the caller has read it
 * @throws ApiError service_unavailable, also if claims must first record a notification about another remittance
 */
export async function deliverNotifications(
  { sql, claims }: Pick<RemittanceDeps, 'sql' | 'claims'>,
  tenant: Tenant,
  remittanceId: string,
  requestId: string,
  known?: readonly Notification[],
): Promise<void> {
  for (let page = known ?? (await findPending(sql, tenant, remittanceId)); page.length > 0; ) {
    for (const notification of page)
      for (const part of partsOf(notification)) await deliver(claims, part, requestId);
    const causes = page.map(({ causeId }) => causeId);
    await markRecorded(sql, tenant, remittanceId, causes);
    page = page.length < PENDING_PAGE ? [] : await findPending(sql, tenant, remittanceId);
  }
}

function deliver(claims: ClaimsForPayments, { kind, input }: Notification, requestId: string): Promise<void> {
  switch (kind) {
    case 'remittance':
      return claims.recordRemittance(input, requestId);
    case 'remittance_recovered':
      return claims.recordRecovery(input, requestId);
    case 'withdrawal':
      return claims.recordWithdrawal(input, requestId);
    case 'settlement':
      return claims.recordSettlement(input, requestId);
  }
}

/**
 * Returns the pending notifications about a locked remittance after a change; undefined if there are more than a page, so that they must be
 * read.
 *
 * @param before at most the oldest page of those before the change
 */
export function pendingAfter(
  before: readonly Notification[],
  added: readonly Notification[],
): readonly Notification[] | undefined {
  return before.length < PENDING_PAGE ? [...before, ...added] : undefined;
}

/**
 * Delivers the notifications about a remittance after an act of an operator, if claims is available. Otherwise the remittance's workflow does, so
 * that an act which is committed does not fail.
 */
export async function deliverIfAvailable(
  deps: RemittanceDeps,
  { tenant, requestId }: { readonly tenant: Tenant; readonly requestId: string },
  remittanceId: string,
): Promise<void> {
  deps.notifySignals();
  try {
    await deliverNotifications(deps, tenant, remittanceId, requestId);
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'service_unavailable')) throw error;
  }
}

/**
 * Settles the balances of other advices that the advice of a remittance has deducted. Their workflows do it too, some seconds later; in a project
 * with simulated time it must not depend on when.
 */
async function settleDeducted(
  deps: RemittanceDeps,
  tenant: Tenant,
  remittanceId: string,
  requestId: string,
): Promise<void> {
  const forwarding = await findForwarding(deps.sql, tenant, remittanceId);
  for (const { id, net, isNetted } of forwarding) {
    if (net >= 0 || isNetted || !isDeducted(forwarding, id)) continue;
    await applyDue(deps.sql, tenant, id);
    await deliverNotifications(deps, tenant, id, requestId);
  }
}

/**
 * Delivers the notifications of a command before its request receives the response, so that the response implies that claims has recorded
 * them. This holds for a repeated request too.
 *
 * @param known the remittance's pending notifications, if the command was executed by this request
 * @throws ApiError service_unavailable if claims has not recorded them until the deadline: they are delivered later
 */
export async function deliverBeforeResponse(
  deps: RemittanceDeps,
  { tenant, requestId }: { readonly tenant: Tenant; readonly requestId: string },
  remittanceId: string,
  known: readonly Notification[] | undefined,
  reply: JsonResponse,
): Promise<JsonResponse> {
  deps.notifySignals();
  let page = known;
  await repeatUntilDeadline(async () => {
    const first = page;
    page = undefined;
    await deliverNotifications(deps, tenant, remittanceId, requestId, first);
    if (isSimulated(tenant)) await settleDeducted(deps, tenant, remittanceId, requestId);
  });
  return reply;
}
