import { setTimeout as sleep } from 'node:timers/promises';
import { HttpMetrics } from '@carecover/telemetry';
import { startPrivateServer } from './private-server';

test('a request in progress gets its response while the server stops', async () => {
  const server = await startPrivateServer({
    host: '127.0.0.1',
    port: 0,
    metrics: new HttpMetrics('private-server-test'),
    ready: () => sleep(300),
  });
  const asked = fetch(`http://127.0.0.1:${server.port}/health/ready`);
  await sleep(100);
  const stopped = server.close();
  expect((await asked).status).toBe(200);
  await stopped;
});
