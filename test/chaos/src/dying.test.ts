import { setTimeout as sleep } from 'node:timers/promises';
import { type Mortal, whileDying } from './dying';

const PACE = { calmMs: 0, deadMs: 0 };

let deaths = 0;
/** A part that dies and does not come back. */
const lost: Mortal = {
  name: 'lost',
  kill: async () => {
    deaths += 1;
  },
  start: () => Promise.reject(new Error('it does not come back')),
};
beforeEach(() => {
  deaths = 0;
});

/** Work that goes on well after the part was lost. */
async function untilLost(): Promise<void> {
  while (deaths === 0) await sleep(1);
  await sleep(10);
}

test('where a part did not come back, that is told once the work is done', async () => {
  await expect(whileDying([lost], PACE, untilLost)).rejects.toThrow('it does not come back');
});

test('where the work failed too, its own error is told first', async () => {
  const work = async () => {
    await untilLost();
    throw new Error('a claim was settled twice');
  };
  await expect(whileDying([lost], PACE, work)).rejects.toThrow('a claim was settled twice');
});
