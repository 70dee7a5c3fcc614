/**
 * The signed context: the caller of a request, which the gateway signs and services verify. A signed context is valid for one minute.
 *
 * Failure policy: closed. A request whose context is missing, changed or expired is rejected.
 * Several secrets are accepted at the same time, so that they can be rotated: docs/decisions/0025.
 */
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { Secrets } from '@carecover/setup/config';
import { LRUCache } from 'lru-cache';
import { ApiError } from './api-error';
import { type Caller, storedTenant } from './tenant';

export const CONTEXT_HEADER = 'x-carecover-context';
const LIFETIME_MS = 60_000;

/**
 * How many milliseconds the gateway reuses a signed context for later requests of the same caller, because each signature takes processor
 * time.
 */
const REUSED_MS = 10_000;
const MAX_CACHED = 1_000;

/**
 * The content of a signed context: the caller without the request ID. The request ID is in a header of its own, so that several requests of
 * a caller can have the same context.
 */
type Identity = Omit<Caller, 'requestId'>;

/** A secret that signs contexts, and the contexts that were signed or verified with it. */
interface Key {
  /** Identifies the secret in each context. It is derived from the secret, so it is the same in all processes. */
  readonly id: string;
  readonly key: KeyObject;
  /** The latest context that this process signed for each {@link Identity}, by the identity's JSON. */
  readonly signed: LRUCache<string, { readonly context: string; readonly signedAt: number }>;
  /** The contexts whose signature this process found valid, by their text. */
  readonly verified: LRUCache<string, { readonly identity: Identity; readonly expires: number }>;
}

/** The keys by the text of their secret. A process has one secret, or two while secrets are rotated. */
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
 * Returns a signed context that contains the caller without the request ID. The context is valid for 50 to 60 seconds from `nowMs` (epoch
 * milliseconds).
 *
 * @param secrets the secrets of the setting; the first one signs the context
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
 * Returns the caller of a signed context; null if the context is missing, altered, expired or signed with another secret.
 *
 * @param requestId the request ID, which is in a header of its own
 * @param secrets the accepted secrets; one of them must have signed the context
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

/**
 * Returns the authority of a service, `service:<name>`: the text that is recorded with changes which the service makes without a request of
 * a client.
 */
export function serviceAuthority(service: string): string {
  return `service:${service}`;
}

const OPERATOR = 'operator:';

/**
 * Returns the authority of an operator, `operator:<name>`: the text that is recorded with the operator's changes.
 *
 * @param name the operator of the CLI, or the subject of the person in the console
 */
export function operatorAuthority(name: string): string {
  return `${OPERATOR}${name}`;
}

/** Returns the name of the operator who is the caller. @throws ApiError permission_denied if the caller is not an operator */
export function requireOperator({ authority }: Pick<Caller, 'authority'>): string {
  if (!authority.startsWith(OPERATOR))
    throw new ApiError('permission_denied', 'The request needs the signed context of an operator.');
  return authority.slice(OPERATOR.length);
}

/** Makes the caller for work that a service does without a request of a client, such as a sweep or a workflow step. */
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
