/**
 * How a process's pool of database connections stands, told by the client's own queues when Prometheus asks: exact, without
 * asking the database, and there when the database is not.
 */
import { Gauge } from 'prom-client';
import { registry } from './metrics';
import type { Sql } from './postgres';

/** Puts the pool's gauges on the process's metrics page. */
export function registerPoolGauges(service: string, sql: Sql): void {
  const gauges = [
    {
      name: 'carecover_database_pool_size',
      help: 'Connections that the process may open',
      labelNames: ['service'],
      collect: (gauge: Gauge) => gauge.set({ service }, sql.options.max),
    },
    {
      name: 'carecover_database_pool_connections',
      help: 'Connections of the process: busy (a statement or a transaction has it), idle, or connecting',
      labelNames: ['service', 'state'],
      collect(gauge: Gauge) {
        const { busy, idle, connecting } = sql.pool();
        for (const [state, count] of Object.entries({ busy, idle, connecting }))
          gauge.set({ service, state }, count);
      },
    },
    {
      name: 'carecover_database_pool_waiting',
      help: 'Statements and transactions for which no connection is free',
      labelNames: ['service'],
      collect: (gauge: Gauge) => gauge.set({ service }, sql.pool().waiting),
    },
  ];
  for (const { name, help, labelNames, collect } of gauges) {
    registry.removeSingleMetric(name);
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      collect: () => collect(gauge),
    });
  }
}
