/**
 * Gauges that are read at each scrape: from the database, with the same value in every replica, and from the process's connection
 * pool.
 *
 * Failure policy: open. A gauge that can't be read is absent from that scrape; it is never zero.
 */

import type { Log } from '@carecover/telemetry';
import { metricsRegistry } from '@carecover/telemetry';
import { Gauge } from 'prom-client';
import type { Sql } from './connect';

export interface DatabaseGauge {
  /** The metric's name: it starts with `carecover_` and ends with a base unit of Prometheus. */
  readonly name: string;
  readonly help: string;
  readonly read: (sql: Sql) => Promise<number>;
}

/** The gauges that every service with commands and an outbox has. */
const COMMON_GAUGES: readonly DatabaseGauge[] = [
  {
    name: 'carecover_outbox_events',
    help: 'Number of events in the outbox that are not yet on the stream',
    read: (sql) => readValue(sql`select count(*) as value from outbox where dead_lettered_at is null`),
  },
  {
    name: 'carecover_outbox_oldest_age_seconds',
    help: 'Age of the oldest event that is not yet on the stream; 0 if there is none',
    read: (sql) =>
      readValue(sql`select ${ageOfOldest(sql)} as value from outbox where dead_lettered_at is null`),
  },
  {
    name: 'carecover_outbox_dead_lettered_events',
    help: 'Number of dead-lettered events in the outbox, for which an operator must decide',
    read: (sql) => readValue(sql`select count(*) as value from outbox where dead_lettered_at is not null`),
  },
  // This service keeps a row of each published event until the webhooks service has stored the event. The gauge counts these rows, so it
  // also has a value while the webhooks service does not run.
  {
    name: 'carecover_stream_events',
    help: 'Number of events on the stream that the webhooks service has not stored; updated every 10 seconds',
    read: (sql) => readValue(sql`select count(*) as value from published_events`),
  },
  {
    name: 'carecover_stream_oldest_age_seconds',
    help: 'Age of the oldest event on the stream that the webhooks service has not stored; 0 if there is none',
    // The row with the lowest seq is the oldest, so the query reads one row even if many events wait.
    read: (sql) =>
      readValue(
        sql`select ${ageOfOldest(sql)} as value from (select created_at from published_events order by seq limit 1) first`,
      ),
  },
  {
    name: 'carecover_commands_pending',
    help: 'Number of accepted commands without a response',
    read: (sql) => readValue(sql`select count(*) as value from pending_commands`),
  },
  {
    name: 'carecover_commands_oldest_pending_age_seconds',
    help: 'Age of the oldest accepted command without a response; 0 if there is none',
    read: (sql) => readValue(sql`select ${ageOfOldest(sql)} as value from pending_commands`),
  },
  {
    name: 'carecover_workflow_signals_pending',
    help: 'Number of resources whose workflows have not received their latest changes',
    read: (sql) => readValue(sql`select count(*) as value from workflow_signals`),
  },
  {
    name: 'carecover_workflow_signals_oldest_age_seconds',
    help: 'Age of the oldest change that its workflow has not received: how far the workflows are behind the facts; 0 if there is none',
    // Signals are measured by the machine's clock, as their delay is.
    read: (sql) =>
      readValue(sql`
        select coalesce(greatest(0, extract(epoch from clock_timestamp() - min(enqueued_at))), 0)::float8 as value from workflow_signals`),
  },
  {
    name: 'carecover_commands_interrupted',
    help: 'Number of accepted commands whose execution was interrupted and that a workflow must finish',
    read: (sql) =>
      readValue(sql`select count(*) as value from pending_commands where leased_until < clock_timestamp()`),
  },
  {
    name: 'carecover_database_connections_busy',
    help: "Number of the service role's connections that execute a statement or are in a transaction",
    read: (sql) =>
      readValue(
        sql`select count(*) as value from pg_stat_activity where usename = current_user and state <> 'idle'`,
      ),
  },
];

function ageOfOldest(sql: Sql) {
  return sql`coalesce(greatest(0, extract(epoch from platform.now() - min(created_at))), 0)::float8`;
}

async function readValue(query: PromiseLike<readonly object[]>): Promise<number> {
  const [row] = await query;
  return Number(row === undefined ? Number.NaN : Reflect.get(row, 'value'));
}

/** Registers the gauges that every service has, and the service's own gauges (`own`). */
export function registerGauges(service: string, sql: Sql, own: readonly DatabaseGauge[], log: Log): void {
  for (const { name, help, read } of [...COMMON_GAUGES, ...own]) {
    metricsRegistry.removeSingleMetric(name);
    new Gauge({
      name,
      help,
      labelNames: ['service'],
      registers: [metricsRegistry],
      async collect() {
        this.reset();
        try {
          this.set({ service }, await read(sql));
        } catch (error) {
          log.warn({ err: error, gauge: name }, 'a gauge could not be read and is absent from this scrape');
        }
      },
    });
  }
}

/**
 * Registers the gauges of the process's connection pool. They are read from the pool without a query, so they also have
 * values while the database is unavailable.
 */
export function registerPoolGauges(service: string, sql: Sql): void {
  const gauges = [
    {
      name: 'carecover_database_pool_size',
      help: 'Maximum number of connections of the process',
      labelNames: ['service'],
      collect: (gauge: Gauge) => gauge.set({ service }, sql.use().size),
    },
    {
      name: 'carecover_database_pool_connections',
      help: 'Number of connections of the process by state: idle, or busy (in a statement or transaction, or being opened)',
      labelNames: ['service', 'state'],
      collect(gauge: Gauge) {
        const { busy, idle } = sql.use();
        for (const [state, count] of Object.entries({ busy, idle })) gauge.set({ service, state }, count);
      },
    },
    {
      name: 'carecover_database_pool_waiting',
      help: 'Number of statements and transactions that wait for a connection',
      labelNames: ['service'],
      collect: (gauge: Gauge) => gauge.set({ service }, sql.use().waiting),
    },
  ];
  for (const { name, help, labelNames, collect } of gauges) {
    metricsRegistry.removeSingleMetric(name);
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames,
      registers: [metricsRegistry],
      collect: () => collect(gauge),
    });
  }
}
