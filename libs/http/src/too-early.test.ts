import { repeatWhenTooEarly, TooEarly } from './too-early';

/** Returns work that is too early for the given times, and then has a result. */
function earlyFor(...waitsMs: number[]) {
  return async () => {
    const waitMs = waitsMs.shift();
    if (waitMs !== undefined) throw new TooEarly(waitMs);
    return 'done';
  };
}

async function waitsOf(work: () => Promise<string>) {
  const waited: number[] = [];
  const result = await repeatWhenTooEarly(work, async (ms) => void waited.push(ms)).catch(
    ({ code }: { code: string }) => code,
  );
  return [result, waited];
}

test('work that is too early is repeated after each wait that it asks for', async () => {
  expect(await waitsOf(earlyFor())).toEqual(['done', []]);
  expect(await waitsOf(earlyFor(4_800, 3))).toEqual(['done', [4_800, 3]]);
});

test('work that asks for more than six seconds fails, as while the clock is set back', async () => {
  expect(await waitsOf(earlyFor(4_800, 4_800))).toEqual(['service_unavailable', [4_800]]);
});

test('another error is not repeated', async () => {
  const failing = async () => {
    throw Object.assign(new Error(), { code: 'failed' });
  };
  expect(await waitsOf(failing)).toEqual(['failed', []]);
});
