/**
 * Set-up of test suites about deliveries: one service whose dispatcher has a short tick, one receiver per test, and a clock that tests can
 * move.
 */
import type { WebhookDeliveryRecord, WebhookEndpoint } from '@carecover/contract';
import type { Tenant } from '@carecover/domain';
import { eventually } from '@carecover/testing/servers';
import type { TestOverrides } from '../build';
import { type Receiver, startReceiver } from './receiver';
import { startTestWebhooks, type TestWebhooks } from './test-webhooks';

export const at = (id: string) => ({ webhook_endpoint_id: id });

export const isSettled = ({ status }: WebhookDeliveryRecord) => status !== 'pending';
export const hasAttempts = (count: number) => (delivery: WebhookDeliveryRecord) =>
  delivery.attempts === count;

export interface DeliverySuite {
  readonly webhooks: TestWebhooks;
  /** The receiver of the current test. */
  readonly receiver: Receiver;
  /** Sets the database's clock ahead by a further `byMs` milliseconds. */
  moveClock(byMs: number): Promise<void>;
  /** Returns the time of the database's clock in epoch milliseconds, accurate to a few milliseconds. */
  nowMs(): number;
  deliveries(tenant: Tenant, id: string, query?: Record<string, string>): Promise<WebhookDeliveryRecord[]>;
  endpoint(tenant: Tenant, id: string): Promise<WebhookEndpoint>;
  /** Waits until `check` returns true for the delivery of an event, and returns that delivery. */
  deliveryWhen(
    tenant: Tenant,
    id: string,
    eventId: string,
    check: (delivery: WebhookDeliveryRecord) => boolean,
  ): Promise<WebhookDeliveryRecord>;
}

function requireStarted<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the suite has not started');
  return value;
}

/** Registers the Jest hooks of a suite, whose service can have other limits. The result can be used only inside its tests. */
export function deliverySuite(limits: TestOverrides['limits'] = {}): DeliverySuite {
  let webhooks: TestWebhooks | undefined;
  let receiver: Receiver | undefined;
  let offsetMs = 0;

  beforeAll(async () => {
    webhooks = await startTestWebhooks({
      overrides: { dispatcher: { times: { tickMs: 25 }, random: () => 0.5 }, limits },
    });
  });
  beforeEach(async () => {
    receiver = await startReceiver();
  });
  afterEach(() => receiver?.stop());
  afterAll(() => webhooks?.stop());

  const suite: DeliverySuite = {
    get webhooks() {
      return requireStarted(webhooks);
    },
    get receiver() {
      return requireStarted(receiver);
    },
    nowMs: () => Date.now() + offsetMs,
    async moveClock(byMs) {
      offsetMs += byMs;
      await suite.webhooks.database.setClockOffset(offsetMs);
    },
    async deliveries(tenant, id, query = {}) {
      return (await suite.webhooks.request(tenant, 'listWebhookDeliveries', { params: at(id), query })).body
        .data;
    },
    async endpoint(tenant, id) {
      return (await suite.webhooks.request(tenant, 'getWebhookEndpoint', { params: at(id) })).body;
    },
    deliveryWhen: (tenant, id, eventId, check) =>
      eventually(`the expected state of the delivery of ${eventId}`, async () => {
        const all = await suite.deliveries(tenant, id, { limit: '100' });
        return all.find((delivery) => delivery.id === eventId && check(delivery));
      }),
  };
  return suite;
}
