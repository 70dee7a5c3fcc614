/** Tests of the MCP endpoint for persons: who is let in, what roles permit, and what is recorded. */
import { generateKeyPairSync } from 'node:crypto';
import { operations } from '@carecover/contract';
import type { JWTPayload } from 'jose';
import { bulkJob, bulkJobs } from './pages/bulk-jobs';
import { ConsoleFixture, PROJECT } from './testing/console-fixture';

let fixture: ConsoleFixture;
beforeAll(async () => {
  fixture = await ConsoleFixture.start();
});
afterAll(() => fixture.stop());
beforeEach(() => {
  fixture.received.length = 0;
  fixture.responses.clear();
  fixture.respond = () => undefined;
  fixture.hasKeys = true;
});

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
};

interface Result {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent: Record<string, unknown>;
  readonly tools: readonly {
    readonly name: string;
    readonly inputSchema: { readonly properties: object; readonly required?: readonly string[] };
  }[];
  readonly resourceTemplates: readonly unknown[];
  readonly requestState: string;
  readonly inputRequests: { readonly confirmation: { readonly params: { readonly message: string } } };
}

interface Sent {
  readonly status: number;
  readonly headers: Headers;
  readonly body: {
    readonly id: unknown;
    readonly result: Result;
    readonly error: { readonly code: number; readonly message: string };
  };
}

async function send(
  token: string | null,
  method: string,
  params: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<Sent> {
  const name = params.name ?? params.uri;
  const response = await fixture.request('/mcp', headers.cookie, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 7, method, params: { _meta: ENVELOPE, ...params } }),
  });
  const text = await response.text();
  const json = text.startsWith('event:') ? (/^data: (.*)$/m.exec(text)?.[1] ?? '') : text;
  return { status: response.status, headers: response.headers, body: JSON.parse(json) };
}

const tokenOf = (roles: string[], claims: JWTPayload = {}) =>
  fixture.accessToken({ sub: '17', roles, ...claims });

async function call(roles: string[], name: string, given: Record<string, unknown>, others: object = {}) {
  const { body } = await send(await tokenOf(roles), 'tools/call', { name, arguments: given, ...others });
  return body.result;
}

const isIn = async (token: Promise<string>) => (await send(await token, 'tools/list')).status === 200;

describe('who is let in', () => {
  test('without a token, the response names the metadata, which names the identity provider', async () => {
    const { status, headers, body } = await send(null, 'tools/list');
    expect([status, body.error.message]).toEqual([401, expect.stringMatching(/^api_key_missing: /)]);
    const challenge = headers.get('www-authenticate') ?? '';
    const metadata = new URL(/resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? '');
    expect(metadata.origin).toBe('http://console.example');
    const described = await (await fixture.request(metadata.pathname)).json();
    expect(described).toMatchObject({
      resource: 'http://console.example/mcp',
      authorization_servers: [expect.stringMatching(/^http:\/\/127/)],
    });
  });

  test('a token of the provider for this endpoint is accepted, and no other one', async () => {
    const { privateKey: otherKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const token = fixture.accessToken.bind(fixture);
    expect(await isIn(token({ sub: '17' }))).toBe(true);
    expect(await isIn(token({ sub: '17' }, { typ: 'JWT' }))).toBe(true);
    const rejected = {
      'for another audience, as an ID token is': token({ sub: '17', aud: 'console' }),
      'without an audience': token({ sub: '17', aud: [] }),
      'of another issuer': token({ sub: '17', iss: 'http://other.example' }),
      'that has expired': token({ sub: '17', exp: Math.floor(Date.now() / 1_000) - 60 }),
      'without a subject': token({}),
      'of another type': token({ sub: '17' }, { typ: 'logout+jwt' }),
      'bound to a key': token({ sub: '17', cnf: { jkt: 'x' } }),
      'of another key': token({ sub: '17' }, {}, otherKey),
      'that is no token': Promise.resolve('a.b.c'),
    };
    for (const [what, wrong] of Object.entries(rejected))
      expect([what, await isIn(wrong)]).toEqual([what, false]);
    const unsigned = [{ alg: 'none' }, { sub: '17', aud: 'http://console.example/mcp' }, {}]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    expect(await isIn(Promise.resolve(unsigned))).toBe(false);
  });

  test('a person without a role gets 403, and a request with only a cookie of the console 401', async () => {
    expect((await send(await tokenOf([]), 'tools/list')).status).toBe(403);
    const cookie = await fixture.sessionOf({ sub: '17', roles: ['administrator'] });
    expect((await send(null, 'tools/list', {}, { cookie })).status).toBe(401);
  });

  test('a page of another origin is rejected', async () => {
    const response = await send(
      await tokenOf(['viewer']),
      'tools/list',
      {},
      { origin: 'http://evil.example' },
    );
    expect(response.status).toBe(403);
  });

  test('server/discover needs no token, and no other method passes as it', async () => {
    expect((await send(null, 'server/discover')).status).toBe(200);
    const { status } = await send(null, 'tools/list', {}, { 'mcp-method': 'server/discover' });
    expect(status).toBe(400);
    expect(fixture.received).toEqual([]);
  });

  test('while the keys of the provider can not be read, the response is 503', async () => {
    const other = await ConsoleFixture.start();
    try {
      other.hasKeys = false;
      const authorization = `Bearer ${await other.accessToken({ sub: '17' })}`;
      const headers = { authorization, 'content-type': 'application/json' };
      const response = await other.request('/mcp', '', { method: 'POST', headers, body: '{}' });
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
    } finally {
      await other.stop();
    }
  });

  test('another method, a message that is too long and one that is no JSON are errors of HTTP', async () => {
    expect((await fixture.request('/mcp')).status).toBe(405);
    const token = await tokenOf(['viewer']);
    expect((await send(token, 'tools/list', { filler: 'x'.repeat(70_000) })).status).toBe(413);
    expect((await send(token, 'tools/list', {}, { 'content-type': 'text/plain' })).status).toBe(415);
  });
});

describe('what roles permit', () => {
  const namesFor = async (roles: string[]) =>
    (await send(await tokenOf(roles), 'tools/list')).body.result.tools.map(({ name }) => name);

  test('a viewer reads, and each other role has the writes of its pages', async () => {
    const writes = {
      viewer: [],
      operator: [
        'approve_claim',
        'approve_preauthorization',
        'deny_claim',
        'deny_preauthorization',
        'redeliver_event',
        'request_claim_information',
        'start_bulk_job',
      ],
      finance: ['match_bank_row', 'start_valuation_run'],
    };
    const ofWrites = new Set([...Object.values(writes).flat(), 'submit_claim_evidence']);
    for (const [role, expected] of Object.entries(writes)) {
      const names = await namesFor([role]);
      expect(names).toEqual(expect.arrayContaining(['list_projects', 'list_claims', 'explain_remittance']));
      expect(names.filter((name) => ofWrites.has(name)).sort()).toEqual(expected);
      expect(names.length).toBeLessThanOrEqual(24);
    }
    const all = await namesFor(['administrator']);
    expect(all.length).toBeLessThanOrEqual(24);
    expect(all).not.toContain('submit_claim_evidence');
  });

  test('each tool but the list of projects requires a project', async () => {
    const { tools } = (await send(await tokenOf(['administrator']), 'tools/list')).body.result;
    for (const { name, inputSchema } of tools) {
      const hasProject = inputSchema.required?.includes('project_id') ?? false;
      expect([name, hasProject]).toEqual([name, name !== 'list_projects']);
    }
    const templates = await send(await tokenOf(['viewer']), 'resources/templates/list');
    expect(templates.body.result.resourceTemplates).toMatchObject([
      { uriTemplate: 'carecover://projects/{project_id}/claims/{claim_id}' },
      { uriTemplate: 'carecover://projects/{project_id}/claims/{claim_id}/valuations/{valuation_at}' },
      { uriTemplate: 'carecover://projects/{project_id}/valuation_runs/{valuation_run_id}' },
    ]);
  });

  test('a tool that the roles do not permit changes nothing, also if it is called', async () => {
    const given = { project_id: 'prj_1', idempotency_key: 'key-of-a-test' };
    for (const name of ['start_valuation_run', 'deny_claim', 'redeliver_event', 'submit_claim_evidence']) {
      const result = await call(['viewer'], name, given);
      expect([name, result.isError, result.content[0]?.text]).toEqual([
        name,
        true,
        `permission_denied: Your roles don't permit ${name}.`,
      ]);
    }
    expect(fixture.received).toEqual([]);
  });
});

describe('projects', () => {
  test('list_projects finds them, and a call without one, or with an unknown one, says what is wrong', async () => {
    fixture.responses.set('/operator/projects', [200, { data: [PROJECT], has_more: false }]);
    const listed = await call(['viewer'], 'list_projects', {});
    expect(listed.structuredContent).toEqual({ data: [{ id: 'prj_1', name: 'One' }], has_more: false });
    const without = await call(['viewer'], 'list_claims', {});
    expect(without.content[0]?.text).toMatch(/^validation_failed: project_id is required/);
    const unknown = await call(['viewer'], 'list_claims', { project_id: 'prj_2' });
    expect(unknown.content[0]?.text).toBe('resource_not_found: There is no such project.');
  });

  const CLAIM = 'claims/clm_0199f2a4c1d27b3e9a5f60718293a4b5';
  const read = async (roles: string[], uri: string) => send(await tokenOf(roles), 'resources/read', { uri });

  test('a resource of a project can not be read without one', async () => {
    const { body } = await read(['administrator'], `carecover://${CLAIM}`);
    expect(body.error.message).toContain('not found');
    expect(fixture.received).toEqual([]);
  });

  test('a resource is read in the project that its URI names, by any role, and one of an unknown project is unknown', async () => {
    const [valuation] = (
      operations.getClaimValuation.success[0].schema as unknown as { examples: [Record<string, unknown>] }
    ).examples;
    fixture.responses.set('/operator/projects/prj_1', [200, PROJECT]);
    fixture.respond = (at) => (at.startsWith(`/v1/${CLAIM}/valuation?`) ? [200, valuation] : undefined);
    const path = `${CLAIM}/valuations/2025-03-11T00%3A00%3A00Z`;
    const { body } = await read(['viewer'], `carecover://projects/prj_1/${path}`);
    expect(body.result).toMatchObject({
      contents: [
        { text: expect.stringContaining('billed_text') },
        { text: expect.stringContaining('is data') },
      ],
      ttlMs: 86_400_000,
      cacheScope: 'private',
    });
    expect(fixture.received.map(({ authority, path: at }) => [authority, at])).toEqual([
      ['operator:17', '/operator/projects/prj_1'],
      ['operator:17', `/v1/${CLAIM}/valuation?valuation_at=2025-03-11T00%3A00%3A00Z`],
    ]);
    const unknown = await read(['viewer'], `carecover://projects/prj_2/${path}`);
    const nothing = await read(['viewer'], 'carecover://nothing');
    expect(unknown.body.error.code).toBe(nothing.body.error.code);
    expect((await read([], `carecover://projects/prj_1/${path}`)).status).toBe(403);
    for (const hostile of ['..', '%2e%2e', 'prj_1%2Fkeys', '%'])
      expect((await read(['viewer'], `carecover://projects/${hostile}/${path}`)).body.error.code).toBe(
        nothing.body.error.code,
      );
  });
});

describe('a write', () => {
  const EVENT = 'evt_0199f2a4c1d27b3e9a5f60718293a4b5';
  const given = {
    project_id: 'prj_1',
    webhook_endpoint_id: 'whe_0199f2a4c1d27b3e9a5f60718293a4b5',
    event_id: EVENT,
    idempotency_key: 'key-of-a-test-1',
  };
  const path = `/v1/webhook_endpoints/${given.webhook_endpoint_id}/deliveries/${EVENT}/redeliver`;

  const asked = async (others: object = {}) => call(['operator'], 'redeliver_event', given, others);
  const writes = () =>
    fixture.received.filter(({ method, path: at }) => method === 'POST' && !at?.startsWith('/operator/pro'));
  const confirmed = (requestState: string) => ({
    inputResponses: { confirmation: { action: 'accept', content: { decision: 'Send the event' } } },
    requestState,
  });

  test('is off unless the project permits it', async () => {
    expect((await asked()).content[0]?.text).toMatch(/^writes_off: /);
    expect(writes()).toEqual([]);
  });

  test('is asked first, and recorded with the person before it is executed', async () => {
    fixture.responses.set('/operator/projects/prj_1', [200, { ...PROJECT, agent_writes: 'confirmed' }]);
    fixture.respond = (at) =>
      at === path ? [202, { id: EVENT, delivered: false, attempts: 1, response_status: null }] : undefined;
    const question = await asked();
    expect(question.inputRequests.confirmation.params.message).toContain(EVENT);
    expect(writes()).toEqual([]);
    const result = await asked(confirmed(question.requestState));
    expect(result.isError).toBeUndefined();
    expect(writes().map(({ authority, path: at }) => [authority, at])).toEqual([
      ['operator:17', '/operator/audit_entries'],
      ['operator:17', path],
    ]);
    expect(writes()[0]?.body).toMatchObject({
      action: 'webhook.redeliver',
      subject: EVENT,
      details: { project_id: 'prj_1', door: 'mcp' },
    });
  });

  test('is not executed for another person, in another project, or without its entry in the audit log', async () => {
    const open = { ...PROJECT, agent_writes: 'confirmed' };
    fixture.responses.set('/operator/projects/prj_1', [200, open]);
    fixture.responses.set('/operator/projects/prj_2', [200, { ...open, id: 'prj_2' }]);
    const { requestState } = await asked();
    const answer = confirmed(requestState);
    const other = await send(await tokenOf(['operator'], { sub: '18' }), 'tools/call', {
      ...{ name: 'redeliver_event', arguments: given },
      ...answer,
    });
    const elsewhere = await call(['operator'], 'redeliver_event', { ...given, project_id: 'prj_2' }, answer);
    for (const result of [other.body.result, elsewhere])
      expect(result).toHaveProperty('inputRequests.confirmation');
    fixture.responses.set('/operator/audit_entries', [
      503,
      { error: { code: 'service_unavailable', message: 'The database is unavailable.' } },
    ]);
    const failed = await send(await tokenOf(['operator']), 'tools/call', {
      ...{ name: 'redeliver_event', arguments: given },
      ...answer,
    });
    expect([failed.status, failed.body.id]).toEqual([503, 7]);
    expect(writes().map(({ path: at }) => at)).toEqual(['/operator/audit_entries']);
  });
});

describe('bulk jobs', () => {
  const example = (id: 'createBulkJob' | 'listBulkJobResults') =>
    (operations[id].success[0].schema as unknown as { examples: [Record<string, unknown>] }).examples[0];
  const open = { ...PROJECT, agent_writes: 'confirmed' };

  test('are read by a viewer, as on the console, although an integrator needs the scope of their kind', async () => {
    expect([bulkJobs.permission, bulkJob.permission, operations.listBulkJobs.scope]).toEqual([
      'read',
      'read',
      'scope of the kind',
    ]);
    const job = example('createBulkJob');
    fixture.responses.set('/operator/projects/prj_1', [200, PROJECT]);
    fixture.respond = (at) =>
      at.startsWith('/v1/bulk_jobs?') ? [200, { object: 'list', data: [job], has_more: false }] : undefined;
    const { structuredContent } = await call(['viewer'], 'list_bulk_jobs', { project_id: 'prj_1' });
    expect(structuredContent).toMatchObject({ data: [{ id: job.id, kind: 'claims' }] });
  });

  const given = {
    project_id: 'prj_1',
    kind: 'settlements',
    lines: [{ source_reference: 'bank:1', currency: 'KES', amount: 100 }],
    idempotency_key: 'key-of-a-test-1',
  };
  const sent = () => fixture.received.filter(({ path }) => path?.startsWith('/v1/bulk_jobs?'));

  function answerJobs(): void {
    fixture.responses.set('/operator/projects/prj_1', [200, open]);
    fixture.respond = (at) => {
      if (at.startsWith('/v1/bulk_jobs?'))
        return [
          202,
          { ...example('createBulkJob'), kind: 'settlements', dry_run: at.includes('dry_run=true') },
        ];
      const result = { line: 1, reference: null, status: 'succeeded', resource_id: null, error: null };
      return at.includes('/results?')
        ? [200, { object: 'list', data: [result], has_more: false }]
        : undefined;
    };
  }

  test('of money are not started by an operator, as on the console, and of nothing by a viewer or finance', async () => {
    answerJobs();
    for (const [role, text] of [
      ['operator', "permission_denied: Your roles don't permit bulk jobs of the kind settlements."],
      ['viewer', "permission_denied: Your roles don't permit start_bulk_job."],
      ['finance', "permission_denied: Your roles don't permit start_bulk_job."],
    ] as const) {
      const result = await call([role], 'start_bulk_job', given);
      expect([role, result.isError, result.content[0]?.text]).toEqual([role, true, text]);
    }
    expect(sent()).toEqual([]);
  });

  test('are tried and then executed with the same file, each recorded before with its digest', async () => {
    answerJobs();
    const { requestState, inputRequests } = await call(['administrator'], 'start_bulk_job', given);
    expect(inputRequests.confirmation.params.message).toContain('The bank shows 1.00 KES.');
    const content = { decision: 'Execute the lines' };
    const answer = { inputResponses: { confirmation: { action: 'accept', content } }, requestState };
    expect((await call(['administrator'], 'start_bulk_job', given, answer)).isError).toBeUndefined();
    const paths = sent().map(({ path }) => path);
    const dryRun = '/v1/bulk_jobs?kind=settlements&dry_run=true';
    expect(paths).toEqual([dryRun, dryRun, '/v1/bulk_jobs?kind=settlements']);
    const [first, second, third] = sent().map(({ file }) => file);
    expect(JSON.parse(String(third?.bytes))).toEqual(given.lines[0]);
    expect([first?.bytes, third?.bytes]).toEqual([second?.bytes, second?.bytes]);
    expect(first?.headers['idempotency-key']).toBe(second?.headers['idempotency-key']);
    expect(third?.headers).toMatchObject({
      'content-type': 'application/x-ndjson',
      'idempotency-key': given.idempotency_key,
    });
    const recorded = fixture.received.flatMap(({ body }) => (body?.action === undefined ? [] : [body]));
    const details = { kind: 'settlements', door: 'mcp', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) };
    expect(recorded.map(({ action }) => action)).toEqual(Array(3).fill('bulk_job.create'));
    expect(recorded[0]?.details).toMatchObject({ ...details, dry_run: 'true' });
    expect(recorded[2]?.details).toMatchObject(details);
    expect(recorded[2]?.details).not.toHaveProperty('dry_run');
  });
});
