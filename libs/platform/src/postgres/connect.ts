/**
 * PostgreSQL: one pool per process, prepared statements, and a timeout for each statement.
 *
 * Failure policy: closed. A statement fails if it gets no connection within {@link CONNECTION_TIMEOUT_MS}, or no response within
 * {@link RESPONSE_TIMEOUT_MS}, and the API responds 503 (see {@link isDatabaseUnavailable}). No statement is retried here, because only the
 * calling code can decide whether a repetition is safe. A transaction belongs to one session: after the session's end all its statements
 * fail, and none is sent in another session. The requests of one project together use at most half of the pool's connections.
 */
import { Socket } from 'node:net';
import { Client, type ClientConfig, DatabaseError, Pool, type PoolClient, type QueryResult } from 'pg';
import { activeAbortSignal } from '../abort-scope';
import { FairSemaphores } from '../fair-semaphore';
import { activeCost } from '../request-cost';
import { CommitNotifications } from './commit-notifications';
import { DatabaseUnavailable, isOutdated, isReadOnly } from './errors';
import { type DescribedColumns, PreparedStatement } from './prepared-statement';
import { traceStatement, traceTransaction } from './spans';
import { type Db, type Fragment, type Row, tagOf } from './statement';
import { type Parameter, resultTypes, toParameter } from './values';

const STATEMENT_TIMEOUT_MS = 15_000;
/**
 * Maximum time in milliseconds to wait for a free or new connection of the pool. It is shorter than the time that a client waits for a
 * response.
 */
const CONNECTION_TIMEOUT_MS = 10_000;
/** Maximum time in milliseconds in which the server closes a connection that listens; it is closed here then. */
const END_LIMIT_MS = 2_000;
/**
 * Maximum time in milliseconds to wait for the response to a statement. It is longer than the longest time after which the server ends a
 * statement, so that it ends only connections to a server that is silent, for which TCP would wait for a quarter of an hour.
 */
const RESPONSE_TIMEOUT_MS = 60_000;
const IDLE_TIMEOUT_MS = 60_000;
/** Time in milliseconds after which TCP checks an idle connection, so that an unreachable server is detected. */
const KEEP_ALIVE_MS = 60_000;
/** Maximum age of a session in seconds. It limits the memory that the session uses for prepared statements and plans. */
const MAX_LIFETIME_S = 3_600;
/**
 * Maximum number of different statement texts that the sessions of a process keep prepared; further texts are prepared for each use.
 * Inserts, for example, have a different text for each number of rows, so a process can have more texts.
 */
const MAX_PREPARED = 1_000;

/** The settings of each session. */
export const SESSION_SETTINGS = { TimeZone: 'UTC' };

declare const inTransaction: unique symbol;

/** Executes statements in one transaction. */
export interface Tx extends Db {
  readonly [inTransaction]: true;
  /**
   * Sends a PostgreSQL notification soon after this transaction has committed, without a payload: to the channel with the given name, an
   * underscore and the name of the current schema. Commits within a few milliseconds share one notification.
   */
  notifyAfterCommit(channel: string): void;
}

/** A connection that receives the PostgreSQL notifications of a channel. */
export interface Listening {
  /** Resolves when the connection is lost or closed. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/** Executes statements on the connections of a pool. */
export interface Sql extends Db {
  /**
   * Runs `work` in a transaction, which is rolled back if `work` throws. The last statement of `work` shares the round trip of the
   * commit if `work` sends it with `execute` and does not await it.
   *
   * @throws the error of a statement that failed although `work` did not throw: then nothing was committed
   * @example await sql.begin(async (tx) => tx`insert into claims …`);
   */
  begin<T>(work: (tx: Tx) => PromiseLike<T> | T): Promise<T>;
  /** Runs `work` in a transaction. @param mode such as `isolation level repeatable read read only` */
  begin<T>(mode: string, work: (tx: Tx) => PromiseLike<T> | T): Promise<T>;
  /**
   * Runs `work` on one connection outside of a transaction, such as to change settings of the session. `work` must reset the settings
   * that it changes.
   */
  session<T>(work: (session: Db) => PromiseLike<T> | T): Promise<T>;
  /** Opens a connection outside of the pool that listens on a channel. */
  listen(channel: string, onNotification: (payload: string) => void): Promise<Listening>;
  /** Closes each connection as soon as it is idle. After `timeoutMs` milliseconds, closes the connections that are still busy. */
  end(options?: { readonly timeoutMs?: number }): Promise<void>;
  use(): PoolUse;
}

export interface PoolUse {
  /** The maximum number of connections. */
  readonly size: number;
  /** The number of connections that execute a statement or a transaction, or are being opened. */
  readonly busy: number;
  readonly idle: number;
  /** The number of statements and transactions that wait for a connection. */
  readonly waiting: number;
}

/** A function that is called with each statement when the statement is sent. */
export type StatementListener = (text: string, parameters: readonly Parameter[]) => void;

export interface PostgresOptions {
  /** For measurements only: it slows each statement down. */
  readonly listener?: StatementListener;
  /**
   * Maximum time in milliseconds to wait for the response to a statement; the connection is closed then. Default: a minute. null: no limit,
   * for an operator's command that removes the server's limit.
   */
  readonly responseTimeoutMs?: number | null;
}

/** The names of prepared statements by text: they are the same in all sessions of the process. */
const names = new Map<string, string>();
let lastName = 0;

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= MAX_PREPARED) return known;
  const name = `s${++lastName}`;
  names.set(text, name);
  return name;
}

/** Gives a statement that PostgreSQL rejected as {@link isOutdated} a new name, so that every session prepares it again. */
function prepareAgain(text: string, outdatedName: string | undefined): void {
  if (names.get(text) === outdatedName) names.delete(text);
}

/** A statement `begin …` that a session has prepared under a name. */
interface PreparedBegin {
  readonly name: string;
  readonly text: string;
}

/** What the statements of a transaction tell it, and get from it, when they are sent. */
interface StatementsOfTransaction {
  /** Returns the prepared `begin`, to send with the first statement; null for any other statement. */
  takeBegin(): PreparedBegin | null;
  recordUnsent(error: unknown): void;
}

/** What is known about the session of a connection. */
interface Session {
  /** Whether the connection emitted an error or ended. It is not returned to the pool then. */
  isLost: boolean;
  /** The prepared statements `begin …` by their text. */
  readonly begins: Map<string, PreparedBegin>;
  readonly described: DescribedColumns;
}

const sessions = new WeakMap<Client, Session>();

function sessionOf(client: Client): Session {
  const known = sessions.get(client);
  if (known !== undefined) return known;
  const session: Session = { isLost: false, begins: new Map(), described: new Map() };
  sessions.set(client, session);
  return session;
}

/** A member of a `pg` client that its type does not declare: the socket, with or without TLS. */
interface WithSocket {
  readonly connection: { readonly stream: Socket };
}

/**
 * Collects what is sent to the server until the pending promise callbacks have run. Statements that are sent together then need one system
 * call instead of one each, which takes more time than most statements take in Node.js.
 */
function collectWrites(client: Client): void {
  const { stream } = (client as unknown as WithSocket).connection;
  if (stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/**
 * Waits for the answer of the server to `work`. If it takes longer than `limitMs`, or if the calling work is aborted (abort-scope.ts), the
 * connection is closed, and `work` fails.
 *
 * @param limitMs null: no limit
 */
async function within<T>(client: Client, limitMs: number | null, work: () => Promise<T>): Promise<T> {
  const closeConnection = () => (client as unknown as WithSocket).connection.stream.destroy();
  const timer = limitMs === null ? undefined : setTimeout(closeConnection, limitMs);
  const signal = activeAbortSignal();
  signal?.addEventListener('abort', closeConnection);
  if (signal?.aborted) closeConnection();
  try {
    return await work();
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', closeConnection);
  }
}

const isFatal = (error: unknown) => error instanceof DatabaseError && error.severity !== 'ERROR';

class Connections {
  private readonly pool: Pool;
  private readonly notifications = new CommitNotifications((channel) => this.notify(channel));
  private readonly sockets = new Set<Socket>();
  /** The connections that each project may use at a time. */
  private readonly shares: FairSemaphores;
  private waitingForShare = 0;
  readonly config: ClientConfig;
  private readonly listener: StatementListener | undefined;
  private readonly responseTimeoutMs: number | null;

  constructor(
    url: string,
    private readonly size: number,
    applicationName: string,
    { listener, responseTimeoutMs = RESPONSE_TIMEOUT_MS }: PostgresOptions,
  ) {
    this.listener = listener;
    this.responseTimeoutMs = responseTimeoutMs;
    this.config = {
      connectionString: withSessionSettings(url, SESSION_SETTINGS),
      application_name: applicationName,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
      connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      pipeline: true,
      types: resultTypes as never,
      stream: () => this.openSocket(),
    };
    this.pool = new Pool({
      ...this.config,
      max: size,
      idleTimeoutMillis: IDLE_TIMEOUT_MS,
      maxLifetimeSeconds: MAX_LIFETIME_S,
    });
    this.shares = new FairSemaphores(() => ({
      permits: Math.max(1, Math.floor(size / 2)),
      maxWaiting: Number.POSITIVE_INFINITY,
      maxWaitingPerQueue: Number.POSITIVE_INFINITY,
      waitMs: CONNECTION_TIMEOUT_MS,
      rejection: (reason) =>
        DatabaseUnavailable.from(new Error(`the project's connections are in use: ${reason}`)),
    }));
    // An idle connection that ends needs no handling: the pool opens a new one when a connection is needed.
    this.pool.on('error', () => undefined);
    this.pool.on('connect', (client) => markWhenLost(client as PoolClient));
  }

  /** Sends a notification. Its commit need not wait for the disk, because a notification does not survive a crash. */
  private async notify(channel: string): Promise<void> {
    await this.withClient(async (client) => {
      await this.tagOn(client)`
        select pg_notify(${channel} || '_' || current_schema(), ''), set_config('synchronous_commit', 'off', true)`;
    });
  }

  private openSocket(): Socket {
    const socket = new Socket();
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket));
    return socket;
  }

  use(): PoolUse {
    const { totalCount, idleCount, waitingCount } = this.pool;
    const waiting = waitingCount + this.waitingForShare;
    return { size: this.size, busy: totalCount - idleCount, idle: idleCount, waiting };
  }

  /**
   * Runs `work` with a connection, which returns to the pool unless it was lost. The connection counts towards the share of the project whose
   * request is executed, and the time for which it is used is added to the request's cost.
   */
  async withClient<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const cost = activeCost();
    if (cost === undefined) return this.withAnyClient(work);
    await this.acquireShare(cost.project);
    try {
      return await this.withAnyClient(async (client) => {
        const startedMs = performance.now();
        try {
          return await work(client);
        } finally {
          cost.add(performance.now() - startedMs);
        }
      });
    } finally {
      this.shares.release(cost.project);
    }
  }

  private async acquireShare(project: string): Promise<void> {
    if (this.shares.tryAcquire(project)) return;
    this.waitingForShare += 1;
    try {
      await this.shares.acquire(project, project);
    } finally {
      this.waitingForShare -= 1;
    }
  }

  private async withAnyClient<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.pool.connect().catch((error: unknown) => {
      throw DatabaseUnavailable.from(error);
    });
    let isUsable = true;
    try {
      activeAbortSignal()?.throwIfAborted();
      return await work(client);
    } catch (error) {
      isUsable = !isFatal(error) && !isReadOnly(error);
      throw error;
    } finally {
      client.release(!isUsable || sessionOf(client).isLost);
    }
  }

  /** Returns the template tag that sends statements on this one connection. */
  tagOn(client: Client): Db {
    return tagOf((statement) => traceStatement(statement, () => this.send(client, statement)));
  }

  /**
   * Sends a statement with values, and keeps it prepared in the session. After a change of a table, such as a migration, a statement whose
   * result would have other columns is prepared again. If it belongs to a transaction, which has failed then, it is not repeated.
   *
   * @param transaction the transaction to which the statement belongs; null if it belongs to none
   */
  async send(
    client: Client,
    statement: Fragment,
    transaction: StatementsOfTransaction | null = null,
  ): Promise<Row[]> {
    const { text } = statement;
    let values: Parameter[];
    try {
      values = statement.values.map(toParameter);
    } catch (error) {
      transaction?.recordUnsent(error);
      throw error;
    }
    const begin = transaction?.takeBegin() ?? null;
    if (begin !== null) this.listener?.(begin.text, []);
    for (;;) {
      const name = nameOf(text);
      this.listener?.(text, values);
      try {
        const { rows } = await this.query(client, { name, text, values }, begin);
        return rows;
      } catch (error) {
        if (!isOutdated(error)) throw error;
        prepareAgain(text, name);
        if (transaction !== null) throw DatabaseUnavailable.outdated(error);
      }
    }
  }

  /** Sends a text without values, such as `commit`. Returns its command tag. */
  async command(client: Client, text: string): Promise<string> {
    this.listener?.(text, []);
    return (await this.query(client, { text })).command;
  }

  private async query(
    client: Client,
    query: { name?: string | undefined; text: string; values?: Parameter[] },
    begin: PreparedBegin | null = null,
  ): Promise<QueryResult<Row>> {
    const session = sessionOf(client);
    collectWrites(client);
    try {
      return await within(
        client,
        this.responseTimeoutMs,
        () =>
          new Promise((resolve, reject) => {
            const config = query as { text: string };
            const statement = new PreparedStatement(begin?.name ?? null, session.described, config, done);
            function done(error: Error | null | undefined, result: QueryResult<Row>): void {
              // The statements that were sent after this one are executed outside of the transaction: its session must not be used again.
              if (error && statement.hasFailedToBegin) session.isLost = true;
              if (error) reject(error);
              else resolve(result);
            }
            client.query(statement);
          }),
      );
    } catch (error) {
      // The driver's stack trace starts at the socket. This one has the function that sent the statement.
      if (error instanceof Error) Error.captureStackTrace(error);
      if (error instanceof DatabaseError || !session.isLost) throw error;
      throw DatabaseUnavailable.from(error);
    }
  }

  /**
   * Returns the name and text of the prepared `begin`, to send with the transaction's first statement. If the session has not prepared this
   * `begin` yet, this call prepares and executes it, and returns null.
   */
  private async prepareBegin(client: Client, text: string): Promise<PreparedBegin | null> {
    const { begins } = sessionOf(client);
    const prepared = begins.get(text);
    if (prepared !== undefined) return prepared;
    const name = nameOf(text);
    this.listener?.(text, []);
    await this.query(client, { name, text });
    if (name !== undefined) begins.set(text, { name, text });
    return null;
  }

  async transaction<T>(mode: string, work: (tx: Tx) => PromiseLike<T> | T): Promise<T> {
    return this.withClient(async (client) => {
      let begin = await this.prepareBegin(client, `begin ${mode}`.trimEnd());
      let isOpen = true;
      /** The error of the first statement that failed. */
      let failure: unknown;
      /** Resolves when the result of the last statement is known. */
      let lastResult: Promise<unknown> = Promise.resolve();
      /** The error of a statement that was not sent. The server does not know that it failed, and would commit the transaction. */
      let unsent: unknown;
      const statements: StatementsOfTransaction = {
        takeBegin: () => {
          const taken = begin;
          begin = null;
          return taken;
        },
        recordUnsent: (error) => {
          unsent ??= error;
        },
      };
      const channels = new Set<string>();
      const tag = tagOf((statement) => {
        if (!isOpen) return Promise.reject(new Error('the transaction has ended'));
        const sent = traceStatement(statement, () => this.send(client, statement, statements));
        lastResult = sent.catch((error: unknown) => {
          failure ??= error;
        });
        return sent;
      });
      const tx = Object.assign(tag, {
        notifyAfterCommit: (channel: string) => void channels.add(channel),
      }) as Tx;
      try {
        const result = await work(tx);
        if (unsent !== undefined) throw unsent;
        isOpen = false;
        // `work` sent no statement, so `begin` was not sent either, and there is nothing to commit.
        if (begin !== null) return result;
        const outcome = await this.command(client, 'commit');
        // The result of a traced statement takes longer to arrive here than that of `commit`.
        await lastResult;
        if (outcome !== 'COMMIT') throw failure ?? new Error('the transaction was rolled back');
        // A failed `begin` loses the session: the statements after it, and `commit`, were executed without a transaction.
        if (failure !== undefined && sessionOf(client).isLost) throw failure;
        for (const channel of channels) this.notifications.notify(channel);
        return result;
      } catch (error) {
        if (isOpen && begin === null) await this.rollBack(client);
        isOpen = false;
        throw error;
      }
    });
  }

  /** Rolls back the transaction. An error is ignored, because the server rolls back a transaction whose connection is lost. */
  private async rollBack(client: Client): Promise<void> {
    try {
      await this.command(client, 'rollback');
    } catch {
      sessionOf(client).isLost = true;
    }
  }

  async end(timeoutMs: number): Promise<void> {
    const timer = setTimeout(() => {
      for (const socket of this.sockets) socket.destroy();
    }, timeoutMs);
    try {
      await this.notifications.flush();
      await this.pool.end();
    } finally {
      clearTimeout(timer);
    }
  }
}

function markWhenLost(client: Client): void {
  const session = sessionOf(client);
  const mark = () => {
    session.isLost = true;
  };
  client.on('error', mark);
  client.on('end', mark);
}

/** Ends a connection. A server that stays silent, such as behind a broken network, does not confirm the end. */
const endClient = (client: Client) => within(client, END_LIMIT_MS, () => client.end());

async function listen(
  config: ClientConfig,
  channel: string,
  onNotification: (payload: string) => void,
): Promise<Listening> {
  const client = new Client(config);
  const ended = new Promise<void>((resolve) => {
    client.once('end', resolve);
    // When the server ends a session, the client emits two errors, so the listener stays after the first. Without a listener, the second
    // error would end the process.
    client.on('error', () => resolve());
  });
  client.on('notification', ({ payload }) => onNotification(payload ?? ''));
  try {
    await client.connect();
    await within(client, CONNECTION_TIMEOUT_MS, () =>
      client.query(`listen ${client.escapeIdentifier(channel)}`),
    );
  } catch (error) {
    await endClient(client);
    throw DatabaseUnavailable.from(error);
  }
  return { ended, close: () => endClient(client) };
}

/**
 * Returns the database URL with settings for each session that is opened with it.
 *
 * @example withSessionSettings(url, { search_path: 'benefits,public' })
 */
export function withSessionSettings(url: string, settings: Readonly<Record<string, string>>): string {
  const changed = new URL(url);
  const known = changed.searchParams.get('options');
  const added = Object.entries(settings).map(
    ([name, value]) => `-c ${name}=${value.replaceAll(/[\\ ]/g, '\\$&')}`,
  );
  changed.searchParams.set('options', [...(known === null ? [] : [known]), ...added].join(' '));
  return changed.href;
}

const LONGEST_END_MS = 60_000;

/**
 * Makes a pool of at most `size` connections, which are opened when needed.
 *
 * @example const sql = connectPostgres(config.DATABASE_URL, 10, 'claims');
 */
export function connectPostgres(
  url: string,
  size: number,
  applicationName: string,
  options: PostgresOptions = {},
): Sql {
  const connections = new Connections(url, size, applicationName, options);
  const tag = tagOf((statement) =>
    traceStatement(statement, () => connections.withClient((client) => connections.send(client, statement))),
  );
  return Object.assign(tag, {
    begin: <T>(...args: [(tx: Tx) => PromiseLike<T> | T] | [string, (tx: Tx) => PromiseLike<T> | T]) => {
      const [mode, work] = args.length === 1 ? ['', args[0]] : args;
      return traceTransaction(() => connections.transaction(mode, work));
    },
    session: <T>(work: (session: Db) => PromiseLike<T> | T) =>
      connections.withClient(async (client) => work(connections.tagOn(client))),
    listen: (channel: string, onNotification: (payload: string) => void) =>
      listen(connections.config, channel, onNotification),
    end: ({ timeoutMs = LONGEST_END_MS }: { readonly timeoutMs?: number } = {}) => connections.end(timeoutMs),
    use: () => connections.use(),
  });
}

/** Reads the database's clock, with a precision of milliseconds. All rules use this clock, so that a test can change its time. */
export async function databaseNow(db: Db): Promise<Date> {
  const [row] = await db<{ now: Date }[]>`select platform.now() as now`;
  if (row === undefined) throw new Error('the database returned no time');
  return row.now;
}
