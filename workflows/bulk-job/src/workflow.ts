/**
 * The workflow of a bulk job. It executes the lines of the job's file, set after set, and waits while the job is paused. The state is in the
 * database of claims, so a run of the workflow can start at any time, and a repeated step has no second effect.
 */
import { ResourceRun, type ResourceWorkflowInput } from '@carecover/temporal/workflow';
import { continueAsNew } from '@temporalio/workflow';
import { own } from './steps';

/** How often in milliseconds a run reads whether a paused job continues, in case that the signal was lost. */
const PAUSED_MS = 60_000;

/** How long in milliseconds a run waits before it repeats a step for which the service had no capacity. */
const LATER_MS = 5_000;

/** Runs the workflow of one bulk job. */
export async function bulkJob(input: ResourceWorkflowInput): Promise<void> {
  const { resourceId, tenant } = input;
  const run = new ResourceRun(input);
  for (;;) {
    const { next } = await run.review(() => own.executeLines({ resourceId, tenant }));
    if (next === 'ended') return;
    if (next === 'later') await run.waitForChange(LATER_MS, 'until other jobs have executed a set of lines');
    if (next === 'paused') await run.waitForChange(PAUSED_MS, 'until the job continues');
    if (run.mustContinueAsNew()) await continueAsNew<typeof bulkJob>(input);
  }
}
