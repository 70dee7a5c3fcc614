/** What can be said to a remittance's workflow, and how it is started. */
import type { CommandMessage } from '@carecover/platform/workflow';
import { defineSignal, defineUpdate } from '@temporalio/workflow';

export interface RemittanceInput {
  readonly resourceId: string;
  readonly tenant: string;
  readonly environment: 'sandbox' | 'production';
  /** Continues as new after this many messages, for tests; otherwise when the engine suggests it. */
  readonly continueAfter?: number;
}

/** Records the advice: the remittance's birth. */
export const record = defineUpdate<void, [CommandMessage]>('record');
/** Records an independent observation of its money. */
export const observe = defineUpdate<void, [CommandMessage]>('observe');
/** Takes an observation back. */
export const reverse = defineUpdate<void, [CommandMessage]>('reverse');
/** Asks it to look at the facts and the clock again. */
export const wake = defineSignal('wake');
