/** What the checks of a request leave for those after them. */
import type { Operation } from '@carecover/contract';
import type { ParameterizedContext } from 'koa';
import type { Admission } from './store/admission';

export interface RequestState {
  requestId: string;
  /** Scheme, host and port under which the caller knows us, for links. */
  origin: string;
  /** Once the caller is let in. */
  admission?: Admission;
  /** Once the path and method are known. */
  operation?: Operation;
}

export type GatewayContext = ParameterizedContext<RequestState>;

/** The admission of a request that has passed it. */
export function admissionOf(ctx: GatewayContext): Admission {
  if (ctx.state.admission === undefined) throw new Error('the request has not been admitted');
  return ctx.state.admission;
}
