/**
 * The workflow of a claim. It is open while the claim awaits a decision, an answer or money. Commands commit without it; it receives what
 * they changed, applies the deadline of an information request, and finishes commands that were interrupted. It decides nothing by its
 * memory: each review reads the facts, so a lost run can be started at any time.
 */
import { CLAIM_STATUS, DUE_AT, ResourceRun, type ResourceWorkflowInput } from '@carecover/temporal/workflow';
import { continueAsNew, upsertSearchAttributes } from '@temporalio/workflow';
import { type ClaimReport, steps } from './steps';

export async function claim(input: ResourceWorkflowInput): Promise<void> {
  const run = new ResourceRun(input);
  let shown: ClaimReport | null = null;
  for (;;) {
    const now = await run.review(() =>
      steps.reviewClaim({ tenant: input.tenant, claimId: input.resourceId }),
    );
    showAttributes(now, shown);
    shown = now;
    if (now.awaits === null && run.isQuiet) return;
    await run.waitForChange(now.dueInMs, now.awaits ?? 'An interrupted command ends');
    if (run.mustContinueAsNew()) await continueAsNew<typeof claim>(input);
  }
}

/**
 * Shows a claim's status and deadline as search attributes. Adds an event to the history only if one of them changed, or if this run has shown
 * none: a run that continues another one still has its attributes.
 */
function showAttributes(now: ClaimReport, before: ClaimReport | null): void {
  if (now.status === 'none') return;
  const changed = [
    ...(now.status === before?.status ? [] : [{ key: CLAIM_STATUS, value: now.status }]),
    ...(before !== null && now.dueAt === before.dueAt
      ? []
      : [{ key: DUE_AT, value: now.dueAt === null ? null : new Date(now.dueAt) }]),
  ];
  if (changed.length > 0) upsertSearchAttributes(changed);
}
