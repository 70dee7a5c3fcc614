// An advance that is waited for: progress, the reason of a failure, and an aborted wait.
import { Carecover, CarecoverAdvanceError, type TestClock } from './index.ts';

const READY: TestClock = {
  object: 'test_clock',
  now: '2026-01-01T00:00:00.000Z',
  status: 'ready',
  target: null,
  next_due: null,
  advanced_to: '2026-01-01T00:00:00.000Z',
  completed: 3,
  remaining: 0,
  failure: null,
};
const ADVANCING: TestClock = {
  ...READY,
  ...{ now: '2025-06-01T00:00:00.000Z', status: 'advancing', target: READY.now, completed: 1, remaining: 2 },
};
const FAILED: TestClock = { ...ADVANCING, status: 'failed', failure: 'claims: the claim is gone.' };

/** A client whose requests get the clocks in turn, and the requests. */
function clientOf(...clocks: TestClock[]) {
  const requests: { method: string | undefined; body: unknown; key: string | null }[] = [];
  const fetch = async (_url: unknown, init?: RequestInit) => {
    const { method, body } = init ?? {};
    const key = new Headers(init?.headers).get('idempotency-key');
    requests.push({ method, body: body == null ? null : JSON.parse(String(body)), key });
    return Response.json(clocks.shift());
  };
  const { testClock } = new Carecover({ apiKey: 'sk_test_key', baseUrl: 'http://localhost/v1', fetch });
  return { testClock, requests };
}

test('an advance is started once and read until the clock is ready, with progress', async () => {
  const { testClock, requests } = clientOf(ADVANCING, READY);
  const shown: string[] = [];
  const clock = await testClock.advanceAndWait(
    { to: READY.now },
    {
      idempotencyKey: 'my-own-key-1',
      onProgress: ({ status, completed }) => shown.push(`${status} ${completed}`),
    },
  );
  expect(clock).toEqual(READY);
  expect(shown).toEqual(['advancing 1', 'ready 3']);
  expect(requests).toEqual([
    { method: 'POST', body: { to: READY.now, wait_seconds: 1 }, key: 'my-own-key-1' },
    { method: 'GET', body: null, key: null },
  ]);
});

test('a failed advance is an error with the reason and the instant at which the clock stands', async () => {
  const error = await clientOf(FAILED)
    .testClock.advanceAndWait({ to: 'next' })
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(CarecoverAdvanceError);
  expect(error).toMatchObject({
    message: `the advance ended at ${FAILED.now}: ${FAILED.failure}`,
    clock: FAILED,
  });
});

test('an aborted signal ends the wait with its reason', async () => {
  const { testClock, requests } = clientOf(ADVANCING, ADVANCING);
  const controller = new AbortController();
  const waiting = testClock.advanceAndWait(
    { to: READY.now },
    { signal: controller.signal, onProgress: () => controller.abort(new Error('stopped by the user')) },
  );
  await expect(waiting).rejects.toThrow('stopped by the user');
  expect(requests).toHaveLength(1);
});
