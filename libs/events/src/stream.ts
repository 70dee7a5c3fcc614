/**
 * The event stream on NATS JetStream: one stream with file storage, which has each message until the webhooks service has stored
 * it in PostgreSQL.
 *
 * Failure policy: closed. A publish fails unless the stream has the message on disk; the event then stays in the outbox.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Dependency } from '@carecover/process';
import {
  type ConsumerConfig,
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
  type StreamConfig,
  type StreamInfo,
} from '@nats-io/jetstream';
import { AuthorizationError, connect, errors, type NatsConnection } from '@nats-io/transport-node';

export const STREAM = 'CARECOVER_EVENTS';
export const SUBJECTS = 'carecover.events.>';
/**
 * The prefix of the JetStream API subjects with which publishers request information about the stream. Publishers need it, because their
 * NATS account is not the account that owns the stream (deploy/nats).
 */
const PUBLISHERS_API = 'EVENTS';
const DUPLICATE_WINDOW_MS = 120_000;
/** Maximum size of the stream in bytes. When the stream is full, events stay in the outboxes. */
const MAX_BYTES = 1024 ** 3;

/**
 * Time in milliseconds without an error after which an outage of NATS has ended. It is longer than a publication without a response takes with
 * the pause after it, because a server whose disk is full accepts connections, and responds to no publication.
 */
const QUIET_MS = 10_000;

export interface EventStream {
  readonly connection: NatsConnection;
  readonly js: JetStreamClient;
  close(): Promise<void>;
}

/**
 * How a process connects to NATS: the URLs of the servers, a user and its password. `deploy/nats/authorization.conf` has each user's
 * permissions.
 */
export interface NatsAccess {
  readonly servers: readonly string[];
  readonly user: string;
  readonly password: string;
}

/** The NATS user of the CLI. Each service has a NATS user with the service's name. */
export const OPERATOR_NATS_USER = 'operator';

/** Returns how a NATS user connects, with the URLs and the password from the process's settings. */
export function natsAccess(
  user: string,
  settings: { readonly NATS_URL: readonly string[]; readonly NATS_PASSWORD: string },
): NatsAccess {
  return { servers: settings.NATS_URL, user, password: settings.NATS_PASSWORD };
}

/**
 * Connects to one of the servers. The client reconnects automatically when the connection is lost.
 *
 * @throws if NATS is unavailable or rejects the credentials
 */
export async function connectStream(access: NatsAccess, name: string): Promise<EventStream> {
  const { servers, user, password } = access;
  const connection = await connect({
    servers: [...servers],
    name,
    user,
    pass: password,
    inboxPrefix: `_INBOX.${user}`,
    // With the option `tls`, a connection to a server with a tls:// address always uses TLS. Without it, the client continues without TLS
    // if the server does not offer it.
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

function isUnavailable(error: unknown): boolean {
  return [
    errors.ConnectionError,
    errors.ClosedConnectionError,
    errors.NoRespondersError,
    errors.TimeoutError,
  ].some((kind) => error instanceof kind);
}

/** Makes the {@link Dependency} by which outages of NATS are logged. */
export function natsDependency(access: NatsAccess, name: string): Dependency {
  return {
    name: 'NATS',
    isUnavailable,
    probe: async () => {
      const stream = await connectStream(access, `${name}-probe`);
      await stream.close();
    },
    quietMs: QUIET_MS,
  };
}

/** Makes JetStream's manager of streams. It skips the check of the JetStream account, for which services have no permission. */
export function streamManager({ connection }: EventStream): Promise<JetStreamManager> {
  return jetstreamManager(connection, { timeout: 5_000, checkAPI: false });
}

/** The stream's settings. On a NATS cluster, an operator creates the stream with these settings and a number of replicas. */
export const STREAM_SETTINGS = {
  name: STREAM,
  subjects: [SUBJECTS],
  storage: 'file',
  retention: 'workqueue',
  discard: 'new',
  max_bytes: MAX_BYTES,
  duplicate_window: DUPLICATE_WINDOW_MS * 1_000_000,
} satisfies Partial<StreamConfig>;

/** Returns the result of a request about a stream or a consumer; null if NATS responds with the code that it does not exist. */
async function nullIfMissing<T>(request: Promise<T>, code: JetStreamApiCodes): Promise<T | null> {
  return request.catch((error: unknown) => {
    if (error instanceof JetStreamApiError && error.code === code) return null;
    throw error;
  });
}

/** Returns the stream's current configuration and state, or null if it does not exist. */
async function streamInfo({ streams }: JetStreamManager): Promise<StreamInfo | null> {
  return nullIfMissing(streams.info(STREAM), JetStreamApiCodes.StreamNotFound);
}

/**
 * Creates the stream if it does not exist, and gives an existing one the settings of this release; its other settings, such as the number of
 * replicas, stay. Several processes can do it concurrently. Only the NATS users of the webhooks service and of the operator have the permission.
 *
 * @returns the error if an existing stream can't get the settings. It can be used nevertheless, as the release that created it used it.
 * @throws if the stream does not exist and can't be created
 */
export async function ensureStream(stream: EventStream): Promise<Error | null> {
  const manager = await streamManager(stream);
  const { streams } = manager;
  const info = await streamInfo(manager);
  // NATS's client writes into the object that it gets.
  if (info === null) {
    await streams.add({ ...STREAM_SETTINGS }).catch((cause: unknown) => {
      throw new Error('NATS did not create the event stream', { cause });
    });
  } else if (!hasSettings(info.config, STREAM_SETTINGS)) {
    return streams.update(STREAM, STREAM_SETTINGS).then(
      () => null,
      (error: Error) => error,
    );
  }
  return null;
}

/** Returns whether a configuration that NATS returned has these settings. It has further ones, with their defaults. */
function hasSettings<T extends object>(config: T, settings: Partial<T>): boolean {
  return Object.entries(settings).every(([name, value]) =>
    isDeepStrictEqual(Reflect.get(config, name), value),
  );
}

/**
 * Creates the stream's durable consumer if it does not exist, and gives an existing one these settings. A setting that NATS can't change is
 * changed by a new consumer in its place: the stream then sends each message that is not acknowledged to the new one. Several processes can
 * do it concurrently. Only the NATS user of the webhooks service has the permission.
 */
export async function ensureConsumer(
  stream: EventStream,
  settings: Partial<ConsumerConfig> & { readonly durable_name: string },
): Promise<void> {
  const { consumers } = await streamManager(stream);
  const name = settings.durable_name;
  const info = await nullIfMissing(consumers.info(STREAM, name), JetStreamApiCodes.ConsumerNotFound);
  if (info === null) await consumers.add(STREAM, settings);
  else if (!hasSettings(info.config, settings)) {
    try {
      await consumers.update(STREAM, name, settings);
    } catch (error) {
      if (!(error instanceof JetStreamApiError)) throw error;
      await consumers.delete(STREAM, name);
      await consumers.add(STREAM, settings);
    }
  }
}

/** Identifies a stream and its oldest message. */
export interface StreamPosition {
  /** The stream's creation time, by which a recreated stream is recognized. */
  readonly stream: string;
  /** Sequence number of the oldest message; all messages before it were removed. */
  readonly firstSeq: number;
}

/** The stream's position and size. */
export interface StreamState extends StreamPosition {
  /** The size of its messages in bytes, and the size from which it rejects messages. */
  readonly usedBytes: number;
  readonly limitBytes: number;
}

/** Reads the stream's state with the permissions of a publisher. @throws if the stream does not exist */
export async function readStreamState({ connection }: EventStream): Promise<StreamState> {
  const options = { timeout: 5_000, checkAPI: false, apiPrefix: PUBLISHERS_API };
  const info = await streamInfo(await jetstreamManager(connection, options));
  if (info === null)
    throw new Error(
      'the event stream does not exist yet: start the webhooks service, which creates it, or logs why it can not',
    );
  const { created, state, config } = info;
  return {
    stream: created,
    firstSeq: state.first_seq,
    usedBytes: state.bytes,
    limitBytes: config.max_bytes,
  };
}
