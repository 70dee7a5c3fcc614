/**
 * The handlers of benefits with a database of their own, for tests. Tests call them as the gateway does, and every response is validated
 * against the API contract. A map of bookings and `TestCare` replace care. Commands need no Temporal; the signals to workflows stay in their
 * table.
 */
import {
  expandPath,
  type OperationId,
  type OperationInput,
  type OperationOutput,
  operations,
  problemMessage,
  validateBody,
  validateEvent,
  validateOutput,
  WILDCARD_SCOPE,
} from '@carecover/contract';
import { ApiError, type Caller, newId, notFound, storedTenant } from '@carecover/domain';
import { type Call, type Handler, type Handlers, requestHash } from '@carecover/http';
import { connectPostgres, type Sql, withSessionSettings } from '@carecover/postgres';
import { createTestDatabase, type TestDatabase } from '@carecover/testing/servers';
import type { BookingSnapshot } from '@carecover/workflow-preauthorization';
import { benefitsHandlers } from '../build';
import { eraseMember } from '../use-cases/erase-member';
import { withExecutors } from '../use-cases/executors';
import { TestCare } from './test-care';

export const HASH_SECRET = 'a secret of the tests, long enough to be one';

export interface CallResult<Id extends OperationId> {
  readonly status: number;
  readonly replayed: boolean;
  readonly body: OperationOutput<Id>;
}

export interface CallOptions<Id extends OperationId> {
  readonly params?: OperationInput<Id>['params'];
  readonly query?: Partial<OperationInput<Id>['query']>;
  readonly key?: string;
  readonly caller?: Caller;
  readonly headers?: Record<string, string>;
  /** The bytes of the request body, for a test that needs their digest; by default the body as JSON. */
  readonly rawBody?: Buffer;
}

/** Creates the caller of a new project, without restrictions. */
export function newCaller(overrides: Partial<Caller> = {}): Caller {
  return {
    tenant: storedTenant(newId('prj_')),
    environment: 'sandbox',
    authority: 'key_payer of project prj_payer',
    requestId: '00000000-0000-4000-8000-000000000000',
    scopes: [WILDCARD_SCOPE],
    resourceIds: null,
    consentDefault: 'granted',
    endpointLimit: 50,
    ...overrides,
  };
}

export class TestBenefits {
  readonly bookings = new Map<string, BookingSnapshot>();
  readonly care = new TestCare();
  caller = newCaller();
  /** What the use cases call, with the connections of {@link sql}. */
  readonly deps: ReturnType<TestBenefits['depsWith']>;
  handlers: Handlers;
  /** Called after each commit that enqueued a signal. */
  notifySignals: () => void = () => undefined;

  private constructor(
    readonly database: TestDatabase,
    readonly sql: Sql,
    /** Connection of the database administrator, with the schema of benefits as the search path. */
    readonly admin: Sql,
  ) {
    this.deps = this.depsWith(sql);
    this.handlers = benefitsHandlers(this.deps);
  }

  static async open(pool = 20): Promise<TestBenefits> {
    const database = await createTestDatabase({ services: ['benefits'] });
    const adminUrl = withSessionSettings(database.adminUrl, { search_path: 'benefits,public' });
    return new TestBenefits(
      database,
      connectPostgres(database.url('benefits'), pool, 'test'),
      connectPostgres(adminUrl, 2, 'test'),
    );
  }

  /** Executes the SQL statements of later calls on the given connections. */
  useConnection(sql: Sql): void {
    this.handlers = benefitsHandlers(this.depsWith(sql));
  }

  /** Returns what the use cases call, with other connections to the database. */
  depsWith(sql: Sql) {
    return withExecutors({
      sql,
      care: this.care,
      readBooking: (_caller: Caller, id: string) => {
        const booking = this.bookings.get(id);
        return booking === undefined ? Promise.reject(notFound()) : Promise.resolve(booking);
      },
      environment: 'sandbox' as const,
      hashSecret: HASH_SECRET,
      notifySignals: () => this.notifySignals(),
    });
  }

  /**
   * Calls an operation as the gateway does.
   *
   * @throws ApiError if benefits rejects the call; Error if the response violates the API contract
   */
  async call<Id extends OperationId>(
    id: Id,
    body: OperationInput<Id>['body'],
    options: CallOptions<Id> = {},
  ): Promise<CallResult<Id>> {
    const handler = this.handlers[id] as Handler<Id> | undefined;
    if (handler === undefined) throw new Error(`benefits has no operation ${id}`);
    const checked = validateBody(id, body);
    if (!checked.ok) throw new Error(problemMessage(checked.problems));
    const operation = operations[id];
    const path = expandPath(operation.path, (name) => String(Reflect.get(options.params ?? {}, name)));
    const call = {
      operation: id,
      caller: options.caller ?? this.caller,
      params: options.params ?? {},
      query: { limit: 20, ...options.query },
      body: body ?? null,
      rawBody: options.rawBody ?? Buffer.from(JSON.stringify(body ?? null)),
      headers: options.headers ?? {},
      idempotencyKey: operation.idempotencyKey === 'none' ? null : (options.key ?? newId('key_')),
      requestHash: await requestHash(path, body, HASH_SECRET),
      replayStatus: operation.replayStatus,
    } as unknown as Call<Id>;
    const result = await handler(call);
    if ('stream' in result) throw new Error(`${id} answered with a file`);
    const response = 'text' in result ? JSON.parse(result.text) : result.body;
    const problem = validateOutput(id, result.status, response);
    if (problem !== undefined) throw new Error(`${id} answered ${problem.pointer} ${problem.message}`);
    return { status: result.status, replayed: 'text' in result && result.replayed, body: response };
  }

  /** Reads the events about a resource from the outbox, oldest first, and validates them against the API contract. */
  async eventsOf(resourceId: string): Promise<{ type: string; resource_version: number; data: unknown }[]> {
    const rows = await this.sql<{ payload: string }[]>`
      select payload from outbox where resource_id = ${resourceId} order by seq`;
    return rows.map(({ payload }) => {
      const event = JSON.parse(payload);
      const problem = validateEvent(event);
      if (problem !== undefined) throw new Error(`event ${problem.pointer} ${problem.message}`);
      return event;
    });
  }

  /** Erases a member as the operator CLI does. @returns whether there was such a member */
  async erase(memberReference: string): Promise<boolean> {
    const erasedAt = await this.admin.begin((tx) => eraseMember(tx, this.caller.tenant, memberReference));
    return erasedAt !== null;
  }

  /** Returns the database's time in epoch milliseconds. */
  async now(): Promise<number> {
    const [row] = await this.sql<{ now: Date }[]>`select platform.now() as now`;
    if (row === undefined) throw new Error('no time');
    return row.now.getTime();
  }

  async close(): Promise<void> {
    await Promise.all([this.sql.end(), this.admin.end()]);
    await this.database.drop();
  }
}

/** Returns the API error with which a promise rejects. @throws Error if it does not reject */
export async function apiErrorOf(work: Promise<unknown>): Promise<{ code: string; message: string }> {
  try {
    await work;
  } catch (error) {
    if (error instanceof ApiError) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error('the call was not rejected');
}
