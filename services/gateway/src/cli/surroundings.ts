/** What the tool takes from where it runs: settings, standard streams, and the author of what it does. */
import { hostname, userInfo } from 'node:os';
import type { ServiceName } from '@carecover/contract';
import { connectPostgres, type Sql } from '@carecover/platform';
import type { Operator } from '../operator/audit';
import { findAdminUrl } from './bootstrap-credential';
import type { Output } from './output';

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly output: Output;
  /** Where the progress of a long command is drawn, if it is a terminal. */
  readonly progress: NodeJS.WritableStream;
  /** The whole of standard input, for what must not stand in a command line. */
  readonly readInput: () => Promise<string>;
  /** Ends what runs until it is stopped. */
  readonly stopped: AbortSignal;
}

/** Who acts: CARECOVER_OPERATOR, or the user of this machine. */
export function operatorOf(env: Surroundings['env']): Operator {
  return env.CARECOVER_OPERATOR || `${userInfo().username}@${hostname()}`;
}

/** Runs work on one service's schema, as that service's role. @throws OperatorError where there is no credential */
export async function withServiceDatabase<T>(
  surroundings: Surroundings,
  service: ServiceName,
  work: (sql: Sql) => Promise<T>,
): Promise<T> {
  const url = new URL(await findAdminUrl(surroundings.env));
  url.searchParams.set('role', service);
  url.searchParams.set('search_path', `${service},public`);
  const sql = connectPostgres(url.href, 2, 'carecover-cli');
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** Runs work on the database as its administrator. @throws OperatorError where there is no credential */
export async function withDatabase<T>(
  surroundings: Surroundings,
  work: (sql: Sql, operator: Operator) => Promise<T>,
): Promise<T> {
  const sql = connectPostgres(await findAdminUrl(surroundings.env), 2, 'carecover-cli');
  try {
    return await work(sql, operatorOf(surroundings.env));
  } finally {
    await sql.end({ timeout: 5 });
  }
}
