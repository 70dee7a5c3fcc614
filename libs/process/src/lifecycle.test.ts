import { createLog } from '@carecover/telemetry';
import { ShutdownSequence } from './lifecycle';

/** A log that keeps the messages and parts of its warnings. */
function createWarnings() {
  const log = createLog('test', 'silent');
  const warnings: unknown[] = [];
  jest.spyOn(log, 'warn').mockImplementation((fields: unknown, message?: string) => {
    warnings.push([message, (fields as { part: string }).part]);
  });
  return { log, warnings };
}

test('the parts stop in reverse order, also after a part that fails and one that does not stop', async () => {
  const { log, warnings } = createWarnings();
  const running = new ShutdownSequence(log);
  const stopped: string[] = [];
  const stop = (name: string) => async () => void stopped.push(name);
  running.add('database', stop('database'));
  running.add('broken', () => Promise.reject(new Error('broken')));
  running.add('endless', () => new Promise(() => undefined), 50);
  running.add('server', stop('server'));
  expect(() => running.requireRunning()).not.toThrow();
  await running.stop();
  expect(stopped).toEqual(['server', 'database']);
  expect(warnings).toEqual([
    ['a part did not stop in time', 'endless'],
    ['a part failed to stop', 'broken'],
  ]);
  expect(() => running.requireRunning()).toThrow('temporarily unavailable');
});

test('the failure of a part after its time is over does not end the process', async () => {
  const { log, warnings } = createWarnings();
  const running = new ShutdownSequence(log);
  let fail: (error: Error) => void = () => undefined;
  running.add(
    'late',
    () =>
      new Promise((_, reject) => {
        fail = reject;
      }),
    50,
  );
  await running.stop();
  fail(new Error('too late'));
  await new Promise((resolve) => setImmediate(resolve));
  expect(warnings).toEqual([['a part did not stop in time', 'late']]);
});
