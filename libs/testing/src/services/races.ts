/**
 * Runs two operations concurrently, in rounds, so that a test sees both orders. The first operation starts earlier in even rounds and the
 * second in odd rounds, with a varying lead. In the last two rounds the earlier one completes before the other starts, so both orders
 * occur on every machine.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '@carecover/domain';

const LEADS_MS = [0, 1, 3, 7, 15, 31];

/** One of the repetitions of a test of two concurrent operations: its number, from 0, and the number of repetitions. */
export interface Round {
  readonly number: number;
  readonly of: number;
}

/** Runs `play` once per round, and returns the distinct outcomes that it returned, sorted. */
export async function playRounds(of: number, play: (round: Round) => Promise<string>): Promise<string[]> {
  const seen = new Set<string>();
  for (let number = 0; number < of; number++) seen.add(await play({ number, of }));
  return [...seen].sort();
}

/**
 * Runs two operations concurrently and returns their results. The number of the round selects which operation starts first, and how much
 * earlier.
 */
export async function race<First, Second>(
  round: Round,
  first: () => Promise<First>,
  second: () => Promise<Second>,
): Promise<[First, Second]> {
  if (round.number % 2 === 0) return inOrder(round, first, second);
  const [late, early] = await inOrder(round, second, first);
  return [early, late];
}

/** Runs a {@link race} of two operations that can be rejected; returns `done` or the error's code for each. */
export function raceOutcomes(
  round: Round,
  first: () => Promise<unknown>,
  second: () => Promise<unknown>,
): Promise<[string, string]> {
  return race(
    round,
    () => outcomeOf(first),
    () => outcomeOf(second),
  );
}

/** Returns `done`, or the code of the API error if the operation is rejected. Any other error fails the test. */
export async function outcomeOf(work: () => Promise<unknown>): Promise<string> {
  try {
    await work();
    return 'done';
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
}

async function inOrder<Leader, Other>(
  { number, of }: Round,
  leader: () => Promise<Leader>,
  other: () => Promise<Other>,
): Promise<[Leader, Other]> {
  if (number >= of - 2) return [await leader(), await other()];
  const leadMs = LEADS_MS[(number >> 1) % LEADS_MS.length];
  return Promise.all([leader(), sleep(leadMs).then(other)]);
}
