/** The steps of the valuation run's workflow with their summaries. */
import { localSteps } from '@carecover/platform/workflow';
import type { ValuationSteps } from './steps';

export const own = localSteps<ValuationSteps>('60s', {
  closeCutoff: 'Make the facts through the cutoff final',
  rollUpMonth: 'Roll up one month of the project',
  computeResult: 'Add up and store the result',
});
