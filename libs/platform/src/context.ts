/**
 * The signed context: the caller of a request, which the gateway signs and services verify. It is valid for one minute.
 *
 * Failure policy: closed. A request whose context is missing, changed or expired is rejected.
 * Several secrets are accepted at the same time, so that they can be rotated: docs/decisions/0025.
 */
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { Secrets } from '@carecover/setup/config';
import { LRUCache } from 'lru-cache';
import { type Caller, storedTenant } from './tenant';

export const CONTEXT_HEADER = 'x-carecover-context';
const LIFETIME_MS = 60_000;

/** A signature costs more than what surrounds it, so a caller's next requests carry the same one for this long. */
const REUSED_MS = 10_000;
const MAX_CACHED = 1_000;

/** What a context says: the request's id is a header of its own, so that two requests of a caller have the same context. */
type Identity = Omit<Caller, 'requestId'>;

/** One of the secrets. */
interface Key {
  /** Names the secret in each context; derived from it, so that all processes use the same one. */
  readonly id: string;
  readonly key: KeyObject;
  /** The latest context of each identity, as JSON, that was signed here. */
  readonly signed: LRUCache<string, { readonly context: string; readonly signedAt: number }>;
  /** Contexts whose signature was found valid here. */
  readonly verified: LRUCache<string, { readonly identity: Identity; readonly expires: number }>;
}

/** By secret. A process has one, and two during a rotation. */
const keys = new Map<string, Key>();

function keyOf(secret: string): Key {
  let known = keys.get(secret);
  if (known === undefined) {
    const key = createSecretKey(secret, 'utf8');
    const id = mac('key id', key).subarray(0, 6).toString('base64url');
    known = {
      id,
      key,
      signed: new LRUCache({ max: MAX_CACHED }),
      verified: new LRUCache({ max: MAX_CACHED }),
    };
    keys.set(secret, known);
  }
  return known;
}

function mac(text: string, key: KeyObject): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

/**
 * Signs a caller, but for the request's id; valid for 50 to 60 seconds from `nowMs` (epoch milliseconds).
 *
 * @param secrets the first signs
 */
export function signContext(
  { requestId: _, ...identity }: Caller,
  [secret]: Secrets,
  nowMs = Date.now(),
): string {
  const { id, key, signed } = keyOf(secret);
  const caller = JSON.stringify(identity);
  const last = signed.get(caller);
  if (last !== undefined && nowMs >= last.signedAt && nowMs < last.signedAt + REUSED_MS) return last.context;
  const payload = Buffer.from(JSON.stringify({ ...identity, expires: nowMs + LIFETIME_MS })).toString(
    'base64url',
  );
  const context = `${id}.${payload}.${mac(payload, key).toString('base64url')}`;
  signed.set(caller, { context, signedAt: nowMs });
  return context;
}

/**
 * The caller of a signed context, or null where the context is missing, altered, expired or signed with another secret.
 *
 * @param requestId as its header names it
 * @param secrets a context of each is accepted
 */
export function verifyContext(
  header: string | undefined,
  requestId: string,
  secrets: Secrets,
  nowMs = Date.now(),
): Caller | null {
  if (header === undefined) return null;
  const key = secrets.map(keyOf).find(({ id }) => header.startsWith(`${id}.`));
  if (key === undefined) return null;
  let known = key.verified.get(header) ?? null;
  if (known === null) {
    known = verifySignature(header, key.key);
    if (known === null) return null;
    key.verified.set(header, known);
  }
  return known.expires < nowMs ? null : { ...known.identity, requestId };
}

function verifySignature(header: string, key: KeyObject) {
  const [, payload, signature, ...rest] = header.split('.');
  if (!payload || !signature || rest.length > 0) return null;
  const given = Buffer.from(signature, 'base64url');
  const expected = mac(payload, key);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  const { expires, ...identity } = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
  return {
    identity: { ...identity, tenant: storedTenant(identity.tenant) } as Identity,
    expires: Number(expires),
  };
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
