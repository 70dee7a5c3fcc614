/** The payer's questions and the provider's answers. */
import type { EvidenceInput, InformationRequestInput } from '@carecover/contract';
import { newId, notFound, Refusal, type Sql } from '@carecover/platform';
import type { ClaimSteps } from '@carecover/workflow-claim';
import { checkDueAt } from '../rules/due-at';
import { refusedMove } from '../rules/recording';
import { findRequest, insertRequest, resolveOpenRequest } from '../store/information-requests';
import { recordOn } from '../store/recorder';
import { commitOnClaim, lockInTime } from './commit';
import { viewSteps } from './view';

type InformationSteps = Pick<
  ClaimSteps,
  'commitInformationRequest' | 'commitEvidence' | 'lapseInformationRequest'
>;

export function informationSteps(sql: Sql): InformationSteps {
  return {
    commitInformationRequest: (of) =>
      commitOnClaim(sql, of, 201, async (tx, { claim, lapse }, command) => {
        const input = command.body as InformationRequestInput;
        const dueAt = checkDueAt(input, claim.now);
        const recordedAt = await recordOn(tx, claim, lapse, {
          move: 'query',
          cause: command.id,
          authority: command.caller.authority,
          reasonCode: input.reason_code,
        });
        await insertRequest(tx, {
          id: newId('cir_'),
          claim_id: of.claimId,
          reason_code: input.reason_code,
          requested_evidence_types: input.requested_evidence_types,
          due_at: dueAt,
          created_at: new Date(recordedAt),
        });
      }),

    commitEvidence: (of) =>
      commitOnClaim(sql, of, 200, async (tx, { claim, lapse, status }, command) => {
        const input = command.body as EvidenceInput;
        const request = await findRequest(tx, of.claimId, input.information_request_id);
        if (request === undefined) throw notFound();
        if (request.status !== 'open') {
          if (status !== 'queried') throw refusedMove('add_evidence', status);
          throw new Refusal(
            'invalid_state',
            `/information_request_id names a request that is ${request.status}.`,
          );
        }
        const by = { cause: command.id, authority: command.caller.authority };
        const recordedAt = await recordOn(
          tx,
          claim,
          lapse,
          { move: 'add_evidence', evidenceReferences: input.evidence_refs, ...by },
          { move: 'resubmit', ...by },
        );
        await resolveOpenRequest(tx, of.claimId, 'fulfilled', new Date(recordedAt));
      }),

    async lapseInformationRequest(of) {
      await sql.begin(async (tx) => {
        const { claim, lapse } = await lockInTime(tx, of);
        if (lapse !== null) await recordOn(tx, claim, lapse);
      });
      return viewSteps(sql).loadClaim(of);
    },
  };
}
