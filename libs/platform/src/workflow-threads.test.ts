import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDevTemporal } from '@carecover/local/testing';
import { bundleWorkflows } from './bundle-workflow';
import { createLog } from './log';
import { TemporalCommands } from './temporal';
import { startWorker } from './worker';

test('workflow code that never returns does not stop the other workflows of the worker for long', async () => {
  const temporal = await startDevTemporal();
  const folder = mkdtempSync(join(tmpdir(), 'carecover-workflows-'));
  const bundlePath = join(folder, 'bundle.js');
  writeFileSync(bundlePath, await bundleWorkflows([join(__dirname, 'testing/endless-workflows.ts')]));
  const settings = { TEMPORAL_ADDRESS: temporal.address, TEMPORAL_NAMESPACE: 'default' };
  const commands = TemporalCommands.create(settings);
  const { workflow } = commands.client;
  const worker = startWorker({
    temporal: settings,
    taskQueue: 'endless',
    activities: {},
    bundlePath,
    identity: 'test',
    log: createLog('test', 'silent'),
  });
  try {
    const options = { taskQueue: 'endless', args: [], workflowTaskTimeout: '1s' } as const;
    const run = await workflow.start('endless', { ...options, workflowId: 'endless' });
    expect(await workflow.execute('short', { ...options, workflowId: 'short' })).toBe('done');
    await run.terminate();
  } finally {
    await worker.stop();
    await commands.close();
    await temporal.stop();
    rmSync(folder, { recursive: true });
  }
});
