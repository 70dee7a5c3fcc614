/** The route by which an operator reads dead-lettered events. */

import { listDeadLetteredEvents } from '@carecover/events';
import type { OperatorRoute } from '@carecover/http';
import type { Db } from '@carecover/postgres';

/** Makes the route by which an operator reads the oldest 100 dead-lettered events of one project. */
export function deadLetteredEventsRoute(db: Db): OperatorRoute {
  return {
    method: 'GET',
    path: '/dead_lettered_events',
    handle: async ({ tenant }) => ({ data: await listDeadLetteredEvents(db, tenant, 100) }),
  };
}
