/** Gauges that are read from care's database. */
import type { DatabaseGauge } from '@carecover/postgres';
import { countPendingCancellations } from './store/bookings';

export const GAUGES: readonly DatabaseGauge[] = [
  {
    name: 'carecover_cancellations_pending',
    help: 'Cancelled covered bookings whose notification benefits has not confirmed',
    read: countPendingCancellations,
  },
];
