/**
 * The workflow's lines to the services: own steps as local activities, the others' on their queues. What payments committed
 * must reach claims, however long that is away.
 */
import { ownSteps, stepsElsewhere } from '@carecover/platform/workflow';
import type { ClaimsForRemittances } from './ports';
import type { RemittanceSteps } from './steps';

export const own = ownSteps<RemittanceSteps>('20s', {
  allocate: 'Post the advice',
  observe: 'Post the observation',
  reverseObservation: 'Take the observation back',
  review: 'Look at facts and clock',
  conclude: 'Claims has heard: answer the command',
});

export const claims = stepsElsewhere<ClaimsForRemittances>('claims', '20s', {
  knownClaims: 'Which of these claims exist?',
  recordRemittance: 'Tell claims of the remittance',
  recordSettlement: 'Tell claims of the money',
});
