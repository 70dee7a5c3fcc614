// The table of operations: every method, path, scope, schema and response of the API. The router, the validators, the API
// description, the client and the contract tests are derived from it.
import type { Static, TSchema } from 'typebox';
import { type ErrorCode, errorStatus } from '../errors';
import { BODY_LIMIT_BYTES } from '../limits';
import { apiOperations } from './api';
import { benefitsOperations } from './benefits';
import { bulkJobOperations } from './bulk-jobs';
import { careOperations } from './care';
import { claimsOperations } from './claims';
import { type OperationDefinition, pathParameterNames } from './definition';
import { paymentsOperations } from './payments';
import { testClockOperations } from './test-clocks';
import { webhooksOperations } from './webhooks';

/** The prefix of every operation's path. */
export const BASE_PATH = '/v1';

const definitions = {
  ...apiOperations,
  ...careOperations,
  ...benefitsOperations,
  ...claimsOperations,
  ...bulkJobOperations,
  ...paymentsOperations,
  ...webhooksOperations,
  ...testClockOperations,
};

type Definitions = typeof definitions;

export type OperationId = keyof Definitions;

/** A row of the table of operations, with the values that are derived from the row. */
export interface Operation extends OperationDefinition {
  readonly id: OperationId;
  /** The HTTP statuses of the errors that a client with a correct request can receive, ascending. */
  readonly errorStatuses: readonly number[];
  /** The HTTP status of the response to a repeated request under the same Idempotency-Key. */
  readonly replayStatus: number;
  readonly bodyLimitBytes: number;
  /** The path parameter that identifies the resource; undefined if there is none. */
  readonly resourceIdParam: string | undefined;
}

/** Error codes that a client with a correct request can receive from every operation. */
export const commonErrors = [
  'api_key_missing',
  'api_key_invalid',
  'permission_denied',
  'https_required',
  'rate_limited',
  'service_unavailable',
] as const satisfies readonly ErrorCode[];

/**
 * Error codes that only an incorrect request or an internal error causes. Every operation has them, except as {@link bodyErrors} states.
 */
export const exceptionalErrors = [
  'method_not_allowed',
  'payload_too_large',
  'unsupported_media_type',
  'internal_error',
] as const satisfies readonly ErrorCode[];

function statusesOf(codes: readonly ErrorCode[]): number[] {
  return [...new Set(codes.map(errorStatus))].sort((a, b) => a - b);
}

function completeOperation(id: OperationId, definition: OperationDefinition): Operation {
  const [first] = definition.success;
  const replay = definition.success.find((success) => success.replay);
  return {
    ...definition,
    id,
    errorStatuses: statusesOf([...definition.codes, ...commonErrors]),
    replayStatus: (replay ?? first).status,
    bodyLimitBytes: definition.bodyLimitBytes ?? BODY_LIMIT_BYTES,
    resourceIdParam: pathParameterNames(definition.path)[0],
  };
}

/** Every operation, in the order of the documentation. */
export const operationList: readonly Operation[] = Object.entries(definitions).map(([id, definition]) =>
  completeOperation(id as OperationId, definition),
);

/** Every operation by its ID. */
export const operations = Object.fromEntries(
  operationList.map((operation) => [operation.id, operation]),
) as unknown as { readonly [Id in OperationId]: Operation & Definitions[Id] & { readonly id: Id } };

/** Error codes about the body. Only operations that validate requests, and so can respond 400, have them. */
const bodyErrors: readonly ErrorCode[] = ['payload_too_large', 'unsupported_media_type'];

/** Returns all error codes of an operation: its own, the common and the exceptional codes. */
export function operationErrors({ codes }: Operation): ErrorCode[] {
  const validatesRequests = codes.includes('validation_failed');
  const exceptional = exceptionalErrors.filter((code) => validatesRequests || !bodyErrors.includes(code));
  return [...new Set<ErrorCode>([...codes, ...commonErrors, ...exceptional])];
}

/** Returns whether the text is an operation's ID. */
export function isOperationId(text: string): text is OperationId {
  return Object.hasOwn(definitions, text);
}

type BodyOf<D> = D extends { body: infer B extends TSchema } ? Static<B> : undefined;

/** The validated input of an operation. */
export interface OperationInput<Id extends OperationId = OperationId> {
  params: Static<Definitions[Id]['params']>;
  query: Static<Definitions[Id]['query']>;
  body: BodyOf<Definitions[Id]>;
}

/** The body of an operation's successful response. */
export type OperationOutput<Id extends OperationId = OperationId> = Static<
  Definitions[Id]['success'][number]['schema']
>;
