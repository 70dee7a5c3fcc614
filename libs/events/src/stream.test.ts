import { startTestNats, type TestNats } from '@carecover/testing/servers';
import { AckPolicy, type ConsumerConfig, type StreamConfig } from '@nats-io/jetstream';
import {
  connectStream,
  type EventStream,
  ensureConsumer,
  ensureStream,
  STREAM,
  STREAM_SETTINGS,
  streamManager,
} from './stream';

const CONSUMER = {
  durable_name: 'webhooks',
  ack_policy: AckPolicy.Explicit,
  ack_wait: 5_000_000_000,
  max_ack_pending: 1_000,
  max_deliver: -1,
};

let nats: TestNats;
let webhooks: EventStream;
let operator: EventStream;

beforeAll(async () => {
  nats = await startTestNats();
  webhooks = await connectStream(nats.access('webhooks'), 'test');
  operator = await connectStream(nats.access('operator'), 'test');
});
afterAll(async () => {
  await webhooks?.close();
  await operator?.close();
  await nats?.stop();
});

const readStream = async () => (await (await streamManager(webhooks)).streams.info(STREAM)).config;
const readConsumer = async () =>
  (await (await streamManager(webhooks)).consumers.info(STREAM, CONSUMER.durable_name)).config;

/** Creates the stream and the consumer with changed settings, as another release could have created them, with one message. */
async function createAsFormerRelease(
  stream: Partial<StreamConfig>,
  consumer: Partial<ConsumerConfig> = {},
): Promise<void> {
  const { streams } = await streamManager(operator);
  await ensureStream(operator);
  await streams.delete(STREAM);
  await streams.add({ ...STREAM_SETTINGS, ...stream });
  await (await streamManager(webhooks)).consumers.add(STREAM, { ...CONSUMER, ...consumer });
  await operator.js.publish('carecover.events.test', 'a message');
}

/** Returns the message that the consumer gets next. */
async function nextMessage(): Promise<string | undefined> {
  const consumer = await webhooks.js.consumers.get(STREAM, CONSUMER.durable_name);
  return (await consumer.next({ expires: 10_000 }))?.string();
}

test.each<[string, Partial<StreamConfig>]>([
  ['max_bytes', { max_bytes: 1_000_000 }],
  ['duplicate_window', { duplicate_window: 60_000_000_000 }],
  ['subjects', { subjects: ['carecover.events.*.>', 'carecover.events.test'] }],
  ['discard', { discard: 'old' }],
])('a stream with another %s gets that of this release and keeps its messages', async (_name, settings) => {
  await createAsFormerRelease(settings);
  expect(await ensureStream(webhooks)).toBeNull();
  expect(await readStream()).toMatchObject(STREAM_SETTINGS);
  expect(await nextMessage()).toBe('a message');
});

test('a stream with a setting that NATS can not change is used as it is', async () => {
  await createAsFormerRelease({ storage: 'memory' });
  const error = await ensureStream(webhooks);
  expect(error?.message).toContain('storage type');
  expect(await readStream()).toMatchObject({ storage: 'memory' });
  expect(await nextMessage()).toBe('a message');
});

test('what an operator sets beside the settings of a release stays, and a second call changes nothing', async () => {
  const metadata = { owner: 'the team of the payer' };
  await createAsFormerRelease({ description: 'replicated', metadata, max_bytes: 1_000_000 });
  await ensureStream(webhooks);
  const changed = await readStream();
  expect(changed).toMatchObject({ ...STREAM_SETTINGS, description: 'replicated', metadata });
  expect(await ensureStream(webhooks)).toBeNull();
  expect(await readStream()).toEqual(changed);
});

test.each<[string, Partial<ConsumerConfig>]>([
  ['ack_wait', { ack_wait: 1_000_000_000 }],
  ['max_ack_pending', { max_ack_pending: 7 }],
  ['max_deliver', { max_deliver: 3 }],
])('a consumer with another %s gets that of this release and the messages', async (_name, settings) => {
  await createAsFormerRelease({}, settings);
  await ensureConsumer(webhooks, CONSUMER);
  expect(await readConsumer()).toMatchObject(CONSUMER);
  expect(await nextMessage()).toBe('a message');
});

test('a consumer gets a description, another one, and none of its other settings changes', async () => {
  await createAsFormerRelease({});
  const before = await readConsumer();
  for (const description of ['of one release', 'of the next']) {
    await ensureConsumer(webhooks, { ...CONSUMER, description });
    expect(await readConsumer()).toEqual({ ...before, description });
  }
});

test('a setting that NATS can not change is changed by a new consumer, which gets what is not acknowledged', async () => {
  await createAsFormerRelease({}, { max_waiting: 10 });
  expect(await nextMessage()).toBe('a message');
  await ensureConsumer(webhooks, { ...CONSUMER, max_waiting: 20 });
  expect(await readConsumer()).toMatchObject({ ...CONSUMER, max_waiting: 20 });
  expect(await nextMessage()).toBe('a message');
});

test('concurrent processes create one stream and one consumer', async () => {
  const { streams } = await streamManager(operator);
  await ensureStream(operator);
  await streams.delete(STREAM);
  const ensure = async () => {
    await ensureStream(webhooks);
    await ensureConsumer(webhooks, CONSUMER);
  };
  await Promise.all([ensure(), ensure(), ensure()]);
  expect(await readStream()).toMatchObject(STREAM_SETTINGS);
  expect(await readConsumer()).toMatchObject(CONSUMER);
});
