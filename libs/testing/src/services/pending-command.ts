/** Creates the state after a process has crashed before a command's first step: the command row exists, and nothing else. */

import { insertCommand } from '@carecover/commands';
import { type OperationId, operations } from '@carecover/contract';
import { newId, type Tenant } from '@carecover/domain';
import { requestHash } from '@carecover/http';
import type { Sql } from '@carecover/postgres';
import { SERVICE_SECRET, servicePath, testCaller } from './service-caller';

/** Inserts the command row of an operation that a client requested with a key that has all scopes. Its lease has ended. Returns the command's ID. */
export async function pendingCommand(
  sql: Sql,
  tenant: Tenant,
  operation: OperationId,
  resourceId: string,
  body: object,
  key: string = newId('key_'),
  workflowId = resourceId,
): Promise<string> {
  const { resourceIdParam } = operations[operation];
  const path = servicePath(operation, resourceIdParam === undefined ? {} : { [resourceIdParam]: resourceId });
  const write = {
    operation,
    caller: testCaller(tenant),
    idempotencyKey: key,
    requestHash: await requestHash(path, body, SERVICE_SECRET),
  };
  const [row] = await insertCommand(sql, write, key, { resourceId, workflowId, body, traceparent: null });
  if (row === undefined) throw new Error(`the key ${key} is used`);
  await sql`update pending_commands set leased_until = clock_timestamp() - interval '1 second' where id = ${row.id}`;
  return row.id;
}
