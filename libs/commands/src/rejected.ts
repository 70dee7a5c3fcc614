/** The commands that a rule rejected, which operators find by resource or by project. A row has neither the input nor a member reference. */

import { type Config, setting } from '@carecover/config';
import type { ErrorCode, OperationId } from '@carecover/contract';
import type { Tenant } from '@carecover/domain';
import { type ApiError, isRejection, newId } from '@carecover/domain';
import { type Db, jsonb, type Sql } from '@carecover/postgres';
import type { Sweep } from '@carecover/process';
import type { WriteRequest } from './row';

/** A rejected command, as operators see it. */
export interface RejectedCommand {
  readonly resource_id: string;
  readonly operation: OperationId;
  /** Who sent the command: `project:…/key:…`, `operator:…` or `service:…`. */
  readonly actor: string;
  readonly request_id: string;
  readonly code: ErrorCode;
  readonly message: string;
  readonly rejected_at: string;
}

export const COMMAND_SETTINGS = {
  /** For how many days rejected commands are kept for operators. */
  REJECTED_COMMANDS_DAYS: setting.withDefault(setting.integer(1, 3_650), 30),
} as const;

export type CommandSettings = Config<typeof COMMAND_SETTINGS>;

/** The number of rejected commands that the pages for operators show. */
const PAGE = 100;

/** Maximum number of rows that one deletion removes. */
const DELETION_BATCH = 1_000;

/**
 * Executes a command whose row is written by the transaction that decides it, and keeps its rejection for operators. A command on a resource
 * that does not exist, and the repeated use of an idempotency key, leave no row.
 *
 * @throws the error of `execute`; while the rejection can't be stored, the error of the database, so that the request is repeated
 */
export async function keepRejection<T>(
  sql: Sql,
  request: WriteRequest,
  resourceId: string,
  execute: () => Promise<T>,
): Promise<T> {
  try {
    return await execute();
  } catch (error) {
    if (isRejection(error) && error.code !== 'resource_not_found' && error.code !== 'idempotency_conflict')
      await insertRejected(sql, request, resourceId, error);
    throw error;
  }
}

async function insertRejected(
  db: Db,
  { operation, caller }: WriteRequest,
  resourceId: string,
  { code, message }: ApiError,
): Promise<void> {
  await db`
    insert into rejected_commands (id, project_id, resource_id, operation, actor, request_id, code, message)
    values (${newId('cmd_')}, ${caller.tenant}, ${resourceId}, ${operation}, ${caller.authority}, ${caller.requestId}, ${code}, ${message})`;
}

/**
 * Reads the newest rejected commands of a project, or of some of its resources, newest first.
 *
 * @param resourceIds the resources; null for all of the project
 * @param limit the maximum number of rows
 */
export async function listRejectedCommands(
  db: Db,
  tenant: Tenant,
  resourceIds: readonly string[] | null,
  limit = PAGE,
): Promise<RejectedCommand[]> {
  const isListed =
    resourceIds === null
      ? db``
      : db`and resource_id in (select jsonb_array_elements_text(${jsonb(resourceIds)}))`;
  const rows = await db<(Omit<RejectedCommand, 'rejected_at'> & { readonly rejected_at: Date })[]>`
    select resource_id, operation, actor, request_id, code, message, rejected_at from rejected_commands
    where project_id = ${tenant} ${isListed} order by rejected_at desc, id desc limit ${limit}`;
  return rows.map((row) => ({ ...row, rejected_at: row.rejected_at.toISOString() }));
}

/** Makes the sweep that deletes rejected commands after their retention, in batches. It can wait. */
export function deleteRejectedCommands(sql: Sql, { REJECTED_COMMANDS_DAYS: days }: CommandSettings): Sweep {
  return {
    name: 'rejected commands after their retention',
    run: async () => {
      const deleted = await sql`
        delete from rejected_commands where id in (
          select id from rejected_commands where rejected_at < (select platform.now()) - ${days} * interval '1 day'
          order by rejected_at limit ${DELETION_BATCH})
        returning 1`;
      return deleted.length === DELETION_BATCH;
    },
  };
}
