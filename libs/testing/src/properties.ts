/**
 * fast-check with the seed of the test run, and the drawing of cases with that seed. Every test that draws its cases imports it from here,
 * so that SEED repeats the cases of a failed run.
 */
import fc from 'fast-check';
import { SEED_SETTING } from './seed';

const seed = Number(process.env[SEED_SETTING]);
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });

export { fc };

/** The number of earlier draws of the suite. Each draw has a seed of its own, so that equal numbers of cases do not draw the same positions. */
let draws = 0;

/**
 * Draws `count` of the cases with the seed of the test run, in their order. A suite whose cases take long tests some of them in
 * `npm test`, and all of them in `npm run soak`.
 */
export function drawCases<T>(cases: readonly T[], count: number): T[] {
  const choices = fc.subarray([...cases], { minLength: count, maxLength: count });
  const [drawn = []] = fc.sample(choices, { numRuns: 1, seed: seed + draws++ });
  return drawn;
}
