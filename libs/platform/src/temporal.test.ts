import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDevTemporal } from '@carecover/local/testing';
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

test('a command is sent again until a run executes it, however many runs end before', async () => {
  const temporal = await startDevTemporal();
  const folder = mkdtempSync(join(tmpdir(), 'carecover-workflows-'));
  const bundlePath = join(folder, 'bundle.js');
  writeFileSync(bundlePath, await bundleWorkflows([join(__dirname, 'testing/endless-workflows.ts')]));
  const settings = { TEMPORAL_ADDRESS: temporal.address, TEMPORAL_NAMESPACE: 'default' };
  const commands = TemporalCommands.create(settings);
  let runs = 0;
  const worker = startWorker({
    temporal: settings,
    taskQueue: workflow.taskQueue,
    activities: { mustEnd: async () => ++runs <= ENDED_RUNS },
    bundlePath,
    identity: 'test',
    log: createLog('test', 'silent'),
  });
  try {
    await commands.command(workflow, command);
    expect(runs).toBe(ENDED_RUNS + 1);
  } finally {
    await worker.stop();
    await commands.close();
    await temporal.stop();
    rmSync(folder, { recursive: true });
  }
});
