/**
 * The one way to PostgreSQL at run time. A pool a process, statements prepared, every statement bounded in time.
 * Failure policy: a connection that can't be had within its timeout is an error, answered 503 at the edge (see
 * {@link isDatabaseAway}); nothing is retried here, since only the caller knows whether a repeat is safe.
 */
import { isNativeError } from 'node:util/types';
import postgres from 'postgres';
import type { Dependency } from './outages';
import { isTracing } from './tracing/spans';
import { traceStatements } from './tracing/sql';

export type Sql = postgres.Sql<{ bigint: number }>;
export type Tx = postgres.TransactionSql<{ bigint: number }>;
/** A piece of SQL to be put into another query. */
export type Fragment = postgres.PendingQuery<postgres.Row[]> | ReturnType<Sql>;
/** Either: what a query runs on. */
export type Db = Sql | Tx;

const STATEMENT_TIMEOUT_MS = 15_000;
const CONNECT_TIMEOUT_S = 5;
/** A caller should hear soon that the database is away, and soon find it back. */
const LONGEST_RECONNECT_PAUSE_S = 0.4;

function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('an integer of the database is beyond 2^53 - 1');
  return value;
}

/** Told of each statement as it is sent, with its parameters and the types (OIDs, 0 where the server decides) they go as. */
export type StatementListener = (
  text: string,
  parameters: readonly unknown[],
  types: readonly number[],
) => void;

/**
 * A pool of at most `pool` connections; bigint comes as a safe integer (an error beyond it), timestamps as Date.
 *
 * @param listener for measuring alone: it makes every statement dearer
 */
export function connectPostgres(
  url: string,
  pool: number,
  applicationName: string,
  listener?: StatementListener,
): Sql {
  const sql: Sql = postgres(url, {
    ...(listener && {
      debug: (_connection, text, parameters, types) => listener(text, parameters, types),
    }),
    max: pool,
    idle_timeout: 60,
    backoff: (failures: number) => Math.min(LONGEST_RECONNECT_PAUSE_S, 0.05 * 2 ** failures),
    connect_timeout: CONNECT_TIMEOUT_S,
    connection: {
      application_name: applicationName,
      TimeZone: 'UTC',
      statement_timeout: STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
    },
    types: {
      bigint: { to: 20, from: [20], serialize: (value: number) => String(value), parse: safeInteger },
      date: { to: 1184, from: [1184], serialize: (value: Date) => value.toISOString(), parse: parseInstant },
    },
    onnotice: () => undefined,
  });
  return isTracing() ? traceStatements(sql) : sql;
}

/** PostgreSQL's text of an instant in UTC. JavaScript's own reading of that form takes the year 0050 for 1950. */
function parseInstant(text: string): Date {
  return new Date(text.replace(' ', 'T').replace(/\+00$/, 'Z'));
}

/**
 * A value as a jsonb parameter, written as JSON.stringify does. The client's own `json` takes only what the compiler knows to
 * be JSON, which an interface or an unknown value never is.
 */
export function jsonb(db: Db, value: unknown): ReturnType<Db['json']> {
  return db.json(value as postgres.JSONValue);
}

/**
 * Waits for statements of one transaction that were sent together, and gives their results.
 *
 * @throws the error of the first one in the order of the list that failed: after it the others fail too, but only because the
 *   transaction is aborted
 * @example const [row, now] = await allInOrder([lockRow(tx, id), databaseNow(tx)]);
 */
export async function allInOrder<const T extends readonly unknown[]>(
  sent: T,
): Promise<{ -readonly [Index in keyof T]: Awaited<T[Index]> }> {
  const outcomes = await Promise.allSettled(sent);
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  return outcomes.map((outcome) => (outcome as PromiseFulfilledResult<unknown>).value) as never;
}

const AWAY_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  // Its name is not known while its container is away.
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  '57014', // query_canceled: the statement timeout
  '53300', // too_many_connections
  '08006',
  '08001',
  '08003',
]);

/** True where the error says that the database is away or overloaded, not that the statement was wrong. */
export function isDatabaseAway(error: unknown): boolean {
  return isNativeError(error) && 'code' in error && AWAY_CODES.has(String(error.code));
}

const STATEMENT_TIMEOUT = '57014';

/**
 * Whether the error is of this pool, and not of another server with the same code: the client has codes of its own and adds its
 * query to others, and the network names whom it did not reach. A statement that took too long is worth a line of its own.
 */
function isOfPool(error: Error, { host, port }: Sql['options']): boolean {
  const of = error as { code?: unknown; port?: number; hostname?: string; errors?: unknown[] };
  if (of.code === STATEMENT_TIMEOUT) return false;
  if ('query' in error || error instanceof postgres.PostgresError || String(of.code).startsWith('CONNECT'))
    return true;
  // One for each address of the name.
  const [first] = of.errors ?? [];
  if (isNativeError(first)) return isOfPool(first, { host, port } as Sql['options']);
  return port.includes(of.port ?? 0) || host.includes(of.hostname ?? '');
}

/** PostgreSQL as the log's outages know it, by a pool of this process. */
export function postgresDependency(sql: Sql): Dependency {
  return {
    name: 'PostgreSQL',
    isAway: (error) => isDatabaseAway(error) && isOfPool(error, sql.options),
    probe: () => sql`select 1`,
  };
}

/** The name of the constraint that a statement violated, or null. */
export function violatedConstraint(error: unknown): string | null {
  if (!(error instanceof postgres.PostgresError)) return null;
  return error.code.startsWith('23') ? (error.constraint_name ?? null) : null;
}

/** The database's clock in whole milliseconds: what every rule reads (a test may move it). */
export async function databaseNow(db: Db): Promise<Date> {
  const [row] = await db<{ now: Date }[]>`select platform.now() as now`;
  if (row === undefined) throw new Error('the database told no time');
  return row.now;
}
