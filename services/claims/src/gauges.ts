/** Gauges of the claims service. */
import type { DatabaseGauge } from '@carecover/platform';

export const GAUGES: readonly DatabaseGauge[] = [
  {
    name: 'carecover_deadline_overdue_seconds',
    help: 'Age of the most overdue deadline of an information request that has not lapsed; 0 if there is none',
    async read(sql) {
      const [row] = await sql<{ overdue: number }[]>`
        select coalesce(greatest(0, extract(epoch from platform.now() - min(due_at))), 0)::float8 as overdue
        from information_requests where status = 'open' and due_at is not null`;
      return row?.overdue ?? 0;
    },
  },
];
