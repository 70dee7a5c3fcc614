/** All provocations, by operation and outcome. */
import { accessProvocations } from './access';
import { benefitsProvocations } from './benefits';
import { bulkJobProvocations } from './bulk-jobs';
import { careProvocations } from './care';
import { claimsProvocations } from './claims';
import { paymentsProvocations } from './payments';
import type { Provocations } from './provocation';
import { testClockProvocations } from './test-clocks';
import { webhooksProvocations } from './webhooks';

export const provocations: Provocations = {
  ...accessProvocations,
  ...careProvocations,
  ...benefitsProvocations,
  ...bulkJobProvocations,
  ...claimsProvocations,
  ...paymentsProvocations,
  ...webhooksProvocations,
  ...testClockProvocations,
};
