/** Submission: what it asks of the other services, and the creation of the claim with its first three facts. */
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

/** How long a refused submission waits for a rival or a predecessor, and how often it looks. */
const RIVAL_WAIT_MS = 1_000;
const RIVAL_PAUSE_MS = 50;

type SubmissionSteps = Pick<ClaimSteps, 'prepareSubmission' | 'commitSubmission' | 'dropSubmission'>;

/** How a rule of the claims' table that a submission would break is told; null for any other. */
function conflictError(constraint: string | null): ApiError | null {
  switch (constraint) {
    case 'claims_reference_once':
      return new ApiError('duplicate_claim_reference', '/provider_claim_reference is that of another claim.');
    case 'claims_one_live_a_session':
      return new ApiError('session_already_claimed', '/session_id is the session of a live claim.');
    default:
      return null;
  }
}

/** Rolls a commit back without forgetting its command: that is dropped once what the submission used is given back. */
class Conflict extends Error {
  override readonly name = 'Conflict';

  constructor(readonly rejection: ApiError) {
    super(rejection.message);
  }
}

async function bringIntoBeing(
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
            bringIntoBeing(tx, command, now, session, { preauthorizationId, currency }),
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
      // An authorization that another claim of the same session uses is missing because of that claim, and that is told.
      const because =
        code === 'authorization_required' ? await reasonOf(sql, storedTenant(tenant), command) : null;
      await dropCommand(sql, commandId);
      // Benefits remembers that a lost run gave this submission up: the caller begins again, under another claim id.
      if (code === 'invalid_state') throw new CommandGone(`the submission ${commandId} was given up`);
      if (because !== null) throw because;
    },
  };
}

/**
 * What stands in a submission's way: a live claim, or one that ended and whose authorization is on its way back. Where a claim is just
 * being made, or something given back, that is waited for a while. What came back since the command did was asked for too early,
 * and what still has not may come at any moment: the caller begins again, and after some tries hears that nobody could answer.
 */
async function reasonOf(sql: Sql, tenant: Tenant, command: Command): Promise<ApiError | CommandGone | null> {
  const { provider_claim_reference, session_id } = command.body as ClaimInput;
  for (let waited = 0; ; waited += RIVAL_PAUSE_MS) {
    // In this order, so that a rival's claim is seen if the rival is gone, and what a claim gives back if it has ended.
    const isRivalled = await isBeingSubmitted(sql, tenant, session_id, command.id);
    const conflict = conflictError(await findConflict(sql, tenant, provider_claim_reference, session_id));
    if (conflict !== null) return conflict;
    const back = await findReturn(sql, tenant, session_id, command.id);
    const mayChange = isRivalled || back === 'outstanding';
    if (mayChange && waited < RIVAL_WAIT_MS) await sleep(RIVAL_PAUSE_MS);
    else return back === null ? null : new CommandGone(`what another claim of ${session_id} used comes back`);
  }
}
