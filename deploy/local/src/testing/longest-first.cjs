/**
 * The order of the test suites: those that take longest start first, so that at the end no processor waits for one long suite. Jest itself
 * orders suites by their last durations, which a fresh clone does not have, and otherwise by the size of their files.
 */
const TestSequencer = require('@jest/test-sequencer').default;

/** Folders of suites, longest first. The suites of all other folders come after them. */
const LONGEST = [
  'test/load',
  'test/chaos',
  'test/linearizability',
  'test/contract',
  'test',
  'deploy/chart',
  'workflows',
];

class LongestFirst extends TestSequencer {
  sort(tests) {
    const rank = ({ path, context }) => {
      const index = LONGEST.findIndex((folder) => path.startsWith(`${context.config.rootDir}/${folder}/`));
      return index < 0 ? LONGEST.length : index;
    };
    return super.sort(tests).sort((a, b) => rank(a) - rank(b));
  }
}

module.exports = LongestFirst;
