/**
 * Runs the conformance suite of the protocol against a test build: the gateway and the handler of the product, whose tools, resources and
 * prompts are those that the suite calls by fixed names. So every required scenario applies.
 */
import { serveFixtures } from '@carecover/mcp/testing';
import { type ConformanceSuite, noProblems, problemsOf, startConformance } from './conformance-suite';

// The build differs from the product here, and nowhere else.
jest.mock('@carecover/mcp', () => {
  const product = jest.requireActual('@carecover/mcp');
  return {
    ...product,
    createMcpEndpoint: (options: object) =>
      product.createMcpEndpoint({ ...options, extend: mockServeFixtures }),
  };
});
// Jest permits only names with this prefix in the function above, which runs before the imports.
const mockServeFixtures: typeof serveFixtures = (server) => serveFixtures(server);

// The first run installs the suite.
jest.setTimeout(300_000);

let suite: ConformanceSuite | null;

beforeAll(async () => {
  suite = await startConformance('the conformance of a test build of the MCP endpoint');
});
afterAll(() => suite?.stop());

/** The scenarios that the suite requires of a server of 2026-07-28 (its file requirements/2026-07-28.yaml). */
const REQUIRED = [
  'server-stateless',
  'completion-complete',
  'tools-list',
  'tools-call-simple-text',
  'tools-call-image',
  'tools-call-audio',
  'tools-call-embedded-resource',
  'tools-call-mixed-content',
  'tools-call-error',
  'tools-call-with-progress',
  'server-sse-multiple-streams',
  'resources-list',
  'resources-read-text',
  'resources-read-binary',
  'resources-templates-read',
  'sep-2164-resource-not-found',
  'prompts-list',
  'prompts-get-simple',
  'prompts-get-with-args',
  'prompts-get-embedded-resource',
  'prompts-get-with-image',
  'dns-rebinding-protection',
  'caching',
  'input-required-result-basic-elicitation',
  'input-required-result-basic-sampling',
  'input-required-result-basic-list-roots',
  'input-required-result-request-state',
  'input-required-result-multiple-input-requests',
  'input-required-result-multi-round',
  'input-required-result-missing-input-response',
  'input-required-result-non-tool-request',
  'input-required-result-result-type',
  'input-required-result-unsupported-methods',
  'input-required-result-tampered-state',
  'input-required-result-capability-check',
  'input-required-result-ignore-extra-params',
  'input-required-result-validate-input',
];

test('every required scenario of 2026-07-28 passes', async () => {
  if (suite === null) return;
  const { failures, warnings, untestable } = await suite.run(['--requirements', '2026-07-28']);
  for (const problems of [failures, warnings, untestable])
    expect(problemsOf(problems, REQUIRED)).toEqual(noProblems(REQUIRED));
});

/** The scenarios of the older revision, without what a stateless endpoint does not offer: requests to the client, and subscriptions. */
const REQUIRED_OLD = [
  'server-initialize',
  'ping',
  'completion-complete',
  'tools-list',
  'tools-call-simple-text',
  'tools-call-image',
  'tools-call-audio',
  'tools-call-embedded-resource',
  'tools-call-mixed-content',
  'tools-call-error',
  'tools-call-with-progress',
  'server-sse-multiple-streams',
  'resources-list',
  'resources-read-text',
  'resources-read-binary',
  'resources-templates-read',
  'prompts-list',
  'prompts-get-simple',
  'prompts-get-with-args',
  'prompts-get-embedded-resource',
  'prompts-get-with-image',
  'dns-rebinding-protection',
];

test('the required scenarios of 2025-11-25 that need no session pass', async () => {
  if (suite === null) return;
  const { failures } = await suite.run(['--spec-version', '2025-11-25']);
  expect(problemsOf(failures, REQUIRED_OLD)).toEqual(noProblems(REQUIRED_OLD));
});
