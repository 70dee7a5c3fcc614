import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createLog } from '@carecover/telemetry';
import { ProcessorTimeAccount } from './processor-time-account';

/** Half a millisecond of processor time per millisecond, as a project with a limit of 1,000 requests per minute has. */
const REFILL_PER_MS = 0.5;

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** A response whose client is connected until `leave` is called. */
function openResponse() {
  const socket = Object.assign(new EventEmitter(), { destroyed: false });
  const response = Object.assign(new EventEmitter(), { closed: false, req: { socket } });
  return { response: response as unknown as ServerResponse, leave: () => response.emit('close') };
}

function openAccount(lines: string[] = []) {
  const log = createLog('test', 'info', { write: (line) => lines.push(line) });
  return new ProcessorTimeAccount(REFILL_PER_MS, 'prj_1', log);
}

/** Starts requests of an operation. Returns the reservations of those that have started so far. */
function startAll(account: ProcessorTimeAccount, count: number, operation = 'listClaims') {
  const started: number[] = [];
  const rejected: unknown[] = [];
  for (let request = 0; request < count; request++) {
    account.reserve(operation, openResponse().response).then(
      (reservedMs) => started.push(reservedMs),
      (error: unknown) => rejected.push(error),
    );
  }
  return { started, rejected };
}

const advance = (ms: number) => jest.advanceTimersByTimeAsync(ms);

/** Makes the cost known that requests of the operation have, and refills the account. */
async function learn(account: ProcessorTimeAccount, operation: string, costMs: number): Promise<void> {
  const reservedMs = await account.reserve(operation, openResponse().response);
  account.settle(operation, reservedMs, costMs);
  await advance(costMs / REFILL_PER_MS + 1_000);
}

test('a hundred cheap requests start at once', async () => {
  const account = openAccount();
  await learn(account, 'getClaim', 3);
  const { started } = startAll(account, 100, 'getClaim');
  await advance(0);
  expect(started).toHaveLength(100);
});

test('work that is no request empties the account, and leaves no debt', async () => {
  const account = openAccount();
  await learn(account, 'getClaim', 3);
  account.charge(60_000);
  const { started } = startAll(account, 1, 'getClaim');
  await advance(0);
  expect(started).toHaveLength(0);
  await advance(5);
  expect(started).toHaveLength(1);
});

test('of requests that are known to be expensive only as many start at once as a full account has time for', async () => {
  const account = openAccount();
  await learn(account, 'listClaims', 200);
  const { started } = startAll(account, 16);
  await advance(0);
  expect(started).toHaveLength(3);
});

test('a project can use its processor time and not more, however many requests it sends', async () => {
  const account = openAccount();
  let spentMs = 0;
  let pending = 0;
  const send = async () => {
    pending += 1;
    const reservedMs = await account.reserve('listClaims', openResponse().response).catch(() => null);
    pending -= 1;
    if (reservedMs === null) return;
    await advanceLater(100);
    spentMs += 100;
    account.settle('listClaims', reservedMs, 100);
  };
  const advanceLater = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  const sending = setInterval(() => void send(), 60);
  await advance(60_000);
  clearInterval(sending);
  expect(spentMs).toBeGreaterThan(60_000 * REFILL_PER_MS * 0.95);
  expect(spentMs).toBeLessThan(60_000 * REFILL_PER_MS * 1.05);
  expect(pending).toBeGreaterThan(0);
});

test('requests that wait start in their order', async () => {
  const account = openAccount();
  await learn(account, 'getReceivables', 5_000);
  await account.reserve('getReceivables', openResponse().response);
  const order: string[] = [];
  for (const operation of ['getReceivables', 'getClaim', 'listClaims'])
    void account.reserve(operation, openResponse().response).then(() => order.push(operation));
  await advance(9_500);
  expect(order).toEqual(['getReceivables']);
});

test('a request that waits too long gets 429 with the seconds until the account is not empty', async () => {
  const account = openAccount();
  await learn(account, 'getReceivables', 20_000);
  await account.reserve('getReceivables', openResponse().response);
  const { rejected } = startAll(account, 1);
  await advance(10_000);
  // 19,500 ms were missing, of which 5,000 were refilled in ten seconds.
  expect(rejected).toMatchObject([{ code: 'rate_limited', retryAfterSeconds: 30 }]);
});

test('more requests than the queue permits get 429 at once', async () => {
  const account = openAccount();
  await learn(account, 'getReceivables', 20_000);
  await account.reserve('getReceivables', openResponse().response);
  const { rejected } = startAll(account, 600);
  await advance(0);
  expect(rejected).toHaveLength(600 - 512);
});

test('a request whose client has left is not started', async () => {
  const account = openAccount();
  await learn(account, 'getReceivables', 1_000);
  await account.reserve('getReceivables', openResponse().response);
  const { response, leave } = openResponse();
  const outcome = account.reserve('getClaim', response).catch((error: unknown) => error);
  leave();
  expect(await outcome).toMatchObject({ code: 'service_unavailable' });
  const { started } = startAll(account, 1);
  await advance(1_100);
  expect(started).toHaveLength(1);
});

test('a lower rate limit takes effect at once', async () => {
  const account = openAccount();
  account.setRate(REFILL_PER_MS / 10);
  await learn(account, 'listClaims', 30);
  const { started } = startAll(account, 16);
  await advance(0);
  expect(started).toHaveLength(2);
});

test('one line per minute names the project that waits', async () => {
  const lines: string[] = [];
  const account = openAccount(lines);
  await learn(account, 'listClaims', 1_000);
  startAll(account, 10);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { project: 'prj_1', operation: 'listClaims', msg: expect.stringContaining('processor time') },
  ]);
});
