/** Creates a remittance: an advice of allocations alone. */
import type { JsonResponse, WriteRequest } from '@carecover/commands';
import type { Call } from '@carecover/http';
import { remittanceResource } from '../resources';
import { contentOfRemittance } from '../rules/advice';
import { type CreationDeps, checkAdvice, recordAdvice } from './record-advice';

/** What the creation of a remittance needs of its call. */
export type RemittanceCall = Pick<Call<'createRemittance'>, 'body' | 'replayStatus' | keyof WriteRequest>;

const shown = { toResource: remittanceResource, toRemittanceId: (id: string) => id };

/**
 * Creates a remittance.
 *
 * @throws ApiError resource_not_found, validation_failed, duplicate_remittance_reference, allocation_duplicate, future_timestamp,
 *   claim_not_adjudicated, currency_mismatch, over_allocation, invalid_state; idempotency_conflict, service_unavailable
 */
export function createRemittance(deps: CreationDeps, call: RemittanceCall): Promise<JsonResponse> {
  return recordAdvice(deps, call, contentOfRemittance(call.body), shown);
}

/** Decides whether a remittance can be created, and writes nothing. @throws the API errors of {@link createRemittance} */
export function checkRemittance(deps: CreationDeps, call: RemittanceCall): Promise<void> {
  return checkAdvice(deps, call, contentOfRemittance(call.body), shown);
}
