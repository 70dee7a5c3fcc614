/** The claims service put together: the parts that a process of it runs. */
import {
  Engine,
  type Handlers,
  type Log,
  type ServiceParts,
  type Sql,
  startService,
} from '@carecover/platform';
import { claimsActivities } from './activities';
import { GAUGES } from './gauges';
import { claimHandlers } from './routes/claims';
import { commandHandlers } from './routes/commands';
import { valuationHandlers } from './routes/valuation';
import type { Settings } from './settings';
import { claimsSweeps } from './sweeps';

/** Every operation that the contract gives to claims. */
export function claimsHandlers(sql: Sql, engine: Engine): Handlers {
  return { ...claimHandlers(sql), ...commandHandlers(sql, engine), ...valuationHandlers(sql) };
}

function build(config: Settings, sql: Sql, log: Log): ServiceParts {
  const engine = Engine.create(config);
  return {
    handlers: claimsHandlers(sql, engine),
    gauges: GAUGES,
    sweeps: claimsSweeps(sql, engine, log),
    worker: {
      activities: claimsActivities(sql, engine),
      bundlePath: require.resolve('@carecover/workflow-claim/bundle'),
    },
    close: () => engine.close(),
  };
}

/** Starts the parts that `roles` names (`server`, `worker`; both where none is named). */
export function startClaims(config: Settings, roles: readonly string[]) {
  return startService({
    name: 'claims',
    config,
    temporal: config,
    natsUrl: config.NATS_URL,
    roles,
    build: ({ sql, log }) => build(config, sql, log),
  });
}
