/**
 * fast-check for every property test: all draw from one seed, which the run prints at its start, so that SEED draws the same
 * cases again whichever test failed.
 */
import fc from 'fast-check';
import { SEED_SETTING } from './seed';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env[SEED_SETTING]) });

export { fc };
