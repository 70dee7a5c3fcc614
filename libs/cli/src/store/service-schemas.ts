/** SQL by which a CLI command, as the database's administrator, works in the schema of one service. */
import type { ServiceName } from '@carecover/contract';
import { identifier, type Sql, type Tx } from '@carecover/postgres';

/** Sets the `search_path` to the service's schema for the following statements of the transaction. */
export async function enterSchema(tx: Tx, service: ServiceName): Promise<void> {
  await tx`select set_config('search_path', ${service}, true)`;
}

/** Runs `work` in the transaction with the service's schema as `search_path` and with the privileges of the database's administrator. */
export async function inSchema<T>(tx: Tx, service: ServiceName, work: () => Promise<T>): Promise<T> {
  await tx`select set_config('search_path', ${`${service},public`}, true)`;
  const result = await work();
  await tx`reset search_path`;
  return result;
}

/**
 * Runs `work` in the transaction with the service's schema as `search_path` and with the service's role, so that the privileges of the role
 * apply.
 */
export async function asService<T>(tx: Tx, service: ServiceName, work: () => Promise<T>): Promise<T> {
  await tx`select set_config('role', ${service}, true), set_config('search_path', ${`${service},public`}, true)`;
  const result = await work();
  await tx`reset role`;
  return result;
}

/** Removes the statement timeout for the rest of the transaction. */
export async function removeStatementTimeout(tx: Tx): Promise<void> {
  await tx`set local statement_timeout = 0`;
}

/** Vacuums tables of a service, which removes dead row versions. */
export async function vacuum(sql: Sql, service: ServiceName, tables: readonly string[]): Promise<void> {
  await sql.session(async (session) => {
    await session`set statement_timeout = 0`;
    try {
      for (const table of tables) await session`vacuum ${identifier(`${service}.${table}`)}`;
    } finally {
      await session`reset statement_timeout`;
    }
  });
}
