/** Creates the state after a process has crashed before it sent a command to Temporal: the command row exists, and nothing else. */
import { type OperationId, operations } from '@carecover/contract';
import { insertCommand, newId, requestHash, type Sql, type Tenant } from '..';
import { SERVICE_SECRET, servicePath, testCaller } from './service-caller';

/** Inserts the command row of an operation that a client requested with a key that has all scopes. Returns the command's ID. */
export async function pendingCommand(
  sql: Sql,
  tenant: Tenant,
  { operation, update }: { readonly operation: OperationId; readonly update: string },
  resourceId: string,
  body: object,
  key: string = newId('key_'),
): Promise<string> {
  const { resourceIdParam } = operations[operation];
  const path = servicePath(operation, resourceIdParam === undefined ? {} : { [resourceIdParam]: resourceId });
  const write = {
    operation,
    caller: testCaller(tenant),
    idempotencyKey: key,
    requestHash: await requestHash(path, body, SERVICE_SECRET),
  };
  const [row] = await insertCommand(sql, write, key, { resourceId, update, body, traceparent: null });
  if (row === undefined) throw new Error(`the key ${key} is used`);
  return row.id;
}
