/**
 * The workflow's steps with their summaries: those of its own service, and those of claims. Steps are retried until claims is
 * available.
 */
import { localSteps } from '@carecover/platform/workflow';
import type { ClaimsForRemittances } from './ports';
import type { RemittanceSteps } from './steps';

export const own = localSteps<RemittanceSteps>('10s', {
  allocate: 'Post the advice',
  observe: 'Post the observation',
  reverseObservation: 'Post the reversal of the observation',
  review: 'Read the facts and compare them with the clock',
  conclude: 'Answer the command',
});

export const claims = localSteps<ClaimsForRemittances>('10s', {
  knownClaims: 'Claims: which of these exist',
  recordRemittance: 'Claims: record the remittance',
  recordSettlement: 'Claims: record the settlement',
});
