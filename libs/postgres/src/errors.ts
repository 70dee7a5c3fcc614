/** Classifies the errors of SQL statements: the database is unavailable, a constraint is violated, or the values are rejected. */
import { isNativeError } from 'node:util/types';
import type { Dependency } from '@carecover/process';
import { DatabaseError } from 'pg';
import type { Db } from './statement';

/**
 * Thrown if a statement had no connection, its connection was lost, or its transaction failed because a table was changed meanwhile.
 * Whether the statement was executed is unknown. `cause` is the driver's error.
 */
export class DatabaseUnavailable extends Error {
  readonly code = 'DATABASE_UNAVAILABLE';

  /** Makes the error for a transaction that failed because of an {@link isOutdated} statement. Its repetition can succeed. */
  static outdated(cause: unknown): DatabaseUnavailable {
    return new DatabaseUnavailable('a table was changed during a transaction', { cause });
  }

  /**
   * Makes a DatabaseUnavailable from an error of the driver. An error that the server sent is returned unchanged: the server was reachable and
   * rejected the connection.
   */
  static from(error: unknown): Error {
    if (error instanceof DatabaseError || error instanceof DatabaseUnavailable) return error;
    const reason = isNativeError(error) ? reasonOf(error) : String(error);
    return new DatabaseUnavailable(`no connection to PostgreSQL: ${reason}`, { cause: error });
  }
}

/** Returns the error's message, else its code: an error that combines the errors of several addresses has no message. */
function reasonOf(error: Error & { code?: unknown }): string {
  return error.message || String(error.code ?? error.name);
}

/**
 * Classes of PostgreSQL's error codes, their first two characters, whose errors end when the server or its machine is well again: 08
 * connection exceptions, and 53 insufficient resources (disk full, out of memory, too many connections).
 */
const UNAVAILABLE_CLASSES = new Set(['08', '53']);
/** read_only_sql_transaction: a standby, or a server that was made read-only because its disk is almost full. */
const READ_ONLY = '25006';
/** The error codes of other classes of which the same is true. */
const UNAVAILABLE_CODES = new Set([
  READ_ONLY,
  '25P03', // idle_in_transaction_session_timeout: this process was too slow to send the next statement
  '25P04', // transaction_timeout
  '57014', // query_canceled: the statement timeout
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  '57P05', // idle_session_timeout
  '58000', // system_error
  '58030', // io_error
]);
/** The one error of class 08 that a defect of the client causes: a message that does not fit the protocol. */
const PROTOCOL_VIOLATION = '08P01';

const OBJECT_NOT_IN_PREREQUISITE_STATE = '55000';
const STATEMENT_TIMEOUT = '57014';
const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK_DETECTED = '40P01';
const NUMERIC_VALUE_OUT_OF_RANGE = '22003';

/** Returns whether the server rejected a connection because the database accepts none for now, as while an operator copies it. */
function isClosedToConnections({ code, severity }: DatabaseError): boolean {
  return code === OBJECT_NOT_IN_PREREQUISITE_STATE && severity === 'FATAL';
}

/**
 * Returns whether the error means that the database is unavailable or overloaded, or that it can't write; false if the statement is
 * invalid, or if the data is damaged (class XX), which needs an operator.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true;
  if (!(error instanceof DatabaseError) || error.code === undefined || error.code === PROTOCOL_VIOLATION)
    return false;
  return (
    UNAVAILABLE_CLASSES.has(error.code.slice(0, 2)) ||
    UNAVAILABLE_CODES.has(error.code) ||
    isClosedToConnections(error)
  );
}

/**
 * Time in milliseconds without an error after which an outage of PostgreSQL has ended. It is longer than the pause between two sweeps,
 * because a server whose disk is full responds to the probe, and only the statements that write fail.
 */
const QUIET_MS = 15_000;

/** Checks that PostgreSQL responds. @throws DatabaseUnavailable if it does not */
export async function checkPostgres(sql: Db): Promise<void> {
  await sql`select 1`;
}

/**
 * Makes the {@link Dependency} by which outages of PostgreSQL are logged. A statement timeout is not an outage, so it gets a log line of
 * its own.
 */
export function postgresDependency(sql: Db): Dependency {
  return {
    name: 'PostgreSQL',
    isUnavailable: (error) =>
      isDatabaseUnavailable(error) && !(error instanceof DatabaseError && error.code === STATEMENT_TIMEOUT),
    probe: () => checkPostgres(sql),
    quietMs: QUIET_MS,
  };
}

/**
 * Returns whether PostgreSQL rejected a prepared statement because a change of a table, such as a new column, would change the columns of
 * its result. The statement was not executed.
 */
export function isOutdated(error: unknown): boolean {
  return (
    error instanceof DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery'
  );
}

/** Returns whether the server ended a transaction because of a deadlock. Its repetition can succeed. */
export function isDeadlock(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === DEADLOCK_DETECTED;
}

/**
 * Returns whether a statement could not write because its session is read-only. A new session can be connected to another server, or to
 * the same one with other settings.
 */
export function isReadOnly(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === READ_ONLY;
}

/** Returns whether a statement ended because it waited for a lock as long as `lock_timeout` permits. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === LOCK_NOT_AVAILABLE;
}

/** Returns the name of the constraint that a statement violated, or null for other errors. */
export function violatedConstraint(error: unknown): string | null {
  if (!(error instanceof DatabaseError) || !error.code?.startsWith('23')) return null;
  return error.constraint ?? null;
}

/** Returns whether the server rejected the values of a statement, so that a repetition can't succeed. */
export function areValuesRejected(error: unknown): boolean {
  if (error instanceof DatabaseError) return /^2[23]/.test(error.code ?? '');
  return error instanceof TypeError || error instanceof RangeError;
}

/** Returns whether a statement failed because a number does not fit into its type, such as a sum above 2^63 - 1 into a bigint. */
export function isNumberOutOfRange(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === NUMERIC_VALUE_OUT_OF_RANGE;
}
