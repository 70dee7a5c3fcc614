/** Updates and signals of a remittance's workflow. */
import type { Environment } from '@carecover/contract';
import type { CommandMessage } from '@carecover/platform/workflow';
import { defineSignal, defineUpdate } from '@temporalio/workflow';

/** Input of a run. Everything else is read from the database. */
export interface RemittanceWorkflowInput {
  /** The remittance's ID, which is also the workflow's. */
  readonly resourceId: string;
  readonly tenant: string;
  readonly environment: Environment;
  /** Number of commands after which the run continues as new, if the server does not suggest it earlier. For tests. */
  readonly commandLimit?: number;
}

const command = <Name extends string>(name: Name) => defineUpdate<void, [CommandMessage], Name>(name);

/** Creates the remittance. */
export const record = command('record');
/** Records a settlement of the remittance. */
export const observe = command('observe');
/** Reverses a settlement. */
export const reverse = command('reverse');

/** The Temporal signal after which the run reads the state again: a deadline is overdue, or a notification is pending. */
export const review = defineSignal<[], 'review'>('review');

export type RemittanceUpdate = (typeof record | typeof observe | typeof reverse)['name'];
export type RemittanceSignal = (typeof review)['name'];
