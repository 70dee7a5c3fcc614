/**
 * The second check of a request, after https: the credential (401) and the rate limit of its project (429). After the
 * credential was found valid, every response to the request, also an error response, has the three rate-limit headers.
 */
import type { Environment } from '@carecover/contract';
import { ApiError } from '@carecover/domain';
import type { ClientAddress } from '@carecover/http';
import type { Next } from 'koa';
import { AddressRateLimiter } from './address-rate-limiter';
import { type Credential, parseCredential } from './credential';
import { ExhaustedCredentials } from './exhausted-credentials';
import { extractCredential, type PresentedCredential } from './presented-credential';
import type { GatewayContext } from './request-state';
import type { Admission, AdmissionStore } from './store/admissions';

const MINUTE_MS = 60_000;

export interface AdmissionOptions {
  readonly environment: Environment;
  readonly store: AdmissionStore;
  readonly addresses: ClientAddress;
  readonly addressLimits: AddressRateLimiter;
}

/**
 * Sets the three rate-limit headers of a response.
 *
 * @param nowMs the time at which the request was counted, in epoch milliseconds
 */
export function setRateLimitHeaders(ctx: GatewayContext, limit: number, used: number, nowMs: number): void {
  ctx.set('X-RateLimit-Limit', String(limit));
  ctx.set('X-RateLimit-Remaining', String(Math.max(0, limit - used)));
  ctx.set('X-RateLimit-Reset', String((Math.floor(nowMs / MINUTE_MS) + 1) * 60));
}

const HOW_TO_PRESENT =
  'Send it as /headers/Authorization: Bearer <API_KEY>, or Basic with the key as the user name and an empty password.';

function unauthenticated(ctx: GatewayContext, presented: PresentedCredential): ApiError {
  const error = presented === 'missing' ? 'invalid_request' : 'invalid_token';
  ctx.set('WWW-Authenticate', `Bearer realm="carecover", error="${error}"`);
  if (presented === 'missing') {
    return new ApiError('api_key_missing', `No API key was presented. ${HOW_TO_PRESENT}`);
  }
  return new ApiError(
    'api_key_invalid',
    presented === 'invalid'
      ? `The headers do not present exactly one API key. ${HOW_TO_PRESENT}`
      : 'The presented API key is not valid here.',
  );
}

function rateLimited(message: string, nowMs: number): ApiError {
  return new ApiError('rate_limited', message, AddressRateLimiter.secondsUntilReset(nowMs));
}

/** Keeps the admission of the request. @throws ApiError rate_limited if its project is over its limit */
function setAdmission(ctx: GatewayContext, admitted: Admission): void {
  const countedMs = admitted.countedAt.getTime();
  setRateLimitHeaders(ctx, admitted.rateLimit, admitted.used, countedMs);
  ctx.state.admission = admitted;
  if (admitted.used > admitted.rateLimit) {
    throw rateLimited(`The project has used its ${admitted.rateLimit} requests of this minute.`, countedMs);
  }
}

/** Sets the rate-limit headers for the limit of an address, and rejects the request. @throws ApiError rate_limited, always */
export function rejectOverLimit(
  ctx: GatewayContext,
  addressLimits: AddressRateLimiter,
  nowMs: number,
): never {
  setRateLimitHeaders(ctx, addressLimits.limitPerMinute, addressLimits.limitPerMinute, nowMs);
  throw rateLimited('Too many requests without a valid key came from this address.', nowMs);
}

/** Creates the middleware that admits a request if its credential is valid in this environment and the project is within its rate limit. */
export function admitRequest({ environment, store, addresses, addressLimits }: AdmissionOptions) {
  const exhausted = new ExhaustedCredentials();

  /**
   * Returns the valid credential and counts the request; null if it is not valid. A request of a project over its limit may be answered
   * without a query, and is then not counted.
   */
  async function admit(credential: Credential, hash: string): Promise<Admission | null> {
    const kept = exhausted.find(hash);
    if (kept !== undefined) return kept;
    const startedMs = performance.now();
    const admission = await store.admit(credential.hash);
    if (admission !== null) exhausted.keep(hash, admission, startedMs);
    return admission;
  }

  /**
   * Looks up a credential without counting the request. Used if the address has reached its limit and this process has not seen the
   * credential before.
   */
  async function isValid(
    credential: Credential | null,
    hash: string | null,
    nowMs: number,
  ): Promise<boolean> {
    if (credential === null || hash === null || addressLimits.isUnknown(hash, nowMs)) return false;
    return store.isValid(credential.hash);
  }

  return async (ctx: GatewayContext, next: Next): Promise<void> => {
    const address = addresses.addressOf(ctx.req);
    const presented = ctx.state.presented ?? extractCredential(ctx.req.headersDistinct);
    const credential = typeof presented === 'object' ? parseCredential(presented.text) : null;
    const hash = credential?.hash.toString('hex') ?? null;
    const nowMs = Date.now();
    const own = credential?.environment === environment ? credential : null;
    if (addressLimits.isLimited(address, hash, nowMs) && !(await isValid(own, hash, nowMs))) {
      addressLimits.recordFailure(address, hash, nowMs);
      rejectOverLimit(ctx, addressLimits, nowMs);
    }
    const admitted = own === null || hash === null ? null : await admit(own, hash);
    if (admitted === null || admitted.environment !== environment) {
      addressLimits.recordFailure(address, hash, nowMs);
      throw unauthenticated(ctx, presented);
    }
    if (hash !== null) addressLimits.recordSuccess(hash);
    setAdmission(ctx, admitted);
    ctx.state.countAnother = async () => {
      const again = own === null || hash === null ? null : await admit(own, hash);
      if (again === null) throw unauthenticated(ctx, presented);
      setAdmission(ctx, again);
    };
    await next();
  };
}
