import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storedTenant } from '@carecover/domain';
import { createLog } from '@carecover/telemetry';
import { eventually, startDevTemporal, startNetworkLink } from '@carecover/testing/servers';
import { bundleWorkflows } from './bundle-workflow';
import { TemporalRuns } from './temporal';
import { startWorker } from './worker';

const workflow = { type: 'waiting', taskQueue: 'waiting', summaryOf: () => 'waits for changes' };

const resource = (id: string) => ({ id, tenant: storedTenant('prj_one'), environment: 'sandbox' }) as const;

const change = (what: string) => ({
  what,
  at: '2026-11-27T00:00:00.000Z',
  actor: 'key_one',
  requestId: null,
});

let temporal: Awaited<ReturnType<typeof startDevTemporal>>;
let folder: string;
let bundlePath: string;

beforeAll(async () => {
  temporal = await startDevTemporal();
  folder = mkdtempSync(join(tmpdir(), 'carecover-workflows-'));
  bundlePath = join(folder, 'bundle.js');
  writeFileSync(
    bundlePath,
    await bundleWorkflows([join(__dirname, '../../testing/src/services/collecting-workflow.ts')]),
  );
});
let cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const undo of cleanUp) await undo();
  cleanUp = [];
});
afterAll(async () => {
  await temporal?.stop();
  rmSync(folder, { recursive: true });
});

function execute(): void {
  const worker = startWorker({
    temporal: { TEMPORAL_ADDRESS: temporal.address, TEMPORAL_NAMESPACE: 'default' },
    taskQueue: workflow.taskQueue,
    activities: {},
    bundlePath,
    identity: 'test',
    log: createLog('test', 'silent'),
  });
  cleanUp.push(() => worker.stop());
}

function connectTo(address: string): TemporalRuns {
  const runs = TemporalRuns.create({ TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: 'default' });
  cleanUp.push(() => runs.close());
  return runs;
}

test('the first signal starts a run, and a later one reaches it; only a run that exists is signalled otherwise', async () => {
  execute();
  const runs = connectTo(temporal.address);
  expect(await runs.signalRunning('clm_1', [change('too early')])).toBe(true);
  expect(await runs.describeRun('clm_1')).toBeNull();
  expect(await runs.signalOrStart(workflow, resource('clm_1'), [change('submitted')])).toBe(true);
  expect(await runs.signalRunning('clm_1', [change('adjudicated')])).toBe(true);
  expect(await runs.client.workflow.getHandle('clm_1').result()).toEqual(['submitted', 'adjudicated']);
});

test('of several resources, those without a run are found', async () => {
  const runs = connectTo(temporal.address);
  await runs.ensureRunning(workflow, resource('clm_runs'));
  const resources = ['clm_runs', 'clm_missing'].map(resource);
  await eventually('the run is listed', async () => {
    const missing = await runs.findNotRunning(resources);
    return missing?.length === 1;
  });
  expect(await runs.findNotRunning(resources)).toEqual([resource('clm_missing')]);
});

test('while a connection does not respond, signals are not sent, and then they are sent over a new connection', async () => {
  const port = Number(temporal.address.split(':')[1]);
  const link = await startNetworkLink(port);
  let target = link.port;
  const balancer = createServer((socket) => {
    const server = connect(target, '127.0.0.1');
    for (const [from, to] of [
      [socket, server],
      [server, socket],
    ] as const)
      from.on('error', () => to.destroy()).pipe(to);
  });
  await once(balancer.listen(0, '127.0.0.1'), 'listening');
  cleanUp.push(
    () => balancer.close(),
    () => link.close(),
  );
  const runs = connectTo(`127.0.0.1:${(balancer.address() as AddressInfo).port}`);
  const send = () => runs.signalOrStart(workflow, resource('clm_2'), [change('submitted')]);
  expect(await send()).toBe(true);
  link.partition();
  target = port;
  expect(await send()).toBe(false);
  await eventually('a signal is sent over a new connection', send);
}, 60_000);

test('a request that Temporal rejects throws, and one to an unavailable server does not', async () => {
  const tooLong = resource(`clm_${'x'.repeat(2_000)}`);
  await expect(connectTo(temporal.address).signalOrStart(workflow, tooLong, [])).rejects.toThrow();
  expect(await connectTo('127.0.0.1:1').signalOrStart(workflow, resource('clm_3'), [])).toBe(false);
});
