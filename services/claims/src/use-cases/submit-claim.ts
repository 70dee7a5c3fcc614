/** Submits a claim: reads the session from care, and creates the claim after benefits has checked the submission. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClaimInput } from '@carecover/contract';
import {
  type ApiError,
  allInOrder,
  type Call,
  type Command,
  CommandGone,
  dropCommand,
  failpoint,
  lockCommand,
  newId,
  type Reply,
  readCommand,
  type Sql,
  type Tenant,
  violatedConstraint,
} from '@carecover/platform';
import type { CareForClaims, ClaimView, SessionFacts, Submission, Use } from '@carecover/workflow-claim';
import { billed, conflictError, submissionChanges, toLines } from '../rules/submission';
import { insertAbandoned, isAbandoned } from '../store/abandoned-submissions';
import type { Creation } from '../store/claims';
import { lockForCreation } from '../store/closed-through';
import { findConflict, findReturn, isBeingSubmitted } from '../store/conflicts';
import {
  type ClaimCommandDeps,
  type CommandOfClaim,
  commitWithClaim,
  executeClaimCommand,
} from './claim-command';
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
 * @throws the API errors of the checks in benefits; ApiError duplicate_claim_reference, session_already_claimed
 */
export function submitClaim(deps: ClaimCommandDeps, call: Call<'createClaim'>): Promise<Reply> {
  return executeClaimCommand(deps, call, () => newId('clm_'));
}

/**
 * Reads a submission's command, and its session from care. Returns null if the command already has a response.
 *
 * @throws ApiError resource_not_found if care has no such session; CommandGone if the command is deleted
 */
export async function prepareSubmission(
  sql: Sql,
  sessionForClaim: CareForClaims['sessionForClaim'],
  { tenant, commandId }: CommandOfClaim,
  requestId: string,
): Promise<Submission | null> {
  const command = await readCommand(sql, tenant, commandId);
  if (command === null) throw new CommandGone(`command ${commandId} is gone`);
  if (command.answered) return null;
  const input = command.body as ClaimInput;
  failpoint('command.prepared', command.operation);
  return {
    caller: command.caller,
    session: await sessionForClaim({ tenant, sessionId: input.session_id }, requestId),
    eligibilityCheckId: input.eligibility_check_id,
    preauthorizationId: input.preauthorization_id ?? null,
    serviceCodes: input.lines.map((line) => line.service_code),
  };
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
 * @throws ApiError duplicate_claim_reference, session_already_claimed; CommandGone if another attempt abandoned the submission
 */
export async function commitSubmission(
  sql: Sql,
  step: CommandOfClaim & Use & { readonly session: SessionFacts },
): Promise<ClaimView> {
  try {
    return await commitWithClaim(
      sql,
      step,
      201,
      (command, { now, wasAbandoned }: { now: number; wasAbandoned: boolean }) => {
        if (wasAbandoned) throw new CommandGone(`the submission ${command.id} was abandoned`);
        const creation = creationOf(command, step.session, step);
        const changes = submissionChanges(command, creation);
        const { write } = decideCreation(creation, changes, now);
        return (tx) => [write(tx)];
      },
      async (tx) => {
        const [now, wasAbandoned] = await allInOrder([
          lockForCreation(tx, step.tenant),
          isAbandoned(tx, step.tenant, step.commandId),
        ]);
        return { now, wasAbandoned };
      },
    );
  } catch (error) {
    throw conflictError(violatedConstraint(error)) ?? error;
  }
}

/**
 * Abandons a rejected submission before benefits releases what it used, so that no other attempt of the same command creates the claim.
 * Returns false if another attempt has created the claim already: the claim then keeps what it uses.
 */
export async function abandonSubmission(sql: Sql, { tenant, commandId }: CommandOfClaim): Promise<boolean> {
  try {
    return await sql.begin(async (tx) => {
      const { answered } = await lockCommand(tx, tenant, commandId);
      if (!answered) await insertAbandoned(tx, tenant, commandId);
      return !answered;
    });
  } catch (error) {
    // Another attempt deleted the command, so no claim was created.
    if (error instanceof CommandGone) return true;
    throw error;
  }
}

/**
 * Deletes the command of a submission that was rejected with the error code `code`, by another service or because of a conflict with
 * another claim.
 *
 * @throws ApiError duplicate_claim_reference or session_already_claimed if another claim is the reason
 * @throws CommandGone if the request must start again with a new claim ID: an earlier run of this submission was abandoned, another
 *   attempt has deleted the command, or another claim of the session, which has ended, still used the pre-authorization when the command
 *   was accepted
 */
export async function dropSubmission(
  sql: Sql,
  { tenant, commandId, code }: CommandOfClaim & { readonly code: string },
): Promise<void> {
  const command = await readCommand(sql, tenant, commandId);
  if (command?.answered === true) return;
  // If another claim of the session uses the pre-authorization, the client gets the error about that claim instead of
  // authorization_required.
  const because =
    command !== null && code === 'authorization_required' ? await reasonOf(sql, tenant, command) : null;
  await sql.begin(async (tx) => {
    // Throws CommandGone if another attempt has deleted the command: `code` is then not the reason that the client must receive.
    await lockCommand(tx, tenant, commandId);
    await dropCommand(tx, tenant, commandId);
  });
  // With invalid_state, benefits reports that an earlier run of this submission was abandoned and that its claim use was released. Benefits
  // accepts no further submission under this claim ID, so the request starts again with a new one.
  if (code === 'invalid_state') throw new CommandGone(`the submission ${commandId} was abandoned`);
  if (because !== null) throw because;
}

/**
 * Returns the reason why benefits found no pre-authorization for a submission; null if other claims are not the reason. Waits up to
 * {@link CONFLICT_WAIT_MS} for a concurrent submission or release. Returns CommandGone if another claim of the session, which has ended,
 * still used the pre-authorization when the command was accepted: the request then starts again.
 */
async function reasonOf(sql: Sql, tenant: Tenant, command: Command): Promise<ApiError | CommandGone | null> {
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
        : new CommandGone(`what another claim of ${session_id} used is being released`);
  }
}
