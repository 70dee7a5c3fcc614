/**
 * The order of the test suites. Those that take longest start first, so that at the end no processor waits for one long suite. Suites that
 * wait most of their time are spread among the others, so that the processors are busy meanwhile. Jest itself orders suites by their last
 * durations, which a fresh clone does not have, and otherwise by the size of their files.
 */
const TestSequencer = require('@jest/test-sequencer').default;

/** Suites and folders of suites, longest first. All other suites come after them. */
const LONGEST = [
  'test/load',
  'test/chaos',
  'test/linearizability',
  'test/contract',
  'test/end-to-end/src/one-stack',
  'test',
  'deploy/chart',
  'workflows',
];

/** Suites that wait for timeouts, deadlines or idle periods for most of their time, longest first. */
const WAITING = [
  'test/security/src/every-connection-ends',
  'test/end-to-end/src/start-and-stop',
  'services/webhooks/src/idle',
  'workflows/claim/src/workflow',
  'test/end-to-end/src/command-line',
  'services/webhooks/src/use-cases/test-endpoint',
  'libs/platform/src/relay',
  'test/security/src/temporal-needs-a-certificate',
  'services/webhooks/src/delivery/full-destination',
  'test/security/src/unread-responses-end',
];

/** The number of other suites after which a waiting suite starts. */
const BETWEEN = 2;

const indexIn = (list, { path, context }) => {
  const index = list.findIndex((start) => path.startsWith(`${context.config.rootDir}/${start}`));
  return index < 0 ? list.length : index;
};

/** Returns the tests in the order of the list, and those that are not in it at the end, in their own order. */
const sortBy = (list, tests) => tests.toSorted((a, b) => indexIn(list, a) - indexIn(list, b));

class SuiteOrder extends TestSequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const isWaiting = (test) => indexIn(WAITING, test) < WAITING.length;
    const waiting = sortBy(WAITING, sorted.filter(isWaiting));
    const others = sortBy(
      LONGEST,
      sorted.filter((test) => !isWaiting(test)),
    );
    const ordered = others.flatMap((test, index) =>
      (index + 1) % BETWEEN === 0 ? [test, ...waiting.splice(0, 1)] : [test],
    );
    return [...ordered, ...waiting];
  }
}

module.exports = SuiteOrder;
module.exports.LISTED = [...LONGEST, ...WAITING];
