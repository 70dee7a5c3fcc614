/** Builds the care service: its routes, gauges and sweeps. */
import { ContextSigner, type Handlers, ServiceClient, stepRoutes } from '@carecover/http';
import type { Sql } from '@carecover/postgres';
import { clockRoutes, type ServiceParts, startService } from '@carecover/service';
import type { Log } from '@carecover/telemetry';
import type { CareForClaims } from '@carecover/workflow-claim';
import type { CareForPreauthorizations } from '@carecover/workflow-preauthorization';
import { careActivities } from './activities';
import { GAUGES } from './gauges';
import { bookingFactsRoute } from './routes/booking-facts';
import { bookingHandlers } from './routes/bookings';
import { operatorRoutes } from './routes/operator';
import { practitionerHandlers } from './routes/practitioners';
import { sessionHandlers } from './routes/sessions';
import type { Settings } from './settings';
import { dueItems } from './store/due-items';
import { CancellationNotification } from './use-cases/notify-cancellation';

/** Returns the handlers of every operation that the contract assigns to care. */
export function careHandlers(sql: Sql, notification: CancellationNotification): Handlers {
  return { ...practitionerHandlers(sql), ...bookingHandlers(sql, notification), ...sessionHandlers(sql) };
}

function build(config: Settings, sql: Sql, log: Log): ServiceParts {
  const signer = new ContextSigner('care', config);
  const benefits = new ServiceClient('benefits', config.BENEFITS_URL, signer);
  const notification = new CancellationNotification(sql, benefits, config.CARECOVER_ENVIRONMENT, log);
  const { sessionForClaim, sessionsForClaims, recordSessions, ...forPreauthorizations } = careActivities(sql);
  return {
    handlers: careHandlers(sql, notification),
    internal: [
      ...stepRoutes<CareForClaims>('claims', { sessionForClaim, sessionsForClaims, recordSessions }),
      ...stepRoutes<CareForPreauthorizations>('benefits', forPreauthorizations),
      bookingFactsRoute(sql),
      // The status of a session follows from the time, so nothing is executed at its start and end.
      ...clockRoutes(sql, dueItems, async () => undefined),
    ],
    operator: operatorRoutes(sql),
    gauges: GAUGES,
    sweeps: [{ name: 'cancellations pending', run: () => notification.sweep() }],
    close: () => benefits.close(),
  };
}

/** Starts the service in the given roles (`server`, `worker`); without a role, in both. */
export function startCare(config: Settings, roles: readonly string[]) {
  return startService({
    name: 'care',
    config,
    // Care publishes no events.
    nats: null,
    roles,
    build: ({ sql, log }) => build(config, sql, log),
  });
}
