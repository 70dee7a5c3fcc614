/** Composition of the webhooks service: its handlers, sweeps, consumer and dispatcher. */

import { natsAccess } from '@carecover/events';
import { listenForNotifications, type Sql, withSessionSettings } from '@carecover/postgres';
import { type ServiceParts, startService } from '@carecover/service';
import type { Log } from '@carecover/telemetry';
import { CAPACITY_LIMITS, type CapacityLimits, DeliveryCapacity } from './delivery/capacity';
import { Dispatcher, type DispatcherOptions } from './delivery/dispatcher';
import { Sender, type SenderOptions } from './delivery/sender';
import { GAUGES } from './gauges';
import { startEventConsumer } from './intake/event-consumer';
import { webhookClockRoutes } from './routes/clock';
import { deliveryHandlers } from './routes/deliveries';
import { endpointHandlers } from './routes/endpoints';
import { operatorRoutes } from './routes/operator';
import type { Settings } from './settings';
import { DUE_CHANNEL } from './store/due-deliveries';
import { CHANGED_CHANNEL } from './store/endpoints';
import { webhooksCleanups, webhooksSweeps } from './sweeps';

/** Options that tests set differently from production. */
export interface TestOverrides {
  readonly sender?: Partial<SenderOptions>;
  readonly dispatcher?: Pick<DispatcherOptions, 'times' | 'random'>;
  readonly limits?: Partial<CapacityLimits>;
}

function build(config: Settings, sql: Sql, log: Log, overrides: TestOverrides): ServiceParts {
  const keyring = config.WEBHOOK_ENCRYPTION_KEYS;
  const policy = { allowLoopback: config.CARECOVER_MODE !== 'production' };
  const newSender = () => new Sender({ policy, ...overrides.sender });
  const capacity = new DeliveryCapacity({ ...CAPACITY_LIMITS, ...overrides.limits });
  const endpoints = { sql, keyring, policy, sender: newSender(), capacity };
  const dispatcher = new Dispatcher({
    ...{ sql, keyring, log, sender: newSender(), capacity },
    ...overrides.dispatcher,
  });
  return {
    handlers: {
      ...endpointHandlers(endpoints),
      ...deliveryHandlers(sql),
    },
    internal: webhookClockRoutes(sql),
    operator: operatorRoutes(sql),
    gauges: GAUGES,
    sweeps: webhooksSweeps(endpoints),
    cleanups: webhooksCleanups(endpoints, config.WEBHOOK_RETENTION_DAYS),
    background: [
      {
        name: 'dispatcher',
        start: () => {
          dispatcher.start();
          return dispatcher;
        },
      },
      {
        name: 'due notifications',
        start: () => listenForNotifications(sql, DUE_CHANNEL, (id) => dispatcher.signalDue([id]), log),
      },
      {
        name: 'endpoint notifications',
        start: () =>
          listenForNotifications(sql, CHANGED_CHANNEL, (id) => void dispatcher.reloadEndpoint(id), log),
      },
      {
        name: 'event consumer',
        start: () =>
          startEventConsumer({
            ...{ nats: natsAccess('webhooks', config), sql, log },
            onStored: (endpointIds) => dispatcher.signalDue(endpointIds),
          }),
      },
    ],
    close: () => endpoints.sender.close(),
  };
}

/**
 * Adds settings to a database URL that turn off sequential scans, hash joins and merge joins. Every SQL statement of the service can use an
 * index, but a plan that was cached while the tables were small would read whole tables.
 */
export function withIndexPlansOnly(databaseUrl: string): string {
  const settings = { enable_seqscan: 'off', enable_hashjoin: 'off', enable_mergejoin: 'off' };
  return withSessionSettings(databaseUrl, settings);
}

/** Starts the service's `roles`: `server`, `worker`, or both if none is named. */
export function startWebhooks(config: Settings, roles: readonly string[], overrides: TestOverrides = {}) {
  return startService({
    name: 'webhooks',
    config: { ...config, DATABASE_URL: withIndexPlansOnly(config.DATABASE_URL) },
    // The service publishes no events; it consumes those of the other services.
    nats: null,
    roles,
    build: ({ sql, log }) => build(config, sql, log, overrides),
  });
}
