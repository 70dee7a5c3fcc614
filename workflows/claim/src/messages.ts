/** What can be said to a claim's workflow, with the types of its messages. */
import type { Environment } from '@carecover/contract';
import type { CommandMessage } from '@carecover/platform/workflow';
import { defineSignal, defineUpdate } from '@temporalio/workflow';

/** What a run begins with; everything else it reads from the facts. */
export interface ClaimWorkflowInput {
  /** The claim's id, which is the workflow's. */
  readonly resourceId: string;
  readonly tenant: string;
  readonly environment: Environment;
  /** Continue as new beyond this many history events, where the server does not suggest it earlier. For tests. */
  readonly historyLimit?: number;
}

const command = (name: string) => defineUpdate<void, [CommandMessage]>(name);

export const submit = command('submit');
export const requestInformation = command('requestInformation');
export const submitEvidence = command('submitEvidence');
export const adjudicate = command('adjudicate');
export const cancel = command('cancel');
export const reverse = command('reverse');

/** The claim's status changed outside of its workflow, or a deadline is overdue: read the facts again. */
export const recorded = defineSignal('recorded');
