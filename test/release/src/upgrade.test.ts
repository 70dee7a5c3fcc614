/**
 * Tests an upgrade from the last release: its stack runs the journey and stops, this release starts on its databases, and its client sends
 * requests to this release. This runs only as a soak test, because it installs and builds the last release. If no release exists yet, the
 * checked-out commit takes the place of the last release.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually, startTestStack, type TestStack, testSize } from '@carecover/testing/servers';
import { Agent, request } from 'undici';
import { lastRelease, ROOT } from './api-description';

const atFullSize = testSize<jest.It>({ ci: test.skip, soak: test });
const PATIENCE_MS = 15 * 60_000;
const run = promisify(execFile);

let folder: string;
let last: string;
let home: string;
let stack: TestStack | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'carecover-upgrade-'));
  last = join(folder, 'last');
  home = join(folder, 'home');
});
afterEach(async () => {
  await stack?.stop();
  await rm(folder, { recursive: true, force: true });
}, 60_000);

/** Checks the last release out into `last`, and returns its tag. `npm start` installs its packages. */
async function checkOutLastRelease(): Promise<string> {
  await run('git', ['clone', '--quiet', ROOT, last]);
  const tag = (await lastRelease()) ?? 'v0.0.1';
  if (tag === 'v0.0.1') await run('git', ['tag', tag], { cwd: last });
  await run('git', ['checkout', '--quiet', tag], { cwd: last });
  return tag;
}

/** Runs `npm start` of the last release until its journey is complete, then calls `use`, and stops the stack. Returns the result of `use`. */
async function withLastRelease<T>(use: (output: string) => Promise<T>): Promise<T> {
  const env = { ...process.env, CARECOVER_HOME: home };
  const up = spawn(process.execPath, ['deploy/bootstrap.mjs', 'start'], { cwd: last, env });
  let output = '';
  for (const stream of [up.stdout, up.stderr]) stream.on('data', (chunk) => (output += chunk));
  const exited = once(up, 'exit');
  try {
    const isComplete = async () => {
      if (up.exitCode !== null) throw new Error(`npm start of the last release ended:\n${output}`);
      return output.split('Carecover is up.').length > 2;
    };
    await eventually('the journey of the last release is complete', isComplete, PATIENCE_MS);
    return await use(output);
  } finally {
    up.kill('SIGINT');
    await exited;
  }
}

/** Sends GET requests to the stack in the folder `home`, and returns the bodies of the responses. */
async function read(paths: readonly string[]): Promise<string[]> {
  const file = JSON.parse(await readFile(join(home, 'stack.json'), 'utf8'));
  const dispatcher = new Agent({ connect: { ca: await readFile(file.ca_certificate) } });
  const headers = { Authorization: `Bearer ${file.secret_key}` };
  try {
    const bodies: string[] = [];
    for (const path of paths) {
      const { statusCode, body } = await request(`${file.base_url}${path}`, { dispatcher, headers });
      const text = await body.text();
      expect([path, statusCode, text]).toEqual([path, 200, expect.anything()]);
      bodies.push(text);
    }
    return bodies;
  } finally {
    await dispatcher.close();
  }
}

atFullSize(
  'this release runs on the data of the last one, values its claims with the same bytes, and serves its client',
  async () => {
    const tag = await checkOutLastRelease();
    const { paths, before } = await withLastRelease(async (output) => {
      const claim = /The claim (clm_\w+)/.exec(output)?.[1];
      const cutoffs = [...output.matchAll(/valued as known at (\S+), twice/g)].map(
        ([, cutoff]) => cutoff ?? '',
      );
      expect(cutoffs.length).toBeGreaterThan(3);
      const valuations = cutoffs.map(
        (cutoff) => `/claims/${claim}/valuation?valuation_at=${encodeURIComponent(cutoff)}`,
      );
      return { paths: valuations, before: await read(valuations) };
    });

    stack = await startTestStack({
      homeFolder: home,
      mode: 'local',
      temporary: false,
    });
    expect(await read(paths)).toEqual(before);
    expect(await stack.operator('ledger', 'verify')).toMatchObject({});
    const { base_url, secret_key, ca_certificate } = stack.stack.file;
    const { stdout } = await run(process.execPath, ['docs/guides/quick-start.mjs'], {
      cwd: last,
      env: {
        PATH: process.env.PATH,
        CARECOVER_URL: base_url,
        CARECOVER_KEY: secret_key,
        NODE_EXTRA_CA_CERTS: ca_certificate,
      },
    });
    expect(stdout).toMatch(/^received claim\.settled /m);
    process.stdout.write(`upgraded from ${tag}\n`);
  },
  PATIENCE_MS,
);
