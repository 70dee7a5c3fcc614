/** The care service put together: the parts that a process of it runs. */
import {
  type Handlers,
  type Log,
  ServiceClient,
  type ServiceParts,
  type Sql,
  startService,
} from '@carecover/platform';
import { CancellationNotification } from './cancellation-notification';
import { GAUGES } from './gauges';
import { bookingHandlers } from './routes/bookings';
import { internalRoutes } from './routes/internal';
import { practitionerHandlers } from './routes/practitioners';
import { sessionHandlers } from './routes/sessions';
import type { Settings } from './settings';

/** Every operation that the contract gives to care. */
export function careHandlers(sql: Sql, notice: CancellationNotification): Handlers {
  return { ...practitionerHandlers(sql), ...bookingHandlers(sql, notice), ...sessionHandlers(sql) };
}

function build(config: Settings, sql: Sql, log: Log): ServiceParts {
  const benefits = new ServiceClient('benefits', config.BENEFITS_URL, config.CONTEXT_SECRET);
  const notice = new CancellationNotification(sql, benefits, config.CARECOVER_ENVIRONMENT, log);
  return {
    handlers: careHandlers(sql, notice),
    internal: internalRoutes(sql),
    gauges: GAUGES,
    sweeps: [{ name: 'cancellations pending', run: () => notice.sweep() }],
    close: () => benefits.close(),
  };
}

/** Starts the parts that `roles` names (`server`, `worker`; both where none is named). */
export function startCare(config: Settings, roles: readonly string[]) {
  return startService({
    name: 'care',
    config,
    // It has no events of its own.
    nats: null,
    roles,
    build: ({ sql, log }) => build(config, sql, log),
  });
}
