/** Opens an information request on a claim: the payer's question to the provider. */
import type { InformationRequestInput } from '@carecover/contract';
import { type Call, databaseNow, newId, type Reply, type Sql } from '@carecover/platform';
import type { ClaimView } from '@carecover/workflow-claim';
import { checkDueAt, nextRequestNumber } from '../rules/information-request';
import { insertRequest } from '../store/information-requests';
import {
  type ClaimCommandDeps,
  type CommandOfClaim,
  commitOnClaim,
  executeClaimCommand,
  requireClaim,
} from './claim-command';
import { decideOn } from './record-changes';

/**
 * Opens an information request.
 *
 * @throws ApiError resource_not_found, validation_failed (due_at not in the future), invalid_state (the claim's status does not allow it,
 * or the claim has the maximum number of information requests)
 */
export function requestInformation(
  deps: ClaimCommandDeps,
  call: Call<'requestClaimInformation'>,
): Promise<Reply> {
  const { claim_id } = call.params;
  return executeClaimCommand(deps, call, claim_id, async () => {
    checkDueAt(call.body, (await databaseNow(deps.sql)).getTime());
    await requireClaim(deps.sql, call.caller, claim_id);
  });
}

/** Records an information request on its claim. @throws the API errors of {@link requestInformation} */
export function commitInformationRequest(sql: Sql, step: CommandOfClaim): Promise<ClaimView> {
  return commitOnClaim(sql, step, 201, (current, { id: cause, caller, body }) => {
    const { claim } = current;
    const input = body as InformationRequestInput;
    const dueAt = checkDueAt(input, claim.now);
    const { recordedAt, write } = decideOn(current, [
      { move: 'query', cause, authority: caller.authority, reasonCode: input.reason_code },
    ]);
    const request = {
      id: newId('cir_'),
      number: nextRequestNumber(current.requestCount),
      reason_code: input.reason_code,
      requested_evidence_types: input.requested_evidence_types,
      due_at: dueAt,
      created_at: recordedAt,
    };
    return (tx) => [write(tx), insertRequest(tx, claim, request)];
  });
}
