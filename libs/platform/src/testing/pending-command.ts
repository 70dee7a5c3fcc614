/** Creates a command as after a crash of its process before the call of Temporal: the command row exists, and nothing else. */
import { type OperationId, operations } from '@carecover/contract';
import { jsonb, newId, requestHash, type Sql, type Tenant } from '..';
import { SERVICE_SECRET, servicePath, testCaller } from './service-caller';

/** Inserts the command row of an operation that a key with all scopes requested. Returns the command's ID. */
export async function pendingCommand(
  sql: Sql,
  tenant: Tenant,
  { operation, update }: { readonly operation: OperationId; readonly update: string },
  resourceId: string,
  body: object,
  key: string = newId('key_'),
): Promise<string> {
  const id = newId('cmd_');
  const { resourceIdParam } = operations[operation];
  const path = servicePath(operation, resourceIdParam === undefined ? {} : { [resourceIdParam]: resourceId });
  await sql`
    insert into commands (id, project_id, operation, idempotency_key, request_hash, resource_id, update_name, caller, body)
    values (${id}, ${tenant}, ${operation}, ${key}, ${await requestHash(path, body, SERVICE_SECRET)}, ${resourceId},
            ${update}, ${jsonb(testCaller(tenant))}, ${jsonb(body)})`;
  return id;
}
