/** The payments service put together: the parts that a process of it runs. */
import {
  Engine,
  type Handlers,
  type Log,
  type ServiceParts,
  type Sql,
  startService,
} from '@carecover/platform';
import { paymentsActivities } from './activities';
import { GAUGES } from './gauges';
import { remittanceHandlers } from './routes/remittances';
import { settlementHandlers } from './routes/settlements';
import type { Settings } from './settings';
import { paymentsSweeps } from './sweeps';

/** Every operation that the contract gives to payments. */
export function paymentsHandlers(sql: Sql, engine: Engine): Handlers {
  return { ...remittanceHandlers(sql, engine), ...settlementHandlers(sql, engine) };
}

function build(config: Settings, sql: Sql, log: Log): ServiceParts {
  const engine = Engine.create(config);
  return {
    handlers: paymentsHandlers(sql, engine),
    gauges: GAUGES,
    sweeps: paymentsSweeps(sql, engine, log),
    worker: {
      activities: paymentsActivities(sql, config.RECONCILIATION_SECONDS * 1000),
      bundlePath: require.resolve('@carecover/workflow-remittance/bundle'),
    },
    close: () => engine.close(),
  };
}

/** Starts the parts that `roles` names (`server`, `worker`; both where none is named). */
export function startPayments(config: Settings, roles: readonly string[]) {
  return startService({
    name: 'payments',
    config,
    temporal: config,
    natsUrl: config.NATS_URL,
    roles,
    build: ({ sql, log }) => build(config, sql, log),
  });
}
