/** Every tool by the Go client, on both revisions. It is built from `clients/go` with the Go of this machine. */
import { execFile } from 'node:child_process';
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cached } from '@carecover/testing/servers';
import {
  DIRECT_CALLS,
  describeAnswers,
  directTools,
  ONE_CALL,
  startToolServer,
  type ToolServer,
} from './tool-server';

// The first run builds the client.
jest.setTimeout(300_000);

const run = promisify(execFile);
const SOURCES = join(__dirname, 'clients/go');

let server: ToolServer;
let key: string;
let program: string | null;

/** Builds the client; null without Go. */
async function buildClient(): Promise<string | null> {
  const go = await run('go', ['version']).then(
    ({ stdout }) => stdout,
    () => null,
  );
  if (go === null) {
    process.stderr.write('SKIPPED: the MCP endpoint with the Go client, because go is missing\n');
    return null;
  }
  const files = await Promise.all(
    ['main.go', 'go.mod', 'go.sum'].map((name) => readFile(join(SOURCES, name), 'utf8')),
  );
  const folder = await cached({
    name: 'mcp-go-client',
    input: [go, ...files],
    make: async (target) => {
      await cp(SOURCES, target, { recursive: true });
      await run('go', ['build', '-o', 'calltools', '.'], { cwd: target });
    },
  });
  return join(folder, 'calltools');
}

beforeAll(async () => {
  program = await buildClient();
  server = await startToolServer();
  key = (await server.fixture.project()).secret_key;
});
beforeEach(() => server.failWith(null));
afterAll(() => server.stop());

const NEW = '2026-07-28';
const OLD = '2025-11-25';

async function callTools(client: string, given: object, version = '', credential = key, answer = '') {
  const { stdout } = await run(client, [], {
    env: {
      ...process.env,
      URL: server.url.href,
      KEY: credential,
      VERSION: version,
      ANSWER: answer,
      ARGUMENTS: JSON.stringify(given),
    },
  });
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly raised?: string; readonly [name: string]: unknown });
}

test.each([
  ['', NEW],
  [OLD, OLD],
])('the Go client (version %p) negotiates %s and calls every tool', async (version, revision) => {
  if (program === null) return;
  const [first, ...calls] = await callTools(program, DIRECT_CALLS, version);
  expect(first).toEqual({ revision });
  const names = directTools.map(({ name }) => name).sort();
  expect(calls).toEqual(
    names.map((tool) => ({ tool, is_error: false, text: expect.any(String), structured: true })),
  );
});

test.each(['', OLD])('the Go client (version %p) shows an API error', async (version) => {
  if (program === null) return;
  server.failWith(404, 'resource_not_found');
  const [, call] = await callTools(program, ONE_CALL, version);
  expect(call).toMatchObject({ is_error: true, text: 'resource_not_found: claim_id is wrong' });
});

test('429 at first contact does not make the Go client take the server for an old one', async () => {
  if (program === null) return;
  const project = await server.fixture.project();
  await server.fixture.exhaustLimit(project.project_id);
  const [first, call] = await callTools(program, ONE_CALL, '', project.secret_key);
  expect(first).toEqual({ revision: NEW });
  expect(call?.raised).toMatch(/rate_limited|Too Many Requests/);
});

describeAnswers(
  'Go',
  () => server,
  async (given, credential, answer) =>
    program === null ? null : callTools(program, given, '', credential, answer),
);
