import { createLog } from '@carecover/telemetry';
import { startSweeper } from './sweeper';

const HOUR_MS = 3_600_000;
const log = createLog('sweeper', 'silent');

test('a sweep with more work runs again soon, also after one that fails', async () => {
  const passes: number[] = [];
  let endFirst: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    endFirst = resolve;
  });
  const failing = { name: 'failing', run: () => Promise.reject(new Error('the database is unavailable')) };
  const paged = {
    name: 'paged',
    run: async () => {
      passes.push(passes.length);
      if (passes.length === 2) endFirst();
      return passes.length < 2;
    },
  };
  const sweeper = startSweeper([failing, paged], HOUR_MS, log);
  await ended;
  await sweeper.stop();
  expect(passes).toEqual([0, 1]);
});
