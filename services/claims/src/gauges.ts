/** Metrics whose values are read from the database of claims. */
import type { DatabaseGauge } from '@carecover/postgres';
import { longestOverdueSeconds } from './store/unfinished-claims';

export const GAUGES: readonly DatabaseGauge[] = [
  {
    name: 'carecover_deadline_overdue_seconds',
    help: 'Age of the most overdue deadline of an information request that has not lapsed; 0 if there is none',
    read: longestOverdueSeconds,
  },
];
