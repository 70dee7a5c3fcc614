/** Races in rounds: how many there are, and who has the start, so that both outcomes are seen. */
import { testSize } from '@carecover/local/testing';
export const ROUNDS = testSize({ ci: 10, soak: 50 });

const pause = (ms: number) =>
  ms === 0 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, ms));

/** `won` or the code of the refusal. */
export type Outcome = string;

async function outcomeOf(work: () => Promise<unknown>, delayMs: number): Promise<Outcome> {
  await pause(delayMs);
  try {
    await work();
    return 'won';
  } catch (error) {
    if (error instanceof Error && 'code' in error) return String(error.code);
    throw error;
  }
}

/** Lets two run against each other; in even rounds the first has up to 40 ms start, in odd ones the second. */
export function race(
  round: number,
  first: () => Promise<unknown>,
  second: () => Promise<unknown>,
): Promise<[Outcome, Outcome]> {
  const startMs = 10 * (Math.floor(round / 2) % 5);
  const [a, b] = round % 2 === 0 ? [0, startMs] : [startMs, 0];
  return Promise.all([outcomeOf(first, a), outcomeOf(second, b)]);
}
