/** Calls a service over HTTP like the gateway, with a signed context. Every response is validated against the contract. */

import type { ServiceName } from '@carecover/contract';
import {
  expandPath,
  type OperationId,
  operations,
  validateOutput,
  WILDCARD_SCOPE,
} from '@carecover/contract';
import { type Caller, newId, storedTenant, type Tenant } from '@carecover/domain';
import {
  CONTEXT_HEADER,
  operatorAuthority,
  projectAuthority,
  repeatWhenTooEarly,
  TooEarly,
  WAIT_HEADER,
} from '@carecover/http';
import { signerOf } from './context-keys';

/** The HASH_SECRET of a service under test. */
export const SERVICE_SECRET = 'a secret of at least thirty-two characters';

export interface Asked {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** The file of an operation that receives one, in place of `body`. */
  readonly file?: {
    readonly mediaType: string;
    readonly content: string | Uint8Array;
    readonly encoding?: 'gzip';
  };
  /** The idempotency key: by default a new one per request; with null, the request has none. */
  readonly key?: string | null;
  readonly scopes?: readonly string[];
  readonly resourceIds?: readonly string[];
  /** The media type of the response that the client accepts. */
  readonly accept?: string;
  readonly environment?: Caller['environment'];
  readonly endpointLimit?: number;
}

export interface Answered {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the contract's schemas have validated it
  readonly body: any;
  readonly text: string;
  readonly replayed: boolean;
  /** The code of an API error; undefined for a response without an error. */
  readonly code: string | undefined;
}

/** Creates a project's ID that no other test has. */
export function newTenant(): Tenant {
  return storedTenant(newId('prj_'));
}

/**
 * Returns the caller of a test request: a key of the project with all scopes.
 *
 * @param changes values that replace the default values of the caller
 */
export function testCaller(tenant: Tenant, changes: Partial<Caller> = {}): Caller {
  return {
    tenant,
    environment: 'sandbox',
    authority: projectAuthority(tenant, 'key_test', null),
    requestId: newId('req_'),
    scopes: [WILDCARD_SCOPE],
    resourceIds: null,
    consentDefault: 'granted',
    endpointLimit: 50,
    ...changes,
  };
}

/** Returns the path of an operation on its service, with the given path parameters. */
export function servicePath(operation: OperationId, params: Readonly<Record<string, string>> = {}): string {
  return `/v1${expandPath(operations[operation].path, (name) => params[name] ?? '')}`;
}

/**
 * Sends a request to the service on a port, as a key of the project with all scopes, and again after a wait that the service asks for, as
 * the gateway does. The response's body is not read.
 */
export function sendToService(
  port: number,
  tenant: Tenant,
  operation: OperationId,
  asked: Asked = {},
): Promise<Response> {
  const { params, query = {}, body, file, key = newId('key_') } = asked;
  const { method } = operations[operation];
  const caller = testCaller(tenant, {
    scopes: asked.scopes ?? [WILDCARD_SCOPE],
    resourceIds: asked.resourceIds ?? null,
    environment: asked.environment ?? 'sandbox',
    ...(asked.endpointLimit === undefined ? {} : { endpointLimit: asked.endpointLimit }),
  });
  const path = `${servicePath(operation, params)}?${new URLSearchParams(query)}`;
  return repeatWhenTooEarly(async () => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: {
        [CONTEXT_HEADER]: signerOf('gateway').sign(caller, operations[operation].service),
        'x-request-id': caller.requestId,
        ...(key === null || method === 'GET' ? {} : { 'idempotency-key': key }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(file === undefined ? {} : { 'content-type': file.mediaType }),
        ...(file?.encoding === undefined ? {} : { 'content-encoding': file.encoding }),
        ...(asked.accept === undefined ? {} : { accept: asked.accept }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(file === undefined ? {} : { body: file.content as BodyInit }),
    });
    const waitMs = response.headers.get(WAIT_HEADER);
    if (waitMs !== null) throw new TooEarly(Number(waitMs));
    return response;
  });
}

/** Sends a request of the gateway to an internal route of the service at a local port, for a project. */
export async function askInternalRoute(
  service: ServiceName,
  port: number,
  tenant: Tenant,
  path: string,
  body: object,
  // biome-ignore lint/suspicious/noExplicitAny: the routes have no contract; tests compare the body
): Promise<{ readonly status: number; readonly body: any }> {
  const caller = testCaller(tenant);
  const response = await fetch(`http://127.0.0.1:${port}/internal${path}`, {
    method: 'POST',
    headers: {
      [CONTEXT_HEADER]: signerOf('gateway').sign(caller, service),
      'x-request-id': caller.requestId,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

/**
 * Calls a route for operators on the service at a local port, for a project.
 *
 * @param issuer who signs the context: the console for an operator, which is the default, or the gateway for a key of the project
 */
export async function askOperatorRoute(
  service: ServiceName,
  port: number,
  tenant: Tenant,
  method: 'GET' | 'POST',
  path: string,
  { body, issuer = 'console' }: { readonly body?: object; readonly issuer?: 'console' | 'gateway' } = {},
  // biome-ignore lint/suspicious/noExplicitAny: the routes have no contract; tests compare the body
): Promise<{ readonly status: number; readonly body: any }> {
  const caller = testCaller(tenant, issuer === 'console' ? { authority: operatorAuthority('test') } : {});
  const response = await fetch(`http://127.0.0.1:${port}/operator${path}`, {
    method,
    headers: {
      [CONTEXT_HEADER]: signerOf(issuer).sign(caller, service),
      'x-request-id': caller.requestId,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

/**
 * Sends a request like {@link sendToService}, and returns the response with its parsed JSON. @throws if the response violates the
 * contract
 */
export async function askService(
  port: number,
  tenant: Tenant,
  operation: OperationId,
  asked: Asked = {},
): Promise<Answered> {
  const response = await sendToService(port, tenant, operation, asked);
  const text = await response.text();
  const answer = JSON.parse(text);
  // A service returns only the path of the error's documentation. The gateway adds the origin, and this function adds it too.
  if (answer.error) answer.error.docs = `https://gateway.test${answer.error.docs}`;
  const problem = validateOutput(operation, response.status, answer);
  if (problem !== undefined) {
    throw new Error(`${operation} ${response.status}: ${problem.pointer} ${problem.message} in ${text}`);
  }
  return {
    status: response.status,
    body: answer,
    text,
    replayed: response.headers.get('idempotent-replayed') === 'true',
    code: answer.error?.code,
  };
}
