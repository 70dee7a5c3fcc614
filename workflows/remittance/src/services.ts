/**
 * The steps of the remittance's workflow with their summaries: steps in the payments service and in the claims service. Steps are
 * retried until their service is available.
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
