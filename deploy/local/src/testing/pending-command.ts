/** A command as a process leaves it that dies before the engine heard of it: its row and nothing else. */
import { type OperationId, operations } from '@carecover/contract';
import { jsonb, newId, requestHash, type Sql, type Tenant } from '@carecover/platform';
import { SERVICE_SECRET, servicePath, testCaller } from './service-caller';

/** Writes the row that the operation on this resource writes, as a project's key with every right. Gives the command's id. */
export async function pendingCommand(
  sql: Sql,
  tenant: Tenant,
  operation: OperationId,
  resourceId: string,
  body: object,
  key: string = newId('key_'),
): Promise<string> {
  const id = newId('cmd_');
  const { resourceIdParam } = operations[operation];
  const path = servicePath(operation, resourceIdParam === undefined ? {} : { [resourceIdParam]: resourceId });
  await sql`
    insert into commands (id, project_id, operation, idempotency_key, request_hash, resource_id, caller, body)
    values (${id}, ${tenant}, ${operation}, ${key}, ${await requestHash(path, body, SERVICE_SECRET)}, ${resourceId},
            ${jsonb(sql, testCaller(tenant))}, ${jsonb(sql, body)})`;
  return id;
}
