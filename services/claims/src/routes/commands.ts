/**
 * The commands of a claim: each writes a command row and sends an Update to the claim's workflow, which decides. An unknown claim and a
 * deadline in the past are rejected before that.
 */
import {
  type Call,
  databaseNow,
  executeCommand,
  type Handlers,
  newId,
  notFound,
  requireVisible,
  type Sql,
  type TemporalCommands,
} from '@carecover/platform';
import { type ClaimCommand, claimWorkflow } from '@carecover/workflow-claim/definition';
import { checkDueAt } from '../rules/due-at';
import { claimExists } from '../store/claims';

export function commandHandlers(sql: Sql, engine: TemporalCommands): Pick<Handlers, ClaimCommand> {
  function send(call: Call<ClaimCommand>, claimId: string | (() => string), precheck?: () => Promise<void>) {
    return executeCommand(sql, call, {
      resourceId: claimId,
      update: claimWorkflow.updates[call.operation],
      body: call.body,
      replayStatus: call.replayStatus,
      ...(precheck === undefined ? {} : { precheck }),
      send: (command) => engine.command(claimWorkflow, command),
    });
  }

  async function requireClaim({ caller }: Call<ClaimCommand>, claimId: string): Promise<void> {
    requireVisible(caller, claimId);
    if (!(await claimExists(sql, caller.tenant, claimId))) throw notFound();
  }

  const toClaim = (call: Call<Exclude<ClaimCommand, 'createClaim'>>) => {
    const { claim_id } = call.params;
    return send(call, claim_id, () => requireClaim(call, claim_id));
  };

  return {
    createClaim: (call) => send(call, () => newId('clm_')),

    requestClaimInformation(call) {
      const { claim_id } = call.params;
      return send(call, claim_id, async () => {
        checkDueAt(call.body, (await databaseNow(sql)).getTime());
        await requireClaim(call, claim_id);
      });
    },

    submitClaimEvidence: toClaim,
    adjudicateClaim: toClaim,
    cancelClaim: toClaim,
    reverseClaim: toClaim,
  };
}
