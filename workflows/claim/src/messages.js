import { defineSignal, defineUpdate } from '@temporalio/workflow';
const command = (name) => defineUpdate(name);
export const submit = command('submit');
export const requestInformation = command('requestInformation');
export const submitEvidence = command('submitEvidence');
export const adjudicate = command('adjudicate');
export const cancel = command('cancel');
export const reverse = command('reverse');
/** Something was recorded on the claim from outside, or is overdue: look at the facts again. */
export const recorded = defineSignal('recorded');
