/**
 * The workflow of a pre-authorization. It is open while the pre-authorization awaits its decision or its use, and expires it at the deadline.
 * Commands commit without it; it receives what they changed, and finishes commands that were interrupted. Each review reads the state, so a
 * lost run can be started at any time.
 */
import {
  DUE_AT,
  PREAUTHORIZATION_STATUS,
  ResourceRun,
  type ResourceWorkflowInput,
} from '@carecover/temporal/workflow';
import { continueAsNew, upsertSearchAttributes } from '@temporalio/workflow';
import { type PreauthorizationReport, steps } from './steps';

export async function preauthorization(input: ResourceWorkflowInput): Promise<void> {
  const { resourceId, tenant, environment } = input;
  const run = new ResourceRun(input);
  let shown: PreauthorizationReport | null = null;
  for (;;) {
    const now: PreauthorizationReport | null = await run.review(() =>
      steps.review({ resourceId, tenant, environment }),
    );
    if (now === null) return;
    showAttributes(now, shown);
    shown = now;
    if (now.awaits === null && run.isQuiet) return;
    await run.waitForChange(now.dueInMs, now.awaits ?? 'An interrupted decision ends');
    if (run.mustContinueAsNew()) await continueAsNew<typeof preauthorization>(input);
  }
}

/** Shows the status and the deadline as search attributes. Adds an event to the history only if one of them changed. */
function showAttributes(now: PreauthorizationReport, before: PreauthorizationReport | null): void {
  const changed = [
    ...(now.status === before?.status ? [] : [{ key: PREAUTHORIZATION_STATUS, value: now.status }]),
    ...(now.deadline === (before?.deadline ?? null)
      ? []
      : [{ key: DUE_AT, value: now.deadline === null ? null : new Date(now.deadline) }]),
  ];
  if (changed.length > 0) upsertSearchAttributes(changed);
}
