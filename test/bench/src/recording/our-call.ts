/**
 * Creates the calls that the handlers of a service receive for requests from the gateway, so that a benchmark can call the handlers
 * directly.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { type OperationId, type OperationInput, operations } from '@carecover/contract';
import { type Caller, newId, storedTenant } from '@carecover/domain';
import type { Call } from '@carecover/http';

function callerOf(projectId: string): Caller {
  return {
    tenant: storedTenant(projectId),
    environment: 'sandbox',
    authority: `project:${projectId}/key:bench`,
    requestId: randomUUID(),
    scopes: ['*'],
    resourceIds: null,
    consentDefault: 'granted',
    endpointLimit: 50,
  };
}

export function ourCall<Id extends OperationId>(
  operation: Id,
  projectId: string,
  input: Partial<OperationInput<Id>>,
): Call<Id> {
  return {
    operation,
    caller: callerOf(projectId),
    params: {} as OperationInput<Id>['params'],
    query: {} as OperationInput<Id>['query'],
    body: null as OperationInput<Id>['body'],
    ...input,
    rawBody: Buffer.alloc(0),
    headers: {},
    idempotencyKey: newId('key_'),
    requestHash: randomBytes(32),
    replayStatus: operations[operation].replayStatus,
  };
}
