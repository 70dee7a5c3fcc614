/** Updates and signals of a pre-authorization's workflow. */
import type { Environment } from '@carecover/contract';
import type { CommandMessage } from '@carecover/platform/workflow';
import { defineSignal, defineUpdate } from '@temporalio/workflow';

/** Input of a run. Everything else is read from the facts. */
export interface PreauthorizationWorkflowInput {
  /** The pre-authorization's ID, which is also the workflow's. */
  readonly resourceId: string;
  readonly tenant: string;
  readonly environment: Environment;
  /** Number of history events after which the run continues as new, if the server does not suggest it earlier. For tests. */
  readonly historyLimit?: number;
}

const command = <Name extends string>(name: Name) => defineUpdate<void, [CommandMessage], Name>(name);

/** The payer's decision. */
export const decide = command('decide');
/** The cancellation by a client. */
export const cancel = command('cancel');
/** The cancellation because the booking was cancelled. */
export const cancelForBooking = command('cancelForBooking');
/** The immediate expiry by the test helper of the sandbox. */
export const expire = command('expire');

/** A claim released it, or its deadline is overdue: the run reads the facts again. */
export const review = defineSignal('wake');
