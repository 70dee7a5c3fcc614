/** Updates and signals of a claim's workflow. */
import type { Environment } from '@carecover/contract';
import type { CommandMessage } from '@carecover/platform/workflow';
import { defineSignal, defineUpdate } from '@temporalio/workflow';

/** Input of a run. Everything else is read from the facts. */
export interface ClaimWorkflowInput {
  /** The claim's ID, which is also the workflow's. */
  readonly resourceId: string;
  readonly tenant: string;
  readonly environment: Environment;
  /** Number of history events after which the run continues as new, if the server does not suggest it earlier. For tests. */
  readonly historyLimit?: number;
}

const command = (name: string) => defineUpdate<void, [CommandMessage]>(name);

export const submit = command('submit');
export const requestInformation = command('requestInformation');
export const submitEvidence = command('submitEvidence');
export const adjudicate = command('adjudicate');
export const cancel = command('cancel');
export const reverse = command('reverse');

/** The claim's status changed outside of its workflow, or a deadline is overdue: the run reads the facts again. */
export const recorded = defineSignal('recorded');
