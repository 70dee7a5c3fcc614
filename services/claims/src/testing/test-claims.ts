/**
 * For suites: the claims service over HTTP as the gateway asks it, on a database of its own, with the real workflow on a
 * real engine and the other services in memory. Every answer is held to the contract.
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
  askService,
  pendingCommand,
  SERVICE_SECRET,
} from '@carecover/platform/testing';
import { type ClaimCommand, claimWorkflow } from '@carecover/workflow-claim/definition';
import { DefaultLogger, makeTelemetryFilterString, Runtime, Worker } from '@temporalio/worker';
import { claimSteps, claimsForRemittances } from '../activities';
import { claimsHandlers } from '../routes/claims';
import { claimsSweeps, reviewedWorkflows } from '../sweeps';
import { OtherServices } from './other-services';
import { type TestTemporal, timeSkippingTemporal } from './test-temporal';

const POOL = 30;

export interface TestClaims {
  readonly database: TestDatabase;
  /** Connected as the service's role. */
  readonly sql: Sql;
  readonly engine: TemporalCommands;
  readonly environment: TestTemporal;
  readonly others: OtherServices;
  readonly activities: ReturnType<typeof claimSteps> & ReturnType<typeof claimsForRemittances>;
  readonly sweeps: readonly Sweep[];
  /** Sends a request with a project's key. */
  ask(tenant: Tenant, operation: OperationId, asked: Asked): Promise<Answered>;
  /** Inserts a command as a process leaves it that ends before it sends the Update. Returns the command's ID. */
  pendingCommand(
    tenant: Tenant,
    operation: ClaimCommand,
    claimId: string,
    body: object,
    key?: string,
  ): Promise<string>;
  /** Lets this long pass, for Temporal and the database alike. */
  pass(ms: number): Promise<void>;
  stop(): Promise<void>;
}

/** The worker, with the other services in memory; `stop` waits until it has drained. */
async function startWorker(
  environment: TestTemporal,
  activities: object,
  { care, benefits, payments }: OtherServices,
): Promise<{ stop(): Promise<void> }> {
  const worker = await Worker.create({
    connection: environment.nativeConnection,
    taskQueue: 'claims',
    workflowBundle: { codePath: await workflowBundle('claim') },
    activities: asActivities({ ...activities, ...care, ...benefits, ...payments }),
  });
  const running = worker.run();
  return {
    async stop() {
      worker.shutdown();
      await running;
    },
  };
}

/** @param startTemporal time-skipping Temporal, unless given */
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
  const steps = claimSteps(sql, others.care.sessionForClaim);
  const worker = await startWorker(environment, steps, others);
  const reviews = new WorkflowReviews(sql, engine, createLog('claims', 'silent'), reviewedWorkflows);
  const reviewing = reviews.start();
  const activities = { ...steps, ...claimsForRemittances(sql, () => reviews.notify()) };
  const log = createLog('claims', 'silent');
  const app = createServiceApp({
    service: 'claims',
    handlers: claimsHandlers(sql, engine),
    contextSecrets: [SERVICE_SECRET],
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
