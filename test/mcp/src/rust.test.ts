/** Every tool by the Rust client, on both revisions. It is built from `clients/rust` with the Cargo of this machine. */
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
const SOURCES = join(__dirname, 'clients/rust');

let server: ToolServer;
let key: string;
let program: string | null;

/** Builds the client; null without Cargo. */
async function buildClient(): Promise<string | null> {
  const cargo = await run('cargo', ['--version']).then(
    ({ stdout }) => stdout,
    () => null,
  );
  if (cargo === null) {
    process.stderr.write('SKIPPED: the MCP endpoint with the Rust client, because cargo is missing\n');
    return null;
  }
  const files = await Promise.all(
    ['src/main.rs', 'Cargo.toml', 'Cargo.lock'].map((name) => readFile(join(SOURCES, name), 'utf8')),
  );
  const folder = await cached({
    name: 'mcp-rust-client',
    input: [cargo, ...files],
    make: async (target) => {
      await cp(SOURCES, target, { recursive: true });
      await run('cargo', ['build', '--locked', '--quiet'], { cwd: target });
    },
  });
  return join(folder, 'target/debug/calltools');
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

async function callTools(client: string, given: object, mode = 'auto', credential = key, answer = '') {
  const { stdout } = await run(client, [], {
    env: {
      ...process.env,
      URL: server.url.href,
      KEY: credential,
      MODE: mode,
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
  ['auto', NEW],
  ['initialize', OLD],
])('the Rust client (%s) negotiates %s and calls every tool', async (mode, revision) => {
  if (program === null) return;
  const [first, ...calls] = await callTools(program, DIRECT_CALLS, mode);
  expect(first).toEqual({ revision });
  const names = directTools.map(({ name }) => name).sort();
  expect(calls).toEqual(
    names.map((tool) => ({ tool, is_error: false, text: expect.any(String), structured: true })),
  );
});

test.each(['auto', 'initialize'])('the Rust client (%s) shows an API error', async (mode) => {
  if (program === null) return;
  server.failWith(404, 'resource_not_found');
  const [, call] = await callTools(program, ONE_CALL, mode);
  expect(call).toMatchObject({ is_error: true, text: 'resource_not_found: claim_id is wrong' });
});

test('429 at first contact does not make the Rust client take the server for an old one', async () => {
  if (program === null) return;
  const project = await server.fixture.project();
  await server.fixture.exhaustLimit(project.project_id);
  const [first, call] = await callTools(program, ONE_CALL, 'auto', project.secret_key);
  expect(first).toEqual({ revision: NEW });
  expect(call?.raised).toMatch(/HTTP 429/);
});

describeAnswers(
  'Rust',
  () => server,
  async (given, credential, answer) =>
    program === null ? null : callTools(program, given, 'auto', credential, answer),
);
