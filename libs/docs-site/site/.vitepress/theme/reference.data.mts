/** Computes at the build what the page of the reference shows beside the API description. */
import { createRequire } from 'node:module';
import type { OperationSamples } from '../../../src/reference-data';

const require = createRequire(import.meta.url);

export declare const data: Readonly<Record<string, OperationSamples>>;

export default {
  load(): typeof data {
    const { referenceSamples } =
      require('../../../dist/reference-data.js') as typeof import('../../../src/reference-data');
    return referenceSamples();
  },
};
