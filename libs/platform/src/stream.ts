/**
 * The event stream on NATS JetStream: one stream, file storage, a message stays until the webhook service has it in
 * PostgreSQL. Failure policy: closed; a publish that is not on the stream's
 * disk fails, and the event stays in the outbox.
 */
import {
  DiscardPolicy,
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type StreamInfo,
} from '@nats-io/jetstream';
import { AuthorizationError, connect, errors, type NatsConnection } from '@nats-io/transport-node';
import type { Dependency } from './outages';

export const STREAM = 'CARECOVER_EVENTS';
export const SUBJECTS = 'carecover.events.>';
/** Where a publisher's account finds what it may ask of the stream, which is another account's. */
const PUBLISHERS_API = 'EVENTS';
const DUPLICATE_WINDOW_MS = 120_000;
/** What a full stream keeps out stays in the outboxes. */
const MAX_BYTES = 1024 ** 3;

export interface EventStream {
  readonly connection: NatsConnection;
  readonly js: JetStreamClient;
  close(): Promise<void>;
}

/** Where NATS is, and as which of its users a process connects; `deploy/nats/authorization.conf` says what each may do. */
export interface NatsAccess {
  readonly servers: readonly string[];
  readonly user: string;
  readonly password: string;
}

/** The user of the operator's command line; every other user bears its service's name. */
export const OPERATOR_NATS_USER = 'operator';

/** The access of one user by the settings of its process. */
export function natsAccess(
  user: string,
  settings: { readonly NATS_URL: readonly string[]; readonly NATS_PASSWORD: string },
): NatsAccess {
  return { servers: settings.NATS_URL, user, password: settings.NATS_PASSWORD };
}

/** One message of the stream: whose event, and the event's JSON exactly as receivers will get it. */
export interface StreamedEvent {
  readonly project_id: string;
  readonly resource_id: string;
  readonly payload: string;
}

/**
 * Connects once, to whichever server answers; a connection lost later comes back by itself.
 *
 * @throws where NATS is away now, or rejects the credentials
 */
export async function connectStream(access: NatsAccess, name: string): Promise<EventStream> {
  const { servers, user, password } = access;
  const connection = await connect({
    servers: [...servers],
    name,
    user,
    pass: password,
    inboxPrefix: `_INBOX.${user}`,
    // Without it, the client of an address that starts with tls:// would go on in the clear where the server offers no TLS.
    ...(servers.some((server) => server.startsWith('tls:')) ? { tls: {} } : {}),
    maxReconnectAttempts: -1,
    reconnectTimeWait: 500,
    timeout: 5_000,
  }).catch((cause: unknown) => {
    throw cause instanceof AuthorizationError
      ? new Error(`NATS rejected the credentials of ${user}: check NATS_PASSWORD`, { cause })
      : cause;
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
export function natsDependency(access: NatsAccess, name: string): Dependency {
  return {
    name: 'NATS',
    isAway: (error) => AWAY_ERRORS.some((kind) => error instanceof kind),
    probe: async () => {
      const stream = await connectStream(access, `${name}-probe`);
      await stream.close();
    },
  };
}

/** The manager, without its question about the account, which no service may ask. */
export function streamManager({ connection }: EventStream): Promise<JetStreamManager> {
  return jetstreamManager(connection, { timeout: 5_000, checkAPI: false });
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

/** The stream as it is now; null where there is none. */
async function streamInfo(manager: JetStreamManager): Promise<StreamInfo | null> {
  return manager.streams.info(STREAM).catch((error: unknown) => {
    if (error instanceof Error && /stream not found/i.test(error.message)) return null;
    throw error;
  });
}

/**
 * Creates the stream where it is missing; safe from several processes at once. The webhooks service and the operator alone may
 * create it.
 */
export async function ensureStream(stream: EventStream): Promise<void> {
  const manager = await streamManager(stream);
  if ((await streamInfo(manager)) === null) await manager.streams.add(STREAM_SETTINGS);
}

/** Which stream it is, and what is on it. */
export interface StreamPosition {
  /** Another one for a stream that was lost or deleted, and made again. */
  readonly stream: string;
  /** What came before it has been taken off again. */
  readonly firstSeq: number;
}

/** As a publisher. @throws where there is no stream */
export async function streamPosition({ connection }: EventStream): Promise<StreamPosition> {
  const options = { timeout: 5_000, checkAPI: false, apiPrefix: PUBLISHERS_API };
  const info = await streamInfo(await jetstreamManager(connection, options));
  if (info === null) throw new Error('the event stream does not exist yet: the webhooks service creates it');
  return { stream: info.created, firstSeq: info.state.first_seq };
}
