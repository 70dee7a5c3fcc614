/** The results of the checks of a request, for the middleware after them. */
import type { Operation } from '@carecover/contract';
import type { ParameterizedContext } from 'koa';
import type { Admission } from './store/credential-and-rate-limit';

export interface RequestState {
  requestId: string;
  /** The scheme, host and port of the API for links in responses. */
  origin: string;
  /** The valid credential with its project; set when the request is admitted. */
  admission?: Admission;
  /** The operation; set when the path and method match one. */
  operation?: Operation;
}

export type GatewayContext = ParameterizedContext<RequestState>;

/** Returns the admission of an admitted request. @throws Error if the request is not admitted */
export function admissionOf(ctx: GatewayContext): Admission {
  if (ctx.state.admission === undefined) throw new Error('the request has not been admitted');
  return ctx.state.admission;
}
