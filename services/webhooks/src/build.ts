/** The webhooks service put together: its routes, the stream's consumer, the dispatcher and its sweeps over one database. */
import { type Log, type ServiceParts, type Sql, startNotices, startService } from '@carecover/platform';
import { Dispatcher, type DispatcherOptions } from './delivery/dispatcher';
import { Sender, type SenderOptions } from './delivery/sender';
import { startEventConsumer } from './intake/event-consumer';
import { deliveryHandlers } from './routes/deliveries';
import { endpointTestHandlers } from './routes/endpoint-test';
import { endpointHandlers } from './routes/endpoints';
import { eventHandlers } from './routes/events';
import type { Settings } from './settings';
import { DUE_CHANNEL } from './store/deliveries';
import { WEBHOOK_GAUGES } from './store/gauges';
import { webhookSweeps } from './sweeps';

/** What a suite may set otherwise than production does. */
export interface Seams {
  readonly sender?: Partial<SenderOptions>;
  readonly dispatcher?: Pick<DispatcherOptions, 'limits' | 'random'>;
}

export function buildWebhooks(
  config: Settings,
  { sql, log }: { readonly sql: Sql; readonly log: Log },
  seams: Seams = {},
): ServiceParts {
  const keyring = config.WEBHOOK_ENCRYPTION_KEYS;
  const policy = { allowLoopback: config.CARECOVER_MODE !== 'production' };
  const newSender = () => new Sender({ policy, ...seams.sender });
  const pings = newSender();
  const dispatcher = new Dispatcher({ sql, keyring, log, sender: newSender(), ...seams.dispatcher });
  const wake = (endpointIds: readonly string[]) => dispatcher.wake(endpointIds);
  return {
    handlers: {
      ...endpointHandlers({ sql, keyring, policy }),
      ...endpointTestHandlers({ sql, keyring, sender: pings }),
      ...deliveryHandlers(sql),
      ...eventHandlers(sql),
    },
    background: [
      {
        name: 'dispatcher',
        start: () => {
          dispatcher.start();
          return dispatcher;
        },
      },
      { name: 'due notices', start: () => startNotices(sql, DUE_CHANNEL, (id) => wake([id]), log) },
      {
        name: 'event consumer',
        start: () => startEventConsumer({ natsUrl: config.NATS_URL, sql, log, wake }),
      },
    ],
    gauges: WEBHOOK_GAUGES,
    sweeps: webhookSweeps(sql, keyring, config.WEBHOOK_RETENTION_DAYS),
    close: () => pings.close(),
  };
}

/** The whole process: server, consumer, dispatcher and sweeps, as `roles` asks for. */
export function startWebhooks(config: Settings, roles: readonly string[], seams: Seams = {}) {
  return startService({
    name: 'webhooks',
    config,
    // It has no events of its own to put on the stream: it reads those of the others.
    natsUrl: null,
    roles,
    build: (base) => buildWebhooks(config, base, seams),
  });
}
