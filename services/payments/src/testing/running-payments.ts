/** The payments service with its worker against an engine, called through its handlers as the server calls them. */
import { type OperationId, operationList } from '@carecover/contract';
import {
  asActivities,
  type Call,
  type Caller,
  createLog,
  Engine,
  type Handler,
  installRuntime,
  newId,
  type Reply,
  requestHash,
  type Sql,
  storedTenant,
} from '@carecover/platform';
import { workflowBundle } from '@carecover/platform/bundle';
import type { Client } from '@temporalio/client';
import { type NativeConnection, Worker } from '@temporalio/worker';
import { paymentsActivities } from '../activities';
import { paymentsHandlers } from '../build';
import { paymentsSweeps } from '../sweeps';
import { WAIT_MS } from './bookkeeper';
import { ClaimsRecorder } from './claims-recorder';

interface Request {
  readonly params?: object;
  readonly query?: object;
  readonly body?: object;
  readonly key?: string;
  /** By default the service's under test. */
  readonly tenant?: string;
  readonly resourceIds?: readonly string[];
}

/** Keeps the engine's own lines out of a test's output. Before the first connection to it. */
export function quietEngine(): void {
  installRuntime(createLog('test', 'silent'));
}

export class RunningPayments {
  private readonly handlers;
  private readonly sweeps;

  private constructor(
    sql: Sql,
    readonly tenant: string,
    engine: Engine,
    readonly claims: ClaimsRecorder,
    private readonly workers: readonly { worker: Worker; done: Promise<void> }[],
  ) {
    this.handlers = paymentsHandlers(sql, engine);
    this.sweeps = paymentsSweeps(sql, engine, createLog('test', 'silent'));
  }

  static async start(
    sql: Sql,
    tenant: string,
    { client, nativeConnection }: { client: Client; nativeConnection: NativeConnection },
  ): Promise<RunningPayments> {
    const claims = new ClaimsRecorder();
    const { knownClaims, recordRemittance, recordSettlement } = claims;
    const workers = [
      await Worker.create({
        connection: nativeConnection,
        taskQueue: 'payments',
        workflowBundle: { codePath: await workflowBundle('remittance') },
        activities: asActivities(paymentsActivities(sql, WAIT_MS)),
      }),
      await Worker.create({
        connection: nativeConnection,
        taskQueue: 'claims',
        activities: asActivities({ knownClaims, recordRemittance, recordSettlement }),
      }),
    ].map((worker) => ({ worker, done: worker.run() }));
    return new RunningPayments(sql, tenant, Engine.over(client), claims, workers);
  }

  async stop(): Promise<void> {
    for (const { worker } of this.workers) worker.shutdown();
    await Promise.all(this.workers.map(({ done }) => done));
  }

  /** Calls an operation; gives what the server would send. @throws Refusal */
  async call<Id extends OperationId>(operation: Id, request: Request = {}) {
    const handler = this.handlers[operation] as Handler<Id> | undefined;
    const definition = operationList.find(({ id }) => id === operation);
    if (handler === undefined || definition === undefined) throw new Error(`no handler of ${operation}`);
    const caller: Caller = {
      tenant: storedTenant(request.tenant ?? this.tenant),
      environment: 'sandbox',
      authority: 'key_test',
      requestId: '00000000-0000-4000-8000-000000000000',
      resourceIds: request.resourceIds ?? null,
      consentDefault: 'granted',
    };
    const { params = {}, query = {}, body = null } = request;
    const path = `${definition.path}${JSON.stringify(params)}`;
    const call = {
      operation,
      caller,
      params,
      query,
      body,
      idempotencyKey: request.key ?? newId('key-'),
      requestHash: requestHash(path, body, 'a secret of thirty-two characters'),
      replayStatus: definition.replayStatus,
    };
    const result = await handler(call as unknown as Call<Id>);
    const { status } = result;
    if (!('text' in result)) return { status, body: result.body as Resource, replayed: false };
    const reply: Reply = result;
    return { status, body: JSON.parse(reply.text) as Resource, replayed: reply.replayed };
  }

  async sweep(): Promise<void> {
    for (const { run } of this.sweeps) await run();
  }
}

/** What tests look at of any resource. */
interface Resource {
  readonly id: string;
  readonly status: string;
  readonly data: readonly Resource[];
  readonly has_more: boolean;
  readonly [field: string]: unknown;
}
