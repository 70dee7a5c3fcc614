/** fast-check with the seed of the test run. Every property test imports it from here, so that SEED repeats the cases of a failed run. */
import fc from 'fast-check';
import { SEED_SETTING } from './seed';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env[SEED_SETTING]) });

export { fc };
