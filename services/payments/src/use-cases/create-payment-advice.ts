/** Creates a payment advice: all that a payer says with one payment. Its allocations are a remittance. */
import type { JsonResponse } from '@carecover/commands';
import { newId } from '@carecover/domain';
import type { Call } from '@carecover/http';
import { paymentAdviceResource } from '../resources';
import { contentOfAdvice, remittanceIdOf } from '../rules/advice';
import { type CreationDeps, recordAdvice } from './record-advice';

/**
 * Creates a payment advice.
 *
 * @throws ApiError resource_not_found, validation_failed, advice_unbalanced, duplicate_remittance_reference, allocation_duplicate,
 *   over_recovery, future_timestamp, claim_not_adjudicated, currency_mismatch, over_allocation, invalid_state; idempotency_conflict,
 *   service_unavailable
 */
export function createPaymentAdvice(
  deps: CreationDeps,
  call: Call<'createPaymentAdvice'>,
): Promise<JsonResponse> {
  const advice = contentOfAdvice(call.body, () => newId('rcv_'));
  return recordAdvice(deps, call, advice, {
    toResource: paymentAdviceResource,
    toRemittanceId: remittanceIdOf,
  });
}
