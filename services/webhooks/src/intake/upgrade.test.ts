/** A stream and a consumer that another release has created with other settings, as the webhooks service finds them after an upgrade. */
import { connectStream, STREAM, STREAM_SETTINGS, streamManager } from '@carecover/events';
import { newTenant } from '@carecover/testing/services';
import type { ConsumerConfig, StreamConfig } from '@nats-io/jetstream';
import { type Receiver, startReceiver } from '../testing/receiver';
import { startTestWebhooks, type TestWebhooks } from '../testing/test-webhooks';

let webhooks: TestWebhooks;
let receiver: Receiver;

beforeEach(async () => {
  [webhooks, receiver] = await Promise.all([startTestWebhooks(), startReceiver()]);
});
afterEach(async () => {
  await receiver?.stop();
  await webhooks?.stop();
});

/** Reads the settings of the consumer and of the stream with the permissions of the service. */
async function readSettings(): Promise<{ stream: StreamConfig; consumer: ConsumerConfig }> {
  const stream = await connectStream(webhooks.nats.access('webhooks'), 'test');
  const { streams, consumers } = await streamManager(stream);
  const [{ config }, consumer] = await Promise.all([
    streams.info(STREAM),
    consumers.info(STREAM, 'webhooks'),
  ]);
  await stream.close();
  return { stream: config, consumer: consumer.config };
}

/**
 * Stops the service, and creates the stream and the consumer as another release would: with changed settings, and with an event that its
 * process received and did not acknowledge before it crashed. Returns the ID of the event.
 */
async function leaveAsFormerRelease(
  tenant: ReturnType<typeof newTenant>,
  changes: { stream: Partial<StreamConfig>; consumer: Partial<ConsumerConfig> },
): Promise<string> {
  const { stream, consumer } = await readSettings();
  await webhooks.halt();
  const operator = await connectStream(webhooks.nats.access('operator'), 'test');
  const { streams } = await streamManager(operator);
  await streams.delete(STREAM);
  await streams.add({ ...stream, ...changes.stream });
  await operator.close();
  const former = await connectStream(webhooks.nats.access('webhooks'), 'test');
  await (await streamManager(former)).consumers.add(STREAM, { ...consumer, ...changes.consumer });
  const id = await webhooks.emit(tenant);
  const received = await (await former.js.consumers.get(STREAM, 'webhooks')).next({ expires: 5_000 });
  expect(received?.string()).toContain(id);
  await former.close();
  return id;
}

/** Expects that the receiver gets these events and a new one. */
async function expectDeliveries(tenant: ReturnType<typeof newTenant>, ids: readonly string[]): Promise<void> {
  const all = [...ids, await webhooks.emit(tenant)];
  await receiver.untilReceived(all.length);
  expect(receiver.received.map(({ event }) => event.id).sort()).toEqual(all.sort());
}

test('several processes give them the settings of this release, and deliver what was not acknowledged', async () => {
  const tenant = newTenant();
  await webhooks.endpoint(tenant, receiver.url);
  const before = await readSettings();
  const id = await leaveAsFormerRelease(tenant, {
    stream: { max_bytes: 1_000_000, duplicate_window: 60_000_000_000 },
    consumer: { ack_wait: 1_000_000_000, max_ack_pending: 1, max_deliver: 9 },
  });
  await Promise.all([webhooks.start(), webhooks.start()]);
  await expectDeliveries(tenant, [id]);
  expect(await readSettings()).toEqual(before);
  expect(before.stream).toMatchObject(STREAM_SETTINGS);
});

test('a setting of the stream that NATS can not change does not stop the intake', async () => {
  const tenant = newTenant();
  await webhooks.endpoint(tenant, receiver.url);
  const id = await leaveAsFormerRelease(tenant, { stream: { storage: 'memory' }, consumer: {} });
  await webhooks.start();
  await expectDeliveries(tenant, [id]);
});
