/** An agent of a person, on real services: the official client signs the person in at the identity provider, and writes as this person. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Role, visitAs } from '@carecover/testing/stack';
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { AGENT_CLIENT_ID } from '../../../../deploy/local/src/demo-people';
import { running } from './world';

let callbacks: Server;
let callback: string;
let received: URLSearchParams;

beforeAll(async () => {
  callbacks = createServer((request, response) => {
    received = new URL(request.url ?? '/', callback).searchParams;
    response.end('Signed in.');
  });
  await new Promise<void>((resolve) => callbacks.listen(0, '127.0.0.1', resolve));
  callback = `http://127.0.0.1:${(callbacks.address() as AddressInfo).port}/callback`;
  await running.operator('projects', 'set', running.stack.file.project_id, '--agent-writes', 'confirmed');
});
afterAll(async () => {
  callbacks.close().closeAllConnections();
  await running.operator('projects', 'set', running.stack.file.project_id, '--agent-writes', 'off');
});

/** The client's side of the sign-in. The person chooses a role on the page of the identity provider. */
function signInOf(role: Role): OAuthClientProvider {
  const kept: { verifier?: string; tokens?: Awaited<ReturnType<OAuthClientProvider['tokens']>> } = {};
  return {
    redirectUrl: callback,
    clientMetadata: { redirect_uris: [callback] },
    clientInformation: () => ({ client_id: AGENT_CLIENT_ID }),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => {
      kept.tokens = tokens;
    },
    saveCodeVerifier: (verifier) => {
      kept.verifier = verifier;
    },
    codeVerifier: () => kept.verifier ?? '',
    redirectToAuthorization: async (url) => {
      await visitAs(url.origin, role, `${url.pathname}${url.search}`);
    },
  };
}

async function connectAs(role: Role): Promise<Client> {
  const url = new URL('/mcp', running.stack.file.console_url);
  const authProvider = signInOf(role);
  const client = new Client(
    { name: 'persons', version: '1' },
    { versionNegotiation: { mode: 'auto' }, capabilities: { elicitation: {} } },
  );
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    const { requestedSchema } = params as unknown as {
      requestedSchema: { properties: { decision: { enum: [string] } } };
    };
    return { action: 'accept', content: { decision: requestedSchema.properties.decision.enum[0] } };
  });
  const transport = new StreamableHTTPClientTransport(url, { authProvider });
  // The first request, server/discover, needs no token.
  await client.connect(transport);
  await expect(client.listTools()).rejects.toThrow(UnauthorizedError);
  await transport.finishAuth(received);
  return client;
}

async function use(client: Client, name: string, given: Record<string, unknown>) {
  const { content, isError, structuredContent } = await client.callTool({ name, arguments: given });
  const [first] = content as readonly { readonly text: string }[];
  return { isError: isError ?? false, text: first?.text ?? '', found: structuredContent as never };
}

/** Reads the IDs of all projects, page by page: other tests of the stack create projects too. */
async function projectsOf(client: Client): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const starting_after = ids.at(-1);
    const { text } = await use(client, 'list_projects', {
      limit: 20,
      ...(starting_after !== undefined && { starting_after }),
    });
    const { data, has_more } = JSON.parse(text) as { data: { id: string }[]; has_more: boolean };
    ids.push(...data.map(({ id }) => id));
    if (!has_more) return ids;
  }
}

test('an operator denies a claim by an agent: the decision and the audit log name the person', async () => {
  const { world, stack, operator } = running;
  const client = await connectAs('operator');
  try {
    expect(await projectsOf(client)).toContain(stack.file.project_id);
    const { id } = await world.createSubmittedClaim();
    const denied = await use(client, 'deny_claim', {
      project_id: stack.file.project_id,
      claim_id: id,
      policy_reference: 'policy:one',
      policy_version: '1',
      reason_codes: ['not_covered'],
      idempotency_key: `agent-persons-${id}`,
    });
    expect([denied.isError, denied.text]).toEqual([false, expect.stringContaining('denied')]);
    expect((await world.client.claims.retrieve(id)).status).toBe('denied');
    const entries = await operator<Record<string, unknown>[]>('audit', 'list');
    expect(entries.find(({ subject }) => subject === id)).toMatchObject({
      actor: 'demo-operator',
      action: 'claim.adjudicate',
      details: { project_id: stack.file.project_id, door: 'mcp', reason_codes: 'not_covered' },
    });
  } finally {
    await client.close();
  }
});

test("a viewer's agent can read and not write, and a key of the API is no token of a person", async () => {
  const { stack } = running;
  const client = await connectAs('viewer');
  try {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).not.toContain('deny_claim');
    const listed = await use(client, 'list_claims', { project_id: stack.file.project_id });
    expect(listed.isError).toBe(false);
  } finally {
    await client.close();
  }
  const response = await fetch(new URL('/mcp', stack.file.console_url), {
    method: 'POST',
    headers: { authorization: `Bearer ${stack.file.secret_key}`, 'content-type': 'application/json' },
    body: '{}',
  });
  expect(response.status).toBe(401);
});
