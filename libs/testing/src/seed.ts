/** The seed of a test run's property tests. The run prints it, so that a failure can be repeated. */
import { randomInt } from 'node:crypto';

export const SEED_SETTING = 'SEED';
const LARGEST = 2 ** 31 - 1;

/** Returns the value of the environment variable SEED as the seed if it is an integer, otherwise a random seed. */
export function seedOf(setting: string | undefined): number {
  return setting !== undefined && /^-?\d{1,10}$/.test(setting) ? Number(setting) | 0 : randomInt(LARGEST);
}

/** Sets the seed in the environment of this process and its child processes, and prints it. */
export function settleSeed(): void {
  const seed = String(seedOf(process.env[SEED_SETTING]));
  process.env[SEED_SETTING] = seed;
  process.stderr.write(`property tests: ${SEED_SETTING}=${seed} draws the same cases again\n`);
}
