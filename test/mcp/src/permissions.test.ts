/** The permissions of the API over every tool: scopes, resources of a narrowed token, and projects. */
import {
  alternativesOf,
  type GrantedScope,
  operations,
  type RequiredScope,
  scopes,
} from '@carecover/contract';
import { scopesOf, targetOf } from '@carecover/mcp';
import {
  argumentsOf,
  confirmedTools,
  directTools,
  startToolServer,
  type ToolServer,
  writesOf,
  writingProject,
} from './tool-server';

let server: ToolServer;
beforeAll(async () => {
  server = await startToolServer();
});
beforeEach(() => server.fixture.upstream.received.splice(0));
afterAll(() => server.stop());

/** Returns the fewest scopes that a tool needs: one of those of which it needs one. */
function firstOf(required: readonly RequiredScope[]): GrantedScope[] {
  return required.flatMap((scope) => alternativesOf(scope).slice(0, 1));
}

/** Returns the scopes that a call of a tool requires. */
function requiredBy(name: string, given: Record<string, unknown>): readonly RequiredScope[] {
  return targetOf('tools/call', { name, arguments: given })?.scopes ?? [];
}

/** What the tests read of a response. */
interface JsonResponse {
  readonly result?: {
    readonly isError?: boolean;
    readonly structuredContent?: { readonly error?: { readonly code: string } };
  };
  readonly error?: { readonly data?: { readonly code: string } };
}

async function call(
  key: string,
  name: string,
  given: Record<string, unknown>,
  answered: Record<string, unknown> = {},
) {
  const params = {
    ...answered,
    name,
    arguments: given,
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
    },
  };
  const answer = await server.gateway.request('/v1/mcp', {
    key,
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
    headers: {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': name,
    },
  });
  return { status: answer.status, headers: answer.headers, body: answer.body as JsonResponse };
}

describe.each([...directTools, ...confirmedTools].map((tool) => [tool.name, tool] as const))(
  '%s',
  (name, tool) => {
    const given = argumentsOf(tool);
    const required = requiredBy(name, given);

    test('is rejected without each of its scopes, and reaches no service', async () => {
      for (const missing of required) {
        const others: GrantedScope[] = scopes.filter((scope) => !alternativesOf(missing).includes(scope));
        const { status, headers, body } = await call(await server.fixture.keyWith(...others), name, given);
        expect([status, body.error?.data?.code]).toEqual([403, 'permission_denied']);
        expect(headers.get('www-authenticate')).toContain(
          `scope="${required.flatMap(alternativesOf).join(' ')}"`,
        );
      }
      expect(server.fixture.upstream.received).toEqual([]);
    });
  },
);

describe.each(directTools.map((tool) => [tool.name, tool] as const))('%s', (name, tool) => {
  const required = scopesOf(tool);
  const given = argumentsOf(tool);

  test('works with exactly its scopes, in the name of the project of the key', async () => {
    const { project_id, secret_key } = await writingProject(server);
    const created = await server.gateway.request('/v1/tokens', {
      key: secret_key,
      body: { scopes: firstOf(required), expires_in: 60 },
    });
    const { token } = created.body as { token: string };
    const { status, body } = await call(token, name, given);
    expect([status, body.result?.isError]).toEqual([200, undefined]);
    const tenants = server.fixture.upstream.received.map(({ caller }) => caller?.tenant);
    expect(new Set(tenants)).toEqual(new Set([project_id]));
  });

  test('a token that is narrowed to another resource reaches no resource by its ID, and creates none', async () => {
    const created = await server.gateway.request('/v1/tokens', {
      key: (await writingProject(server)).secret_key,
      body: { scopes: ['*'], expires_in: 60, resource_ids: ['clm_0000000000000000000000000000000a'] },
    });
    const { token } = created.body as { token: string };
    const { status, body } = await call(token, name, given);
    const isById = tool.operations.some(
      (id) => operations[id].resourceIdParam !== undefined && operations[id].resourceIdParam in given,
    );
    const creates = tool.operations.some((id) => operations[id].creates === true);
    if (!isById && !creates) return;
    expect([status, creates ? body.error?.data?.code : body.result?.structuredContent?.error?.code]).toEqual(
      creates ? [403, 'permission_denied'] : [200, 'resource_not_found'],
    );
    expect(server.fixture.upstream.received).toEqual([]);
  });
});

describe.each(confirmedTools.map((tool) => [tool.name, tool] as const))('%s', (name, tool) => {
  const given = argumentsOf(tool);

  test('writes with exactly its scopes after the answer, and not for another key, project or narrowed token', async () => {
    const [own, other] = [await writingProject(server), await writingProject(server)];
    const tokenOf = async (secret_key: string, body: object) => {
      const created = await server.gateway.request('/v1/tokens', {
        key: secret_key,
        body: { scopes: firstOf(requiredBy(name, given)), expires_in: 60, ...body },
      });
      return (created.body as { token: string }).token;
    };
    const token = await tokenOf(own.secret_key, {});
    const { body } = await call(token, name, given);
    const { requestState, inputRequests } = body.result as unknown as {
      requestState: string;
      inputRequests: {
        confirmation: {
          params: { requestedSchema: { properties: { decision: { enum: [string, string] } } } };
        };
      };
    };
    const [decision] = inputRequests.confirmation.params.requestedSchema.properties.decision.enum;
    const answer = {
      requestState,
      inputResponses: { confirmation: { action: 'accept', content: { decision } } },
    };
    const narrowed = await tokenOf(own.secret_key, {
      resource_ids: ['bkg_0000000000000000000000000000000a'],
    });
    for (const key of [own.secret_key, other.secret_key, narrowed]) await call(key, name, given, answer);
    expect(writesOf(server)).toEqual([]);
    const confirmed = await call(token, name, given, answer);
    expect(confirmed.body.result?.isError).toBeUndefined();
    expect(writesOf(server)).toMatchObject([
      { caller: { tenant: own.project_id }, headers: { 'idempotency-key': given.idempotency_key } },
    ]);
  });
});

test('a bulk job requires the scope of its kind and those of what its question shows, and carries its lines as a file', async () => {
  const { secret_key } = await writingProject(server);
  const tokenWith = async (...granted: GrantedScope[]) => {
    const created = await server.gateway.request('/v1/tokens', {
      key: secret_key,
      body: { scopes: granted, expires_in: 60 },
    });
    return (created.body as { token: string }).token;
  };
  const lines = [{ claim_id: 'clm_1', expected_adjudication_version: 0 }];
  const given = { kind: 'adjudications', lines, idempotency_key: 'key-of-a-test-1' };
  for (const granted of [['claims:write', 'claims:read'], ['claims:adjudicate']] as const) {
    const { status, headers } = await call(await tokenWith(...granted), 'start_bulk_job', given);
    expect(status).toBe(403);
    expect(headers.get('www-authenticate')).toContain('scope="claims:adjudicate claims:read"');
  }
  expect(server.fixture.upstream.received).toEqual([]);
  await call(await tokenWith('claims:adjudicate', 'claims:read'), 'start_bulk_job', given);
  const [dryRun] = server.fixture.upstream.received;
  expect(dryRun).toMatchObject({
    method: 'POST',
    url: '/v1/bulk_jobs?kind=adjudications&dry_run=true',
    headers: { 'content-type': 'application/x-ndjson' },
  });
  expect(dryRun?.body.toString()).toBe(`${JSON.stringify(lines[0])}\n`);
});
