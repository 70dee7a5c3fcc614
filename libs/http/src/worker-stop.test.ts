/** A worker stops in time although a step waits for a server that does not answer, and another worker repeats the step. */
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectPostgres, type Sql } from '@carecover/postgres';
import { createLog } from '@carecover/telemetry';
import { installRuntime, startWorker, TemporalRuns } from '@carecover/temporal';
import { bundleWorkflows } from '@carecover/temporal/bundle';
import {
  createTestDatabase,
  eventually,
  startBlackHole,
  startDevTemporal,
  type TestDatabase,
} from '@carecover/testing/servers';
import type { WaitingSteps } from '@carecover/testing/services';
import { newTenant, signerOf, testCaller } from '@carecover/testing/services';
import { ServiceClient } from './service-client';

/** Maximum time in milliseconds for a stop: the grace period of the steps, and some more for a busy machine. */
const STOP_MS = 9_000;
const LOCK = 1_000_001;
const KINDS = ['waitingInTask', 'waitingOnQueue'] as const;
const STEPS = ['waitForNothing', 'waitForService', 'waitForDatabase'] as const;

let temporal: Awaited<ReturnType<typeof startDevTemporal>>;
let database: TestDatabase;
let temporalRuns: TemporalRuns;
let folder: string;
let sql: Sql;
/** Ends the session that holds the lock for which steps wait. */
let releaseLock: () => void = () => undefined;
let silent: Server;
let service: ServiceClient;
/** The number of requests that wait for the silent service. */
let waitingRequests = 0;

beforeAll(async () => {
  installRuntime(createLog('test', 'silent'));
  [temporal, database] = await Promise.all([
    startDevTemporal(),
    createTestDatabase({ services: ['claims'] }),
  ]);
  temporalRuns = TemporalRuns.create({ TEMPORAL_ADDRESS: temporal.address, TEMPORAL_NAMESPACE: 'default' });
  sql = connectPostgres(database.url('claims'), 4, 'test');
  await holdLock();
  silent = createServer((request) => {
    waitingRequests += 1;
    request.once('close', () => {
      waitingRequests -= 1;
    });
  });
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  const { port } = silent.address() as AddressInfo;
  service = new ServiceClient('care', [`http://127.0.0.1:${port}`], signerOf('claims'));
  folder = mkdtempSync(join(tmpdir(), 'carecover-stop-'));
  const bundle = await bundleWorkflows([join(__dirname, '../../testing/src/services/waiting-workflows.ts')]);
  writeFileSync(join(folder, 'bundle.js'), bundle);
});
afterAll(async () => {
  silent?.closeAllConnections();
  silent?.close();
  await service?.close();
  releaseLock();
  await sql?.end({ timeoutMs: 1_000 });
  await temporalRuns?.close();
  await temporal?.stop();
  await database?.drop();
  rmSync(folder, { recursive: true });
});

async function holdLock(): Promise<void> {
  const holder = connectPostgres(database.url('claims'), 1, 'holder');
  const released = new Promise<void>((resolve) => {
    releaseLock = resolve;
  });
  await new Promise<void>((resolve, reject) => {
    holder
      .session(async (session) => {
        await session`select pg_advisory_lock(${LOCK})`;
        resolve();
        await released;
      })
      .then(() => holder.end(), reject);
  });
}

function startTestWorker(taskQueue: string, activities: WaitingSteps, address = temporal.address) {
  return startWorker({
    temporal: { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: 'default' },
    taskQueue,
    activities,
    bundlePath: join(folder, 'bundle.js'),
    identity: taskQueue,
    log: createLog('test', 'silent'),
  });
}

/** The steps of a worker, which wait for what does not answer. `started` is called when a step starts. */
function waitingSteps(started: () => void): WaitingSteps {
  const waitFor = (work: () => PromiseLike<unknown>) => async () => {
    started();
    await work();
    return 'answered';
  };
  return {
    waitForNothing: waitFor(() => new Promise(() => undefined)),
    waitForService: waitFor(() => service.post(testCaller(newTenant()), '/silence', {})),
    waitForDatabase: waitFor(() => sql.begin((tx) => tx`select pg_advisory_xact_lock(${LOCK})`)),
  };
}

const answeringSteps: WaitingSteps = {
  waitForNothing: async () => 'repeated',
  waitForService: async () => 'repeated',
  waitForDatabase: async () => 'repeated',
};

async function millisecondsOf(work: Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work;
  return performance.now() - startedMs;
}

test.each(KINDS)(
  'a worker stops although its steps, %s, do not end, and another one repeats them',
  async (kind) => {
    let count = 0;
    const worker = startTestWorker(
      kind,
      waitingSteps(() => (count += 1)),
    );
    const start = (step: string) =>
      temporalRuns.client.workflow.start(kind, {
        workflowId: `${kind}-${step}`,
        taskQueue: kind,
        args: [step],
      });
    const runs = await Promise.all(STEPS.map(start));
    await eventually('the steps have started', async () => count >= STEPS.length);
    expect(await millisecondsOf(worker.stop())).toBeLessThan(STOP_MS);
    // The request and the statement of the steps have ended too.
    await eventually('nothing waits', async () => waitingRequests === 0 && sql.use().busy === 0);

    const next = startTestWorker(kind, answeringSteps);
    expect(await Promise.all(runs.map((run) => run.result()))).toEqual(STEPS.map(() => 'repeated'));
    await next.stop();
  },
);

test('a step that ends within the grace period is not interrupted', async () => {
  let end: (value: string) => void = () => undefined;
  let isRunning = false;
  const worker = startTestWorker('ending', {
    ...answeringSteps,
    waitForNothing: () =>
      new Promise((resolve) => {
        isRunning = true;
        end = resolve;
      }),
  });
  const run = await temporalRuns.client.workflow.start('waitingInTask', {
    workflowId: 'ending',
    taskQueue: 'ending',
    args: ['waitForNothing'],
  });
  await eventually('the step has started', async () => isRunning);
  const stopped = worker.stop();
  setTimeout(() => end('in time'), 2_000);
  expect(await millisecondsOf(stopped)).toBeLessThan(STOP_MS);
  expect(await run.result()).toBe('in time');
});

test('a worker that connects to a Temporal that does not answer stops', async () => {
  const hole = await startBlackHole();
  const worker = startTestWorker('unconnected', answeringSteps, new URL(hole.url).host);
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(await millisecondsOf(worker.stop())).toBeLessThan(STOP_MS);
  await hole.close();
});
