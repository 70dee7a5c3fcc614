/** Tests of the MCP endpoint: credentials, scopes, limits and errors are those of the API, and first contact needs nothing. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { APP_SCRIPT as TRIANGLE_APP } from '@carecover/charts/assets';
import { APP_SCRIPT as CLAIM_APP } from '@carecover/two-times/assets';
import { buildSync } from 'esbuild';
import { setProject } from './store/projects';
import {
  type Answer,
  GatewayFixture,
  type RequestOptions,
  type TestGateway,
} from './testing/gateway-fixture';

let fixture: GatewayFixture;
let gateway: TestGateway;

beforeAll(async () => {
  fixture = await GatewayFixture.start();
  gateway = await fixture.gateway();
});
beforeEach(() => {
  fixture.upstream.received.splice(0);
  fixture.upstream.respond = undefined;
});
afterAll(() => fixture.stop());

const CLAIM = 'clm_0199f2a4c1d27b3e9a5f60718293a4b5';
const VERSION = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
};

/** What the tests read of a JSON-RPC response. */
interface JsonResponse extends Answer {
  readonly body: {
    readonly id: unknown;
    readonly result: {
      readonly isError?: boolean;
      readonly content: readonly [{ readonly text: string }];
      readonly structuredContent: { readonly error: { readonly docs: string } };
      readonly tools: readonly { readonly name: string }[];
      readonly capabilities: unknown;
      readonly instructions: string;
    };
    readonly error: { readonly code: number; readonly data: { readonly code: string } };
  };
}

function message(method: string, params: Record<string, unknown> = {}) {
  return { jsonrpc: '2.0', id: 42, method, params: { ...params, _meta: META } };
}

async function send(
  key: string | undefined,
  method: string,
  params: Record<string, unknown> = {},
  options: RequestOptions = {},
) {
  const { name } = params;
  const reply = await gateway.request('/v1/mcp', {
    ...(key !== undefined && { key }),
    body: message(method, params),
    ...options,
    headers: {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': VERSION,
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }),
      ...options.headers,
    },
  });
  return reply as JsonResponse;
}

const callTool = (key: string, name: string, args: Record<string, unknown> = {}) =>
  send(key, 'tools/call', { name, arguments: args });

function respondWith(status: number, body: unknown, headers: Record<string, string> = {}) {
  fixture.upstream.respond = (_received, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
}

describe('first contact', () => {
  test('server/discover needs neither a credential nor another service', async () => {
    const reply = await send(undefined, 'server/discover');
    expect([reply.status, reply.body.id]).toEqual([200, 42]);
    expect(reply.body.result.capabilities).toEqual({
      tools: { listChanged: false },
      resources: { listChanged: false },
      prompts: { listChanged: false },
    });
    expect(reply.body.result.instructions).toContain('minor unit');
  });

  test('server/discover is answered while the project is over its limit', async () => {
    const { project_id, secret_key: key } = await fixture.project();
    await fixture.exhaustLimit(project_id);
    const [discovered, listed] = [await send(key, 'server/discover'), await send(key, 'tools/list')];
    expect([discovered.status, listed.status]).toEqual([200, 429]);
    expect(listed.body).toMatchObject({ id: 42, error: { code: 429, data: { code: 'rate_limited' } } });
    expect(Number(listed.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test('the header server/discover admits no other method', async () => {
    const key = (await fixture.project()).secret_key;
    for (const presented of [undefined, key]) {
      const reply = await send(presented, 'tools/list', {}, { headers: { 'mcp-method': 'server/discover' } });
      expect([reply.status, reply.body.error.code]).toEqual([400, -32020]);
    }
    const old = await send(
      undefined,
      'tools/list',
      {},
      { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' }, headers: { 'mcp-method': 'server/discover' } },
    );
    expect(old.status).toBe(400);
  });

  test('the metadata of the resource can be read without a credential', async () => {
    const { status, body } = await gateway.request('/.well-known/oauth-protected-resource/v1/mcp');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      resource: expect.stringMatching(/\/v1\/mcp$/),
      bearer_methods_supported: ['header'],
    });
  });

  test('a client of an older revision initializes, and gets 405 for GET', async () => {
    const key = (await fixture.project()).secret_key;
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'old', version: '1' },
    };
    const reply = await gateway.request('/v1/mcp', {
      key,
      body: { jsonrpc: '2.0', id: 1, method: 'initialize', params },
      headers: { accept: 'application/json, text/event-stream' },
    });
    expect([reply.status, reply.text]).toEqual([
      200,
      expect.stringContaining('"protocolVersion":"2025-11-25"'),
    ]);
    const get = await gateway.request('/v1/mcp', { key });
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
  });
});

describe('permissions', () => {
  test('without a valid credential the response is 401 and names the metadata', async () => {
    const missing = await send(undefined, 'tools/list');
    expect(missing.status).toBe(401);
    expect(missing.headers.get('www-authenticate')).toMatch(
      /^Bearer realm="carecover", error="invalid_request", resource_metadata="https:\/\/[^"]+\/\.well-known\/oauth-protected-resource\/v1\/mcp"$/,
    );
    const wrong = await send('sk_test_wrong', 'tools/list');
    expect(wrong.headers.get('www-authenticate')).toContain('error="invalid_token"');
  });

  test('a tool whose scope the key lacks is not listed, and calling it is 403 with all scopes', async () => {
    const key = await fixture.keyWith('claims:read');
    const { tools } = (await send(key, 'tools/list')).body.result;
    const names = tools.map(({ name }) => name);
    expect(names).toContain('get_claim');
    expect(names).not.toContain('what_waits');
    const reply = await callTool(key, 'what_waits');
    expect([reply.status, reply.body.error.data.code]).toEqual([403, 'permission_denied']);
    expect(reply.headers.get('www-authenticate')).toContain('error="insufficient_scope", resource_metadata=');
    expect(reply.headers.get('www-authenticate')).toContain(
      'scope="claims:read benefits:read remittances:read"',
    );
    expect(fixture.upstream.received).toEqual([]);
  });

  test('a narrowed token reaches only its resources, and another one is as unknown', async () => {
    const key = (await fixture.project()).secret_key;
    const other = `${CLAIM.slice(0, -1)}6`;
    const created = await gateway.request('/v1/tokens', {
      key,
      body: { scopes: ['claims:read'], expires_in: 60, resource_ids: [CLAIM] },
    });
    const { token } = created.body as { token: string };
    expect((await callTool(token, 'get_claim', { claim_id: CLAIM })).body.result.isError).toBeUndefined();
    const { result } = (await callTool(token, 'get_claim', { claim_id: other })).body;
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'resource_not_found' } },
    });
    expect(fixture.upstream.received).toHaveLength(1);
  });

  test('a resource has the scope of its operation, and a narrowed token reads only its own', async () => {
    const read = (key: string, uri: string) =>
      send(key, 'resources/read', { uri }, { headers: { 'mcp-name': uri } });
    const denied = await read(await fixture.keyWith('bookings:read'), `carecover://claims/${CLAIM}`);
    expect([denied.status, denied.headers.get('www-authenticate')]).toEqual([
      403,
      expect.stringContaining('scope="claims:read"'),
    ]);
    const created = await gateway.request('/v1/tokens', {
      key: (await fixture.project()).secret_key,
      body: { scopes: ['claims:read'], expires_in: 60, resource_ids: [CLAIM] },
    });
    const { token } = created.body as { token: string };
    expect((await read(token, `carecover://claims/${CLAIM}`)).body.error).toBeUndefined();
    const foreign = await read(token, `carecover://claims/${CLAIM.slice(0, -1)}6`);
    const unknown = await read(token, 'carecover://nothing');
    expect(foreign.body.error.code).toBe(unknown.body.error.code);
    expect(fixture.upstream.received).toHaveLength(1);
  });

  test('every key reads the guides, the glossary, the error codes and the apps, without a service', async () => {
    for (const [script, source] of [
      [CLAIM_APP, 'two-times'],
      [TRIANGLE_APP, 'charts'],
    ] as const) {
      // Unit tests need no build, but the gateway serves these scripts.
      if (existsSync(script)) continue;
      const entryPoints = [join(__dirname, `../../../libs/${source}/src/app.ts`)];
      buildSync({ entryPoints, bundle: true, format: 'esm', conditions: ['types'], outfile: script });
    }
    const key = await fixture.keyWith('bookings:read');
    const { resources } = (await send(key, 'resources/list')).body.result as unknown as {
      resources: { uri: string }[];
    };
    const uris = resources.map(({ uri }) => uri);
    expect(uris).toEqual(
      expect.arrayContaining(
        ['errors', 'glossary', 'guides/money'].map((page) => `carecover://docs/${page}`),
      ),
    );
    for (const uri of [...uris, 'ui://carecover/claim-slider', 'ui://carecover/triangle']) {
      const { body } = await send(key, 'resources/read', { uri }, { headers: { 'mcp-name': uri } });
      expect([uri, body.result]).toMatchObject([
        uri,
        { cacheScope: 'public', contents: [{ uri, text: expect.stringMatching(/^(#|<!doctype html>)/) }] },
      ]);
    }
    expect(fixture.upstream.received).toEqual([]);
  });

  test('a secret key is rejected from a browser', async () => {
    const key = (await fixture.project()).secret_key;
    const reply = await send(key, 'tools/list', {}, { headers: { origin: 'https://evil.example' } });
    expect(reply.status).toBe(403);
    const discovered = await send(
      undefined,
      'server/discover',
      {},
      { headers: { origin: 'https://evil.example' } },
    );
    expect(discovered.status).toBe(401);
  });
});

describe('the operations of a tool', () => {
  test('the service receives the request of the operation in the name of the project', async () => {
    const project = await fixture.project();
    const reply = await callTool(project.secret_key, 'list_claims', { status: 'submitted', limit: 3 });
    expect(reply.status).toBe(200);
    expect(fixture.upstream.received).toMatchObject([
      { method: 'GET', url: '/v1/claims?limit=3&status=submitted', caller: { tenant: project.project_id } },
    ]);
  });

  test('each operation of a tool counts for the limit', async () => {
    // The gateway counts per minute of the database's clock, so the test stops this clock.
    await fixture.database.stopClock(Date.now());
    const limited = async (rateLimitPerMinute: number) => {
      const project = await fixture.project();
      await setProject(fixture.sql, 'tests', project.project_id, { rateLimitPerMinute });
      return project.secret_key;
    };
    const key = await limited(6);
    const reply = await callTool(key, 'what_waits');
    expect([reply.status, reply.headers.get('x-ratelimit-remaining')]).toEqual([200, '0']);
    const over = await callTool(await limited(5), 'what_waits');
    expect([over.status, over.body.error.data.code]).toEqual([429, 'rate_limited']);
    await fixture.database.setClockOffset(0);
  });

  test.each([400, 404, 409, 422])('%i of a service is an error that the model reads', async (status) => {
    const codes = {
      400: 'validation_failed',
      404: 'resource_not_found',
      409: 'invalid_state',
      422: 'over_allocation',
    };
    const code = codes[status as keyof typeof codes];
    respondWith(status, {
      error: { code, message: '/path/claim_id is wrong', docs: `/docs/errors#${code}` },
    });
    const { body } = await callTool((await fixture.project()).secret_key, 'get_claim', { claim_id: CLAIM });
    expect(body.result.isError).toBe(true);
    expect(body.result.content[0].text).toBe(`${code}: claim_id is wrong`);
    expect(body.result.structuredContent.error.docs).toMatch(/^https:\/\/.+\/docs\/errors#/);
  });

  test('503 of a service remains 503 with Retry-After, as a JSON-RPC error with the ID', async () => {
    respondWith(
      503,
      { error: { code: 'service_unavailable', message: 'Later', docs: '' } },
      { 'retry-after': '7' },
    );
    const reply = await callTool((await fixture.project()).secret_key, 'get_claim', { claim_id: CLAIM });
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '7']);
    expect(reply.body).toMatchObject({ id: 42, error: { code: 503, data: { code: 'service_unavailable' } } });
  });

  test('arguments that the contract rejects reach no service, and all of them are named', async () => {
    const key = (await fixture.project()).secret_key;
    const { result } = (await callTool(key, 'value_claim', { claim_id: 'x', valuation_at: 'yesterday' }))
      .body;
    expect(result.content[0].text).toMatch(/^validation_failed: .*claim_id .*valuation_at /);
    const unknown = (await callTool(key, 'get_claim', { claim: CLAIM })).body.result;
    expect(unknown.content[0].text).toContain('claim is no argument of this tool (its arguments: claim_id)');
    expect(unknown.content[0].text).toContain('claim_id is required');
    expect(fixture.upstream.received).toEqual([]);
  });

  test('a tool that takes long starts no further operation, and is 503', async () => {
    const key = (await fixture.project()).secret_key;
    const realNow = performance.now.bind(performance);
    fixture.upstream.respond = (_received, response) => {
      jest.spyOn(performance, 'now').mockImplementation(() => realNow() + 20_001);
      response.setHeader('content-type', 'application/json').end('{"data":[],"has_more":false}');
    };
    const reply = await callTool(key, 'what_waits');
    jest.restoreAllMocks();
    expect([reply.status, reply.body.error.data.code]).toEqual([503, 'service_unavailable']);
    expect(fixture.upstream.received).toHaveLength(1);
  });

  test('a client that leaves stops the operations that have not begun', async () => {
    const key = (await fixture.project()).secret_key;
    const left = new AbortController();
    fixture.upstream.respond = (_received, response) => {
      left.abort();
      setTimeout(
        () => response.setHeader('content-type', 'application/json').end('{"data":[],"has_more":false}'),
        200,
      );
    };
    const sent = fetch(`${gateway.origin}/v1/mcp`, {
      method: 'POST',
      signal: left.signal,
      headers: {
        authorization: `Bearer ${key}`,
        'x-forwarded-proto': 'https',
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': VERSION,
        'mcp-method': 'tools/call',
        'mcp-name': 'what_waits',
      },
      body: JSON.stringify(message('tools/call', { name: 'what_waits', arguments: {} })),
    });
    await expect(sent).rejects.toThrow();
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(fixture.upstream.received).toHaveLength(1);
  });
});

describe('writes of agents', () => {
  const given = {
    claim_id: CLAIM,
    policy_reference: 'policy:a',
    policy_version: '1',
    reason_codes: ['uncovered'],
  };
  const denial = { ...given, idempotency_key: 'denial-of-a-test' };
  const forms = {
    ...META,
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
  };
  const claim = {
    id: CLAIM,
    status: 'submitted',
    provider_claim_reference: 'INV-1',
    submission_version: 1,
    amount: { currency: 'KES', billed: 350_000 },
    information_requests: [],
    adjudication: null,
    lines: [{ line_number: 1, amount: 350_000 }],
  };

  async function writing(agentWrites: 'off' | 'confirmed' = 'confirmed') {
    const project = await fixture.project();
    await setProject(fixture.sql, 'tests', project.project_id, { agentWrites });
    return project;
  }

  /** Calls `deny_claim` as a client with forms. */
  async function deny(key: string, target = gateway, extra: object = {}, args: object = denial) {
    const params = { name: 'deny_claim', arguments: args, _meta: forms, ...extra };
    const reply = await target.request('/v1/mcp', {
      key,
      body: { jsonrpc: '2.0', id: 42, method: 'tools/call', params },
      headers: {
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': VERSION,
        'mcp-method': 'tools/call',
        'mcp-name': 'deny_claim',
      },
    });
    return reply as Answer & {
      readonly body: { readonly result: Record<string, unknown> & { readonly requestState: string } };
    };
  }
  const confirmedBy = ({ body }: Awaited<ReturnType<typeof deny>>) => ({
    requestState: body.result.requestState,
    inputResponses: { confirmation: { action: 'accept', content: { decision: 'Deny the claim' } } },
  });
  const written = () => fixture.upstream.received.filter(({ method }) => method === 'POST');

  beforeEach(() => respondWith(200, claim));

  test('are neither listed nor executed where the project does not permit them', async () => {
    const { secret_key: key } = await writing('off');
    const { tools } = (await send(key, 'tools/list')).body.result;
    expect(tools.map(({ name }) => name)).not.toContain('deny_claim');
    const { result } = (await deny(key)).body;
    expect(result).toMatchObject({ isError: true, structuredContent: { error: { code: 'writes_off' } } });
    expect(fixture.upstream.received).toEqual([]);
  });

  test('a change of the setting takes effect from the next request', async () => {
    const { secret_key: key, project_id } = await writing();
    expect((await send(key, 'tools/list')).body.result.tools).toHaveLength(24);
    const asked = await deny(key);
    await setProject(fixture.sql, 'tests', project_id, { agentWrites: 'off' });
    expect((await deny(key, gateway, confirmedBy(asked))).body.result.isError).toBe(true);
    expect(written()).toEqual([]);
  });

  test('a question of one replica is answered at another one, and a call that is sent twice has one key', async () => {
    const { secret_key: key, project_id } = await writing();
    const replica = await fixture.gateway();
    const asked = await deny(key);
    expect(asked.body.result).toMatchObject({ resultType: 'input_required' });
    expect(written()).toEqual([]);
    const replies = await Promise.all([
      deny(key, replica, confirmedBy(asked)),
      deny(key, gateway, confirmedBy(asked)),
    ]);
    expect(replies.map(({ body }) => body.result.isError ?? false)).toEqual([false, false]);
    const keys = written().map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([denial.idempotency_key, denial.idempotency_key]);
    expect(new Set(written().map(({ caller }) => caller?.tenant))).toEqual(new Set([project_id]));
  });

  test('a question of one project, or of another key, is no confirmation', async () => {
    const [first, second] = [await writing(), await writing()];
    const asked = await deny(first.secret_key);
    const reply = await deny(second.secret_key, gateway, confirmedBy(asked));
    expect(reply.body.result).toMatchObject({ resultType: 'input_required' });
    const token = await gateway.request('/v1/tokens', {
      key: first.secret_key,
      body: { scopes: ['*'], expires_in: 60 },
    });
    const byToken = await deny((token.body as { token: string }).token, gateway, confirmedBy(asked));
    expect(byToken.body.result).toMatchObject({ resultType: 'input_required' });
    expect(written()).toEqual([]);
  });

  test('a client that can not ask gets the address of the page in the console', async () => {
    const { secret_key: key, project_id } = await writing();
    const named = await fixture.gateway({ CONSOLE_PUBLIC_URL: 'https://console.example' });
    for (const [target, origin] of [
      [gateway, ''],
      [named, 'https://console.example'],
    ] as const) {
      const { result } = (await deny(key, target, { _meta: META })).body;
      expect(JSON.stringify(result)).toContain(`${origin}/projects/${project_id}/claims/${CLAIM}`);
    }
    expect(fixture.upstream.received).toEqual([]);
  });
});

describe('messages', () => {
  test.each([
    ['no JSON', '{', -32700],
    ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"tools/list"}]', -32600],
    ['a repeated name', '{"jsonrpc":"2.0","id":1,"id":2,"method":"tools/list"}', -32700],
    ['no method', '{"jsonrpc":"2.0","id":1}', -32600],
  ])('%s is rejected', async (_name, body, code) => {
    const key = (await fixture.project()).secret_key;
    const reply = await gateway.request('/v1/mcp', { key, body, headers: { accept: 'application/json' } });
    expect([reply.status, (reply as JsonResponse).body.error.code]).toEqual([400, code]);
  });

  test('a message above 64 KiB is 413, and another media type 415, as JSON-RPC errors', async () => {
    const key = (await fixture.project()).secret_key;
    const large = (await gateway.request('/v1/mcp', { key, body: ' '.repeat(70_000) })) as JsonResponse;
    expect([large.status, large.body.error.data.code]).toEqual([413, 'payload_too_large']);
    const text = await gateway.request('/v1/mcp', {
      key,
      body: '{}',
      headers: { 'content-type': 'text/plain' },
    });
    expect([text.status, (text as JsonResponse).body.error.data.code]).toEqual([
      415,
      'unsupported_media_type',
    ]);
  });

  test('an unknown tool is -32602, and a subscription is not opened', async () => {
    const key = (await fixture.project()).secret_key;
    expect((await callTool(key, 'no_tool')).body.error.code).toBe(-32602);
    const listen = await send(key, 'subscriptions/listen', { notifications: {} });
    expect([listen.status, listen.body.error.code]).toEqual([404, -32601]);
  });
});
