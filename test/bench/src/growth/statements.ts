/** Counts the SQL statements of the services with PostgreSQL's extension pg_stat_statements. */

import { connectPostgres, type Sql } from '@carecover/postgres';
import { eventually } from '@carecover/testing/servers';
import type { BenchStack } from '../harness/bench-stack';

export interface ExecutedStatement {
  /** The database role that sent the statement. */
  readonly role: string;
  /** Whether the statement was sent to the services' database, not to one of Temporal's. */
  readonly isOfServices: boolean;
  readonly calls: number;
  /** Pages of 8 kB that were read, from memory or from disk. */
  readonly pages: number;
}

async function succeeds(work: PromiseLike<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch {
    return false;
  }
}

/** Counts statements of all roles except the administrator's, in all databases of the server. */
export class StatementCounts {
  private constructor(private readonly sql: Sql) {}

  /** Loads the extension, which needs a restart of the server, and waits until the stack responds again. */
  static async start({ databaseUrl, parts, client }: BenchStack): Promise<StatementCounts> {
    const before = connectPostgres(databaseUrl(), 1, 'bench-statements');
    await before`alter system set shared_preload_libraries = 'pg_stat_statements'`;
    await before.end();
    await parts.servers.postgresql.stop();
    // The start can fail at first, because the last processes of the stopped server can still run for a moment.
    await eventually('PostgreSQL starts again', () => succeeds(parts.servers.postgresql.start()));
    const sql = connectPostgres(databaseUrl(), 1, 'bench-statements');
    await sql`create extension if not exists pg_stat_statements schema public`;
    await eventually('the stack responds after the restart', () =>
      succeeds(client.claims.list({ limit: 1 })),
    );
    return new StatementCounts(sql);
  }

  async reset(): Promise<void> {
    await this.sql`select public.pg_stat_statements_reset()`;
  }

  async read(): Promise<ExecutedStatement[]> {
    return this.sql<ExecutedStatement[]>`
      select r.rolname as role, d.datname = current_database() as "isOfServices", s.calls, s.shared_blks_hit + s.shared_blks_read as pages
      from public.pg_stat_statements s join pg_roles r on r.oid = s.userid join pg_database d on d.oid = s.dbid
      where r.rolname <> current_user and s.toplevel`;
  }

  end(): Promise<void> {
    return this.sql.end();
  }
}
