/**
 * The context that the gateway signs for the services behind it: who calls, in a few hundred bytes that expire within
 * a minute. Services believe nothing else. Failure policy: closed; a context that is missing, altered or old is refused.
 */
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { type Caller, storedTenant } from './tenant';

export const CONTEXT_HEADER = 'x-carecover-context';
const LIFETIME_MS = 60_000;

/** A process has one secret, or two while a test looks at another's; made into a key once. */
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

/** Signs a caller; valid for one minute from `nowMs` (epoch milliseconds). */
export function signContext(caller: Caller, secret: string, nowMs = Date.now()): string {
  const payload = Buffer.from(JSON.stringify({ ...caller, expires: nowMs + LIFETIME_MS })).toString(
    'base64url',
  );
  return `${payload}.${mac(payload, secret).toString('base64url')}`;
}

/** The caller of a signed context, or null where it can't be believed. */
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

/** How a service is named as the authority of what it does. */
export function serviceAuthority(service: string): string {
  return `service:${service}`;
}

/** A context of a service's own, for work that no request asked for (a sweep, a workflow step). */
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
