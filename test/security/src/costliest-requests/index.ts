/** The costliest valid request of each operation that the tests know. */
import type { OperationId } from '@carecover/contract';
import { apiRequests } from './api';
import { benefitsRequests } from './benefits';
import { bulkJobRequests } from './bulk-jobs';
import { careRequests } from './care';
import { claimsRequests } from './claims';
import type { Costliest } from './costly';
import { paymentsRequests } from './payments';
import { testClockRequests } from './test-clocks';
import { webhooksRequests } from './webhooks';

/** The compiler rejects this table if an operation of the contract is missing. */
export const costliestRequests: Readonly<Record<OperationId, Costliest>> = {
  ...apiRequests,
  ...careRequests,
  ...benefitsRequests,
  ...bulkJobRequests,
  ...claimsRequests,
  ...paymentsRequests,
  ...webhooksRequests,
  ...testClockRequests,
};
