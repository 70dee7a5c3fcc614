/** The seed of a run's property tests: the one that SEED sets, else a new one. Printed, so that a failure can be had again. */
import { randomInt } from 'node:crypto';

export const SEED_SETTING = 'SEED';
const LARGEST = 2 ** 31 - 1;

/** The one that is set, where it is a whole number, else a new one. */
export function seedOf(setting: string | undefined): number {
  return setting !== undefined && /^-?\d{1,10}$/.test(setting) ? Number(setting) | 0 : randomInt(LARGEST);
}

/** Decides on it for this process and those that it starts. */
export function settleSeed(): void {
  const seed = String(seedOf(process.env[SEED_SETTING]));
  process.env[SEED_SETTING] = seed;
  process.stderr.write(`property tests: ${SEED_SETTING}=${seed} draws the same cases again\n`);
}
