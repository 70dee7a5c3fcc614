/**
 * Receives events from the stream, stores them in PostgreSQL, and then acknowledges them. All processes of the service share one durable
 * consumer of the stream.
 *
 * Failure policy: while NATS or PostgreSQL is unavailable, the consumer retries without a limit. The stream sends unacknowledged messages
 * again; an event is stored once. A message that can't be parsed or stored is dead-lettered, so that it does not block the others.
 */

import { TRACEPARENT } from '@carecover/domain';
import {
  connectStream,
  type EventStream,
  ensureConsumer,
  ensureStream,
  type NatsAccess,
  natsDependency,
  STREAM,
} from '@carecover/events';
import type { Sql } from '@carecover/postgres';
import { startLoop, watchDependency } from '@carecover/process';
import { type Log, metricsRegistry } from '@carecover/telemetry';
import { AckPolicy, type ConsumerMessages, type JsMsg } from '@nats-io/jetstream';
import { Gauge } from 'prom-client';
import { BatchWriter } from '../batch-writer';
import { type IncomingEvent, InvalidMessage, parseMessage } from '../rules/incoming-event';
import { deadLetterMessage } from '../store/dead-lettered-messages';
import { storeIncomingEvents } from '../store/incoming-events';

const CONSUMER = 'webhooks';
/**
 * Milliseconds after which the stream sends an unacknowledged message again. The time is short, so that the messages of a crashed process
 * are soon sent to another one. A process recognizes a repeated message that it is still processing.
 */
const ACK_WAIT_MS = 5_000;
/** Maximum number of unacknowledged messages. While the database is unavailable, they are in memory. */
const MAX_UNACKNOWLEDGED = 1_000;
const BATCH = 200;
/** The settings of the durable consumer. An existing one gets them when this process opens it. */
const CONSUMER_SETTINGS = {
  durable_name: CONSUMER,
  ack_policy: AckPolicy.Explicit,
  ack_wait: ACK_WAIT_MS * 1_000_000,
  max_ack_pending: MAX_UNACKNOWLEDGED,
  max_deliver: -1,
};

const isOpen = new Gauge({
  name: 'carecover_webhook_consumer_open',
  help: '1 while this process has opened the consumer of the stream, otherwise 0',
  registers: [metricsRegistry],
});

export interface EventConsumerOptions {
  readonly nats: NatsAccess;
  readonly sql: Sql;
  readonly log: Log;
  /** Called with the IDs of the endpoints that have new deliveries, after the commit. */
  readonly onStored: (endpointIds: readonly string[]) => void;
}

interface IncomingMessage {
  readonly event: IncomingEvent;
  readonly message: JsMsg;
}

async function openConsumer(stream: EventStream, log: Log): Promise<ConsumerMessages> {
  const unchanged = await ensureStream(stream);
  if (unchanged !== null)
    log.error(
      { err: unchanged },
      'the stream does not have the settings of this release, and is used as it is',
    );
  await ensureConsumer(stream, CONSUMER_SETTINGS);
  const consumer = await stream.js.consumers.get(STREAM, CONSUMER);
  return consumer.consume({ max_messages: MAX_UNACKNOWLEDGED, abort_on_missing_resource: true });
}

/** Starts the consumer of the stream, which runs until it is stopped. */
export function startEventConsumer(options: EventConsumerOptions): { stop(): Promise<void> } {
  const { sql, log, onStored } = options;
  watchDependency(log, natsDependency(options.nats, 'webhooks'));
  let messages: ConsumerMessages | null = null;

  const deadLetter = (message: JsMsg, reason: string) =>
    deadLetterMessage(sql, {
      subject: message.subject,
      streamSequence: message.seq,
      data: message.data,
      reason,
    });

  const invalid = new BatchWriter<{ message: JsMsg; reason: string }>({
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
  const events = new BatchWriter<IncomingMessage>({
    maxBatch: BATCH,
    async write(incoming) {
      onStored(
        await storeIncomingEvents(
          sql,
          incoming.map(({ event }) => event),
        ),
      );
    },
    giveUp: async ({ message }, error) => {
      await deadLetter(message, error instanceof Error ? error.message : String(error));
      log.error({ err: error, subject: message.subject }, 'a message was dead-lettered');
    },
    log,
  });

  /**
   * Stores or dead-letters a message of the stream, and acknowledges it.
   *
   * @param pending the unacknowledged messages of this connection by stream sequence. If a message is sent again while it is pending, the
   *   latest copy is acknowledged. Each connection has its own map, because the stream can have been recreated.
   */
  async function processMessage(message: JsMsg, pending: Map<number, JsMsg>): Promise<void> {
    const isPending = pending.has(message.seq);
    pending.set(message.seq, message);
    if (isPending) return;
    let written: boolean;
    try {
      const traceparent = message.headers?.get(TRACEPARENT);
      written = await events.add({
        event: parseMessage(message.subject, message.data, traceparent),
        message,
      });
    } catch (error) {
      if (!(error instanceof InvalidMessage)) throw error;
      written = await invalid.add({ message, reason: error.message });
    }
    if (!written) return;
    pending.get(message.seq)?.ack();
    pending.delete(message.seq);
  }

  async function consume(stopping: AbortSignal): Promise<void> {
    const stream = await connectStream(options.nats, 'webhooks-consumer');
    const pending = new Map<number, JsMsg>();
    try {
      messages = await openConsumer(stream, log);
      log.info('consumer active');
      isOpen.set(1);
      // The consumer can have been stopped while it was opened.
      if (stopping.aborted) messages.stop();
      for await (const message of messages) void processMessage(message, pending);
      if (!stopping.aborted) throw new Error('the stream sends no further messages');
      await Promise.all([events.stop(), invalid.stop()]);
      await stream.connection.flush();
    } finally {
      isOpen.set(0);
      messages = null;
      pending.clear();
      await stream.close();
    }
  }

  const loop = startLoop({ name: 'the consumer', log }, consume);
  return {
    async stop() {
      const stopped = loop.stop();
      messages?.stop();
      await stopped;
    },
  };
}
