/**
 * What a claim's commands do, step by step, where that is more than one step. A step that may refuse comes before one that can't.
 * What another service gave is given back if a later one refuses.
 */
import { refusalIn } from '@carecover/platform/workflow';
import { benefits, care, own, payments } from './services';
import type { ClaimView, OfClaim, OfCommand } from './steps';

export async function submit(command: OfCommand): Promise<ClaimView> {
  const { tenant, claimId } = command;
  const submission = await own.prepareSubmission(command);
  if (submission === null) return own.loadClaim({ tenant, claimId });
  let mayHaveUsed = false;
  try {
    const session = await care.sessionForClaim({ tenant, sessionId: submission.sessionId });
    mayHaveUsed = true;
    const used = await benefits.useForClaim({
      caller: submission.caller,
      claimId,
      eligibilityCheckId: submission.eligibilityCheckId,
      preauthorizationId: submission.preauthorizationId,
      session,
      serviceCodes: submission.serviceCodes,
    });
    return await own.commitSubmission({ ...command, session, ...used });
  } catch (error) {
    const refusal = refusalIn(error);
    if (refusal === null) throw error;
    if (mayHaveUsed) await benefits.freeFromClaim({ tenant, claimId });
    await own.dropSubmission({ ...command, code: String(refusal.details?.[0]) });
    throw refusal;
  }
}

export async function adjudicate(command: OfCommand): Promise<ClaimView> {
  const { tenant, claimId } = command;
  const liability = await own.prepareAdjudication(command);
  if (liability === null) return own.loadClaim({ tenant, claimId });
  try {
    await payments.openLiability(liability);
  } catch (error) {
    if (refusalIn(error) !== null) await own.dropInHand(command);
    throw error;
  }
  return own.commitAdjudication({ ...command, decidedAt: liability.decidedAt });
}

export async function reverse(command: OfCommand): Promise<ClaimView> {
  const { tenant, claimId } = command;
  if (!(await own.prepareReversal(command))) return free(command, await own.loadClaim({ tenant, claimId }));
  try {
    await payments.reverseLiability({ tenant, claimId });
  } catch (error) {
    if (refusalIn(error) !== null) await own.dropInHand(command);
    throw error;
  }
  return free(command, await own.commitReversal(command));
}

export async function cancel(command: OfCommand): Promise<ClaimView> {
  return free(command, await own.commitCancellation(command));
}

/** What a cancelled or reversed claim used can be used by another. */
export async function free({ tenant, claimId }: OfClaim, seen: ClaimView): Promise<ClaimView> {
  if (!seen.toFree) return seen;
  await benefits.freeFromClaim({ tenant, claimId });
  return own.recordFreed({ tenant, claimId });
}
