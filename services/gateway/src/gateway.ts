/** The Koa middleware of the gateway, in the contract's order of checks. */
import type { Environment } from '@carecover/contract';
import type { Tenant } from '@carecover/domain';
import type { ClientAddress, ContextSigner } from '@carecover/http';
import type { Sql } from '@carecover/postgres';
import {
  type HttpMetrics,
  isTracing,
  type Log,
  type ServedRequest,
  traceRequests,
} from '@carecover/telemetry';
import Koa from 'koa';
import { AddressRateLimiter } from './address-rate-limiter';
import { admitRequest } from './admission';
import type { Advances } from './clocks/advances';
import { handleCrossOrigin } from './cross-origin';
import type { Upstreams } from './forward';
import { createMcpDoor } from './mcp';
import { describeMcpResource } from './mcp-resource';
import { MemoryBudget } from './memory-budget';
import { createTokenEndpoint, describeAuthorizationServer } from './oauth';
import { createOwnOperations } from './own-operations';
import { requireAllowedOrigin } from './permission';
import type { ProjectCapacity } from './project-capacity';
import { servePublicPages } from './public-pages';
import { requireBasePath, requireHttps, requireOneHost, requireRequestHead } from './request-address';
import { RequestChecks } from './request-check';
import { type GatewayContext, type RequestState, requestName } from './request-state';
import { wrapResponse } from './response-envelope';
import { createOperationRouter, rejectUnknownOperation } from './routes';
import type { AdmissionStore } from './store/admissions';
import { type AnsweredWrite, takeIdScope, tickClock } from './store/test-clocks';

export interface GatewayOptions {
  readonly environment: Environment;
  readonly sql: Sql;
  readonly store: AdmissionStore;
  readonly advances: Advances;
  readonly addresses: ClientAddress;
  readonly upstreams: Upstreams;
  readonly capacity: ProjectCapacity;
  readonly signer: ContextSigner;
  readonly publicUrl: string | null;
  /** The origin of the console; null if it is not known. */
  readonly consoleUrl: string | null;
  /** Whether responses have Strict-Transport-Security (RFC 6797). */
  readonly hsts: boolean;
  /** Maximum number of requests without a valid key, and of preflights, per address and minute. */
  readonly unauthenticatedLimit: number;
  readonly log: Log;
  readonly metrics: HttpMetrics;
}

function describeRequest({ state }: GatewayContext): ServedRequest {
  return { operation: requestName(state), requestId: state.requestId };
}

/** Creates the Koa application with all middleware. */
export function createGateway(options: GatewayOptions): Koa<RequestState> {
  const { environment, store, addresses, log } = options;
  const addressLimits = new AddressRateLimiter(options.unauthenticatedLimit);
  const routes = {
    ...options,
    own: createOwnOperations(options.sql, options.advances),
    tick: (tenant: Tenant, write: AnsweredWrite) => tickClock(options.sql, tenant, write),
    idScope: (tenant: Tenant, operation: string, key: string) =>
      takeIdScope(options.sql, tenant, operation, key),
    settle: (tenant: Tenant, authority: string) => options.advances.waitForArrivals(tenant, authority),
    checks: new RequestChecks(),
    unreadBudget: new MemoryBudget(),
  };
  const router = createOperationRouter(routes);
  const mcp = createMcpDoor(routes);
  const tokens = createTokenEndpoint(routes);
  const app = new Koa<RequestState>();
  if (isTracing()) app.use(traceRequests(true, describeRequest));
  app.use(wrapResponse(options.publicUrl, log, options.metrics));
  app.use(requireHttps(addresses, options.hsts));
  app.use(requireRequestHead());
  app.use(requireOneHost());
  app.use(
    servePublicPages(options.publicUrl, addresses, new AddressRateLimiter(options.unauthenticatedLimit)),
  );
  app.use(describeMcpResource());
  app.use(describeAuthorizationServer);
  app.use(requireBasePath());
  app.use(mcp.frame);
  // Without a credential a client can learn what the endpoint is; it is counted for its address.
  app.use(mcp.discover(addresses, new AddressRateLimiter(options.unauthenticatedLimit)));
  // A preflight has no key that could identify a valid client, so preflights have a separate limit.
  app.use(handleCrossOrigin(store, addresses, new AddressRateLimiter(options.unauthenticatedLimit)));
  app.use(tokens.present);
  app.use(admitRequest({ environment, store, addresses, addressLimits }));
  app.use(requireAllowedOrigin());
  app.use(mcp.serve);
  app.use(tokens.grant);
  app.use(router.routes());
  app.use(rejectUnknownOperation(router));
  app.on('error', (error: unknown) => log.warn({ err: error }, 'connection error'));
  return app;
}
