/**
 * Starts the claims service for tests: called over HTTP as the gateway calls it, with a database of its own, the real workflow on a
 * Temporal server, and the other services replaced in memory. Every response is validated against the API contract.
 */
import type { OperationId } from '@carecover/contract';
import type { Tenant } from '@carecover/domain';
import { createServiceApp, startHttpServer } from '@carecover/http';
import { atProjectTime, connectPostgres, type Sql } from '@carecover/postgres';
import type { Sweep } from '@carecover/process';
import { createLog } from '@carecover/telemetry';
import { asActivities, TemporalRuns, WorkflowSignals } from '@carecover/temporal';
import { workflowBundle } from '@carecover/temporal/bundle';
import { createTestDatabase, eventually, type TestDatabase } from '@carecover/testing/servers';
import {
  type Answered,
  type Asked,
  askOperatorRoute,
  askService,
  pendingCommand,
  SERVICE_SECRET,
  sendToService,
  TEST_ISSUER_KEYS,
} from '@carecover/testing/services';
import { bulkJobWorkflow } from '@carecover/workflow-bulk-job/definition';
import { valuationWorkflow } from '@carecover/workflow-valuation/definition';
import { WorkflowNotFoundError } from '@temporalio/client';
import { DefaultLogger, makeTelemetryFilterString, Runtime, Worker } from '@temporalio/worker';
import { bulkJobSteps, claimSteps, claimsForPayments, valuationSteps } from '../activities';
import { bulkJobHandlers } from '../routes/bulk-jobs';
import { claimsHandlers } from '../routes/claims';
import { operatorRoutes } from '../routes/operator';
import { valuationRunHandlers } from '../routes/valuation-runs';
import { claimsSweeps, signalTarget } from '../sweeps';
import type { ClaimCommandDeps } from '../use-cases/claim-command';
import { bulkLineLimits } from '../use-cases/execute-bulk-lines';
import { withExecutors } from '../use-cases/executors';
import { OtherServices } from './other-services';
import { type TestTemporal, timeSkippingTemporal } from './test-temporal';

const POOL = 30;

/** Signals are sent soon after a commit, so that tests need not wait for them. */
const SIGNAL_SETTINGS = {
  WORKFLOW_SIGNAL_DELAY_MS: 20,
  WORKFLOW_SIGNALS_AT_ONCE: 20,
  WORKFLOW_SIGNALS_PER_SECOND: 1_000,
} as const;

export interface TestClaims {
  readonly database: TestDatabase;
  /** Connection with the database role of the claims service. */
  readonly sql: Sql;
  /** What the use cases of commands on claims call. */
  readonly deps: ClaimCommandDeps;
  readonly runs: TemporalRuns;
  /**
   * Reads the status of the newest run of a claim, in lower case; null if there is none. Unlike the requests of {@link runs}, this one has no
   * deadline, which a server on a busy machine can miss.
   */
  runStatus(claimId: string): Promise<string | null>;
  readonly signals: WorkflowSignals;
  readonly environment: TestTemporal;
  readonly others: OtherServices;
  readonly activities: ReturnType<typeof claimSteps> & ReturnType<typeof claimsForPayments>;
  readonly sweeps: readonly Sweep[];
  /** Sends a request of a project and returns the response. */
  ask(tenant: Tenant, operation: OperationId, asked: Asked): Promise<Answered>;
  /** Sends a GET request for a project to a route for operators, with a body a POST request, and returns the response. */
  operator(
    tenant: Tenant,
    path: string,
    issuer?: 'console' | 'gateway',
    body?: object,
  ): ReturnType<typeof askOperatorRoute>;
  /** Does the same as {@link ask}, without reading the response's body. */
  send(tenant: Tenant, operation: OperationId, asked: Asked): Promise<Response>;
  /**
   * Inserts the command row of a command with several steps, as if its process had ended before the first step and its lease had ended.
   * Returns the command's ID.
   */
  pendingCommand(
    tenant: Tenant,
    operation: OperationId,
    claimId: string,
    body: object,
    key?: string,
  ): Promise<string>;
  /** Waits until all enqueued signals to workflows are sent. */
  signalsSent(): Promise<void>;
  /** Runs all sweeps once. */
  sweep(): Promise<void>;
  /** Waits until all enqueued signals are sent, and advances the clocks of Temporal and of the database. */
  pass(ms: number): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a Temporal worker of claims, with the other services replaced in memory; `stop` waits until its tasks have ended. */
async function startWorker(
  environment: TestTemporal,
  activities: object,
): Promise<{ stop(): Promise<void> }> {
  const worker = await Worker.create({
    connection: environment.nativeConnection,
    taskQueue: 'claims',
    workflowBundle: { codePath: await workflowBundle('claim', 'valuation', 'bulk-job') },
    activities: asActivities(activities),
  });
  const running = worker.run();
  return {
    async stop() {
      worker.shutdown();
      await running;
    },
  };
}

/**
 * Starts the claims service and its Temporal worker for a test suite.
 *
 * @param startTemporal starts the Temporal server; by default one that skips time
 */
export async function startTestClaims(
  startTemporal: () => Promise<TestTemporal> = timeSkippingTemporal,
): Promise<TestClaims> {
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' }) } },
  });
  const database = await createTestDatabase({ services: ['claims'] });
  const sql = connectPostgres(database.url('claims'), POOL, 'claims-test');
  const environment = await startTemporal();
  const runs = TemporalRuns.over(environment.client);
  const others = new OtherServices();
  const log = createLog('claims', 'silent');
  const signals = new WorkflowSignals(sql, runs, log, SIGNAL_SETTINGS, signalTarget);
  const { care, benefits, payments } = others;
  const deps = withExecutors({ sql, care, benefits, payments, notifySignals: () => signals.notify() });
  const steps = claimSteps(deps);
  const worker = await startWorker(environment, {
    ...steps,
    ...valuationSteps(sql),
    ...bulkJobSteps({ ...deps, ...bulkLineLimits(4) }),
  });
  const signalling = signals.start();
  const readPayersFor = () => async (payerIds: readonly string[]) => others.payerReferences(payerIds);
  const app = createServiceApp({
    service: 'claims',
    handlers: {
      ...claimsHandlers(deps, readPayersFor),
      ...bulkJobHandlers({
        sql,
        hashSecret: SERVICE_SECRET,
        signalWorkflow: (job) => void runs.signalOrStart(bulkJobWorkflow, job, []),
      }),
      ...valuationRunHandlers(sql, (run) => void runs.ensureRunning(valuationWorkflow, run), readPayersFor),
    },
    operator: operatorRoutes(sql, runs, readPayersFor),
    contextKeys: TEST_ISSUER_KEYS,
    hashSecret: SERVICE_SECRET,
    log,
    atProjectTime: (project, work) => atProjectTime(sql, project, work),
    ready: async () => undefined,
  });
  const server = await startHttpServer(app, '127.0.0.1', 0);
  const sweeps = claimsSweeps(deps, runs, log);
  let offsetMs = 0;

  async function signalsSent(): Promise<void> {
    await eventually('all signals are sent', async () => {
      signals.notify();
      return (await sql`select 1 from workflow_signals limit 1`).length === 0;
    });
  }

  return {
    database,
    sql,
    deps,
    runs,
    async runStatus(claimId) {
      try {
        const { status } = await environment.client.workflow.getHandle(claimId).describe();
        return status.name.toLowerCase();
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return null;
        throw error;
      }
    },
    signals,
    environment,
    others,
    activities: { ...steps, ...claimsForPayments(sql, deps.notifySignals) },
    sweeps,
    ask: (tenant, operation, asked) => askService(server.port, tenant, operation, asked),
    operator: (tenant, path, issuer = 'console', body) =>
      askOperatorRoute('claims', server.port, tenant, body === undefined ? 'GET' : 'POST', path, {
        issuer,
        ...(body && { body }),
      }),
    send: (tenant, operation, asked) => sendToService(server.port, tenant, operation, asked),
    pendingCommand: (tenant, operation, claimId, body, key) =>
      pendingCommand(sql, tenant, operation, claimId, body, key),
    signalsSent,
    async sweep() {
      for (const { run } of sweeps) await run();
    },
    async pass(ms) {
      await signalsSent();
      offsetMs += ms;
      await database.setClockOffset(offsetMs);
      await environment.sleep(ms);
    },
    async stop() {
      await server.close();
      await signalling.stop();
      await worker.stop();
      await environment.teardown();
      await sql.end();
      await database.drop();
    },
  };
}
