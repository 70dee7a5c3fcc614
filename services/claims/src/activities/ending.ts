/** Cancellation by the provider, reversal by the payer, and the record that what the claim used was released. */
import type { CancellationInput, ReversalInput } from '@carecover/contract';
import { type Sql, storedTenant } from '@carecover/platform';
import type { ClaimSteps } from '@carecover/workflow-claim';
import { type Change, rejectedTransition } from '../rules/recording';
import { nextStatus } from '../rules/transitions';
import { setPendingStep, setReleased } from '../store/claims';
import { resolveOpenRequest } from '../store/information-requests';
import { recordOn } from '../store/recorder';
import { commitOnClaim, prepare } from './commit';
import { viewSteps } from './view';

type EndingSteps = Pick<
  ClaimSteps,
  'prepareReversal' | 'commitReversal' | 'commitCancellation' | 'recordReleased'
>;

export function endingSteps(sql: Sql): EndingSteps {
  return {
    async prepareReversal(of) {
      const prepared = await prepare(sql, of, async (tx, { claim, status }, command) => {
        if (nextStatus('reverse', status, claim.state.decision) === null)
          throw rejectedTransition('reverse', status);
        await setPendingStep(tx, of.claimId, { command_id: command.id, update: 'reverse', decided_at: null });
        return true;
      });
      return prepared === true;
    },

    commitReversal: (of) =>
      commitOnClaim(sql, of, 200, (tx, { claim }, command) => {
        const reversal: Change = {
          move: 'reverse',
          cause: command.id,
          authority: command.caller.authority,
          reasonCode: (command.body as ReversalInput).reason_code,
        };
        return [recordOn(tx, claim, [reversal], null).written];
      }),

    commitCancellation: (of) =>
      commitOnClaim(sql, of, 200, (tx, { claim, lapse }, command) => {
        const cancellation: Change = {
          move: 'cancel',
          cause: command.id,
          authority: command.caller.authority,
          reasonCode: (command.body as CancellationInput).reason_code,
        };
        const { recordedAt, written } = recordOn(tx, claim, [lapse, cancellation]);
        return [written, resolveOpenRequest(tx, of.claimId, 'cancelled', new Date(recordedAt))];
      }),

    async recordReleased(of) {
      await setReleased(sql, storedTenant(of.tenant), of.claimId);
      return viewSteps(sql).loadClaim(of);
    },
  };
}
