/** What an operator watches of claims. */
import type { DatabaseGauge } from '@carecover/platform';

export const GAUGES: readonly DatabaseGauge[] = [
  {
    name: 'carecover_deadline_overdue_seconds',
    help: 'By how much the most overdue deadline passed without its effect; 0 where none did',
    async read(sql) {
      const [row] = await sql<{ overdue: number }[]>`
        select coalesce(greatest(0, extract(epoch from platform.now() - min(due_at))), 0)::float8 as overdue
        from information_requests where status = 'open' and due_at is not null`;
      return row?.overdue ?? 0;
    },
  },
];
