/**
 * Adjudicates many claims of one project together, for the lines of a bulk job: one transaction accepts and checks the commands and stores the
 * pending steps of their claims, one call opens the liabilities in payments, and one transaction records the decisions. A rejected
 * adjudication does not affect the others.
 *
 * Failure policy: that of {@link adjudicateClaim}. Each adjudication has a command row of its own, which the claim's workflow finishes if it
 * is interrupted. What a set does not execute, because the command exists already or another command has a pending step on the claim, is
 * executed alone.
 */
import {
  dropCommand,
  insertCommands,
  lockCommands,
  repeatUntilDeadline,
  storeResponses,
} from '@carecover/commands';
import type { AdjudicationInput } from '@carecover/contract';
import { ApiError, type Caller, notFound, type Tenant } from '@carecover/domain';
import type { Call } from '@carecover/http';
import type { Sql } from '@carecover/postgres';
import { failpoint } from '@carecover/process';
import { activeTraceparent } from '@carecover/telemetry';
import type { Liability } from '@carecover/workflow-claim';
import { nextStatus } from '../rules/transitions';
import { clearPendingStep, insertAdjudications, lockClaims, setPendingSteps } from '../store/claims';
import { decisionOf, liabilityOf } from './adjudicate-claim';
import type { ClaimCommandDeps, SetOutcome } from './claim-command';
import { decideOnAll, type Entry } from './record-changes';

interface Prepared {
  readonly index: number;
  readonly commandId: string;
  readonly liability: Liability;
  readonly input: AdjudicationInput;
}

/**
 * Adjudicates claims, each at most once in the set.
 *
 * @param calls the calls of one caller, of different claims
 * @returns the outcomes in the order of the calls
 * @throws ApiError service_unavailable
 */
export async function adjudicateClaims(
  deps: ClaimCommandDeps,
  caller: Caller,
  calls: readonly Call<'adjudicateClaim'>[],
): Promise<SetOutcome[]> {
  const outcomes: SetOutcome[] = calls.map(() => null);
  const prepared = await prepare(deps.sql, caller, calls, outcomes);
  if (prepared.length === 0) return outcomes;
  failpoint('command.prepared', 'adjudicateClaim');
  const { tenant, requestId } = caller;
  const rejections = await repeatUntilDeadline(() =>
    deps.payments.openLiabilities(
      { tenant, liabilities: prepared.map(({ liability }) => liability) },
      requestId,
    ),
  );
  const rejectionOf = new Map(rejections.map((rejection) => [rejection.claimId, rejection]));
  const opened: Prepared[] = [];
  for (const each of prepared) {
    const rejection = rejectionOf.get(each.liability.claimId);
    if (rejection === undefined) opened.push(each);
    else {
      const error = new ApiError(rejection.code, rejection.message);
      await dropRejected(deps.sql, tenant, each, error);
      outcomes[each.index] = error;
    }
  }
  if (opened.length > 0) await record(deps.sql, caller, opened, outcomes);
  deps.notifySignals();
  return outcomes;
}

/** Accepts and checks the commands, and stores the pending steps of their claims. Sets the outcomes of those that are rejected. */
async function prepare(
  sql: Sql,
  caller: Caller,
  calls: readonly Call<'adjudicateClaim'>[],
  outcomes: SetOutcome[],
): Promise<Prepared[]> {
  const { tenant } = caller;
  const traceparent = activeTraceparent();
  const claimIds = calls.map(({ params }) => params.claim_id);
  return sql.begin(async (tx) => {
    const [ids, claims] = await tx.pipeline([
      insertCommands(
        tx,
        calls.map((call, index) => {
          const id = claimIds[index] ?? '';
          return {
            request: call,
            key: call.idempotencyKey ?? '',
            resourceId: id,
            workflowId: id,
            body: call.body,
            traceparent,
          };
        }),
      ),
      lockClaims(tx, tenant, claimIds),
    ]);
    const byId = new Map(claims.map((claim) => [claim.row.id, claim]));
    const prepared: Prepared[] = [];
    for (const [index, call] of calls.entries()) {
      const commandId = ids[index];
      const claim = byId.get(call.params.claim_id);
      // A claim with an open information request may have to lapse it first.
      if (
        commandId === undefined ||
        (claim !== undefined && (claim.row.pending_step !== null || claim.row.status === 'queried'))
      )
        continue;
      try {
        if (claim === undefined) throw notFound();
        const { status } = claim.row;
        const current = { claim, lapse: null, status, openRequestId: null, requestCount: 0 };
        const liability = liabilityOf(current, commandId, call.body, new Date(claim.now).toISOString());
        prepared.push({ index, commandId, liability, input: call.body });
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        await dropCommand(tx, tenant, commandId, error);
        outcomes[index] = error;
      }
    }
    await setPendingSteps(
      tx,
      tenant,
      prepared.map(({ commandId, liability: { claimId, decidedAt } }) => ({
        claimId,
        pendingStep: { command_id: commandId, operation: 'adjudicateClaim', decided_at: decidedAt },
      })),
    );
    return prepared;
  });
}

/** Deletes the command of an adjudication that payments rejected, and clears the pending step of its claim. */
async function dropRejected(
  sql: Sql,
  tenant: Tenant,
  { commandId, liability }: Prepared,
  error: ApiError,
): Promise<void> {
  await sql.begin(async (tx) => {
    await dropCommand(tx, tenant, commandId, error);
    await clearPendingStep(tx, tenant, liability.claimId, commandId);
  });
}

/** Records the decisions. One that another executor of its command decided meanwhile has no outcome: it is executed alone, which finds it. */
async function record(
  sql: Sql,
  caller: Caller,
  opened: readonly Prepared[],
  outcomes: SetOutcome[],
): Promise<void> {
  const { tenant } = caller;
  const recorded = await sql.begin(async (tx) => {
    const [commands, claims] = await tx.pipeline([
      lockCommands(
        tx,
        tenant,
        opened.map(({ commandId }) => commandId),
      ),
      lockClaims(
        tx,
        tenant,
        opened.map(({ liability }) => liability.claimId),
      ),
    ]);
    const byId = new Map(claims.map((claim) => [claim.row.id, claim]));
    const decided = opened.flatMap((prepared) => {
      const { commandId, liability, input } = prepared;
      const claim = byId.get(liability.claimId);
      if (claim === undefined) throw new Error(`claim ${liability.claimId} is not there`);
      if (commands.get(commandId) !== false) return [];
      const { adjudication, change } = decisionOf(claim, commandId, caller, input, liability.decidedAt);
      // A claim with late facts of payments is decided alone, where the decision waits for them.
      if (nextStatus(change.transition, claim.state.status, claim.state.decision) === null) return [];
      const entry: Entry = { claim, changes: [change], pendingStep: null };
      return [{ prepared, commandId, adjudication, entry }];
    });
    const [first, ...others] = decided.map(({ entry }) => entry);
    if (first === undefined) return [];
    const adjudications = decided.map(({ entry, adjudication }) => ({
      claimId: entry.claim.row.id,
      adjudication,
    }));
    const responses = decided.map(({ commandId, entry }) => ({
      id: commandId,
      status: 200,
      body: { id: entry.claim.row.id },
    }));
    await decideOnAll([first, ...others]).write(tx, [
      insertAdjudications(tx, adjudications),
      storeResponses(tx, tenant, responses),
    ]);
    return decided.map(({ prepared }) => prepared);
  });
  failpoint('command.after-commit', 'adjudicateClaim');
  for (const { index, liability } of recorded) outcomes[index] = { resourceId: liability.claimId };
}
