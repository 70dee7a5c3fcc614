/** What an operator should watch of the service's own tables. */
import type { DatabaseGauge, Sql } from '@carecover/platform';

async function read(query: PromiseLike<readonly { value: number }[]>): Promise<number> {
  const [row] = await query;
  return Number(row?.value);
}

export const GAUGES: readonly DatabaseGauge[] = [
  {
    name: 'carecover_webhook_dead_lettered_messages',
    help: 'Messages of the stream that could not be understood',
    read: (sql: Sql) => read(sql`select count(*) as value from dead_lettered_messages`),
  },
  {
    name: 'carecover_webhook_deliveries_pending',
    help: 'Deliveries with tries left',
    read: (sql: Sql) => read(sql`select count(*) as value from deliveries where status = 'pending'`),
  },
  // Those of a receiver that fails wait for its few places, and for it alone: they tell nothing of the dispatcher.
  {
    name: 'carecover_webhook_oldest_overdue_seconds',
    help: 'How long the most overdue delivery has waited for its try, of endpoints whose latest try did not fail; 0 where none is overdue',
    read: (sql: Sql) =>
      read(sql`
        select coalesce(greatest(0, extract(epoch from platform.now() - min(oldest.due_at))), 0)::float8 as value
        from endpoints e cross join lateral (
          select d.due_at from deliveries d
          where d.endpoint_id = e.id and d.status = 'pending' order by d.due_at limit 1) oldest
        where e.status = 'active' and e.first_failure_at is null`),
  },
  {
    name: 'carecover_webhook_failing_endpoints',
    help: 'Active endpoints whose every try has failed for an hour or more',
    read: (sql: Sql) =>
      read(sql`
        select count(*) as value from endpoints
        where status = 'active' and first_failure_at < platform.now() - interval '1 hour'`),
  },
];
