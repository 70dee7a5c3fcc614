/** Creates a remittance: an advice of allocations alone. */
import type { JsonResponse } from '@carecover/commands';
import type { Call } from '@carecover/http';
import { remittanceResource } from '../resources';
import { contentOfRemittance } from '../rules/advice';
import { type CreationDeps, recordAdvice } from './record-advice';

/**
 * Creates a remittance.
 *
 * @throws ApiError resource_not_found, validation_failed, duplicate_remittance_reference, allocation_duplicate, future_timestamp,
 *   claim_not_adjudicated, currency_mismatch, over_allocation, invalid_state; idempotency_conflict, service_unavailable
 */
export function createRemittance(deps: CreationDeps, call: Call<'createRemittance'>): Promise<JsonResponse> {
  return recordAdvice(deps, call, contentOfRemittance(call.body), {
    toResource: remittanceResource,
    toRemittanceId: (id) => id,
  });
}
