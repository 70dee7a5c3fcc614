/** The path of a request: each step is one file, and their order is the contract's order of checks. */
import type { Environment } from '@carecover/contract';
import {
  type AnsweredRequest,
  type HttpMetrics,
  isTracing,
  type Log,
  type Sql,
  traceRequests,
} from '@carecover/platform';
import Koa from 'koa';
import { AddressRateLimiter } from './address-rate-limiter';
import { admission } from './admission';
import { answers } from './answers';
import { withinBasePath } from './base-path';
import type { ClientAddress } from './client-address';
import { crossOrigin } from './cross-origin';
import type { Upstreams } from './forward';
import { oneHost } from './host-header';
import { httpsOnly } from './https-only';
import { ownOperations } from './own-operations';
import { usedWhereAllowed } from './permission';
import { publicPages } from './public-pages';
import type { GatewayContext, RequestState } from './request-state';
import { noOperation, operationRoutes } from './routes';
import type { AdmissionStore } from './store/admission';

export interface GatewayOptions {
  readonly environment: Environment;
  readonly sql: Sql;
  readonly store: AdmissionStore;
  readonly addresses: ClientAddress;
  readonly upstreams: Upstreams;
  readonly contextSecret: string;
  readonly publicUrl: string | null;
  /** Whether browsers are told to use https for this host from now on. */
  readonly hsts: boolean;
  /** Failed attempts to present a key, and preflights, per address and minute. */
  readonly unauthenticatedLimit: number;
  readonly log: Log;
  readonly metrics: HttpMetrics;
}

function describeRequest({ state }: GatewayContext): AnsweredRequest {
  return { operation: state.operation?.id, requestId: state.requestId };
}

export function createGateway(options: GatewayOptions): Koa<RequestState> {
  const { environment, store, addresses, log } = options;
  const addressLimits = new AddressRateLimiter(options.unauthenticatedLimit);
  const router = operationRoutes({ ...options, own: ownOperations(options.sql) });
  const app = new Koa<RequestState>();
  if (isTracing()) app.use(traceRequests(true, describeRequest));
  app.use(answers(options.publicUrl, log, options.metrics));
  app.use(httpsOnly(addresses, options.hsts));
  app.use(oneHost());
  app.use(publicPages(options.publicUrl, addresses, new AddressRateLimiter(options.unauthenticatedLimit)));
  app.use(withinBasePath());
  // A preflight carries no key by which a valid client could be told from a flood, so it has a limit of its own.
  app.use(crossOrigin(store, addresses, new AddressRateLimiter(options.unauthenticatedLimit)));
  app.use(admission({ environment, store, addresses, addressLimits }));
  app.use(usedWhereAllowed());
  app.use(router.routes());
  app.use(noOperation(router));
  app.on('error', (error: unknown) => log.warn({ err: error }, 'connection error'));
  return app;
}
