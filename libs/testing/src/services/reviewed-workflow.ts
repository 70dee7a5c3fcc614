/** A workflow for tests of runs of resources: it reads its resource by a step, until the resource is closed. */

import {
  localSteps,
  type ResourceReport,
  ResourceRun,
  type ResourceWorkflowInput,
} from '@carecover/temporal/workflow';
import { continueAsNew } from '@temporalio/workflow';

/** What the test's step returns. */
export interface TestReport extends ResourceReport {
  readonly isOpen: boolean;
  readonly dueInMs: number | null;
}

export interface TestSteps {
  read(resourceId: string): Promise<TestReport>;
}

const { read } = localSteps<TestSteps>('10s', { read: 'Read the resource' });

export async function reviewed(input: ResourceWorkflowInput): Promise<void> {
  const run = new ResourceRun(input);
  for (;;) {
    const now = await run.review(() => read(input.resourceId));
    if (!now.isOpen && run.isQuiet) return;
    await run.waitForChange(now.dueInMs, 'the deadline');
    if (run.mustContinueAsNew()) await continueAsNew<typeof reviewed>(input);
  }
}
