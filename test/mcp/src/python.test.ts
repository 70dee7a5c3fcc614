/** Every tool by the Python client, on both revisions. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pythonEnvironment } from '@carecover/testing/servers';
import {
  type Answer,
  DIRECT_CALLS,
  describeAnswers,
  directTools,
  ONE_CALL,
  startToolServer,
  type ToolServer,
} from './tool-server';

// The first run installs the client.
jest.setTimeout(300_000);

let server: ToolServer;
let key: string;
let bin: string | null;

beforeAll(async () => {
  bin = await pythonEnvironment('the MCP endpoint with the Python client', ['mcp==2.3.0']);
  server = await startToolServer();
  key = (await server.fixture.project()).secret_key;
});
beforeEach(() => server.failWith(null));
afterAll(() => server.stop());

interface Line {
  readonly revision?: string;
  readonly tool?: string;
  readonly is_error?: boolean;
  readonly text?: string;
  readonly structured?: unknown;
  readonly raised?: string;
}

async function run(
  mode: 'auto' | 'legacy',
  given: object,
  credential = key,
  answer: Answer = '',
): Promise<Line[]> {
  const { stdout } = await promisify(execFile)(
    join(bin ?? '', 'python'),
    [join(__dirname, 'clients/call_tools.py')],
    {
      env: {
        ...process.env,
        URL: server.url.href,
        KEY: credential,
        MODE: mode,
        ANSWER: answer,
        ARGUMENTS: JSON.stringify(given),
        PYTHONDONTWRITEBYTECODE: '1',
      },
      maxBuffer: 16 * 1024 * 1024,
    },
  );
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

test.each([
  ['auto', '2026-07-28'],
  ['legacy', '2025-11-25'],
] as const)('the Python client (%s) negotiates %s and calls every tool', async (mode, revision) => {
  if (bin === null) return;
  const [first, ...calls] = await run(mode, DIRECT_CALLS);
  expect(first).toEqual({ revision });
  expect(calls).toEqual(
    directTools.map(({ name }) => ({
      tool: name,
      is_error: false,
      text: expect.any(String),
      structured: expect.any(Object),
    })),
  );
});

test.each(['auto', 'legacy'] as const)('the Python client (%s) shows an API error', async (mode) => {
  if (bin === null) return;
  server.failWith(404, 'resource_not_found');
  const [, call] = await run(mode, ONE_CALL);
  expect(call).toMatchObject({ is_error: true, text: 'resource_not_found: claim_id is wrong' });
});

test('the Python client shows the code and the message of a 503', async () => {
  if (bin === null) return;
  server.failWith(503, 'service_unavailable');
  const [, call] = await run('auto', ONE_CALL);
  expect(call?.raised).toContain('service_unavailable');
});

test('429 at first contact does not make the Python client take the server for an old one', async () => {
  if (bin === null) return;
  const project = await server.fixture.project();
  await server.fixture.exhaustLimit(project.project_id);
  const [first, call] = await run('auto', ONE_CALL, project.secret_key);
  expect(first).toEqual({ revision: '2026-07-28' });
  expect(call?.raised).toContain('rate_limited');
});

describeAnswers(
  'Python',
  () => server,
  async (given, credential, answer) => (bin === null ? null : run('auto', given, credential, answer)),
);
