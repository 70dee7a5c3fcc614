/**
 * Executes operations of the API for a signed-in person: calls the same services as the gateway. Before the call, it validates the input by
 * the contract, as the gateway does. The services record the person as the authority of a decision.
 */
import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { IssuerKeys } from '@carecover/config';
import {
  BASE_PATH,
  type Environment,
  type ErrorCode,
  expandPath,
  findOtherCurrencies,
  firstPerPointer,
  isErrorCode,
  type Operation,
  type OperationId,
  type OperationInput,
  type OperationOutput,
  operations,
  problemMessage,
  type ServiceName,
  storesKey,
  type TestClockStatus,
  validateBody,
  validateParams,
  validateQuery,
  WILDCARD_SCOPE,
} from '@carecover/contract';
import { ApiError, type Caller, notFound, storedTenant, TRACEPARENT, unavailable } from '@carecover/domain';
import {
  CONTEXT_HEADER,
  ContextSigner,
  isResponseOf,
  operatorAuthority,
  RESPONSE_SIGNATURE_HEADER,
  type ReplicaRequest,
  type ReplicaResponse,
  Replicas,
} from '@carecover/http';
import { activeTraceparent } from '@carecover/telemetry';
import type { Person } from './person';
import type { Settings } from './settings';

/** The clock of a project whose time is simulated. */
interface ProjectClock {
  readonly now: string;
  readonly status: TestClockStatus;
  /** Where the advance ends; null while the clock is ready. */
  readonly target: string | null;
}

/** A project as the gateway stores it. */
export interface Project {
  readonly id: string;
  readonly name: string;
  readonly environment: Environment;
  readonly rate_limit_per_minute: number;
  readonly endpoint_limit: number;
  readonly consent_default: 'granted' | 'withdrawn';
  /** The currencies that requests can use; null for all of the API. */
  readonly currencies: readonly string[] | null;
  /** Whether agents can write: not at all, or after a person has confirmed each call. */
  readonly agent_writes: 'off' | 'confirmed';
  readonly allowed_origins: readonly string[];
  /** The language tag (BCP 47) by which amounts and dates are read. */
  readonly locale: string;
  /** The time zone (IANA) of the days that a person types. */
  readonly time_zone: string;
  readonly created_at: string;
  /** The project's clock; null if its time is real. A list of projects does not have it. */
  readonly clock?: ProjectClock | null;
}

/** A project, and its time at which it was read: that of its clock, or the database's. The console has no other clock: its own can differ from the services'. */
export type ProjectNow = Project & { readonly now: string };

/** One page of a list whose items only the gateway stores, such as projects and keys. */
export interface OperatorList<T> {
  readonly data: readonly T[];
  readonly has_more: boolean;
}

type Input<Id extends OperationId> = Partial<Pick<OperationInput<Id>, 'params' | 'query' | 'body'>>;

const MAX_RECORDED_LENGTH = 300;

/**
 * Returns the text as an audit entry records it. An entry is written before the form is validated, so a text can be of any length, and can
 * contain U+0000, which PostgreSQL rejects.
 */
function recordedText(text: string): string {
  return text.replaceAll('\0', '').slice(0, MAX_RECORDED_LENGTH).toWellFormed();
}

/** Returns the result of a call; null if the call fails with this code. */
async function nullOn<T>(code: ErrorCode, call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof ApiError && error.code === code) return null;
    throw error;
  }
}

/** Returns what was read; null if a service that the reading needs is unavailable. */
export function ifAvailable<T>(reading: Promise<T>): Promise<T | null> {
  return nullOn('service_unavailable', reading);
}

/** Returns the result of a call; null if the resource that it names does not exist. */
export function ifFound<T>(call: Promise<T>): Promise<T | null> {
  return nullOn('resource_not_found', call);
}

/**
 * Returns the request of an operation, after its input was validated by the contract.
 *
 * @param project the project, whose currencies the input can have
 * @param idempotencyKey the key of a write; by default a new one
 * @throws ApiError validation_failed, resource_not_found
 */
function requestOf<Id extends OperationId>(
  id: Id,
  input: Input<Id>,
  { currencies }: Project,
  idempotencyKey?: string,
): ReplicaRequest {
  const operation: Operation = operations[id];
  const params = (input.params ?? {}) as Record<string, string>;
  const query = new URLSearchParams(
    Object.entries((input.query ?? {}) as Record<string, unknown>).map(([name, value]) => [
      name,
      String(value),
    ]),
  ).toString();
  const checked = [
    validateParams(id, params),
    validateQuery(id, Object.fromEntries(new URLSearchParams(query))),
    validateBody(id, input.body),
  ];
  // A malformed ID in the address of a page is treated as an unknown ID.
  if (!checked[0]?.ok) throw notFound();
  const problems = firstPerPointer([
    ...checked.flatMap((part) => (part.ok ? [] : part.problems)),
    ...findOtherCurrencies(input.body, currencies),
  ]);
  if (problems.length > 0) throw new ApiError('validation_failed', `${problemMessage(problems)}.`);
  const path = BASE_PATH + expandPath(operation.path, (name) => encodeURIComponent(params[name] ?? ''));
  const body = input.body === undefined ? null : JSON.stringify(input.body);
  const key = operation.method === 'GET' ? undefined : (idempotencyKey ?? randomUUID());
  return {
    method: operation.method,
    path: query === '' ? path : `${path}?${query}`,
    headers: {
      ...(body === null ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    body,
    isRepeatable: operation.method === 'GET' || storesKey(operation),
  };
}

/** Returns the error of a response whose status says that the request failed. */
function errorOf(service: ServiceName, status: number, answer: Buffer): Error {
  const { code, message } = JSON.parse(answer.toString('utf8')).error ?? {};
  // The service rejected the console's signed context: a configuration error or a bug.
  if (!isErrorCode(code) || status === 401)
    return new Error(`the ${service} service responded ${status}: ${message}`);
  return new ApiError(code, message);
}

/** The calls of services that the console makes for one person. */
export class PersonsCalls {
  readonly requestId = randomUUID();
  private pending = 0;
  private waitingSinceMs = 0;
  private waitedMs = 0;

  constructor(
    private readonly services: Services,
    readonly person: Person,
  ) {}

  /** Lists one page of the projects of this environment, newest first. @param after the ID of the last project of the previous page */
  projects(limit: number, after: string | null): Promise<OperatorList<Project>> {
    return this.listOfOperator('/projects', limit, after);
  }

  /** Returns the project. @throws ApiError resource_not_found */
  async project(id: string): Promise<ProjectNow> {
    return this.gateway(`/projects/${encodeURIComponent(id)}`);
  }

  /** Reads one page of a list that the gateway serves only to operators, newest first. */
  listOfOperator<T>(
    path: string,
    limit: number,
    after: string | null,
    filters: Readonly<Record<string, string>> = {},
  ): Promise<OperatorList<T>> {
    const query = new URLSearchParams({
      limit: String(limit),
      ...(after === null ? {} : { after }),
      ...filters,
    });
    return this.gateway(`${path}?${query}`);
  }

  /**
   * Executes an operation in a project.
   *
   * @param idempotencyKey the key of a write. A form contains one key, so that a form that is sent twice has one effect
   * @throws ApiError with the code and message that a client of the API receives
   * @example const claim = await calls.execute(project, 'getClaim', { params: { claim_id } });
   */
  async execute<Id extends OperationId>(
    project: Project,
    id: Id,
    input: Input<Id>,
    idempotencyKey?: string,
  ): Promise<OperationOutput<Id>> {
    const operation: Operation = operations[id];
    const failures = operation.failures?.map(({ status }) => status);
    const request = requestOf(id, input, project, idempotencyKey);
    return this.send<OperationOutput<Id>>(operation.service, project, request, failures);
  }

  /**
   * Executes an operation whose body is a file.
   *
   * @param file the bytes of the file, and the headers that say what they are
   * @throws ApiError as {@link execute}
   * @example await calls.upload(project, 'createBulkJob', { query }, { content, headers: { 'content-type': 'text/csv' } }, form.key);
   */
  async upload<Id extends OperationId>(
    project: Project,
    id: Id,
    input: Input<Id>,
    { content, headers }: { readonly content: Buffer; readonly headers: Readonly<Record<string, string>> },
    idempotencyKey?: string,
  ): Promise<OperationOutput<Id>> {
    const request = requestOf(id, input, project, idempotencyKey);
    return this.send<OperationOutput<Id>>(operations[id].service, project, {
      ...request,
      headers: { ...request.headers, ...headers },
      body: content,
    });
  }

  /**
   * Opens the file that an operation of the claims service returns in a media type, instead of its JSON. The calling code must read or destroy
   * the stream.
   *
   * @throws ApiError as {@link execute}
   * @example const csv = await calls.download(project, 'listBulkJobResults', { params: { bulk_job_id } }, 'text/csv');
   */
  async download<Id extends 'listBulkJobResults'>(
    project: Project,
    id: Id,
    input: Input<Id>,
    mediaType: string,
  ): Promise<Readable> {
    const request = requestOf(id, input, project);
    const { service } = operations[id];
    const headers = { ...request.headers, ...this.headersFor(service, project), accept: mediaType };
    const opening = this.services.files.open({ ...request, headers });
    const { status, body } = await this.measure(opening).catch((): never => {
      throw unavailable(`The ${service} service`);
    });
    if (status < 300) return body;
    throw errorOf(service, status, await buffer(body));
  }

  /** Calls an operators' route of the gateway: with a body a POST, otherwise a GET. */
  gateway<T>(path: string, body?: object): Promise<T> {
    return this.callRoute('gateway', null, path, body);
  }

  /** Calls an operators' route of a service in a project: with a body a POST, otherwise a GET. */
  service<T>(service: ServiceName, project: Project, path: string, body?: object): Promise<T> {
    return this.callRoute(service, project, path, body);
  }

  /**
   * Reads data that no operation of the API returns, from an operators' route of a service. Returns null while the service, or a server
   * that the service needs, is unavailable. @param body what to read, for a route that reads by POST
   */
  readIfAvailable<T>(service: ServiceName, project: Project, path: string, body?: object): Promise<T | null> {
    return ifAvailable(this.service<T>(service, project, path, body));
  }

  /** Records a change in the audit log. Call this method before the change. Long texts are cut. */
  async record(action: string, subject: string, details: Record<string, unknown>): Promise<void> {
    const recorded = Object.entries(details).map(([name, value]) => [
      name,
      typeof value === 'string' ? recordedText(value) : value,
    ]);
    await this.gateway('/audit_entries', {
      action,
      subject: recordedText(subject),
      details: Object.fromEntries(recorded),
    });
  }

  private callRoute<T>(
    service: ServiceName,
    project: Project | null,
    path: string,
    body?: object,
  ): Promise<T> {
    return this.send<T>(service, project, {
      method: body === undefined ? 'GET' : 'POST',
      path: `/operator${path}`,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
      isRepeatable: body === undefined,
    });
  }

  /** The total time in milliseconds during which at least one request of this object to a service was pending. */
  get serviceMs(): number {
    return this.waitedMs;
  }

  private async measure<T>(response: Promise<T>): Promise<T> {
    if (this.pending === 0) this.waitingSinceMs = performance.now();
    this.pending += 1;
    try {
      return await response;
    } finally {
      this.pending -= 1;
      if (this.pending === 0) this.waitedMs += performance.now() - this.waitingSinceMs;
    }
  }

  /**
   * Sends a request to a service and returns the body of the response.
   *
   * @param failures HTTP statuses outside 2xx at which the body is returned too, such as that of a test event that the receiver did not
   * accept
   * @throws ApiError with the code and message of the service's error; service_unavailable if no replica responds
   */
  private async send<T>(
    service: ServiceName,
    project: Project | null,
    request: ReplicaRequest,
    failures: readonly number[] = [],
  ): Promise<T> {
    const own = this.headersFor(service, project);
    const headers = { ...request.headers, ...own };
    const response = await this.measure(this.services.replicas[service].send({ ...request, headers })).catch(
      (): never => {
        throw unavailable(`The ${service} service`);
      },
    );
    if (service === 'gateway') this.requireSignedResponse(own[CONTEXT_HEADER], request, response);
    const { status, body: answer } = response;
    if (status < 300 || failures.includes(status)) return JSON.parse(answer.toString('utf8')) as T;
    throw errorOf(service, status, answer);
  }

  /** Returns the headers by which a service knows the person, the project and the request. */
  private headersFor(
    service: ServiceName,
    project: Project | null,
  ): Readonly<Record<string, string>> & { readonly [CONTEXT_HEADER]: string } {
    const caller: Caller = {
      tenant: storedTenant(project?.id ?? ''),
      environment: this.services.environment,
      authority: operatorAuthority(this.person.subject),
      requestId: this.requestId,
      scopes: [WILDCARD_SCOPE],
      resourceIds: null,
      consentDefault: project?.consent_default ?? 'withdrawn',
      endpointLimit: project?.endpoint_limit ?? 0,
      currencies: project?.currencies ?? null,
    };
    const traceparent = activeTraceparent();
    return {
      [CONTEXT_HEADER]: this.services.signer.sign(caller, service),
      'x-request-id': this.requestId,
      ...(traceparent === null ? {} : { [TRACEPARENT]: traceparent }),
    };
  }

  /**
   * Checks that the gateway gave the answer to this request: another process that has the gateway's address could show false projects, or
   * confirm an entry in the audit log that was not written.
   *
   * @throws Error if the answer is not signed with the gateway's key
   */
  private requireSignedResponse(
    context: string,
    { method, path }: ReplicaRequest,
    { status, headers, body }: ReplicaResponse,
  ): void {
    const text = body.toString('utf8');
    const answer = { context, requestId: this.requestId, method, path, status, text };
    if (!isResponseOf('gateway', this.services.contextKeys, answer, headers[RESPONSE_SIGNATURE_HEADER]))
      throw new Error(`the answer ${status} to ${method} ${path} is not signed by the gateway`);
  }
}

/** Milliseconds that the console waits for a service's response: as long as the gateway waits, and longer than any operation takes. */
const RESPONSE_MS = 25_000;
const PROBE_MS = 2_000;
/** Maximum number of files that one replica of the claims service sends at the same time. */
const FILE_CONNECTIONS = 16;

/** The connections to all services. */
export class Services {
  readonly environment: Environment;
  readonly signer: ContextSigner;
  readonly contextKeys: IssuerKeys;
  readonly replicas: Readonly<Record<ServiceName, Replicas>>;
  /** Connections to the claims service for files, which a browser that reads slowly keeps in use. */
  readonly files: Replicas;

  constructor(settings: Settings) {
    this.environment = settings.CARECOVER_ENVIRONMENT;
    this.signer = new ContextSigner('console', settings);
    this.contextKeys = settings.CONTEXT_PUBLIC_KEYS;
    const limits = { responseMs: RESPONSE_MS };
    this.replicas = {
      gateway: new Replicas(settings.GATEWAY_URL, limits),
      care: new Replicas(settings.CARE_URL, limits),
      benefits: new Replicas(settings.BENEFITS_URL, limits),
      claims: new Replicas(settings.CLAIMS_URL, limits),
      payments: new Replicas(settings.PAYMENTS_URL, limits),
      webhooks: new Replicas(settings.WEBHOOKS_URL, limits),
    };
    this.files = new Replicas(settings.CLAIMS_URL, { ...limits, connections: FILE_CONNECTIONS });
  }

  /** Checks that the gateway is ready, because without the gateway no page can be shown. @throws ApiError service_unavailable */
  async probeGateway(): Promise<void> {
    const signal = AbortSignal.timeout(PROBE_MS);
    const request = { method: 'GET', path: '/health/ready', headers: {}, body: null, signal } as const;
    const { status } = await this.replicas.gateway.send({ ...request, isRepeatable: true });
    if (status !== 200) throw unavailable('The gateway');
  }

  async close(): Promise<void> {
    const all = [...Object.values(this.replicas), this.files];
    await Promise.all(all.map((replicas) => replicas.close()));
  }
}
