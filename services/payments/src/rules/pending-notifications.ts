/** The page of pending notifications in a remittance's state, which every step of its workflow returns. */
import type { Notification, RemittanceState } from '@carecover/workflow-remittance';

/**
 * Maximum number of notifications in a page. Temporal rejects a step's result above 2 MiB. A notification about 100 claims, the most that a
 * remittance has, takes about 20 kB.
 */
export const PENDING_PAGE = 20;

/** Returns the first page of the given notifications, which are in the order in which claims must record them. */
export function pendingPage(
  notifications: readonly Notification[],
): Pick<RemittanceState, 'pending' | 'hasMorePending'> {
  return {
    pending: notifications.slice(0, PENDING_PAGE),
    hasMorePending: notifications.length > PENDING_PAGE,
  };
}
