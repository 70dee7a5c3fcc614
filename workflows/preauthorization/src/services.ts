/**
 * The workflow's lines to the services: own steps as local activities, the others' on their queues. Failure policy: what is away
 * is tried again for ever, at most five seconds apart; only a refusal is final.
 */
import { ownSteps, stepsElsewhere } from '@carecover/platform/workflow';
import type { CareForPreauthorizations } from './ports';
import type { PreauthorizationSteps } from './steps';

const retry = { initialInterval: '100ms', backoffCoefficient: 2, maximumInterval: '5s' } as const;
const patience = { startToCloseTimeout: '10s', retry } as const;

export const own = ownSteps<PreauthorizationSteps>(patience, {
  review: 'Read the facts, and expire it if it is due',
  beginDecision: 'Judge the decision and reserve a session',
  commitDecision: 'Record the decision',
  abandonDecision: 'Refused: release the session',
  cancel: 'Cancel it',
  cancelForBooking: 'Cancel it with its booking',
  expireNow: 'Expire it now',
});

export const care = stepsElsewhere<CareForPreauthorizations>(
  { ...patience, taskQueue: 'care' },
  { confirmBooking: 'Confirm the booking' },
);
