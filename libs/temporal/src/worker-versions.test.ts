import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  promoteWorkers,
  readWorkerVersions,
  WORKER_DEPLOYMENTS,
  WorkerVersionError,
} from '@carecover/setup/worker-versions';
import { createLog } from '@carecover/telemetry';
import { eventually, startDevTemporal } from '@carecover/testing/servers';
import { listMissingRun } from '@carecover/testing/services';
import { bundleWorkflows } from './bundle-workflow';
import { TemporalRuns } from './temporal';
import { installRuntime, startWorker } from './worker';

/** Maximum time in milliseconds to wait for the end of runs that are pinned to another release. */
const WAIT_MS = 60_000;

let temporal: Awaited<ReturnType<typeof startDevTemporal>>;
let commands: TemporalRuns;
let folder: string;
let settings: { TEMPORAL_ADDRESS: string; TEMPORAL_NAMESPACE: string };
const running = new Map<string, { stop(): Promise<void> }[]>();

beforeAll(async () => {
  installRuntime(createLog('test', 'silent'));
  temporal = await startDevTemporal();
  settings = { TEMPORAL_ADDRESS: temporal.address, TEMPORAL_NAMESPACE: 'default' };
  commands = TemporalRuns.create(settings);
  folder = mkdtempSync(join(tmpdir(), 'carecover-versions-'));
  const sources = [join(__dirname, '../../testing/src/services/versioned-workflows.ts')];
  writeFileSync(join(folder, 'bundle.js'), await bundleWorkflows(sources));
});
afterAll(async () => {
  for (const release of [...running.keys()]) await stopWorkers(release);
  await commands?.close();
  await temporal?.stop();
  rmSync(folder, { recursive: true });
});

/** Starts one worker per service with workflows, each with the build ID `release`. */
function startWorkers(release: string): void {
  const workers = WORKER_DEPLOYMENTS.map((taskQueue) =>
    startWorker({
      temporal: { ...settings, WORKER_BUILD_ID: release },
      taskQueue,
      activities: { release: async () => release },
      bundlePath: join(folder, 'bundle.js'),
      identity: release,
      log: createLog('test', 'silent'),
    }),
  );
  running.set(release, workers);
}

async function stopWorkers(release: string): Promise<void> {
  await Promise.all((running.get(release) ?? []).map((worker) => worker.stop()));
  running.delete(release);
}

/** Starts a workflow, and waits until a worker has executed its first step. */
async function startRun(type: 'pinned' | 'upgraded', workflowId: string) {
  const run = await commands.client.workflow.start(type, { taskQueue: 'claims', workflowId, args: [] });
  await eventually('the run has started', async () => (await run.describe()).historyLength > 4);
  return run;
}

const currentReleases = async () => (await readWorkerVersions(settings)).map(({ current }) => current);

test('an open workflow continues on the promoted release, and a pinned one ends on its own', async () => {
  expect(await currentReleases()).toEqual([null, null, null]);
  startWorkers('one');
  expect(await promoteWorkers(settings, 'one', WAIT_MS)).toBe(0);
  const open = await startRun('upgraded', 'open');
  const short = await startRun('pinned', 'short');

  startWorkers('two');
  const promoted = promoteWorkers(settings, 'two', WAIT_MS);
  await eventually('the release is promoted', async () =>
    (await currentReleases()).every((current) => current === 'two'),
  );
  expect(await readWorkerVersions(settings)).toContainEqual({
    deployment: 'claims',
    current: 'two',
    pinned_elsewhere: 1,
  });
  await Promise.all([open.signal('end'), short.signal('end')]);
  expect([await open.result(), await short.result()]).toEqual([
    ['one', 'two'],
    ['one', 'one'],
  ]);
  expect(await promoted).toBe(0);
  await stopWorkers('one');
});

test('a pinned workflow that does not end in time is moved, so that the workers of its release can be stopped', async () => {
  const short = await startRun('pinned', 'long');
  startWorkers('three');
  expect(await promoteWorkers(settings, 'three', 0)).toBe(1);
  await stopWorkers('two');
  await short.signal('end');
  expect(await short.result()).toEqual(['two', 'three']);
  expect(await readWorkerVersions(settings)).toContainEqual({
    deployment: 'claims',
    current: 'three',
    pinned_elsewhere: 0,
  });
});

test("a promotion neither waits for a run without a history in Temporal's list nor counts it", async () => {
  await listMissingRun(temporal.visibilityUrl, 'missing', 'long', {
    TemporalWorkerDeployment: 'claims',
    TemporalWorkerDeploymentVersion: 'claims:two',
    TemporalWorkflowVersioningBehavior: 'Pinned',
  });
  const startedMs = performance.now();
  expect(await promoteWorkers(settings, 'three', WAIT_MS)).toBe(0);
  expect(performance.now() - startedMs).toBeLessThan(WAIT_MS / 2);
  expect(await readWorkerVersions(settings)).toContainEqual({
    deployment: 'claims',
    current: 'three',
    pinned_elsewhere: 0,
  });
});

test('a release with an invalid name is rejected', async () => {
  const promoted = promoteWorkers(settings, "x' or true", 0);
  await expect(promoted).rejects.toThrow(WorkerVersionError);
});
