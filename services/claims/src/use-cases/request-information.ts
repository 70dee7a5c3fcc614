/** Opens an information request on a claim: the payer's question to the provider. */

import type { JsonResponse } from '@carecover/commands';
import { ApiError, newId } from '@carecover/domain';
import type { Call } from '@carecover/http';
import { databaseNow } from '@carecover/postgres';
import { checkDueAt, nextRequestNumber } from '../rules/information-request';
import { insertRequest } from '../store/information-requests';
import { type ClaimCommandDeps, decideOnClaim } from './claim-command';
import { decideOn } from './record-changes';

/**
 * Opens an information request.
 *
 * @throws ApiError resource_not_found, validation_failed (due_at not in the future), invalid_state (the claim's status does not allow it,
 * or the claim has the maximum number of information requests)
 */
export async function requestInformation(
  deps: ClaimCommandDeps,
  call: Call<'requestClaimInformation'>,
): Promise<JsonResponse> {
  try {
    return await openRequest(deps, call);
  } catch (error) {
    // A deadline in the past is reported before an unknown claim.
    if (error instanceof ApiError && error.code === 'resource_not_found')
      checkDueAt(call.body, (await databaseNow(deps.sql)).getTime());
    throw error;
  }
}

function openRequest(deps: ClaimCommandDeps, call: Call<'requestClaimInformation'>): Promise<JsonResponse> {
  const { body: input } = call;
  return decideOnClaim(deps, call, 201, (current, { id: cause, caller }) => {
    const { claim } = current;
    const dueAt = checkDueAt(input, claim.now);
    const by = { cause, authority: caller.authority, requestId: caller.requestId };
    const recording = decideOn(current, [{ transition: 'query', reasonCode: input.reason_code, ...by }]);
    const request = {
      id: newId('cir_'),
      number: nextRequestNumber(current.requestCount),
      reason_code: input.reason_code,
      requested_evidence_types: input.requested_evidence_types,
      due_at: dueAt,
      created_at: recording.recordedAt,
    };
    return { recording, beside: (tx) => insertRequest(tx, claim, request) };
  });
}
