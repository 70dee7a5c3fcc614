/** The care service put together: its settings, and the parts that a process of it runs. */
import {
  COMMON_SETTINGS,
  type Config,
  type Handlers,
  type Log,
  ServiceClient,
  type ServiceParts,
  type Sql,
  secret,
  startService,
  TEMPORAL_SETTINGS,
  urls,
} from '@carecover/platform';
import { careActivities } from './activities';
import { CancellationNotice } from './cancellation-notice';
import { bookingHandlers } from './routes/bookings';
import { internalRoutes } from './routes/internal';
import { practitionerHandlers } from './routes/practitioners';
import { sessionHandlers } from './routes/sessions';
import { countUntold } from './store/bookings';

export const CARE_SETTINGS = {
  ...COMMON_SETTINGS,
  ...TEMPORAL_SETTINGS,
  HASH_SECRET: secret(32),
  BENEFITS_URL: urls('http:', 'https:'),
} as const;

export type CareConfig = Config<typeof CARE_SETTINGS>;

/** Every operation that the contract gives to care. */
export function careHandlers(sql: Sql, notice: CancellationNotice): Handlers {
  return { ...practitionerHandlers(sql), ...bookingHandlers(sql, notice), ...sessionHandlers(sql) };
}

function build(config: CareConfig, sql: Sql, log: Log): ServiceParts {
  const benefits = new ServiceClient('benefits', config.BENEFITS_URL, config.CONTEXT_SECRET);
  const notice = new CancellationNotice(sql, benefits, config.CARECOVER_ENVIRONMENT, log);
  return {
    handlers: careHandlers(sql, notice),
    internal: internalRoutes(sql),
    sweeps: [{ name: 'cancellations untold', run: () => notice.sweep() }],
    gauges: [
      {
        name: 'carecover_cancellations_untold',
        help: 'Cancelled covered bookings of which benefits has not heard yet',
        read: countUntold,
      },
    ],
    worker: { activities: careActivities(sql) },
    close: () => benefits.close(),
  };
}

/** Starts the parts that `roles` names (`server`, `worker`; both where none is named). Care has no events of its own. */
export function startCare(config: CareConfig, roles: readonly string[]) {
  return startService({
    name: 'care',
    config,
    temporal: config,
    natsUrl: null,
    roles,
    build: ({ sql, log }) => build(config, sql, log),
  });
}
