/** Fulfils the open information request of a claim with evidence, which resubmits the claim. */
import type { EvidenceInput } from '@carecover/contract';
import { ApiError, type Call, notFound, type Reply, type Sql } from '@carecover/platform';
import type { ClaimView } from '@carecover/workflow-claim';
import { rejectedTransition } from '../rules/recording';
import { findRequest, resolveOpenRequest } from '../store/information-requests';
import { type ClaimCommandDeps, type CommandOfClaim, commitOnClaim, executeOnClaim } from './claim-command';
import { decideOn } from './record-changes';

/**
 * Submits evidence for the open information request of a claim.
 *
 * @throws ApiError resource_not_found, invalid_state if the named information request is not open
 */
export function submitEvidence(deps: ClaimCommandDeps, call: Call<'submitClaimEvidence'>): Promise<Reply> {
  return executeOnClaim(deps, call);
}

/** Records the evidence on its claim. @throws the API errors of {@link submitEvidence} */
export function commitEvidence(sql: Sql, step: CommandOfClaim): Promise<ClaimView> {
  return commitOnClaim(sql, step, 200, async (current, command, tx) => {
    const { claim, status, openRequestId } = current;
    const input = command.body as EvidenceInput;
    if (input.information_request_id !== openRequestId) {
      const request = await findRequest(tx, claim, input.information_request_id);
      if (request === undefined) throw notFound('/information_request_id');
      if (status !== 'queried') throw rejectedTransition('add_evidence', status);
      throw new ApiError(
        'invalid_state',
        `/information_request_id names a request that is ${request.status}.`,
      );
    }
    const by = { cause: command.id, authority: command.caller.authority };
    const { recordedAt, write } = decideOn(current, [
      { move: 'add_evidence', evidenceReferences: input.evidence_refs, ...by },
      { move: 'resubmit', ...by },
    ]);
    return (tx) => [write(tx), resolveOpenRequest(tx, claim, 'fulfilled', recordedAt)];
  });
}
