/** An adjudication's steps: check the lines, open the liability in payments, record the facts. */
import type { AdjudicationInput } from '@carecover/contract';
import { ApiError, type Command, dropCommand, type Sql } from '@carecover/platform';
import type { ClaimSteps } from '@carecover/workflow-claim';
import { adjudicate, toAdjudication } from '../rules/adjudication';
import { type Change, rejectedTransition } from '../rules/recording';
import { moveOfDecision, nextStatus } from '../rules/transitions';
import { insertAdjudication } from '../store/adjudications';
import { clearPendingStep, type LockedClaim, setPendingStep } from '../store/claims';
import { recordOn } from '../store/recorder';
import { commitOnClaim, prepare } from './commit';

type AdjudicationSteps = Pick<ClaimSteps, 'prepareAdjudication' | 'commitAdjudication' | 'dropPendingStep'>;

/** The same for every attempt of a command, so that payments recognizes a repetition. */
function adjudicationId(command: Command): string {
  return `adj_${command.id.slice('cmd_'.length)}`;
}

/** When the decision was made. Stored with the pending step, so that a repetition after a crash uses the same time. */
function decidedAt(claim: LockedClaim, command: Command): string {
  const { pending_step } = claim.row;
  const known = pending_step?.command_id === command.id ? pending_step.decided_at : null;
  return known ?? new Date(claim.now).toISOString();
}

export function adjudicationSteps(sql: Sql): AdjudicationSteps {
  return {
    prepareAdjudication: (of) =>
      prepare(sql, of, async (tx, { claim, lapse, status }, command) => {
        const input = command.body as AdjudicationInput;
        const { row, state } = claim;
        if (nextStatus('approve', status, state.decision) === null)
          throw rejectedTransition('approve', status);
        if ((state.remitted ?? 0) > 0)
          throw new ApiError(
            'invalid_state',
            'The claim has a remittance, so it can no longer be adjudicated.',
          );
        const { totals } = adjudicate(row.lines, input.lines);
        const decided = decidedAt(claim, command);
        const pendingStep = { command_id: command.id, update: 'adjudicate', decided_at: decided } as const;
        if (lapse !== null) await recordOn(tx, claim, [lapse], pendingStep).written;
        else await setPendingStep(tx, row.id, pendingStep);
        return {
          tenant: row.project_id,
          environment: row.environment,
          claimId: row.id,
          adjudicationId: adjudicationId(command),
          adjudicationVersion: state.adjudicationVersion + 1,
          currency: row.currency,
          amount: totals,
          decidedAt: decided,
        };
      }),

    commitAdjudication: ({ decidedAt, ...of }) =>
      commitOnClaim(sql, of, 200, (tx, { claim, lapse }, command) => {
        const input = command.body as AdjudicationInput;
        const { row, state } = claim;
        const adjudicated = adjudicate(row.lines, input.lines);
        const adjudication = toAdjudication(input, adjudicated, {
          id: adjudicationId(command),
          version: state.adjudicationVersion + 1,
          currency: row.currency,
          decidedAt,
        });
        const { payer, patient_responsibility, adjustment } = adjudicated.totals;
        const decision: Change = {
          move: moveOfDecision[adjudicated.decision],
          cause: command.id,
          authority: command.caller.authority,
          effectiveAt: Date.parse(decidedAt),
          reasonCode: input.reason_codes[0] ?? null,
          evidenceReferences: input.evidence_refs ?? [],
          detail: {
            adjudication_id: adjudication.id,
            version: adjudication.version,
            payer,
            patient_responsibility,
            adjustment,
            policy: adjudication.policy,
          },
        };
        return [
          recordOn(tx, claim, [lapse, decision], null).written,
          insertAdjudication(tx, row.id, adjudication),
        ];
      }),

    async dropPendingStep({ claimId, commandId }) {
      await sql.begin(async (tx) => {
        // Every step locks the command's row before the claim's.
        await dropCommand(tx, commandId);
        await clearPendingStep(tx, commandId, claimId);
      });
    },
  };
}
