import { newId } from '@carecover/domain';
import { connectStream, STREAM, streamManager } from '@carecover/events';
import { metricsRegistry } from '@carecover/telemetry';
import { eventually, type LimitedFiles, limitFiles, startTestNats } from '@carecover/testing/servers';
import { newTenant } from '@carecover/testing/services';
import { startReceiver } from '../testing/receiver';
import { startTestWebhooks } from '../testing/test-webhooks';

/** NATS can write no file of more than this number of blocks of 512 bytes, so that it can't store the settings of a stream. */
const FULL_BLOCKS = 1;

async function readOpen(): Promise<number | undefined> {
  const gauge = await metricsRegistry.getSingleMetric('carecover_webhook_consumer_open')?.get();
  return gauge?.values[0]?.value;
}

test('a stream that can not be created at the start is a metric, and is created without a restart of the service', async () => {
  let files: LimitedFiles | undefined;
  const nats = await startTestNats(async (folder, executable) => {
    files ??= await limitFiles(folder, executable);
    return files.executable;
  });
  const webhooks = await startTestWebhooks({ nats, autostart: false });
  const receiver = await startReceiver();
  try {
    const operator = await connectStream(nats.access('operator'), 'test');
    await (await streamManager(operator)).streams.delete(STREAM);
    await operator.close();
    await files?.limit(FULL_BLOCKS);
    await nats.restart();
    await webhooks.start();
    const tenant = newTenant();
    await webhooks.endpoint(tenant, receiver.url);
    await expect(webhooks.emit(tenant)).rejects.toThrow();
    expect(await readOpen()).toBe(0);

    await files?.limit('unlimited');
    await nats.restart();
    await eventually('the consumer is open', async () => (await readOpen()) === 1);
    // The connection of the test can be open later than that of the service. The stream stores an event with the same ID once.
    const id = newId('evt_');
    await eventually('the event is on the stream', () =>
      webhooks.emit(tenant, { id }).then(
        () => true,
        () => false,
      ),
    );
    await receiver.untilReceived(1);
    expect(receiver.received[0]?.event.id).toBe(id);
  } finally {
    await receiver.stop();
    await webhooks.stop();
  }
});
