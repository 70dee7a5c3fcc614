/**
 * A gateway for clients of the MCP endpoint. The service behind it answers each operation with the example of the contract, or as the test
 * says.
 */
import {
  BASE_PATH,
  bulkLineSchemas,
  exampleIdentifier,
  expandPath,
  operationList,
} from '@carecover/contract';
import { setProject } from '@carecover/gateway';
import { GatewayFixture, type TestGateway } from '@carecover/gateway/testing';
import { isConfirmed, tools } from '@carecover/mcp';

const routes = operationList.map(({ method, path, success: [{ schema }] }) => ({
  method,
  pattern: new RegExp(`^${BASE_PATH}${expandPath(path, () => '[^/?]+')}$`),
  example: (schema as unknown as { examples: readonly unknown[] }).examples[0],
}));

function exampleOf(method: string, url: string): unknown {
  const [path = ''] = url.split('?');
  return routes.find((route) => route.method === method && route.pattern.test(path))?.example;
}

/** A value of each required argument of any tool. */
const VALUES: Readonly<Record<string, unknown>> = {
  claim_id: exampleIdentifier('claim'),
  remittance_id: exampleIdentifier('remittance'),
  settlement_id: exampleIdentifier('settlement'),
  preauthorization_id: exampleIdentifier('preauthorization'),
  booking_id: exampleIdentifier('booking'),
  valuation_run_id: exampleIdentifier('valuationRun'),
  practitioner_id: exampleIdentifier('practitioner'),
  valuation_at: '2025-03-11T00:00:00Z',
  first_at: '2025-03-11T00:00:00Z',
  second_at: '2025-03-12T00:00:00Z',
  at: '2025-03-11T00:00:00Z',
  from: '2099-03-02T00:00:00Z',
  to: '2099-03-09T00:00:00Z',
  duration_minutes: 50,
  format: 'online',
  kind: 'totals',
  idempotency_key: 'key-of-a-test-1',
  policy_reference: 'policy:outpatient',
  policy_version: '2025.1',
  reason_codes: ['within_policy'],
  reason_code: 'referral_missing',
  requested_evidence_types: ['referral_letter'],
  information_request_id: exampleIdentifier('claimInformationRequest'),
  evidence_refs: ['referral:8812'],
  evidence_references: ['referral:8812'],
  approved_amount: 350_000,
  valid_until: '2099-04-01T00:00:00Z',
  source_reference: 'bank:2025-03-16:77120',
  currency: 'KES',
  amount: 300_000,
  observed_at: '2025-03-16T14:00:00Z',
  webhook_endpoint_id: exampleIdentifier('webhookEndpoint'),
  event_id: exampleIdentifier('event'),
};

/** The arguments of a tool that differ from those of the others with these names. */
const OWN_VALUES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  start_bulk_job: {
    kind: 'settlements',
    lines: (bulkLineSchemas('settlements')[0] as unknown as { examples: readonly unknown[] }).examples,
  },
};

/** Returns valid arguments of a listed tool: its required ones. */
export function argumentsOf({
  name: tool = '',
  inputSchema,
}: {
  readonly name?: string;
  readonly inputSchema: unknown;
}): Record<string, unknown> {
  const { required = [] } = inputSchema as { readonly required?: readonly string[] };
  return Object.fromEntries(required.map((name) => [name, OWN_VALUES[tool]?.[name] ?? VALUES[name]]));
}

/** The tools that are executed at once, and those that a person confirms. */
export const directTools = tools.filter((tool) => !isConfirmed(tool));
export const confirmedTools = tools.filter(isConfirmed);

function withArguments(some: typeof tools) {
  return Object.fromEntries(some.map((tool) => [tool.name, argumentsOf(tool)]));
}

/** Calls of all direct tools, of all confirmed tools and of one direct tool: the arguments by the name of the tool. */
export const DIRECT_CALLS = withArguments(directTools);
const CONFIRMED_CALLS = withArguments(confirmedTools);
export const ONE_CALL = { get_remittance: DIRECT_CALLS.get_remittance };

/** What a person answers to every question; '': the client has no forms. */
export type Answer = 'yes' | 'no' | '';

/** Creates a project in which agents can write. */
export async function writingProject({ fixture }: ToolServer) {
  const project = await fixture.project();
  await setProject(fixture.sql, 'tests', project.project_id, { agentWrites: 'confirmed' });
  return project;
}

/** Returns the requests that changed something at the service. A dry run changes nothing. */
export function writesOf({ fixture }: ToolServer) {
  return fixture.upstream.received.filter(
    ({ method, url }) => method !== 'GET' && !url.includes('dry_run=true'),
  );
}

export interface ToolServer {
  readonly fixture: GatewayFixture;
  readonly gateway: TestGateway;
  readonly url: URL;
  /** Makes the service respond with this API error; null: with examples. */
  failWith(status: number | null, code?: string): void;
  stop(): Promise<void>;
}

/** Starts a gateway and the service behind it; `settings` replace the defaults. */
export async function startToolServer(settings: Readonly<Record<string, string>> = {}): Promise<ToolServer> {
  const fixture = await GatewayFixture.start();
  const gateway = await fixture.gateway(settings);
  let failure: { readonly status: number; readonly code: string } | null = null;
  fixture.upstream.respond = ({ method, url }, response) => {
    const error = failure && { code: failure.code, message: '/path/claim_id is wrong', docs: '' };
    const body = error === null ? exampleOf(method, url) : { error };
    const headers = {
      'content-type': 'application/json',
      ...(failure?.status === 503 && { 'retry-after': '7' }),
    };
    response.writeHead(failure?.status ?? 200, headers).end(JSON.stringify(body));
  };
  return {
    fixture,
    gateway,
    url: new URL('/v1/mcp', gateway.origin),
    failWith: (status, code = '') => {
      failure = status === null ? null : { status, code };
    },
    stop: () => fixture.stop(),
  };
}

/** The headers that a client sends: the credential, and what a proxy that terminates TLS adds. */
export function headersOf(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}`, 'x-forwarded-proto': 'https' };
}

/**
 * Registers the tests of a client whose person answers the question of every confirmed tool, or that has no forms.
 *
 * @param call makes these calls with the credential, and returns the revision and a result per call; null if the client is missing
 */
export function describeAnswers(
  language: string,
  serverOf: () => ToolServer,
  call: (given: object, credential: string, answer: Answer) => Promise<readonly object[] | null>,
): void {
  test.each([
    ['yes', 'executes every write', /^\{/, confirmedTools.length],
    ['no', 'executes none', /^not_confirmed/, 0],
    ['', 'executes none without a form', /^confirmation_unavailable/, 0],
  ] as const)(`the ${language} client whose person answers %p %s`, async (answer, _name, text, count) => {
    const server = serverOf();
    const { secret_key } = await writingProject(server);
    server.fixture.upstream.received.splice(0);
    const lines = await call(CONFIRMED_CALLS, secret_key, answer);
    if (lines === null) return;
    const [, ...results] = lines;
    expect(results).toHaveLength(confirmedTools.length);
    for (const result of results)
      expect(result).toMatchObject({ is_error: answer !== 'yes', text: expect.stringMatching(text) });
    expect(writesOf(server)).toHaveLength(count);
  });
}
