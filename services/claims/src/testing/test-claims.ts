/**
 * Starts the claims service for tests: called over HTTP as the gateway calls it, with a database of its own, the real workflow on a
 * Temporal server, and the other services replaced in memory. Every response is validated against the API contract.
 */
import type { OperationId } from '@carecover/contract';
import { createTestDatabase, type TestDatabase } from '@carecover/local/testing';
import {
  asActivities,
  connectPostgres,
  createLog,
  createServiceApp,
  type Sql,
  type Sweep,
  startHttpServer,
  TemporalCommands,
  type Tenant,
  WorkflowReviews,
} from '@carecover/platform';
import { workflowBundle } from '@carecover/platform/bundle';
import {
  type Answered,
  type Asked,
  askOperatorRoute,
  askService,
  pendingCommand,
  SERVICE_SECRET,
  sendToService,
  TEST_ISSUER_KEYS,
} from '@carecover/platform/testing';
import { type ClaimCommand, claimWorkflow } from '@carecover/workflow-claim/definition';
import { valuationWorkflow } from '@carecover/workflow-valuation/definition';
import { DefaultLogger, makeTelemetryFilterString, Runtime, Worker } from '@temporalio/worker';
import { claimSteps, claimsForRemittances, valuationSteps } from '../activities';
import { claimsHandlers } from '../routes/claims';
import { operatorRoutes } from '../routes/operator';
import { valuationRunHandlers } from '../routes/valuation-runs';
import { claimsSweeps, reviewedWorkflows } from '../sweeps';
import { OtherServices } from './other-services';
import { type TestTemporal, timeSkippingTemporal } from './test-temporal';

const POOL = 30;

export interface TestClaims {
  readonly database: TestDatabase;
  /** Connection with the database role of the claims service. */
  readonly sql: Sql;
  readonly engine: TemporalCommands;
  readonly environment: TestTemporal;
  readonly others: OtherServices;
  readonly activities: ReturnType<typeof claimSteps> & ReturnType<typeof claimsForRemittances>;
  readonly sweeps: readonly Sweep[];
  /** Sends a request of a project and returns the response. */
  ask(tenant: Tenant, operation: OperationId, asked: Asked): Promise<Answered>;
  /** Sends a GET request for a project to a route for operators, and returns the response. */
  operator(tenant: Tenant, path: string, issuer?: 'console' | 'gateway'): ReturnType<typeof askOperatorRoute>;
  /** Does the same as {@link ask}, without reading the response's body. */
  send(tenant: Tenant, operation: OperationId, asked: Asked): Promise<Response>;
  /** Inserts a command row without sending the command, as if the process had ended after the insert. Returns the command's ID. */
  pendingCommand(
    tenant: Tenant,
    operation: ClaimCommand,
    claimId: string,
    body: object,
    key?: string,
  ): Promise<string>;
  /** Advances the clocks of Temporal and of the database. */
  pass(ms: number): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the Temporal worker of claims, with the other services replaced in memory; `stop` waits until its tasks have ended. */
async function startWorker(
  environment: TestTemporal,
  activities: object,
  { care, benefits }: OtherServices,
): Promise<{ stop(): Promise<void> }> {
  const worker = await Worker.create({
    connection: environment.nativeConnection,
    taskQueue: 'claims',
    workflowBundle: { codePath: await workflowBundle('claim', 'valuation') },
    activities: asActivities({ ...activities, ...care, ...benefits }),
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
  const engine = TemporalCommands.over(environment.client);
  const others = new OtherServices();
  const steps = claimSteps(sql, others.care.sessionForClaim, others.payments);
  const worker = await startWorker(environment, { ...steps, ...valuationSteps(sql) }, others);
  const reviews = new WorkflowReviews(sql, engine, createLog('claims', 'silent'), reviewedWorkflows);
  const reviewing = reviews.start();
  const activities = { ...steps, ...claimsForRemittances(sql, () => reviews.notify()) };
  const log = createLog('claims', 'silent');
  const readPayersFor = () => async (payerIds: readonly string[]) => others.payerReferences(payerIds);
  const app = createServiceApp({
    service: 'claims',
    handlers: {
      ...claimsHandlers(sql, engine, readPayersFor),
      ...valuationRunHandlers(sql, (run) => void engine.ensureRunning(valuationWorkflow, run), readPayersFor),
    },
    operator: operatorRoutes(sql, engine),
    contextKeys: TEST_ISSUER_KEYS,
    hashSecret: SERVICE_SECRET,
    log,
    ready: async () => undefined,
  });
  const server = await startHttpServer(app, '127.0.0.1', 0);
  let offsetMs = 0;

  return {
    database,
    sql,
    engine,
    environment,
    others,
    activities,
    sweeps: claimsSweeps(sql, engine, log),
    ask: (tenant, operation, asked) => askService(server.port, tenant, operation, asked),
    operator: (tenant, path, issuer = 'console') =>
      askOperatorRoute('claims', server.port, tenant, 'GET', path, { issuer }),
    send: (tenant, operation, asked) => sendToService(server.port, tenant, operation, asked),
    pendingCommand: (tenant, operation, claimId, body, key) =>
      pendingCommand(
        sql,
        tenant,
        { operation, update: claimWorkflow.updates[operation] },
        claimId,
        body,
        key,
      ),
    async pass(ms) {
      offsetMs += ms;
      await database.setClockOffset(offsetMs);
      await environment.sleep(ms);
    },
    async stop() {
      await server.close();
      await reviewing.stop();
      await worker.stop();
      await environment.teardown();
      await sql.end();
      await database.drop();
    },
  };
}
