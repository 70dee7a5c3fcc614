/** A process stops all of its parts although a step does not end and Temporal does not answer. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COMMON_SETTINGS, loadConfig, setting } from '@carecover/config';
import { TemporalRuns } from '@carecover/temporal';
import { bundleWorkflows } from '@carecover/temporal/bundle';
import {
  createTestDatabase,
  eventually,
  startDevTemporal,
  startNetworkLink,
} from '@carecover/testing/servers';
import { contextSettings, SERVICE_SECRET } from '@carecover/testing/services';
import { startService } from './service';

/** Maximum time in milliseconds for a stop: that of the worker, and some more for a busy machine. */
const STOP_MS = 10_000;

test('the parts after the worker stop too', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'carecover-stop-'));
  const bundlePath = join(folder, 'bundle.js');
  writeFileSync(
    bundlePath,
    await bundleWorkflows([join(__dirname, '../../testing/src/services/waiting-workflows.ts')]),
  );
  const [temporal, database] = await Promise.all([
    startDevTemporal(),
    createTestDatabase({ services: ['claims'] }),
  ]);
  const link = await startNetworkLink(Number(temporal.address.split(':')[1]));
  const temporalRuns = TemporalRuns.create({
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: 'default',
  });
  let isStarted = false;
  const closed: string[] = [];
  const service = await startService({
    name: 'claims',
    config: loadConfig(
      { ...COMMON_SETTINGS, HASH_SECRET: setting.secret(32) },
      {
        PORT: '0',
        LOG_LEVEL: 'silent',
        CARECOVER_MODE: 'test',
        CARECOVER_ENVIRONMENT: 'sandbox',
        DATABASE_URL: database.url('claims'),
        ...contextSettings(),
        HASH_SECRET: SERVICE_SECRET,
      },
    ),
    temporal: { TEMPORAL_ADDRESS: `127.0.0.1:${link.port}`, TEMPORAL_NAMESPACE: 'default' },
    nats: null,
    roles: [],
    build: () => ({
      handlers: {},
      worker: {
        activities: {
          waitForNothing: () => {
            isStarted = true;
            return new Promise(() => undefined);
          },
        },
        bundlePath: () => bundlePath,
      },
      close: async () => void closed.push('connections'),
    }),
  });
  await temporalRuns.client.workflow.start('waitingInTask', {
    workflowId: 'waiting',
    taskQueue: 'claims',
    args: ['waitForNothing'],
  });
  await eventually('the step has started', async () => isStarted);
  link.partition();

  const startedMs = performance.now();
  await service.stop();
  expect(performance.now() - startedMs).toBeLessThan(STOP_MS);
  expect(closed).toEqual(['connections']);

  await link.close();
  await temporalRuns.close();
  await temporal.stop();
  await database.drop();
  rmSync(folder, { recursive: true });
});
