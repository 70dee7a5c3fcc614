import { FairSemaphore } from './fair-semaphore';

const options = {
  places: 2,
  waiting: 6,
  waitingInLine: 4,
  waitMs: 60_000,
  rejection: (reason: string) => new Error(reason),
};

/** Takes places and writes down who got one, in order. */
function takers(places: FairSemaphore) {
  const served: string[] = [];
  return {
    served,
    take: (who: string) => places.take(who).then(() => void served.push(who)),
  };
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

test('a busy project delays another by one place, not by its whole line', async () => {
  const places = new FairSemaphore(options);
  const { served, take } = takers(places);
  for (const who of ['busy', 'busy', 'busy', 'busy', 'busy', 'quiet', 'third']) void take(who);
  await turn();
  expect(served).toEqual(['busy', 'busy']);
  for (let given = 0; given < 5; given++) places.give();
  await turn();
  expect(served.slice(2)).toEqual(['busy', 'quiet', 'third', 'busy', 'busy']);
});

test('a place that is given back with nobody waiting is free again, and no more places come to be', async () => {
  const places = new FairSemaphore(options);
  expect([places.tryAcquire(), places.tryAcquire(), places.tryAcquire()]).toEqual([true, true, false]);
  places.give();
  expect([places.tryAcquire(), places.tryAcquire()]).toEqual([true, false]);
});

test('a full line is refused at once and leaves room for others; so is everybody once all lines together are full', async () => {
  const places = new FairSemaphore(options);
  const { served, take } = takers(places);
  for (let taken = 0; taken < 6; taken++) void take('busy');
  await expect(take('busy')).rejects.toThrow('too many requests wait for it');
  void take('quiet');
  void take('third');
  await expect(take('fourth')).rejects.toThrow('too many requests wait for it');
  for (let given = 0; given < 6; given++) places.give();
  await turn();
  expect(served.sort()).toEqual([...Array(6).fill('busy'), 'quiet', 'third']);
});

test('whoever waits too long is refused and no longer counted', async () => {
  const places = new FairSemaphore({ ...options, places: 1, waiting: 1, waitMs: 10 });
  await places.take('first');
  await expect(places.take('late')).rejects.toThrow('no place became free in time');
  const next = places.take('next');
  places.give();
  await expect(next).resolves.toBeUndefined();
});
