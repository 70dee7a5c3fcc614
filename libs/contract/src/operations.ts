// THE table of operations: every method, path, scope, schema and answer of the API, once. The router, the validators, the API
// description, the client and the contract tests are derived from it.
import type { Static, TSchema } from 'typebox';
import { type ErrorCode, errorStatus } from './errors';
import { BODY_LIMIT_BYTES } from './limits';
import type { OperationDefinition } from './operation';
import { apiOperations } from './operations/api';
import { benefitsOperations } from './operations/benefits';
import { careOperations } from './operations/care';
import { claimsOperations } from './operations/claims';
import { paymentsOperations } from './operations/payments';
import { webhooksOperations } from './operations/webhooks';

/** The path below which every operation stands. */
export const BASE_PATH = '/v1';

const definitions = {
  ...apiOperations,
  ...careOperations,
  ...benefitsOperations,
  ...claimsOperations,
  ...paymentsOperations,
  ...webhooksOperations,
};

type Definitions = typeof definitions;

export type OperationId = keyof Definitions;

/** An operation as the table has it, with what follows from its row. */
export interface Operation extends OperationDefinition {
  readonly id: OperationId;
  /** Statuses of the errors that a valid client can meet here, ascending. */
  readonly errorStatuses: readonly number[];
  /** Status of a repetition under the same Idempotency-Key. */
  readonly replayStatus: number;
  readonly bodyLimitBytes: number;
  /** The path parameter that names the resource; undefined where there is none. */
  readonly resourceIdParam: string | undefined;
}

/** Codes that every operation can answer to a valid client. */
export const commonErrors = [
  'api_key_missing',
  'api_key_invalid',
  'permission_denied',
  'https_required',
  'rate_limited',
  'service_unavailable',
] as const satisfies readonly ErrorCode[];

/** Codes that operations may answer besides, to a client that is mistaken or when the service fails. */
export const exceptionalErrors = [
  'method_not_allowed',
  'payload_too_large',
  'unsupported_media_type',
  'internal_error',
] as const satisfies readonly ErrorCode[];

function statusesOf(codes: readonly ErrorCode[]): number[] {
  return [...new Set(codes.map(errorStatus))].sort((a, b) => a - b);
}

function complete(id: OperationId, definition: OperationDefinition): Operation {
  const [first] = definition.success;
  const replay = definition.success.find((success) => success.replay);
  return {
    ...definition,
    id,
    errorStatuses: statusesOf([...definition.codes, ...commonErrors]),
    replayStatus: (replay ?? first).status,
    bodyLimitBytes: definition.bodyLimitBytes ?? BODY_LIMIT_BYTES,
    resourceIdParam: /\{(\w+)\}/.exec(definition.path)?.[1],
  };
}

/** Every operation, in the order of the documentation. */
export const operationList: readonly Operation[] = Object.entries(definitions).map(([id, definition]) =>
  complete(id as OperationId, definition),
);

/** Every operation by its id. */
export const operations = Object.fromEntries(
  operationList.map((operation) => [operation.id, operation]),
) as unknown as { readonly [Id in OperationId]: Operation & Definitions[Id] & { readonly id: Id } };

/** Those about a body: for operations that look at a request's form, and so can answer 400. */
const bodyErrors: readonly ErrorCode[] = ['payload_too_large', 'unsupported_media_type'];

/** All codes that an operation can answer: its own, the common and the exceptional. */
export function operationErrors({ codes }: Operation): ErrorCode[] {
  const looksAtForm = codes.includes('validation_failed');
  const exceptional = exceptionalErrors.filter((code) => looksAtForm || !bodyErrors.includes(code));
  return [...new Set<ErrorCode>([...codes, ...commonErrors, ...exceptional])];
}

/** Whether the text is an operation's id. */
export function isOperationId(text: string): text is OperationId {
  return Object.hasOwn(definitions, text);
}

type BodyOf<D> = D extends { body: infer B extends TSchema } ? Static<B> : undefined;

/** What an operation is asked with, after validation. */
export interface OperationInput<Id extends OperationId = OperationId> {
  params: Static<Definitions[Id]['params']>;
  query: Static<Definitions[Id]['query']>;
  body: BodyOf<Definitions[Id]>;
}

/** What an operation answers when it succeeds. */
export type OperationOutput<Id extends OperationId = OperationId> = Static<
  Definitions[Id]['success'][number]['schema']
>;
