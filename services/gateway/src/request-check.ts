/** Everything about a request's form that the contract asks (413, 415, 400), in one order for all operations. */
import {
  type Operation,
  type OperationInput,
  type Problem,
  problemMessage,
  validateBody,
  validateHeaders,
  validateParams,
  validateQuery,
} from '@carecover/contract';
import { Refusal } from '@carecover/platform';
import type { HeldBodies } from './held-bodies';
import { hasBody, readBody } from './request-body';
import { admissionOf, type GatewayContext } from './request-state';
import { parseStrictJson } from './strict-json';

/** A request that has the form of its operation. */
export interface CheckedRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly body: OperationInput['body'];
  /** The body's bytes as they came; null where the operation has none. */
  readonly rawBody: Buffer | null;
  /** The headers that the operation reads, by their documented names. */
  readonly headers: Readonly<Record<string, string>>;
}

function malformed(problem: Problem): Refusal {
  return new Refusal('validation_failed', `${problemMessage(problem)}.`);
}

function accepted<T>(checked: { ok: true; value: T } | { ok: false; problem: Problem }): T {
  if (!checked.ok) throw malformed(checked.problem);
  return checked.value;
}

/** @throws Refusal payload_too_large, unsupported_media_type, validation_failed, service_unavailable */
export async function checkRequest(
  ctx: GatewayContext,
  operation: Operation,
  params: Readonly<Record<string, string>>,
  bodies: HeldBodies,
): Promise<CheckedRequest> {
  // GET / knows no 400: it looks at the credential alone.
  if (!operation.codes.includes('validation_failed'))
    return { params, body: undefined, rawBody: null, headers: {} };
  const hold = bodies.of(admissionOf(ctx).tenant);
  if (hasBody(ctx.req)) ctx.res.once('close', () => hold.release());
  const bytes = await readBody(ctx.req, operation.bodyLimitBytes, hold);
  const parsed = bytes === null ? undefined : accepted(parseStrictJson(bytes));
  accepted(validateParams(operation.id, params));
  accepted(validateQuery(operation.id, ctx.query));
  const headers = accepted(validateHeaders(operation.id, ctx.headers));
  const body = accepted(validateBody(operation.id, parsed));
  return {
    params,
    body,
    rawBody: operation.body === undefined ? null : bytes,
    headers: headers.values,
  };
}
