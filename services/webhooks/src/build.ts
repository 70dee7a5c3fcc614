/** The webhooks service put together: its routes, the stream's consumer, the dispatcher and its sweeps over one database. */
import { type Log, type ServiceParts, type Sql, startNotices } from '@carecover/platform';
import { Dispatcher } from './delivery/dispatcher';
import { Sender } from './delivery/sender';
import { startEventConsumer } from './intake/event-consumer';
import { deliveryHandlers } from './routes/deliveries';
import { endpointTestHandlers } from './routes/endpoint-test';
import { endpointHandlers } from './routes/endpoints';
import { eventHandlers } from './routes/events';
import type { Settings } from './settings';
import { DUE_CHANNEL } from './store/deliveries';
import { webhookSweeps } from './sweeps';

export function buildWebhooks(
  config: Settings,
  { sql, log }: { readonly sql: Sql; readonly log: Log },
): ServiceParts {
  const keyring = config.WEBHOOK_ENCRYPTION_KEYS;
  const policy = { allowLoopback: config.CARECOVER_MODE !== 'production' };
  const pings = new Sender({ policy });
  const dispatcher = new Dispatcher({ sql, keyring, log, sender: new Sender({ policy }) });
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
    sweeps: webhookSweeps(sql, keyring, config.WEBHOOK_RETENTION_DAYS),
    close: () => pings.close(),
  };
}
