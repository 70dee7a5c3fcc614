import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runInNewContext } from 'node:vm';
import * as client from './index.ts';

/** Loads the package a second time, as a bundler or the other module system does. */
function loadCopy(): typeof client {
  let copy: typeof client | undefined;
  jest.isolateModules(() => {
    copy = require('./index.ts');
  });
  if (copy === undefined) throw new Error('the copy was not loaded');
  return copy;
}

const { CarecoverError, CarecoverConnectionError, hasCode, WebhookVerificationError } = client;
const copy = loadCopy();

test('an error of another copy of the package is recognized', () => {
  const error = new copy.CarecoverError(409, 'invalid_state', 'm', 'd', null, null);
  expect(copy.CarecoverError).not.toBe(CarecoverError);
  expect(hasCode(error, 'invalid_state')).toBe(true);
  expect(hasCode(error, 'rate_limited')).toBe(false);
  expect(error instanceof CarecoverError).toBe(true);
  expect(error instanceof CarecoverConnectionError).toBe(false);
  expect(new copy.CarecoverConnectionError('m') instanceof CarecoverConnectionError).toBe(true);
  expect(new copy.CarecoverConnectionError('m') instanceof CarecoverError).toBe(false);
  expect(new copy.WebhookVerificationError('m') instanceof WebhookVerificationError).toBe(true);
});

test('a subclass recognizes only its own instances', () => {
  class OwnError extends CarecoverConnectionError {}
  expect(new OwnError('m') instanceof OwnError).toBe(true);
  expect(new OwnError('m') instanceof CarecoverConnectionError).toBe(true);
  expect(new OwnError('m') instanceof copy.CarecoverConnectionError).toBe(true);
  expect(new CarecoverConnectionError('m') instanceof OwnError).toBe(false);
});

test.each([
  null,
  undefined,
  'invalid_state',
  {},
  { code: 'invalid_state' },
  new Error('m'),
  CarecoverError.prototype,
])('%p is not an API error', (value) => {
  expect(hasCode(value, 'invalid_state')).toBe(false);
  expect(hasCode(JSON.parse(JSON.stringify(value ?? null)), 'invalid_state')).toBe(false);
});

test('a JSON copy of an error is no error', () => {
  const error = new CarecoverError(409, 'invalid_state', 'm', 'd', null, null);
  expect(JSON.parse(JSON.stringify(error)) instanceof CarecoverError).toBe(false);
});

test('a lost connection names its reason in another realm: a closed port', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const unreachable = new client.Carecover({
    apiKey: 'sk_test_key',
    baseUrl: `http://127.0.0.1:${port}/v1`,
    maxRetries: 0,
  });
  await expect(unreachable.api.retrieve()).rejects.toThrow(
    `no response from http://127.0.0.1:${port}: connect ECONNREFUSED 127.0.0.1:${port}`,
  );
});

test.each([
  ["new TypeError('fetch failed', { cause: new Error('read ECONNRESET') })", 'read ECONNRESET'],
  [
    "new TypeError('fetch failed', { cause: new AggregateError([new Error('connect ECONNREFUSED ::1:1')]) })",
    'connect ECONNREFUSED ::1:1',
  ],
  ["new DOMException('The operation timed out', 'TimeoutError')", 'The operation timed out'],
])('a lost connection names the reason of an error of another realm: %s', async (source, reason) => {
  const error = runInNewContext(source, { DOMException });
  const unreachable = new client.Carecover({
    apiKey: 'sk_test_key',
    baseUrl: 'https://api.example/v1',
    fetch: () => Promise.reject(error),
    maxRetries: 0,
  });
  await expect(unreachable.api.retrieve()).rejects.toMatchObject({
    message: `no response from https://api.example: ${reason}`,
    cause: error,
  });
});
