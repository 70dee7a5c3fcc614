import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDevTemporal, startNetworkLink } from '@carecover/local/testing';
import { bundleWorkflows } from './bundle-workflow';
import { createLog } from './log';
import { TemporalCommands } from './temporal';
import { storedTenant } from './tenant';
import { startWorker } from './worker';

const ENDED_RUNS = 8;

const workflow = {
  type: 'ending',
  taskQueue: 'ending',
  updates: {},
  summaryOf: () => 'ends',
};
const command = {
  id: 'cmd_1',
  operation: 'cancelClaim',
  resourceId: 'clm_1',
  caller: {
    tenant: storedTenant('prj_one'),
    environment: 'sandbox',
    authority: 'key_one of prj_one',
    requestId: '4a2f0e9c-0000-4000-8000-000000000000',
    resourceIds: null,
    consentDefault: 'granted',
    endpointLimit: 50,
  },
  update: 'execute',
  updateId: 'cmd_1',
} as const;

let temporal: Awaited<ReturnType<typeof startDevTemporal>>;
let folder: string;
let bundlePath: string;
let worker: ReturnType<typeof startWorker> | undefined;

beforeAll(async () => {
  temporal = await startDevTemporal();
  folder = mkdtempSync(join(tmpdir(), 'carecover-workflows-'));
  bundlePath = join(folder, 'bundle.js');
  writeFileSync(bundlePath, await bundleWorkflows([join(__dirname, 'testing/endless-workflows.ts')]));
});
afterEach(() => worker?.stop());
afterAll(async () => {
  await temporal?.stop();
  rmSync(folder, { recursive: true });
});

const settingsOf = (address: string) => ({ TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: 'default' });

/** Starts the worker of the workflow. @param mustEnd whether the run ends before it executes the command */
function execute(mustEnd: () => boolean): void {
  worker = startWorker({
    temporal: settingsOf(temporal.address),
    taskQueue: workflow.taskQueue,
    activities: { mustEnd: async () => mustEnd() },
    bundlePath,
    identity: 'test',
    log: createLog('test', 'silent'),
  });
}

test('a command is sent again until a run executes it, however many runs end before', async () => {
  let runs = 0;
  execute(() => ++runs <= ENDED_RUNS);
  const commands = TemporalCommands.create(settingsOf(temporal.address));
  await commands.command(workflow, command);
  await commands.close();
  expect(runs).toBe(ENDED_RUNS + 1);
});

test('a command gets its response over a new connection if the connection does not respond', async () => {
  execute(() => false);
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
  const commands = TemporalCommands.create(
    settingsOf(`127.0.0.1:${(balancer.address() as AddressInfo).port}`),
  );
  const send = (id: string) =>
    commands.command(workflow, { ...command, id, updateId: id, resourceId: `clm_${id}` });
  await send('cmd_2');
  link.partition();
  target = port;
  await send('cmd_3');
  await commands.close();
  await link.close();
  balancer.close();
}, 30_000);
