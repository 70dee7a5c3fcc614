/** The results of the checks of a request, for the middleware after them. */
import type { Operation } from '@carecover/contract';
import type { errorResponse } from '@carecover/http';
import type { ParameterizedContext } from 'koa';
import type { PresentedCredential } from './presented-credential';
import type { Admission } from './store/admissions';

type ErrorBody = ReturnType<typeof errorResponse>['body'];

export interface RequestState {
  requestId: string;
  /** The scheme, host and port of the API for links in responses. */
  origin: string;
  /** The valid credential with its project; set when the request is admitted. */
  admission?: Admission;
  /**
   * Checks the credential again and counts another request of its project, for a tool that executes several operations; set when the
   * request is admitted. It throws an ApiError rate_limited or api_key_invalid.
   */
  countAnother?: () => Promise<void>;
  /** The operation; set when the path and method match one. */
  operation?: Operation;
  /** The name of a request without an operation in logs, metrics and traces. */
  name?: string;
  /** The credential, if it is not in the headers. */
  presented?: PresentedCredential;
  /** Writes the body of an error in the form of the endpoint; absent: the contract's envelope. */
  formatError?: (body: ErrorBody, status: number) => unknown;
}

/** Returns the name of the request in logs, metrics and traces; undefined if it is unknown. */
export function requestName({ operation, name }: RequestState): string | undefined {
  return operation?.id ?? name;
}

export type GatewayContext = ParameterizedContext<RequestState>;

/** Returns the admission of an admitted request. @throws Error if the request is not admitted */
export function admissionOf(ctx: GatewayContext): Admission {
  if (ctx.state.admission === undefined) throw new Error('the request has not been admitted');
  return ctx.state.admission;
}
