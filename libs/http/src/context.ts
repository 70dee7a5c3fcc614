/**
 * The signed context: the caller of a request between two processes. The issuer signs it with its own Ed25519 key, for one service and one
 * minute, and the service verifies it. What an issuer may state is in authority.ts.
 *
 * Failure policy: closed. A request is rejected if its context is missing, altered, expired, from the future, valid for too long, made for
 * another service, or states what its issuer may not state. The log names the reason, at a bounded rate. Two public keys per issuer are
 * accepted during a rotation. See docs/decisions/0044-one-key-per-issuer.md.
 */
import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import {
  type COMMON_SETTINGS,
  type Config,
  ConfigError,
  type ISSUER_SETTINGS,
  ISSUERS,
  type Issuer,
  type IssuerKeys,
} from '@carecover/config';
import type { ServiceName } from '@carecover/contract';
import type { Caller } from '@carecover/domain';
import type { Log } from '@carecover/telemetry';
import { FailureLog } from '@carecover/telemetry';
import { LRUCache } from 'lru-cache';
import { ISSUER_RULES } from './authority';
import { IssuerClocks } from './issuer-clocks';

export const CONTEXT_HEADER = 'x-carecover-context';
/** What a request is for the IDs that it makes in a project with a seed. A repetition to another replica does not have it. */
export const ID_SCOPE_HEADER = 'x-carecover-id-scope';
/** The header of an answer's signature, see {@link ContextSigner.signResponse}. */
export const RESPONSE_SIGNATURE_HEADER = 'x-carecover-answer';

/** The longest validity in milliseconds that a service accepts, and the validity that an issuer gives. */
const LIFETIME_MS = 60_000;
/** By how many milliseconds an issuer's clock can be ahead of the service's clock. */
const MAX_SKEW_MS = 30_000;

/**
 * How many milliseconds an issuer reuses a signed context for later requests of the same caller, because each signature takes processor
 * time.
 */
const REUSED_MS = 10_000;
const MAX_CACHED = 1_000;

/**
 * The caller without the request ID. The request ID is in a header of its own, so that several requests of a caller can have the same
 * context.
 */
type Identity = Omit<Caller, 'requestId'>;

/** What a context states. */
interface Statement {
  readonly identity: Identity;
  readonly audience: string;
  /** When the issuer signed the context, and until when it is valid, in epoch milliseconds. */
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/** A caller, and the process that vouches for the caller. */
export interface VerifiedCaller {
  readonly issuer: Issuer;
  readonly caller: Caller;
}

/** The answer of an operators' route, and the request that it belongs to. */
export interface SignedResponse {
  /** The signed context of the request. */
  readonly context: string;
  readonly requestId: string;
  readonly method: string;
  /** The path with the query. */
  readonly path: string;
  readonly status: number;
  readonly text: string;
}

type SignerSettings = Config<typeof ISSUER_SETTINGS> &
  Pick<Config<typeof COMMON_SETTINGS>, 'CONTEXT_PUBLIC_KEYS'>;

/** The bytes that are signed. The purpose keeps the signature of a context from being valid for an answer or a confirmation. */
function signedBytes(
  purpose: 'context' | 'answer' | 'confirmation',
  ...parts: readonly (string | number)[]
): Buffer {
  return Buffer.from(JSON.stringify([`carecover ${purpose}`, ...parts]));
}

const responseBytes = (issuer: Issuer, { context, requestId, method, path, status, text }: SignedResponse) =>
  signedBytes('answer', issuer, context, requestId, method, path, status, text);

/** Returns whether one of the keys made the signature. Ed25519 needs no name of a digest. */
const isSigned = (bytes: Buffer, signature: Buffer, keys: readonly KeyObject[] = []) =>
  keys.some((key) => verify(null, bytes, key, signature));

/**
 * Signs the contexts of one issuer.
 *
 * @example const signer = new ContextSigner('care', config);
 */
export class ContextSigner {
  private readonly key: KeyObject;
  private readonly publicKeys: readonly KeyObject[];
  /** The latest context for each service and {@link Identity}, by their JSON. */
  private readonly signed = new LRUCache<string, { readonly context: string; readonly signedAt: number }>({
    max: MAX_CACHED,
  });

  /** @throws ConfigError if the private key belongs to no public key of the issuer */
  constructor(
    private readonly issuer: Issuer,
    { CONTEXT_PRIVATE_KEY: key, CONTEXT_PUBLIC_KEYS: keys }: SignerSettings,
  ) {
    const publicKey = createPublicKey(key);
    this.publicKeys = keys[issuer] ?? [];
    if (!this.publicKeys.some((known) => known.equals(publicKey)))
      throw new ConfigError([
        `CONTEXT_PRIVATE_KEY must be the private key of an entry ${issuer}:… in CONTEXT_PUBLIC_KEYS`,
      ]);
    this.key = key;
  }

  /**
   * Returns a signed context that contains the caller without the request ID. It is valid for 50 to 60 seconds from `nowMs` (epoch
   * milliseconds).
   *
   * @param audience the only service that accepts the context
   */
  sign({ requestId: _, ...identity }: Caller, audience: ServiceName, nowMs = Date.now()): string {
    const caller = JSON.stringify([audience, identity]);
    const last = this.signed.get(caller);
    if (last !== undefined && nowMs >= last.signedAt && nowMs < last.signedAt + REUSED_MS)
      return last.context;
    const statement: Statement = { identity, audience, issuedAt: nowMs, expiresAt: nowMs + LIFETIME_MS };
    const context = signStatement(this.issuer, this.key, statement);
    this.signed.set(caller, { context, signedAt: nowMs });
    return context;
  }

  /** Returns the signature of an answer, by which the caller recognizes that this issuer gave the answer to exactly this request. */
  signResponse(answer: SignedResponse): string {
    return sign(null, responseBytes(this.issuer, answer), this.key).toString('base64url');
  }

  /** Returns the signature of a question to a person, which a client returns with the answer. Every replica of the issuer recognizes it. */
  signConfirmation(text: string): string {
    return sign(null, signedBytes('confirmation', this.issuer, text), this.key).toString('base64url');
  }

  /** Returns whether this issuer signed the question, see {@link ContextSigner.signConfirmation}. */
  isConfirmation(text: string, signature: string): boolean {
    const bytes = signedBytes('confirmation', this.issuer, text);
    return isSigned(bytes, Buffer.from(signature, 'base64url'), this.publicKeys);
  }
}

/** Returns the context `<issuer>.<statement>.<signature>`. */
export function signStatement(issuer: Issuer, key: KeyObject, statement: Statement): string {
  const payload = Buffer.from(JSON.stringify(statement)).toString('base64url');
  const signature = sign(null, signedBytes('context', issuer, payload), key).toString('base64url');
  return `${issuer}.${payload}.${signature}`;
}

/** Returns whether the issuer signed the answer, see {@link ContextSigner.signResponse}. @param signature the header of the answer */
export function isResponseOf(
  issuer: Issuer,
  keys: IssuerKeys,
  answer: SignedResponse,
  signature: unknown,
): boolean {
  if (typeof signature !== 'string') return false;
  return isSigned(responseBytes(issuer, answer), Buffer.from(signature, 'base64url'), keys[issuer]);
}

type Verified = Statement & { readonly issuer: Issuer };

/** Verifies the contexts of the requests to one service. */
export class ContextVerifier {
  /** The contexts that were found valid apart from the time, by their text. */
  private readonly verified = new LRUCache<string, Verified>({ max: MAX_CACHED });
  private readonly failures: FailureLog;
  private readonly clocks: IssuerClocks;

  constructor(
    private readonly audience: ServiceName,
    private readonly keys: IssuerKeys,
    log: Log,
  ) {
    this.failures = new FailureLog(log);
    this.clocks = new IssuerClocks(log, REUSED_MS);
  }

  /**
   * Returns the caller of a signed context; null if the context is not valid now.
   *
   * @param requestId the request ID, which is in a header of its own
   */
  verify(header: string | undefined, requestId: string, nowMs = Date.now()): VerifiedCaller | null {
    const known = header === undefined ? undefined : this.verified.get(header);
    const found = known ?? this.read(header, nowMs);
    if (found === null || !this.isValidAt(found, nowMs)) return null;
    return { issuer: found.issuer, caller: { ...found.identity, requestId } };
  }

  /** Reads a context that is not in the cache. Returns null if it is invalid at any time. */
  private read(header: string | undefined, nowMs: number): Verified | null {
    if (header === undefined) return this.reject('is missing', {});
    const found = verifySignature(header, this.keys);
    if (found === null) return this.reject('has no valid signature', {});
    const { issuer, audience, identity, issuedAt, expiresAt } = found;
    const rule = ISSUER_RULES[issuer];
    const { authority, tenant } = identity;
    const fields = { issuer, audience, authority, tenant };
    if (audience !== this.audience || !rule.audiences.includes(this.audience))
      return this.reject('is for another service', fields);
    if (!rule.mayState(identity)) return this.reject('states what its issuer may not state', fields);
    if (expiresAt - issuedAt > LIFETIME_MS) return this.reject('is valid for too long', fields);
    this.clocks.observe(issuer, nowMs - issuedAt, nowMs);
    this.verified.set(header, found);
    return found;
  }

  private isValidAt({ issuer, issuedAt, expiresAt }: Verified, nowMs: number): boolean {
    const aheadMs = issuedAt - nowMs;
    if (aheadMs <= MAX_SKEW_MS && nowMs <= expiresAt) return true;
    const seconds = Math.round(Math.abs(aheadMs) / 100) / 10;
    const fields = { issuer, seconds };
    // An attacker can send old contexts, so only the time from the future proves that a clock is off.
    if (aheadMs > 0) this.reject(`is from the future: the clock of ${issuer} is ahead of this one`, fields);
    else this.reject(`has expired: ${issuer} is late, or its clock is behind this one`, fields);
    return false;
  }

  private reject(problem: string, fields: object): null {
    this.failures.warn(fields, `a request was rejected: its signed context ${problem}`);
    return null;
  }
}

/** Returns what a context states, if its issuer signed it; otherwise null. */
function verifySignature(header: string, keys: IssuerKeys): Verified | null {
  const [name, payload = '', signature = '', ...rest] = header.split('.');
  const issuer = ISSUERS.find((each) => each === name);
  if (issuer === undefined || rest.length > 0) return null;
  const bytes = signedBytes('context', issuer, payload);
  if (!isSigned(bytes, Buffer.from(signature, 'base64url'), keys[issuer])) return null;
  const statement = parseJson(Buffer.from(payload, 'base64url').toString('utf8'));
  return isStatement(statement) ? { ...statement, issuer } : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Checks the form of a statement, because a compromised issuer can sign anything. */
function isStatement(value: unknown): value is Statement {
  const { identity, audience, issuedAt, expiresAt } = (value ?? {}) as Record<string, unknown>;
  const { tenant, authority, environment, scopes, resourceIds, consentDefault, endpointLimit, currencies } =
    (identity ?? {}) as Record<string, unknown>;
  const isText = (part: unknown) => typeof part === 'string';
  const areTexts = (part: unknown) => Array.isArray(part) && part.every(isText);
  return (
    [audience, tenant, authority, environment, consentDefault].every(isText) &&
    [issuedAt, expiresAt, endpointLimit].every(Number.isSafeInteger) &&
    areTexts(scopes) &&
    (resourceIds === null || areTexts(resourceIds)) &&
    (currencies === undefined || currencies === null || areTexts(currencies))
  );
}
