/** Metrics whose values are read from the database of webhooks. */
import type { DatabaseGauge } from '@carecover/postgres';
import { countDeadLetteredMessages } from './store/dead-lettered-messages';
import { countPendingDeliveries, oldestOverdueSeconds } from './store/due-deliveries';
import { countFailingEndpoints } from './store/endpoints';

export const GAUGES: readonly DatabaseGauge[] = [
  {
    name: 'carecover_webhook_dead_lettered_messages',
    help: 'Messages of the stream that could not be parsed',
    read: countDeadLetteredMessages,
  },
  {
    name: 'carecover_webhook_deliveries_pending',
    help: 'Deliveries with attempts left',
    read: countPendingDeliveries,
  },
  {
    name: 'carecover_webhook_oldest_overdue_seconds',
    help: 'Delay of the most overdue delivery, of endpoints whose latest attempt did not fail; 0 if none is overdue',
    read: oldestOverdueSeconds,
  },
  {
    name: 'carecover_webhook_failing_endpoints',
    help: 'Active endpoints whose attempts have all failed for an hour or more',
    read: countFailingEndpoints,
  },
];
