/** Runs `carecover clock …` with a server that answers as the API does. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runCommand } from './testing/run-command';

const READY = {
  ...{ object: 'test_clock', now: '2022-01-01T00:00:00.000Z', status: 'ready', target: null },
  ...{ next_due: null, advanced_to: null, completed: 0, remaining: 0, failure: null },
};
const TARGET = '2022-02-01T00:00:00.000Z';
const ADVANCING = { ...READY, status: 'advancing', target: TARGET, remaining: 2 };

let server: Server;
let url: string;
/** What the server answers to the next requests. */
let answers: object[];
let requests: { readonly line: string; readonly key: string | undefined; readonly body: string }[];

beforeEach(async () => {
  requests = [];
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const key = request.headers['idempotency-key'] as string | undefined;
    requests.push({ line: `${request.method} ${request.url}`, key, body });
    const status = request.method === 'POST' ? 202 : 200;
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answers.shift()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
afterEach(() => {
  server.close().closeAllConnections();
});

const run = (...args: string[]) =>
  runCommand(['clock', ...args, '--base-url', url], { CARECOVER_SECRET_KEY: 'sk_test_key' });

test('the clock is shown with what is due next', async () => {
  const next_due = { at: TARGET, resource: 'rem_1', what: 'remittance.deadline' };
  answers = [
    { ...READY, next_due },
    { ...READY, next_due },
  ];
  const { code, output } = await run('show');
  expect(code).toBe(0);
  expect(output).toContain(`${TARGET} remittance.deadline rem_1`);
  expect(JSON.parse((await run('show', '--json')).output)).toEqual({ ...READY, next_due });
});

test('an advance is followed to its end', async () => {
  const end = { ...READY, now: TARGET, advanced_to: TARGET, completed: 2 };
  answers = [ADVANCING, { ...ADVANCING, completed: 1, remaining: 1 }, end];
  const { code, output } = await run('advance', '2022-02-01T00:00:00Z', '--json');
  expect([code, JSON.parse(output)]).toEqual([0, end]);
  expect(requests.map(({ line }) => line)).toEqual([
    'POST /v1/test_clock/advance',
    'GET /v1/test_clock',
    'GET /v1/test_clock',
  ]);
  expect(JSON.parse(requests[0]?.body ?? '')).toEqual({ to: TARGET });
  expect(requests[0]?.key).toMatch(/^[\w-]{8,}$/);
});

test('an advance that fails is an error that says where the clock stands and why', async () => {
  answers = [{ ...READY, status: 'failed', target: TARGET, failure: 'claims: no such claim.' }];
  const { code, errors } = await run('next');
  expect(JSON.parse(requests[0]?.body ?? '')).toEqual({ to: 'next' });
  expect([code, errors]).toEqual([
    1,
    expect.stringContaining('The advance ended at 2022-01-01T00:00:00.000Z'),
  ]);
  expect(errors).toContain('claims: no such claim.');
});

test('a text that is no instant is wrong usage, and nothing is sent', async () => {
  expect((await run('advance', 'tomorrow')).code).toBe(2);
  expect(requests).toEqual([]);
});
