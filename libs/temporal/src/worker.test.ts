import { loadConfig, TEMPORAL_SETTINGS } from '@carecover/config';

const load = (cachedRuns?: string) =>
  loadConfig(TEMPORAL_SETTINGS, {
    TEMPORAL_ADDRESS: 'localhost:7233',
    ...(cachedRuns === undefined ? {} : { WORKER_CACHED_RUNS: cachedRuns }),
  }).WORKER_CACHED_RUNS;

test('a worker keeps 500 runs by default, and never fewer than it executes concurrently', () => {
  expect(load()).toBe(500);
  expect(load('2000')).toBe(2_000);
  expect(() => load('127')).toThrow('WORKER_CACHED_RUNS');
});
