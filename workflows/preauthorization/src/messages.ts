/** What can be said to a running pre-authorization: its commands as Updates, and the signal that something changed. */
import type { CommandMessage } from '@carecover/platform/workflow';
import { defineSignal, defineUpdate } from '@temporalio/workflow';

/** The payer decides. */
export const decideUpdate = defineUpdate<void, [CommandMessage]>('decide');
/** Whoever opened it cancels it. */
export const cancelUpdate = defineUpdate<void, [CommandMessage]>('cancel');
/** Its booking was cancelled. */
export const cancelForBookingUpdate = defineUpdate<void, [CommandMessage]>('cancelForBooking');
/** The sandbox's test helper brings its deadline about. */
export const expireUpdate = defineUpdate<void, [CommandMessage]>('expire');
/** Something changed outside: a claim uses it or freed it, or a deadline passed without effect. */
export const wakeSignal = defineSignal('wake');
