import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { createLog } from '../log';
import { activeTraceparent, isTracing, SpanKind, startTrace } from './spans';
import { startTracing, type TracingSettings } from './start';

const servers: Server[] = [];
const lines: Record<string, unknown>[] = [];
const log = createLog(
  'claims',
  'info',
  new Writable({
    write(line, _encoding, done) {
      lines.push(JSON.parse(String(line)));
      done();
    },
  }),
);

// The timeout of an export is short, so that no export is retried after the last test.
process.env.OTEL_EXPORTER_OTLP_TIMEOUT = '900';

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** Starts a collector that responds to each export with `status`; if `status` is null, it never responds. */
async function collector(status: number | null, onExport: (body: string) => void = () => undefined) {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    onExport(Buffer.concat(chunks).toString('utf8'));
    if (status !== null) response.writeHead(status).end();
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function settings(endpoint: string | null): TracingSettings {
  return {
    CARECOVER_ENVIRONMENT: 'sandbox',
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: null,
  };
}

const request = () => startTrace('', 'request', SpanKind.SERVER, async () => activeTraceparent());

test('without a collector tracing is off', async () => {
  expect(await startTracing('claims', settings(null), log)).toBeNull();
  expect(isTracing()).toBe(false);
  expect(await request()).toBeNull();
});

test('spans are exported before the process ends, with the attributes of the process', async () => {
  const exported: string[] = [];
  const url = await collector(200, (body) => exported.push(body));
  const tracing = await startTracing('claims', settings(`${url}/`), log);
  expect(await request()).not.toBeNull();
  await tracing?.stop();
  expect(isTracing()).toBe(false);
  expect(exported).toHaveLength(1);
  const [{ resource, scopeSpans }] = JSON.parse(exported[0] ?? '').resourceSpans;
  expect(scopeSpans).toMatchObject([{ spans: [{ name: 'request' }] }]);
  expect(resource.attributes).toEqual(
    expect.arrayContaining([
      { key: 'service.name', value: { stringValue: 'claims' } },
      { key: 'deployment.environment.name', value: { stringValue: 'sandbox' } },
    ]),
  );
});

test.each<[string, number | null]>([
  ['rejects', 400],
  ['fails', 503],
  ['never answers', null],
])('a collector that %s costs spans: no request fails, and the process ends', async (_name, status) => {
  const tracing = await startTracing('claims', settings(await collector(status)), log);
  expect(await request()).not.toBeNull();
  await tracing?.stop();
});

test('a failed export is logged', async () => {
  const tracing = await startTracing('claims', settings(await collector(400)), log);
  await request();
  await tracing?.stop();
  expect(lines).toContainEqual(expect.objectContaining({ level: 40, msg: 'spans could not be exported' }));
});
