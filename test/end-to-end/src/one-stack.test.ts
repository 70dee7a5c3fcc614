/**
 * Runs suites that need a stack without faults on one stack, because the start of a stack takes about eight seconds of processor time.
 * `npx jest one-stack -t trace` runs one of them.
 */
// Its hooks are registered here, so that they belong to no single suite.
import './one-stack/world';

/**
 * The suites, in the order in which they run. The programs of the guides book slots that the test data would use later. The trace's suite
 * expects no span of the console as a root, and `console-access` expects that the console's people have not acted. The last suite uses up
 * the requests of a person, and stops the gateway.
 */
const SUITES = [
  'quick-start',
  'python',
  'trace',
  'console-access',
  'console-pages',
  'console-money',
  'coverage-import',
  'operator-tasks',
  'console-administration',
];

describe.each(SUITES)('%s', (name) => {
  jest.requireActual(`./one-stack/${name}`);
});
