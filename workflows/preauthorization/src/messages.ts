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

/** Executes the payer's decision. */
export const decide = command('decide');
/** Cancels the pre-authorization for a client. */
export const cancel = command('cancel');
/** Cancels the pre-authorization because its booking was cancelled. */
export const cancelForBooking = command('cancelForBooking');
/** Expires the pre-authorization at once, for the test helper of the sandbox. */
export const expire = command('expire');

/** The Temporal signal after which the run reads the facts again: a claim released the pre-authorization, or a deadline is overdue. */
export const review = defineSignal('wake');
