/**
 * Cross-origin requests of browsers (CORS, as in the Fetch standard). Browsers send preflights without a key, so a preflight succeeds
 * if any project allows the origin; for the request itself, the project of its token must allow the origin. The API uses no cookies, so
 * responses never have Access-Control-Allow-Credentials.
 *
 * Failure policy: a preflight counts towards the limit of its address, and above that limit the origin is not looked up.
 */
import { ApiError } from '@carecover/domain';
import type { ClientAddress } from '@carecover/http';
import type { Next } from 'koa';
import type { AddressRateLimiter } from './address-rate-limiter';
import { rejectOverLimit } from './admission';
import type { GatewayContext } from './request-state';
import type { AdmissionStore } from './store/admissions';

const PREFLIGHT_HEADERS = {
  'Access-Control-Allow-Methods': 'GET, POST, PATCH, DELETE',
  'Access-Control-Allow-Headers':
    'Authorization, X-Api-Key, Content-Type, Content-Encoding, Idempotency-Key, X-Artifact-Reference, X-Request-Id, Traceparent, MCP-Protocol-Version, Mcp-Method, Mcp-Name',
  'Access-Control-Max-Age': '600',
};

const EXPOSED_HEADERS = [
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
  'Idempotent-Replayed',
  'WWW-Authenticate',
  'Allow',
].join(', ');

function allow(ctx: GatewayContext, origin: string): void {
  ctx.set('Access-Control-Allow-Origin', origin);
  ctx.set('Access-Control-Expose-Headers', EXPOSED_HEADERS);
}

/** Returns whether the request is a CORS preflight. */
export function isPreflight(ctx: GatewayContext): boolean {
  return (
    ctx.method === 'OPTIONS' && ctx.get('origin') !== '' && ctx.get('access-control-request-method') !== ''
  );
}

async function isAllowed(ctx: GatewayContext, origin: string, store: AdmissionStore): Promise<boolean> {
  const { admission } = ctx.state;
  // The project of a request that was not admitted is unknown, so every origin that any project allows can read the error response.
  if (admission === undefined) return store.isAllowedOrigin(origin);
  return admission.tokenId !== null && admission.allowedOrigins.includes(origin);
}

/**
 * Creates the middleware that responds to preflights and sets the CORS headers.
 *
 * @param addressLimits counts the preflights per address
 */
export function handleCrossOrigin(
  store: AdmissionStore,
  addresses: ClientAddress,
  addressLimits: AddressRateLimiter,
) {
  async function handlePreflight(ctx: GatewayContext, origin: string): Promise<boolean> {
    const address = addresses.addressOf(ctx.req);
    const nowMs = Date.now();
    if (addressLimits.isLimited(address, null, nowMs)) rejectOverLimit(ctx, addressLimits, nowMs);
    addressLimits.recordFailure(address, null, nowMs);
    // A preflight from an origin that no project allows continues as an ordinary request, which is rejected because it has no key.
    if (!(await store.isAllowedOrigin(origin))) return false;
    allow(ctx, origin);
    ctx.set(PREFLIGHT_HEADERS);
    ctx.status = 204;
    return true;
  }

  return async (ctx: GatewayContext, next: Next): Promise<void> => {
    const origin = ctx.get('origin');
    ctx.vary('Origin');
    if (origin === '') return next();
    if (isPreflight(ctx) && (await handlePreflight(ctx, origin))) return;
    try {
      await next();
    } catch (error) {
      const isOverAddressLimit =
        error instanceof ApiError && error.code === 'rate_limited' && !ctx.state.admission;
      if (error instanceof ApiError && !isOverAddressLimit && (await isAllowed(ctx, origin, store)))
        allow(ctx, origin);
      throw error;
    }
    if (await isAllowed(ctx, origin, store)) allow(ctx, origin);
  };
}
