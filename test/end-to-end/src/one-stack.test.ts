/**
 * Runs suites that need a stack without faults on one stack, because the start of a stack takes about eight seconds of processor time.
 * `npx jest one-stack -t '^trace '` runs one of them.
 *
 * The programs of the guides run first, because they book slots that the test data would use later. The trace's suite expects no span of
 * the console as a root, and `console-access` expects that the console's people have not acted. `console-administration` uses up the
 * requests of a person, and stops the gateway. The last suite restarts the services so that their calls are recorded.
 */
import { runSuites } from './run-suites';

runSuites('one-stack', [
  'quick-start',
  'python',
  'go',
  'past-care',
  'trace',
  'console-access',
  'console-pages',
  'console-money',
  'agent-questions',
  'agent-writes',
  'agent-persons',
  'bulk-jobs',
  'takebacks',
  'same-script',
  'coverage-import',
  'demo',
  'operator-tasks',
  'bank-file',
  'console-administration',
  'walk',
]);
