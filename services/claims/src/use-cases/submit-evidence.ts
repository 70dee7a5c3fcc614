/** Fulfils the open information request of a claim with evidence, which resubmits the claim. */

import type { JsonResponse } from '@carecover/commands';
import { ApiError, notFound } from '@carecover/domain';
import type { Call } from '@carecover/http';
import { rejectedTransition } from '../rules/recording';
import { findRequest, resolveOpenRequest } from '../store/information-requests';
import { type ClaimCommandDeps, decideOnClaim } from './claim-command';
import { decideOn } from './record-changes';

/**
 * Submits evidence for the open information request of a claim.
 *
 * @throws ApiError resource_not_found, invalid_state if the named information request is not open
 */
export function submitEvidence(
  deps: ClaimCommandDeps,
  call: Call<'submitClaimEvidence'>,
): Promise<JsonResponse> {
  const { body: input } = call;
  return decideOnClaim(deps, call, 200, async (current, { id: cause, caller }, tx) => {
    const { claim, status, openRequestId } = current;
    if (input.information_request_id !== openRequestId) {
      const request = await findRequest(tx, claim, input.information_request_id);
      if (request === undefined) throw notFound('/information_request_id');
      if (status !== 'queried') throw rejectedTransition('add_evidence', status);
      throw new ApiError(
        'invalid_state',
        `/information_request_id names a request that is ${request.status}.`,
      );
    }
    const by = { cause, authority: caller.authority, requestId: caller.requestId };
    const recording = decideOn(current, [
      { transition: 'add_evidence', evidenceReferences: input.evidence_refs, ...by },
      { transition: 'resubmit', ...by },
    ]);
    return {
      recording,
      beside: (tx) => resolveOpenRequest(tx, claim, 'fulfilled', recording.recordedAt),
    };
  });
}
