/**
 * Replaces a payment advice: one database transaction withdraws it and records another one in its place. Then claims records both.
 *
 * Failure policy: closed. While claims is unavailable, the response is 503; a replacement that is committed is recorded in claims later.
 */
import { type JsonResponse, requireTarget } from '@carecover/commands';
import { type Caller, newId } from '@carecover/domain';
import type { Call } from '@carecover/http';
import { paymentAdviceResource } from '../resources';
import { contentOfAdvice, remittanceIdOf } from '../rules/advice';
import { findPaymentAdvice } from '../store/payment-advices';
import { lockRemittance, lockWithClaims } from '../store/reconciliation';
import { type CreationDeps, type Preceding, recordAdvice } from './record-advice';
import { recordWithdrawal } from './withdraw-advice';

/** The reason of the withdrawal of a replaced advice. */
const REPLACED = 'replaced';

/**
 * Replaces a payment advice.
 *
 * @throws ApiError resource_not_found, advice_settled, and the errors of {@link recordAdvice}
 */
export async function replacePaymentAdvice(
  deps: CreationDeps,
  call: Call<'replacePaymentAdvice'>,
): Promise<JsonResponse> {
  const { caller, body, params } = call;
  const { tenant } = caller;
  const adviceId = params.payment_advice_id;
  await requireTarget(deps.sql, call, adviceId, await findPaymentAdvice(deps.sql, tenant, adviceId));
  const advice = contentOfAdvice(body, () => newId('rcv_'));
  const shown = { toResource: paymentAdviceResource, toRemittanceId: remittanceIdOf };
  return recordAdvice(deps, call, advice, shown, withdrawalBefore(caller, adviceId));
}

/** Returns the withdrawal of an advice by the transaction that records another one in its place. */
export function withdrawalBefore(caller: Caller, adviceId: string): Preceding {
  const { tenant } = caller;
  const remittanceId = remittanceIdOf(adviceId);
  return {
    remittanceId,
    lock: (tx, claimIds) => lockWithClaims(tx, tenant, remittanceId, claimIds),
    async withdraw(tx, commandId, replacedBy) {
      const locked = await lockRemittance(tx, tenant, remittanceId);
      if (locked === undefined) throw new Error(`${remittanceId} is not there under its lock`);
      await recordWithdrawal(tx, caller, locked, { commandId, reasonCode: REPLACED, replacedBy });
    },
  };
}
