/** For suites about deliveries: one service with a quick dispatcher, a receiver a test, and a clock that can be moved. */
import type { WebhookDeliveryRecord, WebhookEndpoint } from '@carecover/contract';
import { eventually } from '@carecover/local/testing';
import type { Tenant } from '@carecover/platform';
import { type Receiver, startReceiver } from './receiver';
import { startTestWebhooks, type TestWebhooks } from './test-webhooks';

export const at = (id: string) => ({ webhook_endpoint_id: id });

export const settled = ({ status }: WebhookDeliveryRecord) => status !== 'pending';
export const tried = (times: number) => (delivery: WebhookDeliveryRecord) => delivery.attempts === times;

export interface DeliverySuite {
  readonly webhooks: TestWebhooks;
  /** The test's own. */
  readonly receiver: Receiver;
  /** Moves the rules' clock on. */
  moveClock(byMs: number): Promise<void>;
  /** The rules' clock, in epoch milliseconds, give or take a few. */
  nowMs(): number;
  deliveries(tenant: Tenant, id: string, query?: Record<string, string>): Promise<WebhookDeliveryRecord[]>;
  endpoint(tenant: Tenant, id: string): Promise<WebhookEndpoint>;
  /** The delivery of an event once `check` is true of it. */
  deliveryWhen(
    tenant: Tenant,
    id: string,
    eventId: string,
    check: (delivery: WebhookDeliveryRecord) => boolean,
  ): Promise<WebhookDeliveryRecord>;
}

function started<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the suite has not started');
  return value;
}

/** Registers jest's hooks; what it gives is there once a test runs. */
export function deliverySuite(): DeliverySuite {
  let webhooks: TestWebhooks | undefined;
  let receiver: Receiver | undefined;
  let offsetMs = 0;

  beforeAll(async () => {
    webhooks = await startTestWebhooks({
      seams: { dispatcher: { limits: { tickMs: 25 }, random: () => 0.5 } },
    });
  });
  beforeEach(async () => {
    receiver = await startReceiver();
  });
  afterEach(() => receiver?.stop());
  afterAll(() => webhooks?.stop());

  const suite: DeliverySuite = {
    get webhooks() {
      return started(webhooks);
    },
    get receiver() {
      return started(receiver);
    },
    nowMs: () => Date.now() + offsetMs,
    async moveClock(byMs) {
      offsetMs += byMs;
      await suite.webhooks.database.setClockOffset(offsetMs);
    },
    async deliveries(tenant, id, query = {}) {
      return (await suite.webhooks.ask(tenant, 'listWebhookDeliveries', { params: at(id), query })).body.data;
    },
    async endpoint(tenant, id) {
      return (await suite.webhooks.ask(tenant, 'getWebhookEndpoint', { params: at(id) })).body;
    },
    deliveryWhen: (tenant, id, eventId, check) =>
      eventually(`the delivery of ${eventId} is as it should be`, async () => {
        const all = await suite.deliveries(tenant, id, { limit: '100' });
        return all.find((delivery) => delivery.id === eventId && check(delivery));
      }),
  };
  return suite;
}
