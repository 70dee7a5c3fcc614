/**
 * The event stream on NATS JetStream: one stream, file storage, a message stays until the webhook service has it in
 * PostgreSQL. Failure policy: closed; a publish that is not on the stream's
 * disk fails, and the event stays in the outbox.
 */
import {
  DiscardPolicy,
  type JetStreamClient,
  jetstream,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream';
import { connect, errors, type NatsConnection } from '@nats-io/transport-node';
import type { Dependency } from './outages';

export const STREAM = 'CARECOVER_EVENTS';
export const SUBJECTS = 'carecover.events.>';
const DUPLICATE_WINDOW_MS = 120_000;
/** What a full stream keeps out stays in the outboxes. */
const MAX_BYTES = 1024 ** 3;

export interface EventStream {
  readonly connection: NatsConnection;
  readonly js: JetStreamClient;
  close(): Promise<void>;
}

/** One message of the stream: whose event, and the event's JSON exactly as receivers will get it. */
export interface StreamedEvent {
  readonly project_id: string;
  readonly resource_id: string;
  readonly payload: string;
}

/** Connects once, to whichever server answers; a connection lost later comes back by itself. @throws where NATS is away now */
export async function connectStream(servers: readonly string[], name: string): Promise<EventStream> {
  const connection = await connect({
    servers: [...servers],
    name,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 500,
    timeout: 5_000,
  });
  return {
    connection,
    js: jetstream(connection, { timeout: 5_000 }),
    close: () => connection.close(),
  };
}

const AWAY_ERRORS = [
  errors.ConnectionError,
  errors.ClosedConnectionError,
  errors.NoRespondersError,
  errors.TimeoutError,
];

/** NATS as the log's outages know it; it is back when it takes connections. */
export function natsDependency(servers: readonly string[], name: string): Dependency {
  return {
    name: 'NATS',
    isAway: (error) => AWAY_ERRORS.some((kind) => error instanceof kind),
    probe: async () => {
      const stream = await connectStream(servers, `${name}-probe`);
      await stream.close();
    },
  };
}

/** On a cluster, an operator makes the stream beforehand with these settings and as many replicas as are to hold it. */
export const STREAM_SETTINGS = {
  name: STREAM,
  subjects: [SUBJECTS],
  storage: StorageType.File,
  retention: RetentionPolicy.Workqueue,
  discard: DiscardPolicy.New,
  max_bytes: MAX_BYTES,
  duplicate_window: DUPLICATE_WINDOW_MS * 1_000_000,
};

/** Makes the stream if it is not there; safe from several processes at once. */
export async function ensureStream(stream: EventStream): Promise<void> {
  const manager = await jetstreamManager(stream.connection, { timeout: 5_000 });
  const known = await manager.streams.info(STREAM).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Error && /stream not found/i.test(error.message)) return false;
      throw error;
    },
  );
  if (!known) await manager.streams.add(STREAM_SETTINGS);
}

/** Which stream it is, and what is on it. */
export interface StreamPosition {
  /** Another one for a stream that was lost or deleted, and made anew. */
  readonly stream: string;
  /** What came before it has been taken off again. */
  readonly firstSeq: number;
}

export async function streamPosition({ connection }: EventStream): Promise<StreamPosition> {
  const manager = await jetstreamManager(connection, { timeout: 5_000 });
  const { created, state } = await manager.streams.info(STREAM);
  return { stream: created, firstSeq: state.first_seq };
}
