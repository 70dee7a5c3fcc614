/**
 * The signed context: the caller of a request, which the gateway signs and services verify. It is valid for one minute.
 *
 * Failure policy: closed. A request whose context is missing, changed or expired is rejected.
 */
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { type Caller, storedTenant } from './tenant';

export const CONTEXT_HEADER = 'x-carecover-context';
const LIFETIME_MS = 60_000;

/** The key of each secret; importing a secret at each request would be slow. */
const keys = new Map<string, KeyObject>();

function keyOf(secret: string): KeyObject {
  let key = keys.get(secret);
  if (key === undefined) {
    key = createSecretKey(secret, 'utf8');
    keys.set(secret, key);
  }
  return key;
}

function mac(payload: string, secret: string): Buffer {
  return createHmac('sha256', keyOf(secret)).update(payload).digest();
}

/** Signs a caller. @param nowMs epoch milliseconds; the context is valid for one minute from then */
export function signContext(caller: Caller, secret: string, nowMs = Date.now()): string {
  const payload = Buffer.from(JSON.stringify({ ...caller, expires: nowMs + LIFETIME_MS })).toString(
    'base64url',
  );
  return `${payload}.${mac(payload, secret).toString('base64url')}`;
}

/** Returns the caller of a signed context, or null if the signature is invalid or expired. */
export function verifyContext(header: string | undefined, secret: string, nowMs = Date.now()): Caller | null {
  const [payload, signature, ...rest] = (header ?? '').split('.');
  if (!payload || !signature || rest.length > 0) return null;
  const given = Buffer.from(signature, 'base64url');
  const expected = mac(payload, secret);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  const { expires, ...caller } = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
  if (expires < nowMs) return null;
  return { ...caller, tenant: storedTenant(caller.tenant) };
}

/** Returns the authority that is recorded for what a service does itself. */
export function serviceAuthority(service: string): string {
  return `service:${service}`;
}

/** Makes the caller for work of a service itself, such as a sweep or a workflow step. */
export function serviceCaller(
  tenant: string,
  environment: Caller['environment'],
  service: string,
  requestId: string,
): Caller {
  return {
    tenant: storedTenant(tenant),
    environment,
    authority: serviceAuthority(service),
    requestId,
    resourceIds: null,
    consentDefault: 'withdrawn',
    endpointLimit: 0,
  };
}
