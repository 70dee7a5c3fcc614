/** The webhooks service put together: the parts that a process of it runs. */
import {
  type Log,
  listenForNotifications,
  natsAccess,
  type ServiceParts,
  type Sql,
  startService,
} from '@carecover/platform';
import { Destinations } from './delivery/destinations';
import { Dispatcher, type DispatcherOptions } from './delivery/dispatcher';
import { Sender, type SenderOptions } from './delivery/sender';
import { GAUGES } from './gauges';
import { startEventConsumer } from './intake/event-consumer';
import { deliveryHandlers } from './routes/deliveries';
import { endpointTestHandlers } from './routes/endpoint-test';
import { endpointHandlers } from './routes/endpoints';
import { eventHandlers } from './routes/events';
import type { Settings } from './settings';
import { byIndexes } from './store/by-indexes';
import { DUE_CHANNEL } from './store/deliveries';
import { CHANGED_CHANNEL } from './store/endpoints';
import { webhooksSweeps } from './sweeps';

/** What a suite may set otherwise than production does. */
export interface Seams {
  readonly sender?: Partial<SenderOptions>;
  readonly dispatcher?: Pick<DispatcherOptions, 'limits' | 'random'>;
}

function build(config: Settings, sql: Sql, log: Log, seams: Seams): ServiceParts {
  const keyring = config.WEBHOOK_ENCRYPTION_KEYS;
  const policy = { allowLoopback: config.CARECOVER_MODE !== 'production' };
  const newSender = () => new Sender({ policy, ...seams.sender });
  const destinations = new Destinations();
  const tests = { sql, keyring, sender: newSender(), destinations };
  const dispatcher = new Dispatcher({
    ...{ sql, keyring, log, sender: newSender(), destinations },
    ...seams.dispatcher,
  });
  return {
    handlers: {
      ...endpointHandlers({ sql, keyring, policy }),
      ...endpointTestHandlers(tests),
      ...deliveryHandlers(sql),
      ...eventHandlers(sql),
    },
    gauges: GAUGES,
    sweeps: webhooksSweeps(tests, config.WEBHOOK_RETENTION_DAYS, log),
    background: [
      {
        name: 'dispatcher',
        start: () => {
          dispatcher.start();
          return dispatcher;
        },
      },
      {
        name: 'due notices',
        start: () => listenForNotifications(sql, DUE_CHANNEL, (id) => dispatcher.wake([id]), log),
      },
      {
        name: 'endpoint notices',
        start: () =>
          listenForNotifications(sql, CHANGED_CHANNEL, (id) => void dispatcher.reconsider(id), log),
      },
      {
        name: 'event consumer',
        start: () =>
          startEventConsumer({ nats: natsAccess('webhooks', config), sql, log, consumer: dispatcher }),
      },
    ],
    close: () => tests.sender.close(),
  };
}

/** Starts the parts that `roles` names (`server`, `worker`; both where none is named). */
export function startWebhooks(config: Settings, roles: readonly string[], seams: Seams = {}) {
  return startService({
    name: 'webhooks',
    config: { ...config, DATABASE_URL: byIndexes(config.DATABASE_URL) },
    // It has no events of its own to put on the stream: it reads those of the others.
    nats: null,
    roles,
    build: ({ sql, log }) => build(config, sql, log, seams),
  });
}
