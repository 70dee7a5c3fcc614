/**
 * What a claim's commands do, step by step, where that is more than one step. A step that may refuse comes before one that can't.
 * What another service gave is given back if a later one refuses.
 */
import { refusalIn } from '@carecover/platform/workflow';
import { benefits, care, own, payments } from './services';
import type { ClaimIdentity, ClaimView, CommandStep } from './steps';

export async function submit(step: CommandStep): Promise<ClaimView> {
  const { tenant, claimId } = step;
  const submission = await own.prepareSubmission(step);
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
    return await own.commitSubmission({ ...step, session, ...used });
  } catch (error) {
    const refusal = refusalIn(error);
    if (refusal === null) throw error;
    if (mayHaveUsed) await benefits.freeFromClaim({ tenant, claimId });
    await own.dropSubmission({ ...step, code: String(refusal.details?.[0]) });
    throw refusal;
  }
}

export async function adjudicate(step: CommandStep): Promise<ClaimView> {
  const { tenant, claimId } = step;
  const liability = await own.prepareAdjudication(step);
  if (liability === null) return own.loadClaim({ tenant, claimId });
  try {
    await payments.openLiability(liability);
  } catch (error) {
    if (refusalIn(error) !== null) await own.dropInHand(step);
    throw error;
  }
  return own.commitAdjudication({ ...step, decidedAt: liability.decidedAt });
}

export async function reverse(step: CommandStep): Promise<ClaimView> {
  const { tenant, claimId } = step;
  if (!(await own.prepareReversal(step))) return free(step, await own.loadClaim({ tenant, claimId }));
  try {
    await payments.reverseLiability({ tenant, claimId });
  } catch (error) {
    if (refusalIn(error) !== null) await own.dropInHand(step);
    throw error;
  }
  return free(step, await own.commitReversal(step));
}

export async function cancel(step: CommandStep): Promise<ClaimView> {
  return free(step, await own.commitCancellation(step));
}

/** What a cancelled or reversed claim used can be used by another. */
export async function free({ tenant, claimId }: ClaimIdentity, seen: ClaimView): Promise<ClaimView> {
  if (!seen.toFree) return seen;
  await benefits.freeFromClaim({ tenant, claimId });
  return own.recordFreed({ tenant, claimId });
}
