/** The webhooks service put together: its routes, the stream's consumer, the dispatcher and its sweeps over one database. */
import {
  type Log,
  resendStaleCommands,
  type ServiceParts,
  type Sql,
  startNotices,
  startService,
} from '@carecover/platform';
import { Dispatcher, type DispatcherOptions } from './delivery/dispatcher';
import { resendTest } from './delivery/endpoint-test';
import { Sender, type SenderOptions } from './delivery/sender';
import { startEventConsumer } from './intake/event-consumer';
import { deliveryHandlers } from './routes/deliveries';
import { endpointTestHandlers } from './routes/endpoint-test';
import { endpointHandlers } from './routes/endpoints';
import { eventHandlers } from './routes/events';
import type { Settings } from './settings';
import { byIndexes } from './store/by-indexes';
import { DUE_CHANNEL } from './store/deliveries';
import { CHANGED_CHANNEL } from './store/endpoints';
import { WEBHOOK_GAUGES } from './store/gauges';
import { webhookSweeps } from './sweeps';

/** Whoever sent a test that has no answer for so long is gone. */
const STALE_TEST_S = 30;

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
  const tests = { sql, keyring, sender: newSender() };
  const dispatcher = new Dispatcher({ sql, keyring, log, sender: newSender(), ...seams.dispatcher });
  return {
    handlers: {
      ...endpointHandlers({ sql, keyring, policy }),
      ...endpointTestHandlers(tests),
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
      {
        name: 'due notices',
        start: () => startNotices(sql, DUE_CHANNEL, (id) => dispatcher.wake([id]), log),
      },
      {
        name: 'endpoint notices',
        start: () => startNotices(sql, CHANGED_CHANNEL, (id) => void dispatcher.reconsider(id), log),
      },
      {
        name: 'event consumer',
        start: () => startEventConsumer({ natsUrl: config.NATS_URL, sql, log, outlet: dispatcher }),
      },
    ],
    gauges: WEBHOOK_GAUGES,
    sweeps: [
      ...webhookSweeps(sql, keyring, config.WEBHOOK_RETENTION_DAYS),
      {
        name: 'stale tests',
        run: resendStaleCommands(sql, STALE_TEST_S, log, ({ id }) => resendTest(tests, id)),
      },
    ],
    close: () => tests.sender.close(),
  };
}

/** The whole process: server, consumer, dispatcher and sweeps, as `roles` asks for. */
export function startWebhooks(config: Settings, roles: readonly string[], seams: Seams = {}) {
  return startService({
    name: 'webhooks',
    config: { ...config, DATABASE_URL: byIndexes(config.DATABASE_URL) },
    // It has no events of its own to put on the stream: it reads those of the others.
    natsUrl: null,
    roles,
    build: (base) => buildWebhooks(config, base, seams),
  });
}
