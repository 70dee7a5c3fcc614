/**
 * PostgreSQL: one pool per process, prepared statements, and a timeout for each statement.
 *
 * Failure policy: closed. Without a connection within the timeout the statement fails, and the API responds 503 (see
 * {@link isDatabaseUnavailable}). Nothing is retried here, because only the caller knows whether that is safe.
 */
import { isNativeError } from 'node:util/types';
import postgres from 'postgres';
import type { Dependency } from './outages';
import { isTracing } from './tracing/spans';
import { traceStatements } from './tracing/sql';

export type Sql = postgres.Sql<{ bigint: number }>;
export type Tx = postgres.TransactionSql<{ bigint: number }>;
/** A part of another statement. */
export type Fragment = postgres.PendingQuery<postgres.Row[]> | ReturnType<Sql>;
/** The pool or a transaction. */
export type Db = Sql | Tx;

const STATEMENT_TIMEOUT_MS = 15_000;
const CONNECT_TIMEOUT_S = 5;
/** Short, so that requests fail fast during an outage and succeed soon after it. */
const MAX_RECONNECT_PAUSE_S = 0.4;

function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('an integer in the database exceeds 2^53 - 1');
  return value;
}

/** Called with each statement when it is sent. `types` are the OIDs of the parameters; 0 if the server infers the type. */
export type StatementListener = (
  text: string,
  parameters: readonly unknown[],
  types: readonly number[],
) => void;

/**
 * Makes a pool of at most `pool` connections, which are opened when needed. A bigint is read as a number (an error above 2^53 - 1),
 * a timestamp as a Date.
 *
 * @param listener for measurements only: it slows each statement down
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
    backoff: (failures: number) => Math.min(MAX_RECONNECT_PAUSE_S, 0.05 * 2 ** failures),
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

/** Parses PostgreSQL's text of an instant in UTC. `new Date(text)` alone would read the year 0050 as 1950. */
function parseInstant(text: string): Date {
  return new Date(text.replace(' ', 'T').replace(/\+00$/, 'Z'));
}

/**
 * Makes a jsonb parameter of any value, serialized as JSON.stringify does. The type of the client's own `json` does not accept
 * interfaces.
 */
export function jsonb(db: Db, value: unknown): ReturnType<Db['json']> {
  return db.json(value as postgres.JSONValue);
}

/**
 * Waits for the results of statements of one transaction that were sent together, in one round trip.
 *
 * @throws the error of the first statement in the list that failed: later ones fail only because the transaction is aborted
 * @example const [row, now] = await allInOrder([lockRow(tx, id), databaseNow(tx)]);
 */
export async function allInOrder<const T extends readonly unknown[]>(
  sent: T,
): Promise<{ -readonly [Index in keyof T]: Awaited<T[Index]> }> {
  const outcomes = await Promise.allSettled(sent);
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  return outcomes.map((outcome) => (outcome as PromiseFulfilledResult<unknown>).value) as never;
}

/**
 * Executes statements that write as parts of one statement. Each part reads what was there before all of them, and no two may
 * write the same row.
 *
 * @example await writeTogether(tx, [tx`insert into facts …`, tx`update claims …`]);
 */
export async function writeTogether(tx: Tx, parts: readonly Fragment[]): Promise<void> {
  if (parts.length === 0) return;
  const list = parts
    .map((part, index) => tx`${tx(`part_${index}`)} as (${part})`)
    .reduce((before, next) => tx`${before}, ${next}`);
  await tx`with ${list} select`;
}

const UNAVAILABLE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  // The name of a stopped container can't be resolved.
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

/** Returns whether the error means that the database is unavailable or overloaded; false if the statement is invalid. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return isNativeError(error) && 'code' in error && UNAVAILABLE_CODES.has(String(error.code));
}

const STATEMENT_TIMEOUT = '57014';

/**
 * Returns whether the error is from this pool: errors of other servers can have the same code. False for a statement timeout, which
 * must have its own log line.
 */
function isOfPool(error: Error, { host, port }: Sql['options']): boolean {
  const of = error as { code?: unknown; port?: number; hostname?: string; errors?: unknown[] };
  if (of.code === STATEMENT_TIMEOUT) return false;
  if ('query' in error || error instanceof postgres.PostgresError || String(of.code).startsWith('CONNECT'))
    return true;
  // An aggregate has one error per address of the name.
  const [first] = of.errors ?? [];
  if (isNativeError(first)) return isOfPool(first, { host, port } as Sql['options']);
  return port.includes(of.port ?? 0) || host.includes(of.hostname ?? '');
}

/** Makes the {@link Dependency} by which outages of PostgreSQL are logged. */
export function postgresDependency(sql: Sql): Dependency {
  return {
    name: 'PostgreSQL',
    isUnavailable: (error) => isDatabaseUnavailable(error) && isOfPool(error, sql.options),
    probe: () => sql`select 1`,
  };
}

/** Returns the name of the constraint that a statement violated, or null for other errors. */
export function violatedConstraint(error: unknown): string | null {
  if (!(error instanceof postgres.PostgresError)) return null;
  return error.code.startsWith('23') ? (error.constraint_name ?? null) : null;
}

/** Reads the database's clock, in milliseconds. All rules use it, so that a test can change the time. */
export async function databaseNow(db: Db): Promise<Date> {
  const [row] = await db<{ now: Date }[]>`select platform.now() as now`;
  if (row === undefined) throw new Error('the database returned no time');
  return row.now;
}
