/** Updates and signals of a remittance's workflow. */
import type { CommandMessage } from '@carecover/platform/workflow';
import { defineSignal, defineUpdate } from '@temporalio/workflow';
import { remittanceWorkflow } from './definition';

const { updates, signal } = remittanceWorkflow;
const command = (name: string) => defineUpdate<void, [CommandMessage]>(name);

export const record = command(updates.createRemittance);
export const observe = command(updates.createSettlement);
export const reverse = command(updates.reverseSettlement);

/** The run reads the state again. */
export const review = defineSignal(signal);
