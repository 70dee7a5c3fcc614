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

beforeAll(async () => {
  temporal = await startDevTemporal();
  folder = mkdtempSync(join(tmpdir(), 'carecover-workflows-'));
  bundlePath = join(folder, 'bundle.js');
  writeFileSync(bundlePath, await bundleWorkflows([join(__dirname, 'testing/endless-workflows.ts')]));
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

/** Starts the worker of the workflow. @param mustEnd whether the run ends before it executes the command */
function execute(mustEnd: () => boolean): void {
  const worker = startWorker({
    temporal: { TEMPORAL_ADDRESS: temporal.address, TEMPORAL_NAMESPACE: 'default' },
    taskQueue: workflow.taskQueue,
    activities: { mustEnd: async () => mustEnd() },
    bundlePath,
    identity: 'test',
    log: createLog('test', 'silent'),
  });
  cleanUp.push(() => worker.stop());
}

function connectTo(address: string): TemporalCommands {
  const commands = TemporalCommands.create({ TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: 'default' });
  cleanUp.push(() => commands.close());
  return commands;
}

test('a command is sent again until a run executes it, however many runs end before', async () => {
  let runs = 0;
  execute(() => ++runs <= ENDED_RUNS);
  await connectTo(temporal.address).command(workflow, command);
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
  cleanUp.push(
    () => balancer.close(),
    () => link.close(),
  );
  const commands = connectTo(`127.0.0.1:${(balancer.address() as AddressInfo).port}`);
  const send = (id: string) =>
    commands.command(workflow, { ...command, id, updateId: id, resourceId: `clm_${id}` });
  await send('cmd_2');
  link.partition();
  target = port;
  await send('cmd_3');
}, 30_000);
