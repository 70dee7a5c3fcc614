/**
 * PostgreSQL: one pool per process, prepared statements, and a timeout for each statement.
 *
 * Failure policy: closed. A statement fails if it gets no connection within {@link CONNECTION_TIMEOUT_MS}, or no response within
 * {@link RESPONSE_TIMEOUT_MS}, and the API responds 503 (see {@link isDatabaseUnavailable}). No statement is retried here, because only the
 * calling code can decide whether a repetition is safe. A transaction belongs to one session: after the session's end all its statements
 * fail, and none is sent in another session. The requests of one project together use at most half of the pool's connections.
 */
import { Socket } from 'node:net';
import { activeProjectTime } from '@carecover/domain';
import { activeAbortSignal, FairSemaphores } from '@carecover/process';
import { activeCost } from '@carecover/telemetry';
import {
  Client,
  type ClientConfig,
  DatabaseError,
  Pool,
  type PoolClient,
  type QueryConfig,
  type QueryResult,
} from 'pg';
import { CommitNotifications } from './commit-notifications';
import { DatabaseUnavailable, isOutdated, isReadOnly } from './errors';
import { type Pipelined, pipelineOf, type Results } from './pipeline';
import { traceStatement, traceTransaction } from './spans';
import { type Db, type Fragment, type Query, type Row, type Send, tagOf } from './statement';
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
   * Makes one query of several, which are sent in the order of the list, in one round trip, when the pipeline is awaited. PostgreSQL executes
   * them one after the other: each one sees what was committed before it began, so a read after a lock sees what the lock waited for.
   *
   * A part can be null, and has the result null then. It can be a pipeline too, such as a lock with the read of what it protects.
   *
   * If a statement fails, PostgreSQL executes none of the later ones, and the transaction can't be committed. The pipeline waits until all
   * parts have ended and rejects with the first error of the list; later errors only say that the transaction is aborted.
   *
   * @returns the query, whose result is a tuple with the results of the parts, in their order
   * @throws TypeError if a part belongs to the pool or to another transaction
   * @example const [row, now] = await tx.pipeline([lockRow(tx, id), databaseNow(tx)]);
   */
  pipeline<const Parts extends Pipelined>(parts: Parts): Query<Results<Parts>>;
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
   * Runs `work` in a transaction, which is rolled back if `work` throws. `work` awaits each of its statements, alone or in a
   * {@link Tx.pipeline}. No statement is sent before the response to `begin`, so none is ever executed outside of the transaction.
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

interface SessionConfig extends ClientConfig {
  readonly stream: () => Socket;
}

/**
 * A connection with its socket, to close it without waiting for the server: the driver's `end` waits for the responses to all statements
 * that were sent.
 */
class Session extends Client {
  /** Whether the connection emitted an error or ended. It is not returned to the pool then. */
  isLost = false;
  private readonly socket: Socket;

  constructor(config: SessionConfig) {
    const socket = config.stream();
    super({ ...config, stream: () => socket });
    this.socket = socket;
    const mark = () => {
      this.isLost = true;
    };
    this.on('error', mark);
    this.on('end', mark);
  }

  closeNow(): void {
    this.socket.destroy();
  }
}

/** Returns the class of which the pool makes its connections. */
function sessionClass(config: SessionConfig): new () => Session {
  return class extends Session {
    constructor() {
      super(config);
    }
  };
}

/**
 * Waits for the answer of the server to `work`. If it takes longer than `limitMs`, or if the calling work is aborted (abort-scope.ts), the
 * connection is closed, and `work` fails.
 *
 * @param limitMs null: no limit
 */
async function within<T>(client: Session, limitMs: number | null, work: () => Promise<T>): Promise<T> {
  const closeConnection = () => client.closeNow();
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

/** The statements of one transaction. */
class Transaction {
  readonly tx: Tx;
  /** The channels to notify after the commit. */
  readonly channels = new Set<string>();
  /** The error of the first statement that failed. */
  failure: unknown;
  /** The first error that the server does not know of, such as a value that can't be sent. The server would commit the transaction. */
  private unnoticed: unknown;
  private isOpen = true;

  constructor(private readonly execute: Send) {
    const send: Send = (statement) => this.send(statement);
    this.tx = Object.assign(tagOf(send), {
      pipeline: <const Parts extends Pipelined>(parts: Parts) => pipelineOf(send, parts),
      notifyAfterCommit: (channel: string) => void this.channels.add(channel),
    }) as Tx;
  }

  private send(statement: Fragment): Promise<Row[]> {
    if (!this.isOpen) return Promise.reject(new Error('the transaction has ended'));
    const sent = traceStatement(statement, () => this.execute(statement));
    sent.catch((error: unknown) => {
      this.failure ??= error;
      if (!(error instanceof DatabaseError)) this.unnoticed ??= error;
    });
    return sent;
  }

  /** Rejects all further statements. */
  close(): void {
    this.isOpen = false;
  }

  /** Closes the transaction before its commit. @throws the first error of a statement that the server does not know of */
  end(): void {
    this.close();
    if (this.unnoticed !== undefined) throw this.unnoticed;
  }
}

class Connections {
  private readonly pool: Pool;
  private readonly notifications = new CommitNotifications((channel) => this.notify(channel));
  private readonly sockets = new Set<Socket>();
  /** The connections that each project may use at a time. */
  private readonly shares: FairSemaphores;
  private waitingForShare = 0;
  readonly config: SessionConfig;
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
      Client: sessionClass(this.config),
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
  async withClient<T>(work: (client: Session) => Promise<T>): Promise<T> {
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

  private async withAnyClient<T>(work: (client: Session) => Promise<T>): Promise<T> {
    const client = (await this.pool.connect().catch((error: unknown) => {
      throw DatabaseUnavailable.from(error);
    })) as PoolClient & Session;
    let isUsable = true;
    try {
      activeAbortSignal()?.throwIfAborted();
      return await work(client);
    } catch (error) {
      isUsable = !isFatal(error) && !isReadOnly(error);
      throw error;
    } finally {
      client.release(!isUsable || client.isLost);
    }
  }

  /** Returns the template tag that sends statements on this one connection. */
  tagOn(client: Session): Db {
    return tagOf((statement) => traceStatement(statement, () => this.send(client, statement)));
  }

  /** The template tag that sends each statement on a free connection. One for a simulated project has a transaction, which has the time. */
  readonly tag = tagOf((statement) =>
    activeProjectTime() === undefined
      ? traceStatement(statement, () => this.withClient((client) => this.send(client, statement)))
      : this.transaction('', (tx) => tx<Row[]>`${statement}`),
  );

  /** Sets the time that `platform.now()` returns in the transaction, if the active work is for a simulated project. */
  private async setProjectTime(client: Session): Promise<void> {
    const time = activeProjectTime();
    if (time === undefined) return;
    const at = time.at === null ? null : new Date(time.at);
    const [row] = await this.tagOn(client)<{ now: Date }[]>`
      select set_config('carecover.now', now::text, true) as text, now
      from (select coalesce(${at}::timestamptz, now) as now from platform.project_clocks where project_id = ${time.project}) clock`;
    if (row === undefined) throw new Error(`the simulated project ${time.project} has no clock`);
    time.nowMs = row.now.getTime();
  }

  /**
   * Sends a statement with values, and keeps it prepared in the session. After a change of a table, such as a migration, a statement whose
   * result would have other columns is prepared again. In a transaction, which has failed then, it is not repeated.
   */
  private async send(client: Session, statement: Fragment, isInTransaction = false): Promise<Row[]> {
    const { text } = statement;
    const values = statement.values.map(toParameter);
    for (;;) {
      const name = nameOf(text);
      this.listener?.(text, values);
      try {
        const { rows } = await this.query(client, { text, values, ...(name === undefined ? {} : { name }) });
        return rows;
      } catch (error) {
        if (!isOutdated(error)) throw error;
        prepareAgain(text, name);
        if (isInTransaction) throw DatabaseUnavailable.outdated(error);
      }
    }
  }

  /** Sends a text without values, such as `commit`. Returns its command tag. */
  private async command(client: Session, text: string): Promise<string> {
    this.listener?.(text, []);
    return (await this.query(client, { text })).command;
  }

  private async query(client: Session, query: QueryConfig<Parameter[]>): Promise<QueryResult<Row>> {
    try {
      return await within(client, this.responseTimeoutMs, () => client.query<Row, Parameter[]>(query));
    } catch (error) {
      // The driver's stack trace ends at this call. This one has the function that sent the statement.
      if (error instanceof Error) Error.captureStackTrace(error);
      if (error instanceof DatabaseError || !client.isLost) throw error;
      throw DatabaseUnavailable.from(error);
    }
  }

  async transaction<T>(mode: string, work: (tx: Tx) => PromiseLike<T> | T): Promise<T> {
    return this.withClient(async (client) => {
      await this.command(client, `begin ${mode}`.trimEnd());
      const transaction = new Transaction((statement) => this.send(client, statement, true));
      let result: T;
      try {
        await this.setProjectTime(client);
        result = await work(transaction.tx);
        transaction.end();
      } catch (error) {
        transaction.close();
        await this.rollBack(client);
        throw error;
      }
      const outcome = await this.command(client, 'commit');
      if (outcome !== 'COMMIT') throw transaction.failure ?? new Error('the transaction was rolled back');
      for (const channel of transaction.channels) this.notifications.notify(channel);
      return result;
    });
  }

  /** Rolls back the transaction. An error is ignored, because the server rolls back a transaction whose connection is lost. */
  private async rollBack(client: Session): Promise<void> {
    try {
      await this.command(client, 'rollback');
    } catch {
      client.isLost = true;
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

/** Ends a connection. A server that stays silent, such as behind a broken network, does not confirm the end. */
const endClient = (client: Session) => within(client, END_LIMIT_MS, () => client.end());

async function listen(
  config: SessionConfig,
  channel: string,
  onNotification: (payload: string) => void,
): Promise<Listening> {
  const client = new Session(config);
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
  return Object.assign(connections.tag, {
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

/**
 * Reads the time, with a precision of milliseconds: the database's clock, or the time of the simulated project for which the work is executed.
 * All rules use this clock, so that a test can change its time.
 */
export function databaseNow(db: Db): Query<Date> {
  return db<{ now: Date }[]>`select platform.now() as now`.withResult(([row]) => {
    if (row === undefined) throw new Error('the database returned no time');
    return row.now;
  });
}
