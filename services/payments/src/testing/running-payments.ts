/**
 * Starts the payments service for tests: over HTTP with signed contexts, with its worker on a Temporal server and the claims service
 * replaced.
 */
import type { OperationId } from '@carecover/contract';
import { ApiError, storedTenant } from '@carecover/domain';
import { createServiceApp, startHttpServer } from '@carecover/http';
import type { Sql } from '@carecover/postgres';
import type { Stoppable } from '@carecover/process';
import { createLog } from '@carecover/telemetry';
import { asActivities, installRuntime, TemporalRuns, WorkflowSignals } from '@carecover/temporal';
import { workflowBundle } from '@carecover/temporal/bundle';
import {
  type Answered,
  type Asked,
  askOperatorRoute,
  askService,
  SERVICE_SECRET,
  TEST_ISSUER_KEYS,
} from '@carecover/testing/services';
import type { Client } from '@temporalio/client';
import { type NativeConnection, Worker } from '@temporalio/worker';
import { remittanceSteps } from '../activities';
import { paymentsHandlers } from '../build';
import { operatorRoutes } from '../routes/operator';
import { remittanceSweeps, signalTarget } from '../sweeps';
import type { CreationDeps } from '../use-cases/record-advice';
import { WAIT_MS } from './bookkeeper';
import { ClaimsRecorder } from './claims-recorder';

interface Request extends Asked {
  /** The tenant of the request; by default the one with which the service was started. */
  readonly tenant?: string;
}

/** Longer than a command takes, so that the changes of consecutive commands in a test can be one signal. */
const SIGNAL_DELAY_MS = 50;

/** Suppresses the log of the Temporal SDK in tests. Call this before the first connection. */
export function silenceTemporalLog(): void {
  installRuntime(createLog('test', 'silent'));
}

export class RunningPayments {
  private readonly sweeps;

  private constructor(
    readonly tenant: string,
    readonly claims: ClaimsRecorder,
    deps: CreationDeps,
    private readonly running: { readonly worker: Worker; readonly done: Promise<void> },
    private readonly signalling: Stoppable,
    private readonly server: Awaited<ReturnType<typeof startHttpServer>>,
    temporal: TemporalRuns,
  ) {
    this.sweeps = remittanceSweeps(deps, temporal, createLog('test', 'silent'));
  }

  static async start(
    sql: Sql,
    tenant: string,
    { client, nativeConnection }: { client: Client; nativeConnection: NativeConnection },
  ): Promise<RunningPayments> {
    const claims = new ClaimsRecorder();
    const log = createLog('test', 'silent');
    const temporal = TemporalRuns.over(client);
    const settings = {
      WORKFLOW_SIGNAL_DELAY_MS: SIGNAL_DELAY_MS,
      WORKFLOW_SIGNALS_AT_ONCE: 10,
      WORKFLOW_SIGNALS_PER_SECOND: 1_000,
    };
    const signals = new WorkflowSignals(sql, temporal, log, settings, signalTarget);
    const deps = { sql, claims, waitMs: WAIT_MS, notifySignals: () => signals.notify() };
    const worker = await Worker.create({
      connection: nativeConnection,
      taskQueue: 'payments',
      workflowBundle: { codePath: await workflowBundle('remittance') },
      activities: asActivities(remittanceSteps(deps)),
    });
    const running = { worker, done: worker.run() };
    const app = createServiceApp({
      service: 'payments',
      handlers: paymentsHandlers(deps),
      operator: operatorRoutes(deps),
      contextKeys: TEST_ISSUER_KEYS,
      hashSecret: SERVICE_SECRET,
      log: createLog('payments', 'silent'),
      ready: async () => undefined,
    });
    const server = await startHttpServer(app, '127.0.0.1', 0);
    return new RunningPayments(tenant, claims, deps, running, signals.start(), server, temporal);
  }

  async stop(): Promise<void> {
    await this.server.close();
    await this.signalling.stop();
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

  /** Runs the sweeps that need no list of workflows, which the time-skipping server does not have. */
  async deliverySweeps(): Promise<void> {
    for (const { name, run } of this.sweeps) if (!name.includes('workflow')) await run();
  }
}
