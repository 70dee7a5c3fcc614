/** Runs `carecover bulk …` with a server that answers as the API does. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { BulkJob } from '@carecover/client';
import { bulkJobKinds } from '@carecover/contract';
import { runCommand } from './testing/run-command';

let server: Server;
let folder: string;
let requests: { readonly url: string; readonly headers: IncomingHttpHeaders; readonly body: Buffer }[];
/** The job that the server answers with, and how many of its next answers say that it has not ended. */
let job: BulkJob;
let answersBeforeEnd: number;

const ended: BulkJob = {
  id: 'job_1',
  object: 'bulk_job',
  kind: 'claims',
  status: 'completed',
  on_error: 'continue',
  dry_run: false,
  counts: { total: 3, succeeded: 2, replayed: 0, rejected: 1, waiting: 0 },
  created_at: '2026-03-01T00:00:00.000Z',
  completed_at: '2026-03-01T00:00:01.000Z',
  results_deleted_at: null,
};

const results = [1, 2, 3].map((line) => ({
  object: 'bulk_job_result',
  line,
  reference: `INV-${line}`,
  status: line === 2 ? 'rejected' : 'succeeded',
  resource_id: line === 2 ? null : `clm_${line}`,
  error: line === 2 ? { code: 'not_eligible', message: 'It is ineligible.' } : null,
}));

beforeEach(async () => {
  requests = [];
  job = ended;
  answersBeforeEnd = 0;
  server = createServer(async (request, response) => {
    const { url = '', headers } = request;
    requests.push({ url, headers, body: await buffer(request) });
    response.setHeader('content-type', 'application/json');
    const { searchParams, pathname } = new URL(url, 'http://localhost');
    if (pathname.endsWith('/results')) {
      const after = Number(searchParams.get('after_line'));
      const page = results.filter(({ line }) => line > after).slice(0, 2);
      response.end(JSON.stringify({ object: 'list', data: page, has_more: after === 0 }));
      return;
    }
    const isOpen = answersBeforeEnd > 0;
    answersBeforeEnd -= 1;
    response.end(JSON.stringify(isOpen ? { ...job, status: 'running', completed_at: null } : job));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  folder = await mkdtemp(join(tmpdir(), 'carecover-bulk-'));
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
});

function run(...args: string[]) {
  const { port } = server.address() as AddressInfo;
  const env = { CARECOVER_HOME: folder, CARECOVER_SECRET_KEY: 'sk_test_1' };
  return runCommand(['bulk', ...args, '--base-url', `http://127.0.0.1:${port}`], env);
}

async function file(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

test('a submission sends the compressed file, follows the job to its end, and fails if lines were rejected', async () => {
  answersBeforeEnd = 3;
  const path = await file('claims.csv', 'provider_claim_reference\nINV-1\n');
  const { code, output, errors } = await run('submit', path, '--kind', 'claims', '--dry-run');
  expect([code, errors]).toEqual([
    1,
    'carecover: 1 of the lines were rejected, and 0 were not executed. See carecover bulk results job_1 --status rejected.\n',
  ]);
  expect(output).toMatch(/^id +job_1\nkind +claims\nstatus +completed\n/);
  const [first, ...polls] = requests;
  expect(first?.url).toBe('/bulk_jobs?kind=claims&dry_run=true');
  expect(first?.headers).toMatchObject({ 'content-type': 'text/csv', 'content-encoding': 'gzip' });
  expect(gunzipSync(first?.body ?? '').toString()).toBe('provider_claim_reference\nINV-1\n');
  expect(polls.length).toBeGreaterThanOrEqual(3);
});

test.each([
  ['claims.csv.gz', 'text/csv'],
  ['CLAIMS.JSONL.GZ', 'application/x-ndjson'],
])('%s is sent as it is, as a compressed file of %s', async (name, mediaType) => {
  const compressed = gzipSync('provider_claim_reference\nINV-1\n');
  const path = join(folder, name);
  await writeFile(path, compressed);
  await run('submit', path, '--kind', 'claims');
  const [sent] = requests;
  expect(sent?.headers).toMatchObject({ 'content-type': mediaType, 'content-encoding': 'gzip' });
  expect(sent?.body).toEqual(compressed);
});

test('a file of each kind is submitted as that kind', async () => {
  job = { ...ended, counts: { ...ended.counts, succeeded: 3, rejected: 0 } };
  const path = await file('lines.ndjson', '{}\n');
  for (const kind of bulkJobKinds) expect((await run('submit', path, '--kind', kind)).code).toBe(0);
  const sent = requests.flatMap(({ url }) => (url.startsWith('/bulk_jobs?') ? [url] : []));
  expect(sent).toEqual(bulkJobKinds.map((kind) => `/bulk_jobs?kind=${kind}`));
});

test('the same command has the same key, and another file or another mode has another one', async () => {
  job = { ...ended, counts: { ...ended.counts, succeeded: 3, rejected: 0 } };
  const [one, other] = [await file('one.ndjson', '{}\n'), await file('other.ndjson', '{ }\n')];
  const runs = [
    [one],
    [one],
    [other],
    [one, '--on-error', 'stop'],
    [one, '--dry-run'],
    [one, '--key', 'my own key'],
  ];
  for (const [path = '', ...options] of runs)
    expect((await run('submit', path, '--kind', 'claims', ...options)).code).toBe(0);
  const keys = requests.flatMap(({ headers }) => headers['idempotency-key'] ?? []);
  expect(keys).toHaveLength(runs.length);
  expect(keys[1]).toBe(keys[0]);
  expect(new Set(keys).size).toBe(runs.length - 1);
  expect(keys.at(-1)).toBe('my own key');
});

test('results are printed page after page, as a table or as JSON', async () => {
  const table = await run('results', 'job_1', '--status', 'rejected');
  expect(table.output).toContain('not_eligible');
  expect(requests.map(({ url }) => url)).toEqual([
    '/bulk_jobs/job_1/results?limit=100&after_line=0&status=rejected',
    '/bulk_jobs/job_1/results?limit=100&after_line=2&status=rejected',
  ]);
  const { output } = await run('results', 'job_1', '--json');
  expect(
    output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual(results);
});

test('a job is shown and cancelled', async () => {
  expect(JSON.parse((await run('show', 'job_1', '--json')).output)).toMatchObject({
    id: 'job_1',
    rejected: 1,
  });
  expect((await run('cancel', 'job_1')).code).toBe(0);
  expect(requests.at(-1)?.url).toBe('/bulk_jobs/job_1/cancellations');
});

test('with an unknown kind or without a file nothing is sent', async () => {
  expect((await run('submit', await file('a.csv', 'a'), '--kind', 'coverages')).code).toBe(2);
  expect((await run('submit', join(folder, 'absent.csv'), '--kind', 'claims')).code).toBe(1);
  expect(requests).toEqual([]);
});
