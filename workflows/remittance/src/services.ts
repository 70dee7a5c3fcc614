/**
 * The workflow's lines to its own service and to claims. Failure policy: a refusal is final; whatever else goes wrong is tried
 * again for ever, since what payments committed must reach claims, however long that is away.
 */
import { ownSteps, stepsElsewhere } from '@carecover/platform/workflow';
import type { RemittanceLedger } from './ledger';
import type { ClaimsForRemittances } from './ports';

const retry = { initialInterval: '100ms', backoffCoefficient: 2, maximumInterval: '5s' } as const;

/** Each is one short transaction of the payments database. */
export const ledger = ownSteps<RemittanceLedger>(
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
