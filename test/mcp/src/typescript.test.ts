/** Every tool by the TypeScript clients: the current package on both revisions, and the package before it. */

import {
  Client,
  ClientCredentialsProvider,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  argumentsOf,
  confirmedTools,
  headersOf,
  startToolServer,
  type ToolServer,
  writesOf,
  writingProject,
} from './tool-server';

const INFO = { name: 'test', version: '1' };
const NEW = '2026-07-28';

let server: ToolServer;
let key: string;

beforeAll(async () => {
  server = await startToolServer();
  key = (await server.fixture.project()).secret_key;
});
beforeEach(() => server.failWith(null));
afterAll(() => server.stop());

/** What the tests use of either client. */
interface AnyClient {
  listTools(): Promise<{ tools: { name: string; inputSchema: unknown }[] }>;
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<Record<string, unknown>>;
  close(): Promise<void>;
  revision(): string | undefined;
}

async function connectNew(mode: 'auto' | 'legacy', credential: string): Promise<AnyClient> {
  const client = new Client(INFO, { versionNegotiation: { mode } });
  await client.connect(
    new StreamableHTTPClientTransport(server.url, { requestInit: { headers: headersOf(credential) } }),
  );
  return Object.assign(client, { revision: () => client.getNegotiatedProtocolVersion() });
}

async function connectOld(credential: string): Promise<AnyClient> {
  const client = new OldClient(INFO);
  const transport = new OldTransport(server.url, { requestInit: { headers: headersOf(credential) } });
  await client.connect(transport as Parameters<OldClient['connect']>[0]);
  return Object.assign(client, { revision: () => transport.protocolVersion }) as unknown as AnyClient;
}

describe.each([
  ['the current client on the new revision', NEW, (credential: string) => connectNew('auto', credential)],
  [
    'the current client on the old revision',
    '2025-11-25',
    (credential: string) => connectNew('legacy', credential),
  ],
  ['the client before it', '2025-11-25', connectOld],
] as const)('%s', (_name, revision, connect) => {
  let client: AnyClient;
  beforeAll(async () => {
    client = await connect(key);
  });
  afterAll(() => client.close());

  test('negotiates its revision', () => expect(client.revision()).toBe(revision));

  test('calls every tool, and finds each result as its output schema says', async () => {
    const { tools } = await client.listTools();
    expect(tools.length).toBeGreaterThanOrEqual(20);
    for (const tool of tools) {
      const result = await client.callTool({ name: tool.name, arguments: argumentsOf(tool) });
      expect([tool.name, result.isError ?? false]).toEqual([tool.name, false]);
      expect(result.structuredContent).toEqual(expect.any(Object));
    }
  });

  test.each([
    [400, 'validation_failed'],
    [404, 'resource_not_found'],
    [409, 'invalid_state'],
    [422, 'over_allocation'],
  ])('shows %i as a result that the model reads', async (status, code) => {
    server.failWith(status, code);
    const result = await client.callTool({
      name: 'get_remittance',
      arguments: argumentsOf({ inputSchema: { required: ['remittance_id'] } }),
    });
    expect(result).toMatchObject({ isError: true, content: [{ text: `${code}: claim_id is wrong` }] });
    const structured =
      revision === NEW
        ? { error: { code, message: expect.any(String), docs: expect.any(String) } }
        : undefined;
    expect(result.structuredContent).toEqual(structured);
  });

  test('shows the text of a 503', async () => {
    server.failWith(503, 'service_unavailable');
    const called = client.callTool({
      name: 'get_booking',
      arguments: argumentsOf({ inputSchema: { required: ['booking_id'] } }),
    });
    await expect(called).rejects.toThrow(/service_unavailable/);
  });

  test('fails at once with a key that is not valid', async () => {
    await expect(connect('sk_test_wrong').then((wrong) => wrong.listTools())).rejects.toThrow();
  });
});

test('429 at first contact does not make the client take the server for an old one', async () => {
  const project = await server.fixture.project();
  await server.fixture.exhaustLimit(project.project_id);
  const client = await connectNew('auto', project.secret_key);
  expect(client.revision()).toBe(NEW);
  await expect(client.listTools()).rejects.toThrow(/rate_limited/);
  await client.close();
});

test('a scope that is missing is an error that names the scopes', async () => {
  const client = await connectNew('auto', await server.fixture.keyWith('bookings:read'));
  await expect(
    client.callTool({ name: 'get_receivables', arguments: { at: '2025-03-11T00:00:00Z' } }),
  ).rejects.toThrow(/scope/i);
  await client.close();
});

test('a client with OAuth client credentials gets a token for its key, and calls tools with it', async () => {
  const credential = await server.fixture.keyWith('bookings:read');
  // The gateway names itself by https, which a proxy terminates.
  const throughProxy = (url: string | URL, init?: RequestInit) => {
    const headers = new Headers(init?.headers);
    headers.set('x-forwarded-proto', 'https');
    return fetch(String(url).replace(/^https:/, 'http:'), { ...init, headers });
  };
  const expectedIssuer = server.gateway.origin.replace('http:', 'https:');
  const authProvider = new ClientCredentialsProvider({
    clientId: 'agent',
    clientSecret: credential,
    expectedIssuer,
  });
  const client = new Client(INFO, { versionNegotiation: { mode: 'auto' } });
  const url = new URL(server.url.href.replace('http:', 'https:'));
  await client.connect(new StreamableHTTPClientTransport(url, { authProvider, fetch: throughProxy }));
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['get_booking']);
  const [tool] = tools;
  const result = await client.callTool({
    name: 'get_booking',
    arguments: argumentsOf(tool ?? { inputSchema: {} }),
  });
  expect(result.isError).toBeUndefined();
  await client.close();
});

describe('writes', () => {
  /** Connects a client whose person answers every question; null: the client has no forms. */
  async function connectPerson(credential: string, answer: ((choices: string[]) => object) | null) {
    const capabilities = answer === null ? {} : { elicitation: {} };
    const client = new Client(INFO, { versionNegotiation: { mode: 'auto' }, capabilities });
    const questions: string[] = [];
    if (answer !== null) {
      client.setRequestHandler('elicitation/create', async ({ params }) => {
        const { message, requestedSchema } = params as unknown as {
          message: string;
          requestedSchema: { properties: { decision: { enum: string[] } } };
        };
        questions.push(message);
        return answer(requestedSchema.properties.decision.enum) as { action: 'accept' };
      });
    }
    await client.connect(
      new StreamableHTTPClientTransport(server.url, { requestInit: { headers: headersOf(credential) } }),
    );
    return { client, questions };
  }
  const yes = ([choice]: string[]) => ({ action: 'accept', content: { decision: choice } });

  beforeEach(() => server.fixture.upstream.received.splice(0));

  test.each(confirmedTools.map((tool) => [tool.name, tool] as const))(
    'a person confirms %s, and a call that is sent twice has one idempotency key',
    async (name, tool) => {
      const { client, questions } = await connectPerson((await writingProject(server)).secret_key, yes);
      const given = argumentsOf(tool);
      const results = await Promise.all([
        client.callTool({ name, arguments: given }),
        client.callTool({ name, arguments: given }),
      ]);
      expect(results.map(({ isError }) => isError ?? false)).toEqual([false, false]);
      expect(questions).toEqual([expect.stringContaining('Effect: '), expect.stringContaining('Effect: ')]);
      const keys = writesOf(server).map(({ headers }) => headers['idempotency-key']);
      expect(keys).toEqual([given.idempotency_key, given.idempotency_key]);
      await client.close();
    },
  );

  test.each([
    ['declines', () => ({ action: 'decline' })],
    ['closes the form', () => ({ action: 'cancel' })],
    ['chooses to change nothing', ([, no]: string[]) => ({ action: 'accept', content: { decision: no } })],
  ])('nothing is written if the person %s', async (_name, answer) => {
    const { client } = await connectPerson((await writingProject(server)).secret_key, answer);
    for (const tool of confirmedTools) {
      const result = await client.callTool({ name: tool.name, arguments: argumentsOf(tool) });
      expect(result).toMatchObject({
        isError: true,
        content: [{ text: expect.stringMatching(/^not_confirmed/) }],
      });
    }
    expect(writesOf(server)).toEqual([]);
    await client.close();
  });

  test('nothing is written while the person does not answer', async () => {
    let client: Client | undefined;
    const asked = new Promise<void>((resolve) => {
      const never = () => {
        resolve();
        return new Promise(() => undefined);
      };
      const calling = writingProject(server).then(async ({ secret_key }) => {
        ({ client } = await connectPerson(secret_key, never));
        const given = argumentsOf({
          inputSchema: {
            required: ['claim_id', 'policy_reference', 'policy_version', 'reason_codes', 'idempotency_key'],
          },
        });
        return client.callTool({ name: 'deny_claim', arguments: given });
      });
      // The client ends while it waits for the person, so the call is rejected then.
      calling.then(
        () => resolve(),
        () => resolve(),
      );
    });
    await asked;
    await client?.close();
    expect(client).toBeDefined();
    expect(server.fixture.upstream.received.map(({ method }) => method)).toEqual(['GET']);
  });

  test('clients without forms are told where a person can do it', async () => {
    const { secret_key } = await writingProject(server);
    const { client } = await connectPerson(secret_key, null);
    const old = await connectOld(secret_key);
    for (const tool of confirmedTools) {
      const params = { name: tool.name, arguments: argumentsOf(tool) };
      for (const result of [await client.callTool(params), await old.callTool(params)])
        expect(result).toMatchObject({
          isError: true,
          content: [{ text: expect.stringMatching(/^confirmation_unavailable: .*\/projects\/prj_/) }],
        });
    }
    expect(server.fixture.upstream.received).toEqual([]);
    await client.close();
    await old.close();
  });
});
