/**
 * Validates a request by the contract (413, 415, 400), in one order for all operations. Checks that need only the path come before the
 * body is read. A 400 response lists every invalid field of path, query, headers and body.
 */
import {
  bodyBounds,
  type Checked,
  findOtherCurrencies,
  firstPerPointer,
  type Operation,
  type OperationInput,
  type Problem,
  problemMessage,
  validateBody,
  validateBodyInSteps,
  validateHeaders,
  validateParams,
  validateQuery,
} from '@carecover/contract';
import { ApiError, notFound, unavailable } from '@carecover/domain';
import { parseStrictJson, readQueryParameters } from '@carecover/http';
import { FairSemaphore, runInTurns } from '@carecover/process';
import { type Hold, MemoryBudget } from './memory-budget';
import { canReach } from './permission';
import { checkUpload, type RequestHeaders, readBody, type UploadHeaders } from './request-body';
import { admissionOf, type GatewayContext } from './request-state';
import type { Admission } from './store/admissions';

/** A request that its operation's schemas accepted. */
export interface CheckedRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly body: OperationInput['body'];
  /** The query as it was sent, without the question mark. */
  readonly queryString: string;
  /** The body's received bytes; null if the operation has no body. */
  readonly rawBody: Buffer | null;
  /** The headers that the operation reads, by their documented names. */
  readonly headers: Readonly<Record<string, string>>;
  /** The headers of the file that the operation receives; absent for other operations. The file itself has not been read. */
  readonly upload?: UploadHeaders;
}

/** Where the parts of a request come from: an HTTP request, or the call of a tool (mcp.ts). */
export interface RequestSource {
  readonly caller: Admission;
  readonly queryString: string;
  readonly headers: RequestHeaders;
  /** Reads the body. @param hold counts its memory */
  readonly readBody: (limitBytes: number, hold: Hold) => Promise<Buffer | null>;
}

/** Returns the source of an admitted HTTP request. */
export function sourceOf(ctx: GatewayContext): RequestSource {
  return {
    caller: admissionOf(ctx),
    queryString: ctx.querystring,
    headers: ctx.req.headersDistinct,
    readBody: (limitBytes, hold) => readBody(ctx.req, limitBytes, hold),
  };
}

/** Bodies above this size are parsed one at a time. To parse a shorter one takes less than one millisecond. */
const LONG_BODY_BYTES = 64 * 1024;
/**
 * Limits on the number of long bodies that wait to be parsed, in total and per project, and on their waiting time. They are a second
 * protection: normally the limit of {@link MemoryBudget} is reached first.
 */
const WAITING_BODIES = { maxWaiting: 2_048, maxWaitingPerQueue: 512, waitMs: 10_000 };

/** Rejects a request if one of its parts has a problem. @throws ApiError validation_failed with every problem of the parts */
function rejectProblems(parts: readonly Checked<unknown>[]): void {
  const problems = firstPerPointer(
    parts.flatMap((part): readonly Problem[] => (part.ok ? [] : part.problems)),
  );
  if (problems.length > 0) throw new ApiError('validation_failed', `${problemMessage(problems)}.`);
}

async function parseBody(
  operation: Operation,
  bytes: Buffer | null,
): Promise<Checked<OperationInput['body']>> {
  if (bytes === null) return validateBody(operation.id, undefined);
  const parsed = await parseStrictJson(bytes, bodyBounds(operation));
  if (parsed.isRead) return runInTurns(validateBodyInSteps(operation.id, parsed.value, parsed.problems));
  const [first, ...others] = parsed.problems;
  if (first === undefined) throw new Error('a body that is not read has a problem');
  return { ok: false, problems: [first, ...others] };
}

/** Checks that a valid body has only currencies of the project. */
function checkCurrencies(
  body: Checked<OperationInput['body']>,
  accepted: readonly string[] | null,
): Checked<undefined> {
  const [first, ...others] = body.ok ? findOtherCurrencies(body.value, accepted) : [];
  return first === undefined ? { ok: true, value: undefined } : { ok: false, problems: [first, ...others] };
}

/** Checks requests by their operations' schemas, within limits on memory and processor time that all requests share. */
export class RequestChecks {
  private readonly bodies = new MemoryBudget();
  /** Permits the parsing of one long body at a time, for the projects in turn. Parsing takes about ten milliseconds, in slices. */
  private readonly longBodies = new FairSemaphore({
    ...WAITING_BODIES,
    permits: 1,
    rejection: () => unavailable('Capacity for large request bodies'),
  });

  /**
   * Starts the {@link Hold} of the project's request. Release it when the request was handled: while the request waits for a service, its body
   * stays in memory, even if the client has left.
   */
  startHold(project: string): Hold {
    return this.bodies.startHold(project);
  }

  /**
   * Checks one request.
   *
   * @param hold counts the memory of the request's body
   * @throws ApiError resource_not_found, payload_too_large, unsupported_media_type, validation_failed, service_unavailable
   */
  async check(
    { caller, queryString, headers: given, readBody: readSource }: RequestSource,
    operation: Operation,
    params: Readonly<Record<string, string>>,
    hold: Hold,
  ): Promise<CheckedRequest> {
    // The operation GET / has no input and no response 400 in the contract, so its requests are not validated.
    if (!operation.codes.includes('validation_failed'))
      return { params, body: undefined, queryString, rawBody: null, headers: {} };
    const checkedParams = validateParams(operation.id, params);
    // This check comes before the body is read, so that a rejected request causes no parsing.
    if (checkedParams.ok && !canReach(operation, params, caller)) throw notFound();
    const { upload } = operation;
    const bytes = upload === undefined ? await readSource(operation.bodyLimitBytes, hold) : null;
    const parameters = readQueryParameters(queryString);
    const query = parameters.ok ? validateQuery(operation.id, parameters.value) : parameters;
    const headers = validateHeaders(operation.id, given);
    const body = await this.checkBody(caller.tenant, operation, bytes);
    rejectProblems([checkedParams, query, headers, body, checkCurrencies(body, caller.currencies)]);
    if (!body.ok || !headers.ok || !query.ok) throw new Error('unreachable: problems were rejected');
    return {
      ...(upload === undefined ? {} : { upload: checkUpload(given, upload) }),
      params,
      body: body.value,
      queryString,
      rawBody: operation.body === undefined ? null : bytes,
      headers: headers.value.values,
    };
  }

  private async checkBody(project: string, operation: Operation, bytes: Buffer | null) {
    if (bytes === null || bytes.length <= LONG_BODY_BYTES) return parseBody(operation, bytes);
    await this.longBodies.acquire(project);
    try {
      return await parseBody(operation, bytes);
    } finally {
      this.longBodies.release();
    }
  }
}
