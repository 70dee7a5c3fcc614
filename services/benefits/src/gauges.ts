/** Metrics whose values are read from the database of benefits. */
import type { DatabaseGauge } from '@carecover/postgres';
import { longestOverdueSeconds } from './store/preauthorizations';

export const GAUGES: readonly DatabaseGauge[] = [
  {
    name: 'carecover_deadline_overdue_seconds',
    help: 'Age of the most overdue deadline of a pre-authorization that has not expired; 0 if there is none',
    read: longestOverdueSeconds,
  },
];
