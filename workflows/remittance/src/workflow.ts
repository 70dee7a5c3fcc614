/**
 * The workflow of a remittance. It is open while the remittance awaits money: until it is reconciled. At the deadline it makes the remittance
 * an exception, and it lets claims record what is pending. Commands commit without it. Each review reads the facts, so a lost run can be
 * started at any time.
 */
import {
  DUE_AT,
  REMITTANCE_STATUS,
  ResourceRun,
  type ResourceWorkflowInput,
} from '@carecover/temporal/workflow';
import { continueAsNew, upsertSearchAttributes } from '@temporalio/workflow';
import { type RemittanceReport, steps } from './steps';

export async function remittance(input: ResourceWorkflowInput): Promise<void> {
  const { resourceId: remittanceId, tenant } = input;
  const run = new ResourceRun(input);
  let shown: RemittanceReport | null = null;
  for (;;) {
    const now: RemittanceReport | null = await run.review(() => steps.review({ tenant, remittanceId }));
    if (now === null) return;
    showAttributes(now, shown);
    shown = now;
    if (now.awaits === null && run.isQuiet) return;
    await run.waitForChange(now.dueInMs, now.awaits ?? 'A further change');
    if (run.mustContinueAsNew()) await continueAsNew<typeof remittance>(input);
  }
}

/** Shows the status and the deadline as search attributes. Adds an event to the history only if one of them changed. */
function showAttributes(now: RemittanceReport, before: RemittanceReport | null): void {
  const changed = [
    ...(now.status === before?.status ? [] : [{ key: REMITTANCE_STATUS, value: now.status }]),
    ...(now.deadline === (before?.deadline ?? null)
      ? []
      : [{ key: DUE_AT, value: now.deadline === null ? null : new Date(now.deadline) }]),
  ];
  if (changed.length > 0) upsertSearchAttributes(changed);
}
