/**
 * The signed context: the caller of a request, which the gateway signs and services verify. It is valid for one minute.
 *
 * Failure policy: closed. A request whose context is missing, changed or expired is rejected.
 */
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { type Caller, storedTenant } from './tenant';

export const CONTEXT_HEADER = 'x-carecover-context';
const LIFETIME_MS = 60_000;

/** A signature costs more than what surrounds it, so a caller's next requests carry the same one for this long. */
const REUSED_MS = 10_000;
const REMEMBERED = 1_000;

/** What a context says: the request's id is a header of its own, so that two requests of a caller have the same context. */
type Identity = Omit<Caller, 'requestId'>;

/** A process has one secret, or two while a test looks at another's. */
interface Secret {
  readonly key: KeyObject;
  /** The latest context of each identity, as JSON, that was signed here. */
  readonly signed: Map<string, { readonly context: string; readonly signedAt: number }>;
  /** Contexts whose signature was found valid here. */
  readonly verified: Map<string, { readonly identity: Identity; readonly expires: number }>;
}

const secrets = new Map<string, Secret>();

function secretOf(text: string): Secret {
  let secret = secrets.get(text);
  if (secret === undefined) {
    secret = { key: createSecretKey(text, 'utf8'), signed: new Map(), verified: new Map() };
    secrets.set(text, secret);
  }
  return secret;
}

function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  if (map.size >= REMEMBERED) map.clear();
  map.set(key, value);
}

function mac(payload: string, key: KeyObject): Buffer {
  return createHmac('sha256', key).update(payload).digest();
}

/** Signs a caller, but for the request's id; valid for 50 to 60 seconds from `nowMs` (epoch milliseconds). */
export function signContext(
  { requestId: _, ...identity }: Caller,
  secret: string,
  nowMs = Date.now(),
): string {
  const { key, signed } = secretOf(secret);
  const caller = JSON.stringify(identity);
  const last = signed.get(caller);
  if (last !== undefined && nowMs >= last.signedAt && nowMs < last.signedAt + REUSED_MS) return last.context;
  const payload = Buffer.from(JSON.stringify({ ...identity, expires: nowMs + LIFETIME_MS })).toString(
    'base64url',
  );
  const context = `${payload}.${mac(payload, key).toString('base64url')}`;
  remember(signed, caller, { context, signedAt: nowMs });
  return context;
}

/** The caller of a signed context, or null where the context is missing, altered or expired. @param requestId as its header names it */
export function verifyContext(
  header: string | undefined,
  requestId: string,
  secret: string,
  nowMs = Date.now(),
): Caller | null {
  if (header === undefined) return null;
  const { key, verified } = secretOf(secret);
  const known = verified.get(header) ?? verifySignature(header, key);
  if (known === null) return null;
  if (known.expires < nowMs) {
    verified.delete(header);
    return null;
  }
  if (!verified.has(header)) remember(verified, header, known);
  return { ...known.identity, requestId };
}

function verifySignature(header: string, key: KeyObject) {
  const [payload, signature, ...rest] = header.split('.');
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
