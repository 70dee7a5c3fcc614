import { setTimeout as sleep } from 'node:timers/promises';
import { type KillablePart, whileKilling } from './killing';

const PACE = { upMs: 0, downMs: 0 };

let kills = 0;
/** A fake part of a stack that can't be started after a kill. */
const lost: KillablePart = {
  name: 'lost',
  kill: async () => {
    kills += 1;
  },
  start: () => Promise.reject(new Error('cannot be started')),
};
beforeEach(() => {
  kills = 0;
});

/** Waits until the part was killed, and then 10 ms more. */
async function workUntilKilled(): Promise<void> {
  while (kills === 0) await sleep(1);
  await sleep(10);
}

test('rejects after the work if a part could not be started', async () => {
  await expect(whileKilling([lost], PACE, workUntilKilled)).rejects.toThrow('cannot be started');
});

test("rejects with the work's error if both failed", async () => {
  const work = async () => {
    await workUntilKilled();
    throw new Error('a claim was settled twice');
  };
  await expect(whileKilling([lost], PACE, work)).rejects.toThrow('a claim was settled twice');
});
