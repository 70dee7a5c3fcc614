import { createLog } from '@carecover/telemetry';
import { retryUntilStopped, startLoop } from './background-loop';

function capturedLog() {
  const lines: Record<string, unknown>[] = [];
  const log = createLog('test', 'warn', { write: (line: string) => void lines.push(JSON.parse(line)) });
  return { log, lines };
}

test('work is repeated after any error until it succeeds, with one log line per failure', async () => {
  const { log, lines } = capturedLog();
  const failures: unknown[] = [
    new TypeError('a fault of the code'),
    'not an error',
    new Error('unavailable'),
  ];
  const work = async () => {
    if (failures.length > 0) throw failures.shift();
    return 'done';
  };
  const { signal } = new AbortController();
  const fields = { channel: 'due' };
  expect(await retryUntilStopped({ name: 'the work', log, fields }, signal, work)).toBe('done');
  expect(lines).toMatchObject([
    { msg: 'the work failed and is retried', channel: 'due', pause_ms: 250, err: { type: 'TypeError' } },
    { msg: 'the work failed and is retried', channel: 'due', pause_ms: 500 },
    {
      msg: 'the work failed and is retried',
      channel: 'due',
      pause_ms: 1_000,
      err: { message: 'unavailable' },
    },
  ]);
});

test('a stop ends the pause, and the work is not repeated', async () => {
  const { log } = capturedLog();
  const stopping = new AbortController();
  let attempts = 0;
  const result = await retryUntilStopped({ name: 'the work', log }, stopping.signal, async () => {
    attempts += 1;
    // The abort must happen during the pause after the failed attempt. That pause starts before the second setImmediate callback runs.
    setImmediate(() => setImmediate(() => stopping.abort()));
    throw new Error('unavailable');
  });
  expect(result).toBeUndefined();
  expect(attempts).toBe(1);
});

test('work is attempted once although its process stops', async () => {
  const { log } = capturedLog();
  const attempts: string[] = [];
  const attempt = async (outcome: string) => {
    attempts.push(outcome);
    if (outcome === 'failure') throw new Error('unavailable');
    return outcome;
  };
  const stopped = AbortSignal.abort();
  expect(await retryUntilStopped({ name: 'the work', log }, stopped, () => attempt('success'))).toBe(
    'success',
  );
  expect(
    await retryUntilStopped({ name: 'the work', log }, stopped, () => attempt('failure')),
  ).toBeUndefined();
  expect(attempts).toEqual(['success', 'failure']);
});

test('a loop repeats its pass after a success and after a failure, and its stop waits for the pass', async () => {
  const { log, lines } = capturedLog();
  let passes = 0;
  let hasEnded = false;
  const reached = new Promise<void>((resolve) => {
    const loop = startLoop({ name: 'the loop', log }, async (stopping) => {
      passes += 1;
      if (passes === 1) return;
      if (passes === 2) throw new Error('unavailable');
      setImmediate(() => void loop.stop().then(resolve));
      await new Promise((done) => stopping.addEventListener('abort', done));
      hasEnded = true;
    });
  });
  await reached;
  expect({ passes, hasEnded, failures: lines.length }).toEqual({ passes: 3, hasEnded: true, failures: 1 });
});
