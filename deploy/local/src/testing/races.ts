/**
 * Two at once, in rounds. The first leads in even rounds and the second in odd ones, by a little more or less each time; in the
 * last two rounds the leader is done before the other begins, so that both orders are seen on any machine.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '@carecover/platform';

const LEADS_MS = [0, 1, 3, 7, 15, 31];

/** One round of a race: which, of how many. */
export interface Round {
  readonly number: number;
  readonly of: number;
}

/** Plays the rounds and gives the different outcomes that were seen, sorted. */
export async function playRounds(of: number, play: (round: Round) => Promise<string>): Promise<string[]> {
  const seen = new Set<string>();
  for (let number = 0; number < of; number++) seen.add(await play({ number, of }));
  return [...seen].sort();
}

/** Lets two run against each other. */
export async function race<First, Second>(
  round: Round,
  first: () => Promise<First>,
  second: () => Promise<Second>,
): Promise<[First, Second]> {
  if (round.number % 2 === 0) return inOrder(round, first, second);
  const [late, early] = await inOrder(round, second, first);
  return [early, late];
}

/** As {@link race}, between two that may be refused: `done`, or the code of the rejection. */
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

/** `done`, or the code of the rejection. Anything but a rejection fails the test. */
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
