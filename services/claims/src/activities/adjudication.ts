/** The payer's judgement: judged first, made certain by payments, then recorded. */
import type { AdjudicationInput } from '@carecover/contract';
import { type Command, dropCommand, Refusal, type Sql } from '@carecover/platform';
import type { ClaimSteps } from '@carecover/workflow-claim';
import { judge, toAdjudication } from '../rules/adjudication';
import { type Happening, refusedMove } from '../rules/recording';
import { moveOfDecision, nextStatus } from '../rules/transitions';
import { insertAdjudication } from '../store/adjudications';
import { clearInHand, type LockedClaim, setInHand } from '../store/claims';
import { recordOn } from '../store/recorder';
import { commitOnClaim, prepare } from './commit';

type AdjudicationSteps = Pick<ClaimSteps, 'prepareAdjudication' | 'commitAdjudication' | 'dropInHand'>;

/** The same for every try of a command, so that payments knows a repeat. */
function adjudicationId(command: Command): string {
  return `adj_${command.id.slice('cmd_'.length)}`;
}

/** When the decision was made: kept with the command in hand, so that a repeat after a crash says the same. */
function decidedAt(claim: LockedClaim, command: Command): string {
  const { in_hand } = claim.row;
  const known = in_hand?.command_id === command.id ? in_hand.decided_at : null;
  return known ?? new Date(claim.now).toISOString();
}

export function adjudicationSteps(sql: Sql): AdjudicationSteps {
  return {
    prepareAdjudication: (of) =>
      prepare(sql, of, async (tx, { claim, lapse, status }, command) => {
        const input = command.body as AdjudicationInput;
        const { row, standing } = claim;
        if (nextStatus('approve', status, standing.decision) === null) throw refusedMove('approve', status);
        if ((standing.remitted ?? 0) > 0)
          throw new Refusal(
            'invalid_state',
            'Something is remitted to the claim, so its adjudication stands.',
          );
        const { totals } = judge(row.lines, input.lines);
        const decided = decidedAt(claim, command);
        const inHand = { command_id: command.id, update: 'adjudicate', decided_at: decided } as const;
        if (lapse !== null) await recordOn(tx, claim, [lapse], inHand).written;
        else await setInHand(tx, row.id, inHand);
        return {
          tenant: row.project_id,
          environment: row.environment,
          claimId: row.id,
          adjudicationId: adjudicationId(command),
          adjudicationVersion: standing.adjudicationVersion + 1,
          currency: row.currency,
          amount: totals,
          decidedAt: decided,
        };
      }),

    commitAdjudication: ({ decidedAt, ...of }) =>
      commitOnClaim(sql, of, 200, (tx, { claim, lapse }, command) => {
        const input = command.body as AdjudicationInput;
        const { row, standing } = claim;
        const judged = judge(row.lines, input.lines);
        const adjudication = toAdjudication(input, judged, {
          id: adjudicationId(command),
          version: standing.adjudicationVersion + 1,
          currency: row.currency,
          decidedAt,
        });
        const { payer, patient_responsibility, adjustment } = judged.totals;
        const decision: Happening = {
          move: moveOfDecision[judged.decision],
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

    async dropInHand({ claimId, commandId }) {
      await sql.begin(async (tx) => {
        // The command's row before the claim's, as every step locks them.
        await dropCommand(tx, commandId);
        await clearInHand(tx, commandId, claimId);
      });
    },
  };
}
