/**
 * Submits many claims of one project together, for the lines of a bulk job: one transaction accepts their commands, one call reads their
 * sessions from care, one call lets benefits mark what they use, and one transaction creates them.
 *
 * Failure policy: that of {@link submitClaim}. Each submission has a command row of its own, which the claim's workflow finishes if it is
 * interrupted. A submission that something rejects is executed alone, which takes back what it used.
 */
import { insertCommands, lockCommands, repeatUntilDeadline, storeResponses } from '@carecover/commands';
import { type ClaimInput, referenceKey } from '@carecover/contract';
import { type Caller, newId } from '@carecover/domain';
import type { Call } from '@carecover/http';
import { type Sql, violatedConstraint } from '@carecover/postgres';
import { failpoint } from '@carecover/process';
import { activeTraceparent } from '@carecover/telemetry';
import type { SessionSnapshot, Use } from '@carecover/workflow-claim';
import { conflictError, submissionChanges } from '../rules/submission';
import { abandonedOf } from '../store/abandoned-submissions';
import { lockForCreation } from '../store/closed-through';
import { findConflicts } from '../store/conflicts';
import type { ClaimCommandDeps, SetOutcome } from './claim-command';
import { decideCreations } from './record-changes';
import { creationOf, submissionOf } from './submit-claim';

interface Accepted {
  readonly index: number;
  readonly commandId: string;
  readonly claimId: string;
  readonly input: ClaimInput;
}

interface Checked extends Accepted {
  readonly session: SessionSnapshot;
  readonly use: Use;
}

/**
 * Submits claims.
 *
 * @param calls the calls of one caller
 * @returns the outcomes in the order of the calls
 * @throws ApiError service_unavailable
 */
export async function submitClaims(
  deps: ClaimCommandDeps,
  caller: Caller,
  calls: readonly Call<'createClaim'>[],
): Promise<SetOutcome[]> {
  const outcomes: SetOutcome[] = calls.map(() => null);
  const accepted = await acceptSubmissions(deps.sql, caller, calls);
  if (accepted.length === 0) return outcomes;
  const checked = await repeatUntilDeadline(() => checkSubmissions(deps, caller, accepted));
  const created = await createClaims(deps.sql, caller, checked);
  for (const { index, claimId } of created) outcomes[index] = { resourceId: claimId };
  deps.notifySignals();
  return outcomes;
}

/** Inserts the commands of the submissions that conflict with no claim, and with no other one of the set. */
async function acceptSubmissions(
  sql: Sql,
  caller: Caller,
  calls: readonly Call<'createClaim'>[],
): Promise<Accepted[]> {
  const { tenant } = caller;
  const traceparent = activeTraceparent();
  const conflicting = await findConflicts(
    sql,
    tenant,
    calls.map(({ body }) => body),
  );
  const sessions = new Set<string>();
  const references = new Set<string>();
  const candidates = calls.flatMap((call, index) => {
    const { session_id, provider_claim_reference } = call.body;
    const reference = referenceKey(provider_claim_reference);
    if (conflicting.has(index) || sessions.has(session_id) || references.has(reference)) return [];
    sessions.add(session_id);
    references.add(reference);
    return [{ call, index, claimId: newId('clm_') }];
  });
  if (candidates.length === 0) return [];
  const ids = await insertCommands(
    sql,
    candidates.map(({ call, claimId }) => ({
      request: call,
      key: call.idempotencyKey ?? '',
      resourceId: claimId,
      workflowId: claimId,
      body: call.body,
      traceparent,
    })),
  );
  return candidates.flatMap(({ call, index, claimId }, at) => {
    const commandId = ids[at];
    return commandId === undefined ? [] : [{ index, commandId, claimId, input: call.body }];
  });
}

/** Reads the sessions, and lets benefits mark what the claims use. Returns the submissions that nothing rejects. */
async function checkSubmissions(
  { care, benefits }: ClaimCommandDeps,
  caller: Caller,
  accepted: readonly Accepted[],
): Promise<Checked[]> {
  const { tenant, requestId } = caller;
  const sessionIds = accepted.map(({ input }) => input.session_id);
  const sessions = new Map(
    (await care.sessionsForClaims({ tenant, sessionIds }, requestId)).map((session) => [
      session.sessionId,
      session,
    ]),
  );
  const known = accepted.flatMap((each) => {
    const session = sessions.get(each.input.session_id);
    return session === undefined ? [] : [{ ...each, session }];
  });
  if (known.length === 0) return [];
  const uses = await benefits.useForClaims(
    {
      tenant,
      caller,
      claims: known.map(({ claimId, input, session }) => submissionOf(claimId, input, session)),
    },
    requestId,
  );
  return known.flatMap((each, index) => {
    const use = uses[index] ?? null;
    return use === null ? [] : [{ ...each, use }];
  });
}

/** Creates the claims. Returns those that it created: none if one of them conflicts with a claim that was created meanwhile. */
async function createClaims(
  sql: Sql,
  caller: Caller,
  checked: readonly Checked[],
): Promise<readonly Checked[]> {
  if (checked.length === 0) return [];
  const { tenant } = caller;
  failpoint('command.prepared', 'createClaim');
  try {
    const created = await sql.begin(async (tx) => {
      const ids = checked.map(({ commandId }) => commandId);
      const [commands, now, abandoned] = await tx.pipeline([
        lockCommands(tx, tenant, ids),
        lockForCreation(tx, tenant),
        abandonedOf(tx, tenant, ids),
      ]);
      const pending = checked.filter(
        ({ commandId }) => commands.get(commandId) === false && !abandoned.has(commandId),
      );
      const [first, ...others] = pending.map(({ commandId, claimId, input, session, use }) => {
        const command = {
          id: commandId,
          operation: 'createClaim',
          resourceId: claimId,
          caller,
          body: input,
        } as const;
        const creation = creationOf(command, session, use);
        return { creation, changes: submissionChanges(command, creation) };
      });
      if (first === undefined) return [];
      const responses = pending.map(({ commandId: id, claimId }) => ({
        id,
        status: 201,
        body: { id: claimId },
      }));
      await decideCreations([first, ...others], now).write(tx, [storeResponses(tx, tenant, responses)]);
      return pending;
    });
    failpoint('command.after-commit', 'createClaim');
    return created;
  } catch (error) {
    if (conflictError(violatedConstraint(error)) === null) throw error;
    return [];
  }
}
