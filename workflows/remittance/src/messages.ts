/** What can be said to a remittance's workflow, with the types of its messages. */
import type { Environment } from '@carecover/contract';
import type { CommandMessage } from '@carecover/platform/workflow';
import { defineSignal, defineUpdate } from '@temporalio/workflow';

/** What a run begins with; everything else it reads from the facts. */
export interface RemittanceWorkflowInput {
  /** The remittance's id, which is the workflow's. */
  readonly resourceId: string;
  readonly tenant: string;
  readonly environment: Environment;
  /**
   * Continue as new after this many commands, where the server does not suggest it earlier. For tests; no `historyLimit` as in the
   * other workflows, since recorded histories have this one.
   */
  readonly continueAfter?: number;
}

const command = (name: string) => defineUpdate<void, [CommandMessage]>(name);

/** Records the advice: the remittance's creation. */
export const record = command('record');
/** Records an independent observation of its money. */
export const observe = command('observe');
/** Takes an observation back. */
export const reverse = command('reverse');

/** Something happened outside, or is overdue: look at the facts again. */
export const wake = defineSignal('wake');
