/**
 * Takes events from the stream into PostgreSQL, and only then acknowledges them. Any number of replicas share one durable
 * consumer.
 *
 * Failure policy: while NATS or PostgreSQL is away it tries again for ever; the stream keeps what is not acknowledged and
 * sends it again, and what is stored already is not stored twice. What can't be understood is dead-lettered, and never blocks
 * the rest.
 */
import {
  connectStream,
  type EventStream,
  ensureStream,
  interruptibleSleep,
  type Log,
  type NatsAccess,
  natsDependency,
  type Sql,
  STREAM,
  streamManager,
  TRACEPARENT,
  watchDependency,
} from '@carecover/platform';
import { AckPolicy, type ConsumerMessages, type JsMsg } from '@nats-io/jetstream';
import { BatchWriter } from '../batch-writer';
import type { Dispatcher } from '../delivery/dispatcher';
import { deadLetterMessage } from '../store/dead-lettered-messages';
import { storeIncomingEvents } from '../store/incoming-events';
import { type IncomingEvent, readMessage, UnreadableMessage } from './message';

const CONSUMER = 'webhooks';
/** Soon, since whoever does not acknowledge has died: what is merely in hand for longer is known when it comes again. */
const ACK_WAIT_MS = 5_000;
/** Messages in hand at once: what is in memory while the database is away. */
const MAX_UNACKNOWLEDGED = 1_000;
const BATCH = 200;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;

export interface EventConsumerOptions {
  readonly nats: NatsAccess;
  readonly sql: Sql;
  readonly log: Log;
  /** Sends what is new: says how much it has room for, and is given that. */
  readonly consumer: Pick<Dispatcher, 'room' | 'accept'>;
}

interface Arrival {
  readonly event: IncomingEvent;
  readonly message: JsMsg;
}

async function openConsumer(stream: EventStream): Promise<ConsumerMessages> {
  await ensureStream(stream);
  const manager = await streamManager(stream);
  await manager.consumers.add(STREAM, {
    durable_name: CONSUMER,
    ack_policy: AckPolicy.Explicit,
    ack_wait: ACK_WAIT_MS * 1_000_000,
    max_ack_pending: MAX_UNACKNOWLEDGED,
    max_deliver: -1,
  });
  const consumer = await stream.js.consumers.get(STREAM, CONSUMER);
  return consumer.consume({ max_messages: MAX_UNACKNOWLEDGED, abort_on_missing_resource: true });
}

/** Runs the consumer until stopped. */
export function startEventConsumer(options: EventConsumerOptions): { stop(): Promise<void> } {
  const { sql, log, consumer } = options;
  const stopping = new AbortController();
  watchDependency(log, natsDependency(options.nats, 'webhooks'));
  let messages: ConsumerMessages | null = null;

  const deadLetter = (message: JsMsg, reason: string) =>
    deadLetterMessage(sql, {
      subject: message.subject,
      streamSequence: message.seq,
      data: message.data,
      reason,
    });

  const unreadable = new BatchWriter<{ message: JsMsg; reason: string }>({
    maxBatch: 1,
    write: async ([unparsed]) => {
      if (unparsed === undefined) return;
      await deadLetter(unparsed.message, unparsed.reason);
      log.error(
        { subject: unparsed.message.subject, reason: unparsed.reason },
        'a message was dead-lettered',
      );
    },
    giveUp: async ({ message }, error) =>
      log.error({ err: error, subject: message.subject }, 'a message was dropped'),
    log,
  });
  const events = new BatchWriter<Arrival>({
    maxBatch: BATCH,
    async write(arrivals) {
      const events = arrivals.map(({ event }) => event);
      void consumer.accept(await storeIncomingEvents(sql, events, consumer.room()));
    },
    giveUp: async ({ message }, error) => {
      await deadLetter(message, error instanceof Error ? error.message : String(error));
      log.error({ err: error, subject: message.subject }, 'a message was dead-lettered');
    },
    log,
  });

  /**
   * @param pendingStep by stream sequence, of this connection alone: a message that comes again while it is pending is acknowledged by
   *   its latest arrival, and never one of another stream that was recreated meanwhile
   */
  async function take(message: JsMsg, pendingStep: Map<number, JsMsg>): Promise<void> {
    const known = pendingStep.has(message.seq);
    pendingStep.set(message.seq, message);
    if (known) return;
    let written: boolean;
    try {
      const traceparent = message.headers?.get(TRACEPARENT);
      written = await events.add({ event: readMessage(message.subject, message.data, traceparent), message });
    } catch (error) {
      if (!(error instanceof UnreadableMessage)) throw error;
      written = await unreadable.add({ message, reason: error.message });
    }
    if (!written) return;
    pendingStep.get(message.seq)?.ack();
    pendingStep.delete(message.seq);
  }

  async function consume(): Promise<void> {
    const stream = await connectStream(options.nats, 'webhooks-consumer');
    const pendingStep = new Map<number, JsMsg>();
    try {
      messages = await openConsumer(stream);
      log.info('consumer active');
      // Stopped while it was being opened.
      if (stopping.signal.aborted) messages.stop();
      for await (const message of messages) void take(message, pendingStep);
      if (stopping.signal.aborted) {
        await Promise.all([events.stop(), unreadable.stop()]);
        await stream.connection.flush();
      }
    } finally {
      messages = null;
      pendingStep.clear();
      await stream.close();
    }
  }

  async function run(): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS;
    while (!stopping.signal.aborted) {
      const startedMs = Date.now();
      try {
        await consume();
      } catch (error) {
        log.warn({ err: error }, 'consumer interrupted, trying again');
      }
      if (Date.now() - startedMs > LONGEST_PAUSE_MS) pauseMs = FIRST_PAUSE_MS;
      await interruptibleSleep(pauseMs, stopping.signal);
      pauseMs = Math.min(LONGEST_PAUSE_MS, 2 * pauseMs);
    }
  }

  const running = run();
  return {
    async stop() {
      stopping.abort();
      messages?.stop();
      await running;
    },
  };
}
