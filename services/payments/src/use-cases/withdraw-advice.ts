/**
 * Withdraws a payment advice: one database transaction undoes its lines and its balance. Then claims records it.
 *
 * Failure policy: closed. While claims is unavailable, the response is 503; a withdrawal that is committed is recorded in claims later.
 */
import { type JsonResponse, keepRejection, requireTarget, writeOnce } from '@carecover/commands';
import { type Caller, requireResource } from '@carecover/domain';
import type { Call } from '@carecover/http';
import { rolledBack, type Sql, type Tx } from '@carecover/postgres';
import type { Notification } from '@carecover/workflow-remittance';
import { paymentAdviceResource } from '../resources';
import { adviceIdOf, remittanceIdOf } from '../rules/advice';
import type { LockedRemittance } from '../rules/reconciliation';
import { withdraw } from '../rules/withdrawal';
import { findForwarding } from '../store/payer-balances';
import { findPaymentAdvice } from '../store/payment-advices';
import { lockRemittance, writeReconciliation } from '../store/reconciliation';
import { type Withdrawn, writeWithdrawal } from '../store/withdrawals';
import { deliverBeforeResponse, pendingAfter, type RemittanceDeps } from './deliver-notifications';

/**
 * Withdraws a payment advice.
 *
 * @throws ApiError resource_not_found, invalid_state, advice_settled; idempotency_conflict, service_unavailable
 */
export async function withdrawPaymentAdvice(
  deps: RemittanceDeps,
  call: Call<'withdrawPaymentAdvice'>,
): Promise<JsonResponse> {
  const { reply, pending } = await commitWithdrawal(deps.sql, call);
  const remittanceId = remittanceIdOf(call.params.payment_advice_id);
  return deliverBeforeResponse(deps, call.caller, remittanceId, pending, reply);
}

/**
 * Withdraws a payment advice without waiting for claims. The remittance's workflow, which receives a signal, delivers the notifications.
 *
 * @returns the response, and the remittance's pending notifications if this call has withdrawn the advice
 * @throws the API errors of {@link withdrawPaymentAdvice}
 */
export async function commitWithdrawal(
  sql: Sql,
  call: Call<'withdrawPaymentAdvice'>,
): Promise<{ readonly reply: JsonResponse; readonly pending: readonly Notification[] | undefined }> {
  const { caller, body, params } = call;
  const { tenant } = caller;
  const adviceId = params.payment_advice_id;
  await requireTarget(sql, call, adviceId, await findPaymentAdvice(sql, tenant, adviceId));
  const id = remittanceIdOf(adviceId);
  let pending: readonly Notification[] | undefined;
  const reply = await keepRejection(sql, call, id, () =>
    writeOnce(
      sql,
      call,
      call.replayStatus,
      async (tx, locked: LockedRemittance | undefined, commandId) => {
        if (locked === undefined) throw new Error(`${id} is not there under its lock`);
        const added = await recordWithdrawal(tx, caller, locked, {
          commandId,
          reasonCode: body.reason_code,
          replacedBy: null,
        });
        pending = pendingAfter(locked.pending, added);
        const withdrawn = await findPaymentAdvice(tx, tenant, adviceIdOf(id));
        if (withdrawn === undefined) throw new Error(`${adviceId} is not there under its lock`);
        return { status: 200, body: paymentAdviceResource(withdrawn), resourceId: adviceId };
      },
      (tx) => lockRemittance(tx, tenant, id),
    ),
  );
  return { reply, pending };
}

/**
 * Decides whether a payment advice can be withdrawn, and writes nothing.
 *
 * @throws ApiError resource_not_found, invalid_state, advice_settled
 */
export async function checkWithdrawal(sql: Sql, caller: Caller, adviceId: string): Promise<void> {
  const { tenant } = caller;
  const id = remittanceIdOf(adviceId);
  await rolledBack(sql).begin(async (tx) => {
    const locked = requireResource(caller, adviceId, await lockRemittance(tx, tenant, id));
    withdraw(locked, '', await findForwarding(tx, tenant, id));
  });
}

/**
 * Writes the withdrawal of a locked advice, without waiting for claims. Returns the notifications to the claims service.
 *
 * @throws ApiError invalid_state, advice_settled
 */
export async function recordWithdrawal(
  tx: Tx,
  { tenant, authority, requestId }: Caller,
  locked: LockedRemittance,
  by: Omit<Withdrawn, 'authority'>,
): Promise<readonly Notification[]> {
  const forwarding = await findForwarding(tx, tenant, locked.id);
  const withdrawal = withdraw(locked, by.reasonCode, forwarding);
  const change = { what: 'withdrawn', at: locked.now.toISOString(), actor: authority, requestId };
  const { netting } = withdrawal;
  if (netting !== null) {
    const { commandId, reasonCode } = by;
    const reversal = { settlementId: netting.settlementId, commandId, reasonCode, authority, at: locked.now };
    await writeReconciliation(tx, tenant, [{ locked, changes: netting.changes, change, reversal }]);
  }
  await writeWithdrawal(tx, locked, withdrawal, { ...by, authority }, change);
  return [...(netting?.changes.notifications ?? []), ...withdrawal.notifications];
}
