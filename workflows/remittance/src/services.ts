/**
 * The workflow's lines to the services: own steps as local activities, the others' on their queues. Failure policy: what is away
 * is tried again for ever, at most five seconds apart, since what payments committed must reach claims; only a refusal is final.
 */
import { ownSteps, stepsElsewhere } from '@carecover/platform/workflow';
import type { ClaimsForRemittances } from './ports';
import type { RemittanceSteps } from './steps';

const retry = { initialInterval: '100ms', backoffCoefficient: 2, maximumInterval: '5s' } as const;

export const own = ownSteps<RemittanceSteps>(
  { startToCloseTimeout: '20s', retry },
  {
    allocate: 'Post the advice',
    observe: 'Post the observation',
    reverseObservation: 'Take the observation back',
    review: 'Look at facts and clock',
    conclude: 'Claims has heard: answer the command',
  },
);

export const claims = stepsElsewhere<ClaimsForRemittances>(
  { taskQueue: 'claims', startToCloseTimeout: '20s', retry },
  {
    knownClaims: 'Which of these claims exist?',
    recordRemittance: 'Tell claims of the remittance',
    recordSettlement: 'Tell claims of the money',
  },
);
