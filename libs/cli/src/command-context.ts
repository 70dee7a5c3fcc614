/** The input and output of a CLI command: settings, standard streams and signals. */
import { hostname, userInfo } from 'node:os';
import type { ServiceName } from '@carecover/contract';
import type { Tenant } from '@carecover/domain';
import type { Operator } from '@carecover/gateway';
import { atProjectTime, connectPostgres, type Sql, withSessionSettings } from '@carecover/postgres';
import { findAdminUrl } from './connection-settings';
import type { Output } from './output';

export interface CommandContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly output: Output;
  /** The stream for the progress bar of a long command; nothing is drawn if the stream is no terminal. */
  readonly progress: NodeJS.WritableStream;
  /** Reads all of standard input, for values that a command line must not contain. */
  readonly readInput: () => Promise<string>;
  /**
   * Returns an AbortSignal that SIGINT and SIGTERM abort. Without this call they end the process, so that the first Ctrl-C ends every
   * command. Only for a command that has something to complete before its end, such as `listen`.
   */
  readonly catchStop: () => AbortSignal;
}

/**
 * Returns the name that the audit log records as the author of changes: CARECOVER_OPERATOR if it is set, otherwise `<user>@<host>` of this
 * machine.
 */
export function operatorOf(env: CommandContext['env']): Operator {
  return env.CARECOVER_OPERATOR || `${userInfo().username}@${hostname()}`;
}

/**
 * Connects to one service's schema with that service's role, and runs work for a project at the project's time.
 *
 * @param project the project's ID; null: the work only finds rows of any project, or enters the time of each project for what it does for it
 * @throws OperatorError if the settings name no database
 */
export async function withServiceDatabase<T>(
  context: CommandContext,
  service: ServiceName,
  project: Tenant | null,
  work: (sql: Sql) => Promise<T>,
): Promise<T> {
  const settings = { role: service, search_path: `${service},public` };
  const url = withSessionSettings(await findAdminUrl(context.env), settings);
  const sql = connectPostgres(url, 2, 'carecover-cli', { responseTimeoutMs: null });
  try {
    return await (project === null ? work(sql) : atProjectTime(sql, project, () => work(sql)));
  } finally {
    await sql.end({ timeoutMs: 5_000 });
  }
}

/** Connects to the database as its administrator. @throws OperatorError if the settings name no database */
export async function withDatabase<T>(
  context: CommandContext,
  work: (sql: Sql, operator: Operator) => Promise<T>,
): Promise<T> {
  const sql = connectPostgres(await findAdminUrl(context.env), 2, 'carecover-cli', {
    responseTimeoutMs: null,
  });
  try {
    return await work(sql, operatorOf(context.env));
  } finally {
    await sql.end({ timeoutMs: 5_000 });
  }
}
