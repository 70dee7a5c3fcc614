/**
 * What a service's database alone can tell an operator: read when Prometheus asks, and the same from every replica.
 * Failure policy: open; a gauge that can't be read is absent from that scrape, never zero, and the scrape goes on.
 */
import { Gauge } from 'prom-client';
import type { Log } from './log';
import { registry } from './metrics';
import type { Sql } from './postgres';

export interface DatabaseGauge {
  /** `carecover_…`, in Prometheus' base units. */
  readonly name: string;
  readonly help: string;
  readonly read: (sql: Sql) => Promise<number>;
}

/** What every service with commands and an outbox is watched by. */
const COMMON_GAUGES: readonly DatabaseGauge[] = [
  {
    name: 'carecover_outbox_events',
    help: 'Events committed and not yet on the stream',
    read: (sql) => one(sql`select count(*) as value from outbox where dead_lettered_at is null`),
  },
  {
    name: 'carecover_outbox_oldest_age_seconds',
    help: 'Age of the oldest event not yet on the stream; 0 where there is none',
    read: (sql) => one(sql`select ${ageOfOldest(sql)} as value from outbox where dead_lettered_at is null`),
  },
  {
    name: 'carecover_outbox_dead_lettered_events',
    help: 'Events that the stream rejects for what they are, set aside for an operator',
    read: (sql) => one(sql`select count(*) as value from outbox where dead_lettered_at is not null`),
  },
  // By the service's own copies, which go when the stream is seen to have let go of them: whoever takes nothing tells nothing.
  {
    name: 'carecover_stream_events',
    help: 'Events on the stream that the webhooks service has not taken off it, as the relay saw in the last quarter of a minute',
    read: (sql) => one(sql`select count(*) as value from published`),
  },
  {
    name: 'carecover_stream_oldest_age_seconds',
    help: 'Age of the oldest event on the stream that the webhooks service has not taken off it; 0 where there is none',
    // The first of them is the oldest: what has piled up is not read for it.
    read: (sql) =>
      one(
        sql`select ${ageOfOldest(sql)} as value from (select created_at from published order by seq limit 1) first`,
      ),
  },
  {
    name: 'carecover_commands_pending',
    help: 'Commands accepted and not yet answered',
    read: (sql) => one(sql`select count(*) as value from commands where answer_status is null`),
  },
  {
    name: 'carecover_commands_oldest_pending_age_seconds',
    help: 'Age of the oldest command not yet answered; 0 where there is none',
    read: (sql) => one(sql`select ${ageOfOldest(sql)} as value from commands where answer_status is null`),
  },
  {
    name: 'carecover_workflow_reviews_pending',
    help: 'Resources that changed outside of their workflows, which are not signalled yet',
    read: (sql) => one(sql`select count(*) as value from workflow_reviews`),
  },
  {
    name: 'carecover_database_connections_busy',
    help: "Connections of the service's role that are doing something",
    read: (sql) =>
      one(
        sql`select count(*) as value from pg_stat_activity where usename = current_user and state <> 'idle'`,
      ),
  },
];

function ageOfOldest(sql: Sql) {
  return sql`coalesce(greatest(0, extract(epoch from platform.now() - min(created_at))), 0)::float8`;
}

async function one(query: PromiseLike<readonly object[]>): Promise<number> {
  const [row] = await query;
  return Number(row === undefined ? Number.NaN : Reflect.get(row, 'value'));
}

/** Puts the common gauges and the service's own on the process's metrics page. */
export function registerGauges(service: string, sql: Sql, own: readonly DatabaseGauge[], log: Log): void {
  for (const { name, help, read } of [...COMMON_GAUGES, ...own]) {
    registry.removeSingleMetric(name);
    new Gauge({
      name,
      help,
      labelNames: ['service'],
      registers: [registry],
      async collect() {
        this.reset();
        try {
          this.set({ service }, await read(sql));
        } catch (error) {
          log.warn({ err: error, gauge: name }, 'a gauge could not be read');
        }
      },
    });
  }
}
