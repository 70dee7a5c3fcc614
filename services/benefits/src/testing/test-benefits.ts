/**
 * For suites: the handlers of benefits on a database of its own, called as the gateway would, every answer held against the
 * contract. Care is a shelf of bookings, the other side of a port.
 */
import {
  type OperationId,
  type OperationInput,
  type OperationOutput,
  operations,
  problemMessage,
  validateBody,
  validateEvent,
  validateOutput,
} from '@carecover/contract';
import { createTestDatabase, type TestDatabase } from '@carecover/local/testing';
import {
  ApiError,
  type Call,
  type Caller,
  connectPostgres,
  type Handler,
  type Handlers,
  newId,
  notFound,
  requestHash,
  type Sql,
  storedTenant,
  type TemporalCommands,
} from '@carecover/platform';
import type { BookingFacts } from '@carecover/workflow-preauthorization';
import { benefitsHandlers } from '../build';
import { eraseMember } from '../store/erasure';

export const HASH_SECRET = 'a secret of the tests, long enough to be one';

export interface Answered<Id extends OperationId> {
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
  /** The bytes of the body, where a digest of them matters. */
  readonly rawBody?: Buffer;
}

/** A caller with every right, of a new project. */
export function newCaller(overrides: Partial<Caller> = {}): Caller {
  return {
    tenant: storedTenant(newId('prj_')),
    environment: 'sandbox',
    authority: 'key_payer of project prj_payer',
    requestId: '00000000-0000-4000-8000-000000000000',
    resourceIds: null,
    consentDefault: 'granted',
    endpointLimit: 50,
    ...overrides,
  };
}

export class TestBenefits {
  readonly bookings = new Map<string, BookingFacts>();
  caller = newCaller();
  handlers: Handlers;

  private constructor(
    readonly database: TestDatabase,
    readonly sql: Sql,
    /** With the administrator's rights, on the schema of benefits. */
    readonly admin: Sql,
  ) {
    this.handlers = this.handlersWith(null);
  }

  static async open(pool = 20): Promise<TestBenefits> {
    const database = await createTestDatabase({ services: ['benefits'] });
    const adminUrl = new URL(database.adminUrl);
    adminUrl.searchParams.set('search_path', 'benefits,public');
    return new TestBenefits(
      database,
      connectPostgres(database.url('benefits'), pool, 'test'),
      connectPostgres(adminUrl.href, 2, 'test'),
    );
  }

  /** From now on commands go through this engine; without one they are refused as with the engine away. */
  useTemporal(engine: Pick<TemporalCommands, 'command'>): void {
    this.handlers = this.handlersWith(engine);
  }

  private handlersWith(engine: Pick<TemporalCommands, 'command'> | null): Handlers {
    const { sql } = this;
    const absent = { command: () => Promise.reject(new ApiError('service_unavailable', 'No engine.')) };
    return benefitsHandlers({
      sql,
      engine: engine ?? absent,
      workflows: { start: () => undefined },
      readBooking: (_caller, id) => {
        const booking = this.bookings.get(id);
        return booking === undefined ? Promise.reject(notFound()) : Promise.resolve(booking);
      },
      environment: 'sandbox',
      hashSecret: HASH_SECRET,
    });
  }

  /** Calls an operation as the gateway does. @throws ApiError as the service rejects; or where an answer breaks the contract */
  async call<Id extends OperationId>(
    id: Id,
    body: OperationInput<Id>['body'],
    options: CallOptions<Id> = {},
  ): Promise<Answered<Id>> {
    const handler = this.handlers[id] as Handler<Id> | undefined;
    if (handler === undefined) throw new Error(`benefits does not answer ${id}`);
    const checked = validateBody(id, body);
    if (!checked.ok) throw new Error(problemMessage(checked.problems));
    const operation = operations[id];
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name) =>
      String(Reflect.get(options.params ?? {}, name)),
    );
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
    const answer = 'text' in result ? JSON.parse(result.text) : result.body;
    const problem = validateOutput(id, result.status, answer);
    if (problem !== undefined) throw new Error(`${id} answered ${problem.pointer} ${problem.message}`);
    return { status: result.status, replayed: 'text' in result && result.replayed, body: answer };
  }

  /** The events of a resource that wait in the outbox, oldest first, each held against the contract. */
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

  /** Erases a member as the operator's tool does; false where there is none. */
  async erase(memberReference: string): Promise<boolean> {
    const erasedAt = await this.admin.begin((tx) => eraseMember(tx, this.caller.tenant, memberReference));
    return erasedAt !== null;
  }

  /** The clock of the rules. */
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

/** What a promise rejects with; an answer in its place is an error. */
export async function apiErrorOf(work: Promise<unknown>): Promise<{ code: string; message: string }> {
  try {
    await work;
  } catch (error) {
    if (error instanceof ApiError) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error('it was not refused');
}
