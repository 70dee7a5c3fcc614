/**
 * How patiently activities are tried. Failure policy: a refusal is final; whatever else goes wrong is tried again for ever,
 * since what payments committed must reach claims, however long that is away.
 */
import type { ActivityOptions, LocalActivityOptions } from '@temporalio/common';

const FOR_EVER = {
  initialInterval: '100ms',
  backoffCoefficient: 2,
  maximumInterval: '5s',
} as const;

/** One short transaction of the payments database. */
export const ledgerOptions: LocalActivityOptions = { startToCloseTimeout: '20s', retry: FOR_EVER };

export const claimsOptions: ActivityOptions = {
  taskQueue: 'claims',
  startToCloseTimeout: '20s',
  retry: FOR_EVER,
};
