/**
 * The commands of a claim's workflow that have more than one step. Steps that can reject the command come before steps that cannot. If a
 * submission is rejected after benefits marked a session and a pre-authorization as used by the claim, the submission is abandoned and both
 * are released.
 */
import { apiErrorIn } from '@carecover/platform/workflow';
import { benefits, type ClaimIdentity, type ClaimView, type CommandStep, own } from './steps';

export async function submit(step: CommandStep, requestId: string): Promise<ClaimView> {
  const { tenant, claimId } = step;
  let mayHaveUsed = false;
  try {
    const submission = await own.prepareSubmission(step, requestId);
    if (submission === null) return own.loadClaim({ tenant, claimId });
    mayHaveUsed = true;
    const used = await benefits.useForClaim({ tenant, claimId, ...submission }, requestId);
    return await own.commitSubmission({ ...step, session: submission.session, ...used });
  } catch (error) {
    const rejection = apiErrorIn(error);
    if (rejection === null) throw error;
    if (mayHaveUsed) {
      // Another attempt of this command, in a run that was believed lost, can have created the claim.
      if (!(await own.abandonSubmission(step))) return own.loadClaim({ tenant, claimId });
      await benefits.releaseFromClaim({ tenant, claimId }, requestId);
    }
    await own.dropSubmission({ ...step, code: String(rejection.details?.[0]) });
    throw rejection;
  }
}

export async function adjudicate(step: CommandStep, requestId: string): Promise<ClaimView> {
  const { tenant, claimId } = step;
  const prepared = await own.prepareAdjudication(step, requestId);
  if (prepared === null) return own.loadClaim({ tenant, claimId });
  return own.commitAdjudication({ ...step, ...prepared });
}

export async function reverse(step: CommandStep, requestId: string): Promise<ClaimView> {
  const { tenant, claimId } = step;
  const view = (await own.prepareReversal(step, requestId))
    ? await own.commitReversal(step)
    : await own.loadClaim({ tenant, claimId });
  return releaseIfEnded(step, requestId, view);
}

export async function cancel(step: CommandStep, requestId: string): Promise<ClaimView> {
  return releaseIfEnded(step, requestId, await own.commitCancellation(step));
}

/**
 * Releases the session and pre-authorization of a cancelled or reversed claim, so that another claim can use them. Does nothing if they are
 * released already, or if the claim has another status.
 */
export async function releaseIfEnded(
  { tenant, claimId }: ClaimIdentity,
  requestId: string,
  view: ClaimView,
): Promise<ClaimView> {
  if (!view.mustRelease) return view;
  await benefits.releaseFromClaim({ tenant, claimId }, requestId);
  return own.recordReleased({ tenant, claimId });
}
