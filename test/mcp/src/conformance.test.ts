/**
 * Runs the conformance suite of the protocol against the endpoint of the product: the scenarios that call no tool, resource or prompt with a
 * fixed name (test_…). The suite conformance-fixtures.test.ts runs the others.
 */
import { type ConformanceSuite, noProblems, problemsOf, startConformance } from './conformance-suite';

// The first run installs the suite.
jest.setTimeout(300_000);

let suite: ConformanceSuite | null;

beforeAll(async () => {
  suite = await startConformance('the conformance of the MCP endpoint');
});
afterAll(() => suite?.stop());

/** The scenarios that need no tool, resource or prompt of a test server. */
const APPLICABLE = [
  'server-stateless',
  'tools-list',
  'resources-list',
  'prompts-list',
  'sep-2164-resource-not-found',
  'caching',
  'dns-rebinding-protection',
  'server-sse-multiple-streams',
  'http-header-validation',
  'input-required-result-missing-input-response',
  'input-required-result-ignore-extra-params',
  'input-required-result-validate-input',
  'input-required-result-unsupported-methods',
];

test('the scenarios of 2026-07-28 that need no test server pass', async () => {
  if (suite === null) return;
  const { failures } = await suite.run(['--requirements', '2026-07-28']);
  expect(problemsOf(failures, APPLICABLE)).toEqual(noProblems(APPLICABLE));
});

const APPLICABLE_OLD = [
  'server-initialize',
  'ping',
  'tools-list',
  'resources-list',
  'prompts-list',
  'dns-rebinding-protection',
];

test('the scenarios of 2025-11-25 that need no test server pass', async () => {
  if (suite === null) return;
  const { failures } = await suite.run(['--spec-version', '2025-11-25']);
  expect(problemsOf(failures, APPLICABLE_OLD)).toEqual(noProblems(APPLICABLE_OLD));
});
