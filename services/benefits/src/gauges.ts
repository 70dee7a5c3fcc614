/** Gauges of the benefits service. */
import type { DatabaseGauge } from '@carecover/platform';

export const GAUGES: readonly DatabaseGauge[] = [
  {
    name: 'carecover_deadline_overdue_seconds',
    help: 'Age of the most overdue deadline of a pre-authorization that has not expired; 0 if there is none',
    async read(sql) {
      const [row] = await sql<{ overdue: number }[]>`
        select coalesce(greatest(0, extract(epoch from platform.now() - least(
          (select min(decide_by) from preauthorizations where status = 'pending' and deciding_command_id is null),
          (select min(valid_until) from preauthorizations where status = 'approved' and used_by_claim_id is null)
        ))), 0)::float8 as overdue`;
      return row?.overdue ?? 0;
    },
  },
];
