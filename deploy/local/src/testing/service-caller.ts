/** A test's way into a service over HTTP, as the gateway asks it: with a signed context. Every answer is held to the contract. */
import { type OperationId, operations, validateOutput } from '@carecover/contract';
import {
  type Caller,
  CONTEXT_HEADER,
  newId,
  signContext,
  storedTenant,
  type Tenant,
} from '@carecover/platform';

/** What such a service is given as its secrets. */
export const SERVICE_SECRET = 'a secret of at least thirty-two characters';

export interface Asked {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** A new one for each request, unless given; null sends none. */
  readonly key?: string | null;
  readonly resourceIds?: readonly string[];
  readonly environment?: Caller['environment'];
  readonly endpointLimit?: number;
}

export interface Answered {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the contract's schemas have judged it
  readonly body: any;
  readonly text: string;
  readonly replayed: boolean;
  /** The error's code, or undefined. */
  readonly code: string | undefined;
}

/** A project that no other test has. */
export function newTenant(): Tenant {
  return storedTenant(newId('prj_'));
}

/** A project's key with every right. */
export function testCaller(tenant: Tenant, changes: Partial<Caller> = {}): Caller {
  return {
    tenant,
    environment: 'sandbox',
    authority: 'key_test',
    requestId: newId('req_'),
    resourceIds: null,
    consentDefault: 'granted',
    endpointLimit: 50,
    ...changes,
  };
}

/** The operation's path on its service. */
export function servicePath(operation: OperationId, params: Readonly<Record<string, string>> = {}): string {
  return `/v1${operations[operation].path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '')}`;
}

/** Asks the service on this port as a project's key. @throws where the answer is not as the contract says */
export async function askService(
  port: number | null,
  tenant: Tenant,
  operation: OperationId,
  asked: Asked = {},
): Promise<Answered> {
  const { params, query = {}, body, key = newId('key_') } = asked;
  const { method } = operations[operation];
  const caller = testCaller(tenant, {
    resourceIds: asked.resourceIds ?? null,
    environment: asked.environment ?? 'sandbox',
    ...(asked.endpointLimit === undefined ? {} : { endpointLimit: asked.endpointLimit }),
  });
  const path = `${servicePath(operation, params)}?${new URLSearchParams(query)}`;
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: {
      [CONTEXT_HEADER]: signContext(caller, SERVICE_SECRET),
      ...(key === null || method === 'GET' ? {} : { 'idempotency-key': key }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const answer = JSON.parse(text);
  // As the gateway does it: a service knows the page's path alone.
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
