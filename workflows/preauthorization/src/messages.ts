/** Updates of a pre-authorization's workflow. */
import type { CommandMessage } from '@carecover/platform/workflow';
import { defineUpdate } from '@temporalio/workflow';
import { CANCEL_FOR_BOOKING, preauthorizationWorkflow } from './definition';

const { updates } = preauthorizationWorkflow;
const command = (name: string) => defineUpdate<void, [CommandMessage]>(name);

export const decide = command(updates.decidePreauthorization);
export const cancel = command(updates.cancelPreauthorization);
export const cancelForBooking = command(CANCEL_FOR_BOOKING);
/** The immediate expiry by the test helper of the sandbox. */
export const expire = command(updates.expirePreauthorization);
