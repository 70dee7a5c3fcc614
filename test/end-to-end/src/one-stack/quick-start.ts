/** Runs the commands of the quick start and of the page about webhooks as written, in a folder with the stack's `.carecover`. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@carecover/testing/servers';
import { readExamples } from '../../../../libs/docs-site/src/examples';
import { extractBlocks, ROOT, readPage } from '../../../docs/src/pages';
import { bookingCommand, deliveryCommand, quickStart } from '../../../docs/src/quick-start-commands';
import { running } from './world';

const page = readPage('docs/guides/quick-start.md');
const { variables, program, curl, slots } = quickStart;

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'carecover-quick-start-'));
  await symlink(running.stack.home.folder, join(folder, '.carecover'));
  for (const name of ['docs', 'node_modules']) await symlink(join(ROOT, name), join(folder, name));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** Runs commands in the terminal of the reader, which has the variables of the quick start, and returns what they print. */
async function run(commands: string): Promise<string> {
  const { stdout } = await promisify(execFile)('bash', ['-euc', `${variables}${commands}`], {
    cwd: folder,
    env: { PATH: process.env.PATH },
  });
  return stdout;
}

test('the quick start results in a settled claim, a received webhook, and two valuations that differ', async () => {
  const printed = await run(program);
  expect(printed).toMatch(/^eligible \[ 'eligible' \] 6 sessions remain$/m);
  expect(printed).toMatch(/^pre-authorization approved$/m);
  expect(printed).toMatch(/^claim clm_\w+ submitted$/m);
  expect(printed).toMatch(/^received claim\.settled \{.*settled: 300000.*\}$/ms);
  expect(printed).toMatch(
    /^valued at \S+Z partially_approved \{ remitted: 0, settled: 0, outstanding: 300000 \}$/m,
  );
  expect(printed).toMatch(
    /^valued at \S+Z settled \{ remitted: 300000, settled: 300000, outstanding: 0 \}$/m,
  );
});

test('the year of the guide about test clocks is that of its golden file', async () => {
  expect(await run('node docs/guides/test-clocks.mjs')).toMatch(/\nthe same as the golden file\n$/);
});

test('the first request with curl has the response that the page describes', async () => {
  expect(JSON.parse(await run(curl))).toMatchObject({
    status: 'ineligible',
    reason_codes: ['coverage_not_found'],
  });
});

test('the commands of the page list free slots of a practitioner, and deliver the session of a booking', async () => {
  const [slot] = JSON.parse(await run(slots)).data;
  expect(slot).toMatchObject({ object: 'slot', format: 'online' });
  const { session_id } = JSON.parse(await run(bookingCommand(slot)));
  expect(JSON.parse(await run(deliveryCommand(session_id)))).toMatchObject({ status: 'delivered' });
});

test('the requests of the page that need no ID of an earlier response succeed with curl', async () => {
  for (const [operation, expected] of [
    ['POST /v1/coverages', { object: 'coverage_observation', status: 'active' }],
    ['POST /v1/eligibility_checks', { status: 'eligible', authorization_required: true }],
  ] as const) {
    const example = readExamples(page.text).find(({ heading }) => heading === operation);
    expect(JSON.parse(await run(example?.curl ?? 'false'))).toMatchObject(expected);
  }
});

test('the commands of the page about webhooks register a receiver on this machine, send it a test event and stop it', async () => {
  const [start = '', send = '', stop = ''] = extractBlocks(readPage('docs/guides/webhooks.md'), 'sh');
  // Another program can have the port of the page. The pauses are those of a reader, who waits for what the receiver prints.
  const port = String(await freePort());
  expect(start).toContain(':3000/');
  const printed = await run(
    `export PORT=${port}\ntrap 'kill $!' EXIT\n${start.replace(':3000/', `:${port}/`)}
    until curl -s http://127.0.0.1:${port}; do sleep 0.1; done\n${send}sleep 1\n${stop}wait $! || trap - EXIT`,
  );
  expect(printed).toMatch(/^listening on port \d+$/m);
  expect(printed).toMatch(/"delivered":true/);
  // curl prints no line break after a response.
  expect(printed).toMatch(/(^|\})received sandbox\.ping$/m);
  expect(printed).toMatch(/"status":"disabled"/);
});
