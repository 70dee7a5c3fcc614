/**
 * Submits a claim: reads the session from care, lets benefits check the submission and mark what the claim uses, and creates the claim.
 *
 * A submission that is rejected after benefits may have marked something is abandoned first: from then on no executor of its command creates
 * the claim. Then benefits releases what was marked, and the command is deleted. See the failure policy in claim-command.ts.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { dropCommand, executeCommand, type JsonResponse, lockCommand, StartAgain } from '@carecover/commands';
import type { ClaimInput } from '@carecover/contract';
import { ApiError, type Command, isRejection, newId, requireVisibleReference } from '@carecover/domain';
import type { Call } from '@carecover/http';
import { type Sql, violatedConstraint } from '@carecover/postgres';
import { failpoint } from '@carecover/process';
import type { SessionSnapshot, Use } from '@carecover/workflow-claim';
import { billed, conflictError, submissionChanges, toLines } from '../rules/submission';
import { insertAbandoned, isAbandoned } from '../store/abandoned-submissions';
import type { Creation } from '../store/claims';
import { lockForCreation } from '../store/closed-through';
import { findConflict, findEndedUser, isBeingSubmitted } from '../store/conflicts';
import { type ClaimCommandDeps, commitOnClaim } from './claim-command';
import { decideCreations } from './record-changes';
import { releaseClaim } from './release-claim';

/**
 * The longest time in milliseconds that a submission that benefits rejected with authorization_required waits for a concurrent submission
 * of the same session, and the pause in milliseconds between two queries.
 */
const CONFLICT_WAIT_MS = 1_000;
const CONFLICT_PAUSE_MS = 50;

/**
 * Creates a claim.
 *
 * @throws the API errors of the checks in care and benefits; ApiError validation_failed, duplicate_claim_reference,
 *   session_already_claimed
 */
export async function submitClaim(deps: ClaimCommandDeps, call: Call<'createClaim'>): Promise<JsonResponse> {
  requireVisibleReference('/provider_claim_reference', call.body.provider_claim_reference);
  // Throws validation_failed if the sum is too large.
  billed(call.body.lines);
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
 * Executes the steps of a submission.
 *
 * @returns the response; null if another executor has stored it
 * @throws the API errors of {@link submitClaim}; StartAgain if the submission must start again with a new claim ID
 */
export async function executeSubmission(
  deps: ClaimCommandDeps,
  command: Command,
): Promise<JsonResponse | null> {
  const session = await readSession(deps, command);
  failpoint('command.prepared', command.operation);
  try {
    const use = await markUsed(deps, command, session);
    return await commitSubmission(deps.sql, command, session, use);
  } catch (error) {
    if (!isRejection(error) && !(error instanceof StartAgain)) throw error;
    return await takeBack(deps, command, error);
  }
}

/** Reads the session from care. A rejection deletes the command, because nothing is used yet. @throws ApiError resource_not_found */
async function readSession({ sql, care }: ClaimCommandDeps, command: Command): Promise<SessionSnapshot> {
  const { tenant, requestId } = command.caller;
  try {
    const { session_id: sessionId } = command.body as ClaimInput;
    return await care.sessionForClaim({ tenant, sessionId }, requestId);
  } catch (error) {
    if (isRejection(error)) await dropSubmission(sql, command, error);
    throw error;
  }
}

/** Lets benefits check the submission and mark what the claim uses. @throws the API errors of the check */
function markUsed({ benefits }: ClaimCommandDeps, command: Command, session: SessionSnapshot): Promise<Use> {
  const { resourceId: claimId, caller } = command;
  const submission = submissionOf(claimId, command.body as ClaimInput, session);
  return benefits.useForClaim({ tenant: caller.tenant, caller, ...submission }, caller.requestId);
}

/** Returns what benefits checks of a submission. */
export function submissionOf(claimId: string, input: ClaimInput, session: SessionSnapshot) {
  return {
    claimId,
    session,
    eligibilityCheckId: input.eligibility_check_id,
    preauthorizationId: input.preauthorization_id ?? null,
    serviceCodes: input.lines.map((line) => line.service_code),
  };
}

/** Returns the columns of a new claim's row. */
export function creationOf(
  { resourceId, caller, body }: Command,
  session: SessionSnapshot,
  used: Use,
): Creation {
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
    session_recorded_by: session.recorded?.by ?? null,
    session_recorded_at: session.recorded ? new Date(session.recorded.at) : null,
    lines,
    currency: used.currency,
    billed: billed(lines),
  };
}

/**
 * Creates the claim of a submission with its first facts. After a conflict with another claim the command stays pending until benefits has
 * released what the submission used.
 *
 * @throws ApiError duplicate_claim_reference, session_already_claimed; StartAgain if another executor abandoned the submission
 */
async function commitSubmission(
  sql: Sql,
  command: Command,
  session: SessionSnapshot,
  use: Use,
): Promise<JsonResponse | null> {
  const { tenant } = command.caller;
  try {
    return await commitOnClaim(
      sql,
      command,
      201,
      (locked, [now, wasAbandoned]: readonly [number, boolean]) => {
        if (wasAbandoned) throw new StartAgain(`the submission ${locked.id} was abandoned`);
        const creation = creationOf(locked, session, use);
        const changes = submissionChanges(locked, creation);
        return { recording: decideCreations([{ creation, changes }], now) };
      },
      (tx) => tx.pipeline([lockForCreation(tx, tenant), isAbandoned(tx, tenant, command.id)]),
    );
  } catch (error) {
    throw conflictError(violatedConstraint(error)) ?? error;
  }
}

/**
 * Takes back a submission that was rejected after benefits may have marked what it uses.
 *
 * @param error the rejection by benefits or because of a conflict with another claim; StartAgain if another executor has abandoned or deleted
 *   the submission
 * @returns null if another executor has created the claim, which then keeps what it uses
 * @throws the error that the client receives; StartAgain
 */
async function takeBack(
  deps: ClaimCommandDeps,
  command: Command,
  error: ApiError | StartAgain,
): Promise<null> {
  const { tenant, requestId } = command.caller;
  if (!(await abandonSubmission(deps.sql, command))) return null;
  await deps.benefits.releaseFromClaim({ tenant, claimId: command.resourceId }, requestId);
  const reason = await reasonOf(deps, command, error);
  await dropSubmission(deps.sql, command, reason);
  throw reason;
}

/**
 * Abandons a rejected submission before benefits releases what it used, so that no other executor of the same command creates the claim.
 * Returns false if another executor has created the claim already.
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
 * Returns the error that the request of a rejected submission receives, which can have another reason than the given one:
 *
 * - `invalid_state` of benefits means that an earlier executor abandoned the submission. Benefits accepts no further submission under this
 *   claim ID, so the request starts again with a new one.
 * - `authorization_required` can mean that another claim of the session uses the pre-authorization. The client receives the error about that
 *   claim, or starts again if that claim has ended.
 *
 * @throws ApiError service_unavailable if benefits can't release what an ended claim of the session used
 */
async function reasonOf(
  deps: ClaimCommandDeps,
  command: Command,
  error: ApiError | StartAgain,
): Promise<ApiError | StartAgain> {
  if (error instanceof StartAgain) return error;
  if (error.code === 'invalid_state') return new StartAgain(`the submission ${command.id} was abandoned`);
  if (error.code !== 'authorization_required') return error;
  return (await conflictWithOther(deps, command)) ?? error;
}

/**
 * Finds out whether another claim of the session is the reason why benefits found no pre-authorization for a submission. If that claim has
 * ended and benefits has not released what it used, releases it. Waits up to {@link CONFLICT_WAIT_MS} for a concurrent submission.
 *
 * @returns the error about the other claim; StartAgain if it has ended; null if no other claim is the reason
 */
async function conflictWithOther(
  deps: ClaimCommandDeps,
  command: Command,
): Promise<ApiError | StartAgain | null> {
  const { sql } = deps;
  const { tenant, requestId } = command.caller;
  const { provider_claim_reference, session_id } = command.body as ClaimInput;
  for (let waited = 0; ; waited += CONFLICT_PAUSE_MS) {
    // All reads have one snapshot: in it, the other claim is being submitted, is open or has ended.
    const [violated, ended, isBeingClaimed] = await sql.begin(
      'isolation level repeatable read read only',
      (tx) =>
        tx.pipeline([
          findConflict(tx, tenant, provider_claim_reference, session_id),
          findEndedUser(tx, tenant, session_id, command.id),
          isBeingSubmitted(tx, tenant, session_id, command.id),
        ]),
    );
    const conflict = conflictError(violated);
    if (conflict !== null) return conflict;
    if (ended !== null) {
      if (!ended.is_released) await releaseClaim(deps, { tenant, claimId: ended.id }, requestId);
      return new StartAgain(`the claim ${ended.id} of ${session_id} has ended`);
    }
    if (!isBeingClaimed || waited >= CONFLICT_WAIT_MS) return null;
    await sleep(CONFLICT_PAUSE_MS);
  }
}

/**
 * Deletes the command of a rejected submission.
 *
 * @param reason the error that the client receives, which is kept for operators unless the request starts again
 * @throws StartAgain if another executor has deleted the command: its reason is then not the given one
 */
async function dropSubmission(
  sql: Sql,
  { id, caller: { tenant } }: Command,
  reason: ApiError | StartAgain,
): Promise<void> {
  await sql.begin(async (tx) => {
    await lockCommand(tx, tenant, id);
    await dropCommand(tx, tenant, id, reason instanceof ApiError ? reason : null);
  });
}
