/**
 * How a tool calls an operation of the API. The gateway and the console implement {@link OperationCaller} with their own checks, limits and
 * signed contexts: a tool decides nothing and has no path, scope or schema of its own.
 */
import {
  firstPerPointer,
  isErrorCode,
  type Operation,
  type OperationId,
  operations,
  problemMessage,
  validateBody,
  validateHeaders,
  validateParams,
  validateQuery,
} from '@carecover/contract';
import { addAmountTexts } from './amounts';
import { type JsonSchema, LIST_LIMIT, propertiesOf, resultSchema } from './schema';

/** The arguments of a tool as the client sent them, without those that are null. */
export type ToolArguments = Readonly<Record<string, unknown>>;

/** A file as the body of a request. */
interface RequestFile {
  readonly content: Buffer;
  readonly mediaType: string;
}

/** A request for an operation: the parts of the HTTP request that it replaces. */
export interface OperationRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** The body; undefined for an operation without one. */
  readonly body: unknown;
  readonly idempotencyKey: string | undefined;
  /** The file of an operation that receives one. */
  readonly file?: RequestFile;
}

/** The response of an operation: a success or an API error with a status from 400 on. */
export interface OperationResponse {
  readonly status: number;
  readonly body: unknown;
}

export interface OperationCaller {
  /**
   * Executes an operation for the caller.
   *
   * @throws Error if the whole request must be answered with an HTTP error, such as 429 or 503; the tool then ends
   */
  call(id: OperationId, request: OperationRequest): Promise<OperationResponse>;
}

/** An error that the model that called the tool can correct: the API's error of an operation, or wrong arguments. */
export class ToolError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly docs: string | null = null,
  ) {
    super(message);
  }
}

function invalid(message: string): ToolError {
  return new ToolError('validation_failed', message);
}

/** Returns the text of an argument for a path or a query. @throws ToolError for a list or an object */
function textOf(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw invalid(`${name} must be a text or a number.`);
}

/** Returns the `limit` of the arguments, or the default. @throws ToolError if it is out of range */
export function limitOf(given: ToolArguments): number {
  const { limit = LIST_LIMIT.default } = given;
  if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 1 || limit > LIST_LIMIT.max) {
    throw invalid(`limit must be an integer from 1 to ${LIST_LIMIT.max}.`);
  }
  return limit;
}

function namesOf(schema: object | undefined): string[] {
  return Object.keys(propertiesOf(schema));
}

/** Returns the file of a tool's lines: one JSON text per line. */
function fileOf({ lines }: ToolArguments): RequestFile {
  const rows = Array.isArray(lines) ? lines : [];
  const content = Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  return { content, mediaType: 'application/x-ndjson' };
}

/** Distributes a tool's arguments over path, query and body of the operation. Arguments that it does not have are left out. */
function requestOf(operation: Operation, given: ToolArguments): OperationRequest {
  const texts = (schema: object) =>
    Object.fromEntries(
      namesOf(schema)
        .filter((name) => given[name] !== undefined)
        .map((name) => [name, textOf(name, given[name])]),
    );
  const query = texts(operation.query);
  if (namesOf(operation.query).includes('limit')) query.limit = String(limitOf(given));
  const body = namesOf(operation.body)
    .filter((name) => given[name] !== undefined)
    .map((name) => [name, given[name]]);
  const { idempotency_key: key } = given;
  return {
    params: texts(operation.params),
    query,
    body: operation.body === undefined ? undefined : Object.fromEntries(body),
    idempotencyKey: key === undefined ? undefined : textOf('idempotency_key', key),
    ...(operation.upload !== undefined && { file: fileOf(given) }),
  };
}

/** The pointers of the contract's messages name parts of an HTTP request, which a tool does not have. */
function withoutPointers(message: string): string {
  return message
    .replaceAll(/\/(?:path|query)\/(\w+)/g, '$1')
    .replaceAll('/headers/Idempotency-Key', 'idempotency_key');
}

function errorOf({ status, body }: OperationResponse): ToolError {
  const { error } = (body ?? {}) as { error?: { code?: unknown; message?: unknown; docs?: unknown } };
  const code = String(error?.code);
  if (!isErrorCode(code)) throw new Error(`an operation responded with ${status} and no API error`);
  const docs = typeof error?.docs === 'string' ? error.docs : null;
  return new ToolError(code, withoutPointers(String(error?.message)), docs);
}

/**
 * Checks the arguments of a write by the contract, so that a person is asked only about a call that the API can execute.
 *
 * @throws ToolError validation_failed with every problem
 */
export function checkCall(id: OperationId, given: ToolArguments): void {
  const { params, query, body, idempotencyKey } = requestOf(operations[id], given);
  const headers = idempotencyKey === undefined ? {} : { 'idempotency-key': [idempotencyKey] };
  const checked = [
    validateParams(id, params),
    validateQuery(id, query),
    validateHeaders(id, headers),
    validateBody(id, body),
  ];
  const problems = firstPerPointer(checked.flatMap((part) => (part.ok ? [] : part.problems)));
  if (problems.length > 0) throw invalid(`${withoutPointers(problemMessage(problems))}.`);
}

/**
 * Calls an operation with the arguments of a tool. Returns the response with the texts of its amounts.
 *
 * @throws ToolError for an API error
 */
export async function callOperation(
  caller: OperationCaller,
  id: OperationId,
  given: ToolArguments,
): Promise<Record<string, unknown>> {
  const operation: Operation = operations[id];
  const response = await caller.call(id, requestOf(operation, given));
  if (response.status >= 400) throw errorOf(response);
  const schema: JsonSchema = resultSchema(operation);
  return addAmountTexts(response.body, schema) as Record<string, unknown>;
}
