/** What can be said to a pre-authorization's workflow, with the types of its messages. */
import type { Environment } from '@carecover/contract';
import type { CommandMessage } from '@carecover/platform/workflow';
import { defineSignal, defineUpdate } from '@temporalio/workflow';

/** What a run begins with; everything else it reads from the facts. */
export interface PreauthorizationWorkflowInput {
  /** The pre-authorization's id, which is the workflow's. */
  readonly resourceId: string;
  readonly tenant: string;
  readonly environment: Environment;
  /** Continue as new beyond this many history events, where the server does not suggest it earlier. For tests. */
  readonly historyLimit?: number;
}

const command = (name: string) => defineUpdate<void, [CommandMessage]>(name);

/** The payer decides. */
export const decide = command('decide');
/** Sent by the client that opened it. */
export const cancel = command('cancel');
/** Its booking was cancelled. */
export const cancelForBooking = command('cancelForBooking');
/** The sandbox's test helper brings its deadline about. */
export const expire = command('expire');

/** A claim uses it or freed it, or it is overdue: look at the facts again. */
export const wake = defineSignal('wake');
