/**
 * The second check of a request, after https: who calls (401), and whether the project has requests left in this minute (429).
 * From here on every answer, errors included, carries the three rate-limit headers.
 */
import type { Environment } from '@carecover/contract';
import { ApiError } from '@carecover/platform';
import type { Next } from 'koa';
import { AddressRateLimiter } from './address-rate-limiter';
import type { ClientAddress } from './client-address';
import { type Credential, parseCredential } from './credential';
import { presentedCredential } from './presented-credential';
import type { GatewayContext } from './request-state';
import type { AdmissionStore } from './store/admission';

const MINUTE_MS = 60_000;

export interface AdmissionOptions {
  readonly environment: Environment;
  readonly store: AdmissionStore;
  readonly addresses: ClientAddress;
  readonly addressLimits: AddressRateLimiter;
}

/** @param nowMs the clock of the minute that is counted, in epoch milliseconds */
export function setRateLimitHeaders(ctx: GatewayContext, limit: number, used: number, nowMs: number): void {
  ctx.set('X-RateLimit-Limit', String(limit));
  ctx.set('X-RateLimit-Remaining', String(Math.max(0, limit - used)));
  ctx.set('X-RateLimit-Reset', String((Math.floor(nowMs / MINUTE_MS) + 1) * 60));
}

function unauthenticated(ctx: GatewayContext, code: 'api_key_missing' | 'api_key_invalid'): ApiError {
  const error = code === 'api_key_missing' ? 'invalid_request' : 'invalid_token';
  ctx.set('WWW-Authenticate', `Bearer realm="carecover", error="${error}"`);
  return new ApiError(
    code,
    code === 'api_key_missing'
      ? 'No API key was presented. Send it as /headers/Authorization: Bearer <API_KEY>.'
      : 'The presented API key is not valid here.',
  );
}

function rateLimited(message: string, nowMs: number): ApiError {
  return new ApiError('rate_limited', message, AddressRateLimiter.secondsLeft(nowMs));
}

/** @throws ApiError rate_limited, with the headers of the address's limit */
export function rejectOverLimit(
  ctx: GatewayContext,
  addressLimits: AddressRateLimiter,
  nowMs: number,
): never {
  setRateLimitHeaders(ctx, addressLimits.limitPerMinute, addressLimits.limitPerMinute, nowMs);
  throw rateLimited('Too many requests without a valid key came from this address.', nowMs);
}

/** Lets in who holds a live credential of this environment and has requests left. */
export function admission({ environment, store, addresses, addressLimits }: AdmissionOptions) {
  /** Asks the database about a credential from a flooded address that this process has not seen valid, as after a restart. */
  async function isLive(
    credential: Credential | null,
    known: string | null,
    nowMs: number,
  ): Promise<boolean> {
    if (credential === null || known === null || addressLimits.isUnknown(known, nowMs)) return false;
    return store.isLive(credential.hash);
  }

  return async (ctx: GatewayContext, next: Next): Promise<void> => {
    const address = addresses.of(ctx.req);
    const presented = presentedCredential(ctx.req.headersDistinct);
    const credential = typeof presented === 'object' ? parseCredential(presented.text) : null;
    const known = credential?.hash.toString('hex') ?? null;
    const nowMs = Date.now();
    const ours = credential?.environment === environment ? credential : null;
    if (addressLimits.rejects(address, known, nowMs) && !(await isLive(ours, known, nowMs))) {
      addressLimits.failed(address, known, nowMs);
      rejectOverLimit(ctx, addressLimits, nowMs);
    }
    const admitted = ours === null ? null : await store.admit(ours.hash);
    if (admitted === null || admitted.environment !== environment) {
      addressLimits.failed(address, known, nowMs);
      throw unauthenticated(ctx, presented === 'missing' ? 'api_key_missing' : 'api_key_invalid');
    }
    if (known !== null) addressLimits.passed(known);
    const countedMs = admitted.countedAt.getTime();
    setRateLimitHeaders(ctx, admitted.rateLimit, admitted.used, countedMs);
    ctx.state.admission = admitted;
    if (admitted.used > admitted.rateLimit) {
      throw rateLimited(`The project has used its ${admitted.rateLimit} requests of this minute.`, countedMs);
    }
    await next();
  };
}
