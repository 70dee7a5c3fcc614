/** Runs the protocol's inspector against the endpoint: it checks whether the schemas of the tools suit the providers of models. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { npmPackages } from '@carecover/testing/servers';
import {
  argumentsOf,
  confirmedTools,
  headersOf,
  startToolServer,
  type ToolServer,
  writingProject,
} from './tool-server';

// The first run installs the inspector.
jest.setTimeout(300_000);

const run = promisify(execFile);
const PACKAGES = ['@modelcontextprotocol/inspector@2.12.0'];

let server: ToolServer;
let inspector: string | null;

beforeAll(async () => {
  inspector = await npmPackages('the inspector of the protocol', 'mcp-inspector', PACKAGES);
  server = await startToolServer();
});
afterAll(() => server.stop());

/** Runs the inspector, and returns its exit code and what it printed. */
async function inspect(installed: string, key: string, options: readonly string[]) {
  const program = join(installed, '.bin/mcp-inspector');
  const headers = Object.entries(headersOf(key)).flatMap(([name, value]) => [
    '--header',
    `${name}: ${value}`,
  ]);
  const args = ['--cli', server.url.href, '--transport', 'http', ...headers, ...options];
  return run(process.execPath, [program, ...args], { maxBuffer: 16 * 1024 * 1024 }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
      code,
      stdout,
      stderr,
    }),
  );
}

test.each(['modern', 'legacy'])('every tool passes the strict check (%s)', async (era) => {
  if (inspector === null) return;
  const { secret_key: key } = await writingProject(server);
  const options = ['--protocol-era', era, '--method', 'tools/list', '--strict'];
  const { code, stdout, stderr } = await inspect(inspector, key, options);
  expect([code, stderr]).toEqual([0, expect.not.stringMatching(/error/i)]);
  const { tools } = JSON.parse(stdout) as { tools: { name: string }[] };
  const names = tools.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(confirmedTools.map(({ name }) => name)));
});

test('the inspector finds the apps of tools, and calls a tool', async () => {
  if (inspector === null) return;
  const { secret_key: key } = await server.fixture.project();
  const era = ['--protocol-era', 'modern'];
  for (const [tool, uri] of [
    ['value_claim', 'ui://carecover/claim-slider'],
    ['get_valuation_run', 'ui://carecover/triangle'],
  ] as const) {
    const options = ['--method', 'tools/call', '--tool-name', tool, '--app-info'];
    const app = await inspect(inspector, key, [...era, ...options]);
    expect([app.code, app.stdout]).toEqual([0, expect.stringContaining(uri)]);
  }
  const { claim_id } = argumentsOf({ inputSchema: { required: ['claim_id'] } });
  const called = await inspect(inspector, key, [
    ...era,
    ...['--method', 'tools/call', '--tool-name', 'get_claim', '--tool-arg', `claim_id=${claim_id}`],
  ]);
  expect([called.code, called.stdout]).toEqual([0, expect.stringContaining('3,500.00 KES')]);
});
