/** A submission's steps: read the command and its session, create the claim with its first three facts, delete a rejected submission. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClaimInput } from '@carecover/contract';
import {
  ApiError,
  type Command,
  CommandGone,
  databaseNow,
  dropCommand,
  failpoint,
  readCommand,
  type Sql,
  storedTenant,
  type Tenant,
  type Tx,
  violatedConstraint,
} from '@carecover/platform';
import type { CareForClaims, ClaimSteps, SessionFacts } from '@carecover/workflow-claim';
import { billed, toLines } from '../rules/lines';
import type { Creation } from '../store/claims';
import { findConflict, findReturn, isBeingSubmitted } from '../store/conflicts';
import { recordCreation } from '../store/recorder';
import { commitWithAnswer, waitingCommand } from './commit';

/** How long a rejected submission waits for a concurrent submission or a release, and how often it checks. */
const CONFLICT_WAIT_MS = 1_000;
const CONFLICT_PAUSE_MS = 50;

type SubmissionSteps = Pick<ClaimSteps, 'prepareSubmission' | 'commitSubmission' | 'dropSubmission'>;

/** The API error for a constraint of the claims table; null for any other constraint. */
function conflictError(constraint: string | null): ApiError | null {
  switch (constraint) {
    case 'claims_reference_once':
      return new ApiError('duplicate_claim_reference', '/provider_claim_reference belongs to another claim.');
    case 'claims_one_live_a_session':
      return new ApiError(
        'session_already_claimed',
        '/session_id already has a claim that is neither cancelled nor reversed.',
      );
    default:
      return null;
  }
}

/** Rolls back a commit but keeps its command, which is deleted after what the submission used was released. */
class Conflict extends Error {
  override readonly name = 'Conflict';

  constructor(readonly rejection: ApiError) {
    super(rejection.message);
  }
}

async function createClaim(
  tx: Tx,
  command: Command,
  now: Date,
  session: SessionFacts,
  used: { readonly preauthorizationId: string | null; readonly currency: string },
): Promise<void> {
  const input = command.body as ClaimInput;
  const { caller } = command;
  const lines = toLines(input.lines);
  const creation: Creation = {
    id: command.resourceId,
    project_id: caller.tenant,
    environment: caller.environment,
    provider_claim_reference: input.provider_claim_reference,
    eligibility_check_id: input.eligibility_check_id,
    session_id: input.session_id,
    booking_id: session.bookingId,
    preauthorization_id: used.preauthorizationId,
    service_starts_at: new Date(session.startsAt),
    service_ends_at: new Date(session.endsAt),
    lines,
    currency: used.currency,
    billed: billed(lines),
  };
  const by = { cause: command.id, authority: caller.authority };
  try {
    await recordCreation(
      tx,
      creation,
      [
        { move: 'create', detail: { currency: creation.currency, billed: creation.billed }, ...by },
        { move: 'validate', ...by },
        { move: 'submit', evidenceReferences: input.evidence_refs ?? [], ...by },
      ],
      now.getTime(),
    );
  } catch (error) {
    const rejection = conflictError(violatedConstraint(error));
    throw rejection === null ? error : new Conflict(rejection);
  }
}

export function submissionSteps(
  sql: Sql,
  sessionForClaim: CareForClaims['sessionForClaim'],
): SubmissionSteps {
  return {
    async prepareSubmission(of, requestId) {
      const command = await waitingCommand(sql, of);
      if (command === null) return null;
      const input = command.body as ClaimInput;
      failpoint('command.prepared', command.operation);
      return {
        caller: command.caller,
        session: await sessionForClaim({ tenant: of.tenant, sessionId: input.session_id }, requestId),
        eligibilityCheckId: input.eligibility_check_id,
        preauthorizationId: input.preauthorization_id ?? null,
        serviceCodes: input.lines.map((line) => line.service_code),
      };
    },

    async commitSubmission({ session, preauthorizationId, currency, ...of }) {
      try {
        return await commitWithAnswer(
          sql,
          of,
          201,
          async (tx, command, now) => [
            createClaim(tx, command, now, session, { preauthorizationId, currency }),
          ],
          databaseNow,
        );
      } catch (error) {
        throw error instanceof Conflict ? error.rejection : error;
      }
    },

    async dropSubmission({ tenant, commandId, code }) {
      const command = await readCommand(sql, commandId);
      if (command === null) return;
      // If another claim of the session uses the authorization, that claim is the reason for the rejection.
      const because =
        code === 'authorization_required' ? await reasonOf(sql, storedTenant(tenant), command) : null;
      await dropCommand(sql, commandId);
      // Benefits has a record that a lost run abandoned this submission: the request starts again under another claim ID.
      if (code === 'invalid_state') throw new CommandGone(`the submission ${commandId} was abandoned`);
      if (because !== null) throw because;
    },
  };
}

/**
 * Finds the reason why a submission has no authorization: another claim of its session, or an ended claim whose authorization is being
 * released. Waits a short time for a concurrent submission or a release. Returns CommandGone if a release completed after the command
 * was accepted or is still pending: the request starts again, and after some attempts the client receives service_unavailable.
 */
async function reasonOf(sql: Sql, tenant: Tenant, command: Command): Promise<ApiError | CommandGone | null> {
  const { provider_claim_reference, session_id } = command.body as ClaimInput;
  for (let waited = 0; ; waited += CONFLICT_PAUSE_MS) {
    // The order matters: a concurrent submission that has ended is visible as a claim, and an ended claim as a release.
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
