/**
 * Starts the payments service for tests: over HTTP with signed contexts, with its worker on a Temporal server and the claims service
 * replaced.
 */
import type { OperationId } from '@carecover/contract';
import {
  ApiError,
  asActivities,
  createLog,
  createServiceApp,
  installRuntime,
  type Sql,
  startHttpServer,
  storedTenant,
  TemporalCommands,
} from '@carecover/platform';
import { workflowBundle } from '@carecover/platform/bundle';
import {
  type Answered,
  type Asked,
  askOperatorRoute,
  askService,
  SERVICE_SECRET,
  TEST_ISSUER_KEYS,
} from '@carecover/platform/testing';
import type { Client } from '@temporalio/client';
import { type NativeConnection, Worker } from '@temporalio/worker';
import { paymentsActivities } from '../activities';
import { paymentsHandlers } from '../build';
import { operatorRoutes } from '../routes/operator';
import { remittanceSweeps } from '../sweeps';
import { WAIT_MS } from './bookkeeper';
import { ClaimsRecorder } from './claims-recorder';

interface Request extends Asked {
  /** The tenant of the request; by default the one with which the service was started. */
  readonly tenant?: string;
}

/** Suppresses the log of the Temporal SDK in tests. Call this before the first connection. */
export function silenceTemporalLog(): void {
  installRuntime(createLog('test', 'silent'));
}

export class RunningPayments {
  private readonly sweeps;

  private constructor(
    sql: Sql,
    readonly tenant: string,
    temporal: TemporalCommands,
    readonly claims: ClaimsRecorder,
    private readonly running: { readonly worker: Worker; readonly done: Promise<void> },
    private readonly server: Awaited<ReturnType<typeof startHttpServer>>,
  ) {
    this.sweeps = remittanceSweeps(sql, temporal, createLog('test', 'silent'));
  }

  static async start(
    sql: Sql,
    tenant: string,
    { client, nativeConnection }: { client: Client; nativeConnection: NativeConnection },
  ): Promise<RunningPayments> {
    const claims = new ClaimsRecorder();
    const { knownClaims, recordRemittance, recordSettlement } = claims;
    const worker = await Worker.create({
      connection: nativeConnection,
      taskQueue: 'payments',
      workflowBundle: { codePath: await workflowBundle('remittance') },
      activities: asActivities({
        ...paymentsActivities(sql, WAIT_MS),
        ...{ knownClaims, recordRemittance, recordSettlement },
      }),
    });
    const running = { worker, done: worker.run() };
    const temporal = TemporalCommands.over(client);
    const app = createServiceApp({
      service: 'payments',
      handlers: paymentsHandlers(sql, temporal),
      operator: operatorRoutes(sql, temporal),
      contextKeys: TEST_ISSUER_KEYS,
      hashSecret: SERVICE_SECRET,
      log: createLog('payments', 'silent'),
      ready: async () => undefined,
    });
    return new RunningPayments(
      sql,
      tenant,
      temporal,
      claims,
      running,
      await startHttpServer(app, '127.0.0.1', 0),
    );
  }

  async stop(): Promise<void> {
    await this.server.close();
    this.running.worker.shutdown();
    await this.running.done;
  }

  /** Calls an operation of the API for a project. @throws ApiError if the response is an API error */
  async call(operation: OperationId, { tenant = this.tenant, ...asked }: Request = {}): Promise<Answered> {
    const answer = await askService(this.server.port, storedTenant(tenant), operation, asked);
    if (answer.code === undefined) return answer;
    const { code, message } = answer.body.error;
    throw new ApiError(code, message);
  }

  /** Calls an operators' route for a project. */
  operator(
    tenant: string,
    method: 'GET' | 'POST',
    path: string,
    asked?: Parameters<typeof askOperatorRoute>[5],
  ) {
    return askOperatorRoute('payments', this.server.port, storedTenant(tenant), method, path, asked);
  }

  async sweep(): Promise<void> {
    for (const { run } of this.sweeps) await run();
  }
}
