/** Information requests of the payer, evidence of the provider, and the lapse of a request. */
import type { EvidenceInput, InformationRequestInput } from '@carecover/contract';
import { ApiError, newId, notFound, type Sql } from '@carecover/platform';
import type { ClaimSteps } from '@carecover/workflow-claim';
import { checkDueAt } from '../rules/due-at';
import { type Change, rejectedTransition } from '../rules/recording';
import { findRequest, insertRequest, resolveOpenRequest } from '../store/information-requests';
import { recordOn } from '../store/recorder';
import { commitOnClaim, fetchClaim, inTime } from './commit';
import { viewSteps } from './view';

type InformationSteps = Pick<
  ClaimSteps,
  'commitInformationRequest' | 'commitEvidence' | 'lapseInformationRequest'
>;

export function informationSteps(sql: Sql): InformationSteps {
  return {
    commitInformationRequest: (of) =>
      commitOnClaim(sql, of, 201, (tx, { claim, lapse }, command) => {
        const input = command.body as InformationRequestInput;
        const dueAt = checkDueAt(input, claim.now);
        const query: Change = {
          move: 'query',
          cause: command.id,
          authority: command.caller.authority,
          reasonCode: input.reason_code,
        };
        const { recordedAt, written } = recordOn(tx, claim, [lapse, query]);
        const request = {
          id: newId('cir_'),
          claim_id: of.claimId,
          reason_code: input.reason_code,
          requested_evidence_types: input.requested_evidence_types,
          due_at: dueAt,
          created_at: new Date(recordedAt),
        };
        return [written, insertRequest(tx, request)];
      }),

    commitEvidence: (of) =>
      commitOnClaim(sql, of, 200, async (tx, { claim, lapse, status, openRequestId }, command) => {
        const input = command.body as EvidenceInput;
        if (input.information_request_id !== openRequestId) {
          const request = await findRequest(tx, of.claimId, input.information_request_id);
          if (request === undefined) throw notFound();
          if (status !== 'queried') throw rejectedTransition('add_evidence', status);
          throw new ApiError(
            'invalid_state',
            `/information_request_id names a request that is ${request.status}.`,
          );
        }
        const by = { cause: command.id, authority: command.caller.authority };
        const { recordedAt, written } = recordOn(tx, claim, [
          lapse,
          { move: 'add_evidence', evidenceReferences: input.evidence_refs, ...by },
          { move: 'resubmit', ...by },
        ]);
        return [written, resolveOpenRequest(tx, of.claimId, 'fulfilled', new Date(recordedAt))];
      }),

    async lapseInformationRequest(of) {
      await sql.begin(async (tx) => {
        const { claim, lapse } = await inTime(tx, await fetchClaim(tx, of));
        if (lapse !== null) await recordOn(tx, claim, [lapse]).written;
      });
      return viewSteps(sql).loadClaim(of);
    },
  };
}
