/** Updates and signals of a claim's workflow. */
import type { CommandMessage } from '@carecover/platform/workflow';
import { defineSignal, defineUpdate } from '@temporalio/workflow';
import { claimWorkflow } from './definition';

const { updates, signal } = claimWorkflow;
const command = (name: string) => defineUpdate<void, [CommandMessage]>(name);

export const submit = command(updates.createClaim);
export const requestInformation = command(updates.requestClaimInformation);
export const submitEvidence = command(updates.submitClaimEvidence);
export const adjudicate = command(updates.adjudicateClaim);
export const cancel = command(updates.cancelClaim);
export const reverse = command(updates.reverseClaim);

/** The Temporal signal after which the run reads the claim's facts again. */
export const recorded = defineSignal(signal);
