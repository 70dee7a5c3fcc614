import { setTimeout as sleep } from 'node:timers/promises';
import { type KillablePart, whileKilling } from './killing';

const PACE = { upMs: 0, downMs: 0 };

let kills = 0;
/** A part of a stack whose restart after a kill fails. */
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

/** Resolves a short time after the part was killed. */
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
