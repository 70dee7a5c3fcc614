/** Runs suites that need two replicas of each process without faults on one stack, as `one-stack.test.ts` does for one replica. */
// Its hooks are registered here, so that they belong to no single suite.
import './two-replicas/world';

describe.each(['valuation-reproducible', 'webhooks-do-not-flood'])('%s', (name) => {
  jest.requireActual(`./two-replicas/${name}`);
});
