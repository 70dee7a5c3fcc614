/** The claims service put together: its settings, and the parts that a process of it runs. */
import {
  COMMON_SETTINGS,
  type Config,
  Engine,
  type Handlers,
  type Log,
  NATS_SETTINGS,
  type ServiceParts,
  type Sql,
  secret,
  startService,
  TEMPORAL_SETTINGS,
} from '@carecover/platform';
import { claimActivities } from './activities';
import { CLAIM_GAUGES } from './gauges';
import { claimHandlers } from './routes/claims';
import { commandHandlers } from './routes/commands';
import { valuationHandlers } from './routes/valuation';
import { claimSweeps } from './sweeps';
import { TASK_QUEUE } from './workflow';

export const CLAIMS_SETTINGS = {
  ...COMMON_SETTINGS,
  ...TEMPORAL_SETTINGS,
  ...NATS_SETTINGS,
  HASH_SECRET: secret(32),
} as const;

export type ClaimsConfig = Config<typeof CLAIMS_SETTINGS>;

/** Every operation that the contract gives to claims. */
export function claimsHandlers(sql: Sql, engine: Engine): Handlers {
  return { ...claimHandlers(sql), ...commandHandlers(sql, engine), ...valuationHandlers(sql) };
}

function build(config: ClaimsConfig, sql: Sql, log: Log): ServiceParts {
  const engine = Engine.create(config);
  return {
    handlers: claimsHandlers(sql, engine),
    gauges: CLAIM_GAUGES,
    sweeps: claimSweeps(sql, engine, log),
    worker: {
      activities: claimActivities(sql, engine),
      bundlePath: require.resolve('@carecover/workflow-claim/bundle'),
    },
    close: () => engine.close(),
  };
}

/** Starts the parts that `roles` names (`server`, `worker`; both where none is named). */
export function startClaims(config: ClaimsConfig, roles: readonly string[]) {
  return startService({
    name: TASK_QUEUE,
    config,
    temporal: config,
    natsUrl: config.NATS_URL,
    roles,
    build: ({ sql, log }) => build(config, sql, log),
  });
}
