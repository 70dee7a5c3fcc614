/** Runs suites that need two replicas of each process on one stack, as `one-stack.test.ts` does for one replica. */
import { runSuites } from './run-suites';

runSuites('two-replicas', ['valuation-reproducible', 'webhooks-do-not-flood']);
