/** Metrics about remittances and the ledger, whose values are read from the database of payments. */
import type { DatabaseGauge } from '@carecover/postgres';
import { countDifferences } from './store/postings';
import { countExceptions, readOverdueSeconds } from './store/remittances';

export const GAUGES: readonly DatabaseGauge[] = [
  {
    name: 'carecover_deadline_overdue_seconds',
    help: 'Age of the most overdue deadline of a remittance whose status is still received; 0 if there is none',
    read: readOverdueSeconds,
  },
  {
    name: 'carecover_remittances_in_exception',
    help: 'Remittances whose settlements do not equal their total, or are late',
    read: countExceptions,
  },
  {
    name: 'carecover_ledger_differences',
    help: 'Claims with a recent posting whose balances are not the sum of all their postings',
    read: countDifferences,
  },
];
