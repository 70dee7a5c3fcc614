import { FairSemaphore } from './fair-semaphore';

const options = {
  permits: 2,
  maxWaiting: 6,
  maxWaitingPerQueue: 4,
  waitMs: 60_000,
  rejection: (reason: string) => new Error(reason),
};

/** Acquires permits, and records the keys in the order in which they got a permit. */
function acquirers(semaphore: FairSemaphore) {
  const served: string[] = [];
  return {
    served,
    acquire: (key: string) => semaphore.acquire(key).then(() => void served.push(key)),
  };
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

test('a busy project delays another project by one permit, not by its whole queue', async () => {
  const semaphore = new FairSemaphore(options);
  const { served, acquire } = acquirers(semaphore);
  for (const key of ['busy', 'busy', 'busy', 'busy', 'busy', 'quiet', 'third']) void acquire(key);
  await nextTurn();
  expect(served).toEqual(['busy', 'busy']);
  for (let released = 0; released < 5; released++) semaphore.release();
  await nextTurn();
  expect(served.slice(2)).toEqual(['busy', 'quiet', 'third', 'busy', 'busy']);
});

test('a permit that is released while no request waits is available again, and the number of permits stays the same', () => {
  const semaphore = new FairSemaphore(options);
  expect([semaphore.tryAcquire(), semaphore.tryAcquire(), semaphore.tryAcquire()]).toEqual([
    true,
    true,
    false,
  ]);
  semaphore.release();
  expect([semaphore.tryAcquire(), semaphore.tryAcquire()]).toEqual([true, false]);
});

test('a full queue rejects at once and leaves capacity to other queues, until all queues together are full', async () => {
  const semaphore = new FairSemaphore(options);
  const { served, acquire } = acquirers(semaphore);
  for (let acquired = 0; acquired < 6; acquired++) void acquire('busy');
  await expect(acquire('busy')).rejects.toThrow('too many requests wait');
  void acquire('quiet');
  void acquire('third');
  await expect(acquire('fourth')).rejects.toThrow('too many requests wait');
  for (let released = 0; released < 6; released++) semaphore.release();
  await nextTurn();
  expect(served.sort()).toEqual([...Array(6).fill('busy'), 'quiet', 'third']);
});

test('a request that waits too long is rejected and not counted any more', async () => {
  const semaphore = new FairSemaphore({ ...options, permits: 1, maxWaiting: 1, waitMs: 10 });
  await semaphore.acquire('first');
  await expect(semaphore.acquire('late')).rejects.toThrow('the request waited too long');
  const next = semaphore.acquire('next');
  semaphore.release();
  await expect(next).resolves.toBeUndefined();
});
