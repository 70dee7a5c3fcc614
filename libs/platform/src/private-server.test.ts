import { once } from 'node:events';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { HttpMetrics } from './metrics';
import { startPrivateServer } from './private-server';

test('a request in progress gets its response while the server stops', async () => {
  const server = await startPrivateServer({
    host: '127.0.0.1',
    port: 0,
    metrics: new HttpMetrics('private-server-test'),
    ready: async () => undefined,
    routes: {
      below: '/operator/',
      handle: (_request, response) => void sleep(300).then(() => response.end('the new secret')),
    },
  });
  const asked = request({
    host: '127.0.0.1',
    port: server.port,
    path: '/operator/keys',
    method: 'POST',
  }).end();
  await sleep(100);
  const stopped = server.close();
  const [response] = (await once(asked, 'response')) as [NodeJS.ReadableStream & { statusCode: number }];
  let text = '';
  for await (const chunk of response) text += String(chunk);
  expect(text).toBe('the new secret');
  await stopped;
});
