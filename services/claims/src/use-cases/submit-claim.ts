/** Submits a claim: reads the session from care, and creates the claim after benefits has checked the submission. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClaimInput } from '@carecover/contract';
import {
  ApiError,
  allInOrder,
  type Call,
  type Command,
  dropCommand,
  executeCommand,
  failpoint,
  isRejection,
  lockCommand,
  newId,
  type Reply,
  type Sql,
  StartAgain,
  type Tenant,
  violatedConstraint,
} from '@carecover/platform';
import type { SessionFacts, Use } from '@carecover/workflow-claim';
import { billed, conflictError, submissionChanges, toLines } from '../rules/submission';
import { insertAbandoned, isAbandoned } from '../store/abandoned-submissions';
import type { Creation } from '../store/claims';
import { lockForCreation } from '../store/closed-through';
import { findConflict, findReturn, isBeingSubmitted } from '../store/conflicts';
import { type ClaimCommandDeps, commitOnClaim } from './claim-command';
import { decideCreation } from './record-changes';

/**
 * The longest time in milliseconds that a submission that benefits rejected with authorization_required waits for a concurrent submission
 * or release of the same session, and the pause in milliseconds between two queries.
 */
const CONFLICT_WAIT_MS = 1_000;
const CONFLICT_PAUSE_MS = 50;

/**
 * Creates a claim.
 *
 * @throws the API errors of the checks in care and benefits; ApiError duplicate_claim_reference, session_already_claimed
 */
export async function submitClaim(deps: ClaimCommandDeps, call: Call<'createClaim'>): Promise<Reply> {
  const reply = await executeCommand(deps.sql, call, {
    resourceId: () => newId('clm_'),
    body: call.body,
    replayStatus: call.replayStatus,
    execute: (command) => executeSubmission(deps, command),
  });
  deps.notifySignals();
  return reply;
}

/**
 * Executes the steps of a submission: reads the session from care, lets benefits check the submission and mark what the claim uses, and
 * creates the claim. If a step rejects the submission, it is abandoned before benefits releases what it used.
 *
 * @returns the response; null if another executor has stored it
 * @throws the API errors of {@link submitClaim}; StartAgain if the submission must start again with a new claim ID
 */
export async function executeSubmission(deps: ClaimCommandDeps, command: Command): Promise<Reply | null> {
  const { sql, care, benefits } = deps;
  const { resourceId: claimId, caller } = command;
  const { tenant, requestId } = caller;
  const input = command.body as ClaimInput;
  let mayHaveUsed = false;
  try {
    const session = await care.sessionForClaim({ tenant, sessionId: input.session_id }, requestId);
    failpoint('command.prepared', command.operation);
    mayHaveUsed = true;
    const use = await benefits.useForClaim(
      {
        tenant,
        caller,
        claimId,
        session,
        eligibilityCheckId: input.eligibility_check_id,
        preauthorizationId: input.preauthorization_id ?? null,
        serviceCodes: input.lines.map((line) => line.service_code),
      },
      requestId,
    );
    return await commitSubmission(sql, command, session, use);
  } catch (error) {
    if (!isRejection(error) && !(error instanceof StartAgain)) throw error;
    if (mayHaveUsed) {
      // Another executor of this command can have created the claim.
      if (!(await abandonSubmission(sql, command))) return null;
      await benefits.releaseFromClaim({ tenant, claimId }, requestId);
    }
    throw await dropSubmission(sql, command, error);
  }
}

function creationOf({ resourceId, caller, body }: Command, session: SessionFacts, used: Use): Creation {
  const input = body as ClaimInput;
  const lines = toLines(input.lines);
  return {
    id: resourceId,
    project_id: caller.tenant,
    environment: caller.environment,
    provider_claim_reference: input.provider_claim_reference,
    eligibility_check_id: input.eligibility_check_id,
    session_id: input.session_id,
    booking_id: session.bookingId,
    practitioner_id: session.practitionerId,
    preauthorization_id: used.preauthorizationId,
    payer_id: used.payerId,
    plan: used.plan,
    service_starts_at: new Date(session.startsAt),
    service_ends_at: new Date(session.endsAt),
    lines,
    currency: used.currency,
    billed: billed(lines),
  };
}

/**
 * Creates the claim of a submission with its first facts. After a conflict with another claim the command stays pending until benefits has
 * released the pre-authorization that the submission used.
 *
 * @throws ApiError duplicate_claim_reference, session_already_claimed; StartAgain if another executor abandoned the submission
 */
async function commitSubmission(
  sql: Sql,
  command: Command,
  session: SessionFacts,
  use: Use,
): Promise<Reply | null> {
  const { tenant } = command.caller;
  try {
    return await commitOnClaim(
      sql,
      command,
      201,
      (locked, { now, wasAbandoned }: { now: number; wasAbandoned: boolean }) => {
        if (wasAbandoned) throw new StartAgain(`the submission ${locked.id} was abandoned`);
        const creation = creationOf(locked, session, use);
        const { write } = decideCreation(creation, submissionChanges(locked, creation), now);
        return (tx) => [write(tx)];
      },
      async (tx) => {
        const [now, wasAbandoned] = await allInOrder([
          lockForCreation(tx, tenant),
          isAbandoned(tx, tenant, command.id),
        ]);
        return { now, wasAbandoned };
      },
    );
  } catch (error) {
    throw conflictError(violatedConstraint(error)) ?? error;
  }
}

/**
 * Abandons a rejected submission before benefits releases what it used, so that no other executor of the same command creates the claim.
 * Returns false if another executor has created the claim already: the claim then keeps what it uses.
 */
async function abandonSubmission(sql: Sql, { id, caller: { tenant } }: Command): Promise<boolean> {
  try {
    return await sql.begin(async (tx) => {
      const { answered } = await lockCommand(tx, tenant, id);
      if (!answered) await insertAbandoned(tx, tenant, id);
      return !answered;
    });
  } catch (error) {
    // Another executor deleted the command, so no claim was created.
    if (error instanceof StartAgain) return true;
    throw error;
  }
}

/**
 * Deletes the command of a rejected submission, and returns the error that its request receives.
 *
 * @param error the rejection by another service or because of a conflict with another claim; StartAgain if another executor has abandoned
 *   or deleted the submission
 * @returns ApiError duplicate_claim_reference or session_already_claimed if another claim is the reason; StartAgain if the request must
 *   start again with a new claim ID: an earlier executor abandoned this submission, or another claim of the session, which has ended, still
 *   used the pre-authorization when the command was accepted; otherwise the given error
 * @throws StartAgain if another executor has deleted the command: the given error is then not the reason that the client must receive
 */
async function dropSubmission(
  sql: Sql,
  command: Command,
  error: ApiError | StartAgain,
): Promise<ApiError | StartAgain> {
  const { tenant } = command.caller;
  const code = error instanceof ApiError ? error.code : null;
  // If another claim of the session uses the pre-authorization, the client gets the error about that claim instead of
  // authorization_required.
  const because = code === 'authorization_required' ? await reasonOf(sql, tenant, command) : null;
  // With invalid_state, benefits reports that an earlier executor of this submission has abandoned it. Benefits accepts no further submission
  // under this claim ID, so the request starts again with a new one.
  const reason =
    code === 'invalid_state'
      ? new StartAgain(`the submission ${command.id} was abandoned`)
      : (because ?? error);
  await sql.begin(async (tx) => {
    await lockCommand(tx, tenant, command.id);
    await dropCommand(tx, tenant, command.id, reason instanceof ApiError ? reason : null);
  });
  return reason;
}

/**
 * Returns the reason why benefits found no pre-authorization for a submission; null if other claims are not the reason. Waits up to
 * {@link CONFLICT_WAIT_MS} for a concurrent submission or release. Returns StartAgain if another claim of the session, which has ended,
 * still used the pre-authorization when the command was accepted: the request then starts again.
 */
async function reasonOf(sql: Sql, tenant: Tenant, command: Command): Promise<ApiError | StartAgain | null> {
  const { provider_claim_reference, session_id } = command.body as ClaimInput;
  for (let waited = 0; ; waited += CONFLICT_PAUSE_MS) {
    // The order of the three reads matters. A pending submission that completes after the first read is found as a claim by the second
    // read. A claim that ends after the second read is found as a release by the third read.
    const isBeingClaimed = await isBeingSubmitted(sql, tenant, session_id, command.id);
    const conflict = conflictError(await findConflict(sql, tenant, provider_claim_reference, session_id));
    if (conflict !== null) return conflict;
    const back = await findReturn(sql, tenant, session_id, command.id);
    const mayChange = isBeingClaimed || back === 'outstanding';
    if (mayChange && waited < CONFLICT_WAIT_MS) await sleep(CONFLICT_PAUSE_MS);
    else
      return back === null
        ? null
        : new StartAgain(`what another claim of ${session_id} used is being released`);
  }
}
