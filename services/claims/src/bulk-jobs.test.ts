/** Bulk jobs over HTTP, on the real workflow: each line is executed once, and has one result in the order of the file. */
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { BulkJob, BulkJobResult, Claim } from '@carecover/contract';
import { ApiError, newId, simulatedProjectId, storedTenant } from '@carecover/domain';
import { jsonb } from '@carecover/postgres';
import { recordHistory } from '@carecover/temporal/replay';
import { eventually } from '@carecover/testing/servers';
import { type Answered, type Asked, newTenant, testCaller, useKillPoints } from '@carecover/testing/services';
import { acceptJob, deleteAbandonedJobs, insertJob, insertLines } from './store/bulk-jobs';
import { claimsCleanups } from './sweeps';
import { adjudication, Provider } from './testing/provider';
import { startTestClaims, type TestClaims } from './testing/test-claims';
import { realTimeTemporal } from './testing/test-temporal';
import { bulkLineLimits, executeBulkLines } from './use-cases/execute-bulk-lines';

let claims: TestClaims;
beforeAll(async () => {
  claims = await startTestClaims(realTimeTemporal);
}, 120_000);
afterAll(() => claims.stop());

const setKillPoint = useKillPoints();

const HISTORIES = join(__dirname, '../../../workflows/bulk-job/histories');

/** Records the history of a job after its workflow has ended. */
async function keepHistory(id: string, name: string): Promise<void> {
  const handle = claims.environment.client.workflow.getHandle(id);
  await handle.result();
  await recordHistory(HISTORIES, name, handle);
}

const NDJSON = 'application/x-ndjson';

const ndjson = (lines: readonly unknown[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('');

function submit(
  provider: Provider,
  kind: BulkJob['kind'],
  content: string | Uint8Array,
  asked: Asked & { readonly mediaType?: string; readonly encoding?: 'gzip' } = {},
): Promise<Answered> {
  const { mediaType = NDJSON, encoding, query, ...others } = asked;
  const file = { mediaType, content, ...(encoding === undefined ? {} : { encoding }) };
  return claims.ask(provider.tenant, 'createBulkJob', { ...others, query: { kind, ...query }, file });
}

async function read(provider: Provider, id: string): Promise<BulkJob> {
  const { status, body } = await claims.ask(provider.tenant, 'getBulkJob', { params: { bulk_job_id: id } });
  expect(status).toBe(200);
  return body;
}

function ended(provider: Provider, id: string): Promise<BulkJob> {
  return eventually('the job ends', async () => {
    const job = await read(provider, id);
    return job.completed_at === null ? undefined : job;
  });
}

async function results(provider: Provider, id: string): Promise<BulkJobResult[]> {
  const found: BulkJobResult[] = [];
  for (;;) {
    const { status, body } = await claims.ask(provider.tenant, 'listBulkJobResults', {
      params: { bulk_job_id: id },
      query: { limit: '100', after_line: String(found.at(-1)?.line ?? 0) },
    });
    expect(status).toBe(200);
    found.push(...body.data);
    if (!body.has_more) return found;
  }
}

/** Submits a file, and waits for its end. */
async function run(provider: Provider, kind: BulkJob['kind'], content: string, asked: Asked = {}) {
  const { status, body } = await submit(provider, kind, content, asked);
  expect([status, body.error ?? null]).toEqual([202, null]);
  const job = await ended(provider, body.id);
  return { job, results: await results(provider, body.id) };
}

const recordedClaim = (changes: object = {}) => ({
  session: {
    practitioner_id: newId('prc_'),
    starts_at: '2026-03-01T10:00:00+03:00',
    ends_at: '2026-03-01T10:50:00+03:00',
    format: 'in_person',
    payment_source: 'covered',
  },
  eligibility_check: {
    member_reference: newId('member:'),
    service_code: 'psy.0',
    amount: 100_000,
    currency: 'KES',
  },
  provider_claim_reference: newId('INV-'),
  lines: [{ code_system: 'CPT', service_code: 'psy.0', units: 1, amount: 100_000 }],
  ...changes,
});

async function claimCount(provider: Provider): Promise<number> {
  const [row] = await claims.sql<{ count: number }[]>`
    select count(*)::integer as count from claims where project_id = ${provider.tenant}`;
  return row?.count ?? Number.NaN;
}

test('claims: each line is one claim, rejected lines do not affect the others, and results are in the order of the file', async () => {
  const provider = new Provider(claims);
  const first = provider.submission();
  const recorded = recordedClaim();
  const unknown = provider.submission({ session_id: 'ses_unknown' });
  const lines = [
    first,
    recorded,
    unknown,
    provider.submission({ provider_claim_reference: first.provider_claim_reference }),
    { ...provider.submission(), unexpected: true },
    provider.submission(),
  ];
  const { job, results: found } = await run(provider, 'claims', `${ndjson(lines)}no JSON\n`);
  expect(job).toMatchObject({
    kind: 'claims',
    status: 'completed',
    counts: { total: 7, succeeded: 3, replayed: 0, rejected: 4, waiting: 0 },
  });
  expect(found.map(({ line, status, error }) => [line, status, error?.code ?? null])).toEqual([
    [1, 'succeeded', null],
    [2, 'succeeded', null],
    [3, 'rejected', 'resource_not_found'],
    [4, 'rejected', 'duplicate_claim_reference'],
    [5, 'rejected', 'validation_failed'],
    [6, 'succeeded', null],
    [7, 'rejected', 'validation_failed'],
  ]);
  expect(found.slice(0, 6).map(({ reference }) => reference)).toEqual(
    lines.map(({ provider_claim_reference }) => provider_claim_reference),
  );
  expect(found[4]?.error?.message).toContain('/unexpected');
  const claim: Claim = await provider.read(found[1]?.resource_id ?? '');
  expect(claim).toMatchObject({
    status: 'submitted',
    provider_claim_reference: recorded.provider_claim_reference,
  });
  expect(await claimCount(provider)).toBe(3);
  await keepHistory(job.id, 'completed');
});

test('an operator reads the rejected lines of a job by code, with the first line and message of each; those of another project are unknown', async () => {
  const provider = new Provider(claims);
  const lines = [
    { ...adjudication(0, 0) },
    { claim_id: newId('clm_'), ...adjudication(0, 0) },
    { claim_id: (await provider.submitted()).id, ...adjudication(0, 0) },
    { claim_id: newId('clm_'), ...adjudication(0, 0) },
  ];
  const { job, results: found } = await run(provider, 'adjudications', ndjson(lines));
  const path = `/bulk_jobs/${job.id}/rejections`;
  const { status, body } = await claims.operator(provider.tenant, path);
  expect([status, body.data]).toEqual([
    200,
    [
      {
        code: 'resource_not_found',
        count: 2,
        first_line: 2,
        first_message: found[1]?.error?.message,
      },
      {
        code: 'validation_failed',
        count: 1,
        first_line: 1,
        first_message: found[0]?.error?.message,
      },
    ],
  ]);
  expect((await claims.operator(newTenant(), path)).status).toBe(404);
  expect((await claims.operator(provider.tenant, '/bulk_jobs/%00/rejections')).status).toBe(404);
  expect((await claims.operator(provider.tenant, path, 'gateway')).status).toBe(403);
});

test('a credential uses the jobs of the kinds whose scopes it has: the others are 403 in each operation and absent from the list', async () => {
  const provider = new Provider(claims);
  const job = await run(provider, 'claims', ndjson([provider.submission()]));
  const decided = await run(provider, 'adjudications', ndjson([{ claim_id: 'clm_unknown' }]));
  const scopes = ['claims:write'];
  const ask = async (
    operation: Parameters<TestClaims['ask']>[1],
    bulk_job_id: string,
    asked: Asked = {},
  ): Promise<unknown> => {
    const params = bulk_job_id === '' ? {} : { bulk_job_id };
    const { status, body } = await claims.ask(provider.tenant, operation, { params, scopes, ...asked });
    return status === 200 ? 200 : [status, body.error.code, body.error.message];
  };
  const denied = [
    403,
    'permission_denied',
    'Bulk jobs of the kind adjudications require the scope claims:adjudicate.',
  ];
  for (const operation of [
    'getBulkJob',
    'listBulkJobResults',
    'pauseBulkJob',
    'continueBulkJob',
    'cancelBulkJob',
  ] as const)
    expect([operation, await ask(operation, decided.job.id)]).toEqual([operation, denied]);
  expect(await ask('listBulkJobResults', decided.job.id, { accept: 'text/csv' })).toEqual(denied);
  expect(await ask('getBulkJob', job.job.id)).toBe(200);

  const created = await submit(provider, 'adjudications', ndjson([{ claim_id: 'clm_unknown' }]), { scopes });
  expect([created.status, created.body.error.message]).toEqual([403, denied[2]]);
  expect(await ask('listBulkJobs', '', { query: { kind: 'adjudications' } })).toEqual(denied);
  const list = await claims.ask(provider.tenant, 'listBulkJobs', { scopes });
  expect(list.body.data.map(({ id }: BulkJob) => id)).toEqual([job.job.id]);
  const all = await claims.ask(provider.tenant, 'listBulkJobs', {});
  expect(all.body.data.map(({ id }: BulkJob) => id)).toEqual([decided.job.id, job.job.id]);
});

test('adjudications: claims are named by ID or reference, and those of one claim keep their order', async () => {
  const provider = new Provider(claims);
  const [one, other] = [await provider.submitted(), await provider.submitted()];
  const reference = one.provider_claim_reference ?? '';
  const lines = [
    { claim_id: one.id, ...adjudication(100_000, 0) },
    { claim_id: other.id, ...adjudication(0, 0) },
    { provider_claim_reference: reference, ...adjudication(100_000, 50_000) },
    { provider_claim_reference: 'INV-unknown', ...adjudication(0, 0) },
    { claim_id: other.id, ...adjudication(0, 0), lines: adjudication(0, 0).lines.slice(1) },
  ];
  const { job, results: found } = await run(provider, 'adjudications', ndjson(lines));
  expect(job.counts).toEqual({ total: 5, succeeded: 3, replayed: 0, rejected: 2, waiting: 0 });
  expect(found.map(({ status, resource_id, error }) => [status, resource_id, error?.code ?? null])).toEqual([
    ['succeeded', one.id, null],
    ['succeeded', other.id, null],
    ['succeeded', one.id, null],
    ['rejected', null, 'resource_not_found'],
    ['rejected', null, 'adjudication_lines_mismatch'],
  ]);
  expect(await provider.read(one.id)).toMatchObject({
    status: 'approved',
    adjudication: { version: 2, amount: { payer: 150_000 } },
  });
  expect(await provider.read(other.id)).toMatchObject({ status: 'denied', adjudication: { version: 1 } });
});

test('adjudications: a line with expected versions does not replace a decision that it does not know, in a dry run too', async () => {
  const provider = new Provider(claims);
  const submitted = [await provider.submitted(), await provider.submitted()];
  const lines = submitted.map(({ id }) => ({
    claim_id: id,
    ...adjudication(0, 0),
    ...{ expected_submission_version: 1, expected_adjudication_version: 0 },
  }));
  const decided = await provider.adjudicate(submitted[0]?.id ?? '', 100_000, 0);
  for (const query of [{ dry_run: 'true' }, {}]) {
    const { results: found } = await run(provider, 'adjudications', ndjson(lines), { query });
    expect(found.map(({ status, error }) => [status, error?.code ?? null])).toEqual([
      ['rejected', 'invalid_state'],
      ['succeeded', null],
    ]);
  }
  expect(await provider.read(decided.id)).toEqual(decided);
  expect(await provider.read(submitted[1]?.id ?? '')).toMatchObject({ status: 'denied' });
});

test('the same file under the same key is a replay, another file is a conflict, and an equal line is repeated without a second effect', async () => {
  const provider = new Provider(claims);
  const line = provider.submission();
  const content = ndjson([line, provider.submission(), line]);
  const key = newId('key_');
  const { job, results: found } = await run(provider, 'claims', content, { key });
  expect(job.counts).toMatchObject({ total: 3, succeeded: 2, replayed: 1 });
  expect(found[2]).toMatchObject({ status: 'replayed', resource_id: found[0]?.resource_id });
  const again = await submit(provider, 'claims', content, { key });
  expect([again.status, again.replayed, again.body.id]).toEqual([200, true, job.id]);
  const conflict = await submit(provider, 'claims', ndjson([provider.submission()]), { key });
  expect(conflict.code).toBe('idempotency_conflict');
  const otherMode = await submit(provider, 'claims', content, { key, query: { dry_run: 'true' } });
  expect(otherMode.code).toBe('idempotency_conflict');
  const { body } = await claims.ask(provider.tenant, 'listBulkJobs', {});
  expect(body.data.map(({ id }: BulkJob) => id)).toEqual([job.id]);
  expect(await claimCount(provider)).toBe(2);
});

test('a dry run decides every line and writes nothing', async () => {
  const provider = new Provider(claims);
  const existing = await provider.submitted();
  const reference = existing.provider_claim_reference ?? '';
  const lines = [
    provider.submission(),
    recordedClaim(),
    provider.submission({ provider_claim_reference: reference }),
  ];
  const dry = await run(provider, 'claims', ndjson(lines), { query: { dry_run: 'true' } });
  expect(dry.job).toMatchObject({ dry_run: true, status: 'completed' });
  expect(dry.results.map(({ status, error }) => [status, error?.code ?? null])).toEqual([
    ['succeeded', null],
    ['succeeded', null],
    ['rejected', 'duplicate_claim_reference'],
  ]);
  const decisions = [adjudication(0, 0), { ...adjudication(0, 0), lines: [] }].map((input) => ({
    claim_id: existing.id,
    ...input,
  }));
  const decided = await run(provider, 'adjudications', ndjson(decisions), { query: { dry_run: 'true' } });
  expect(decided.results.map(({ status }) => status)).toEqual(['succeeded', 'rejected']);
  expect(await claimCount(provider)).toBe(1);
  expect(await provider.read(existing.id)).toEqual(existing);
  expect(claims.others.asked('openLiability', existing.id)).toBe(0);
});

test('a job that stops executes no line after the first rejected one', async () => {
  const provider = new Provider(claims);
  const lines = [
    provider.submission(),
    provider.submission(),
    provider.submission({ session_id: 'ses_unknown' }),
    provider.submission(),
  ];
  const stopped = await run(provider, 'claims', ndjson(lines), { query: { on_error: 'stop' } });
  expect(stopped.job).toMatchObject({
    status: 'stopped',
    counts: { total: 4, succeeded: 2, rejected: 1, waiting: 1 },
  });
  expect(stopped.results.map(({ status }) => status)).toEqual([
    'succeeded',
    'succeeded',
    'rejected',
    'waiting',
  ]);
  const unreadable = `${ndjson([provider.submission()])}no JSON\n${ndjson([provider.submission()])}`;
  const atUnreadable = await run(provider, 'claims', unreadable, { query: { on_error: 'stop' } });
  expect(atUnreadable.results.map(({ status }) => status)).toEqual(['succeeded', 'rejected', 'waiting']);
  expect(await claimCount(provider)).toBe(3);
});

test('a job that stops executes no line after a row that is no row of the file', async () => {
  const provider = new Provider(claims);
  const heading =
    'provider_claim_reference,session_id,eligibility_check_id,lines.1.code_system,lines.1.service_code,lines.1.units,lines.1.amount';
  const row = () => {
    const { provider_claim_reference, session_id, eligibility_check_id } = provider.submission();
    return `${provider_claim_reference},${session_id},${eligibility_check_id},CPT,psy.0,1,100000`;
  };
  const stopAt = async (rows: readonly string[]) => {
    const asked = { mediaType: 'text/csv', query: { on_error: 'stop' } };
    const { body } = await submit(provider, 'claims', [heading, ...rows, ''].join('\n'), asked);
    const { status } = await ended(provider, body.id);
    return [status, ...(await results(provider, body.id)).map((result) => result.status)];
  };
  const short = 'INV-1,ses_1';
  expect(await stopAt([row(), row(), short, row(), row()])).toEqual([
    'stopped',
    'succeeded',
    'succeeded',
    'rejected',
    'waiting',
    'waiting',
  ]);
  expect(await stopAt([short, row()])).toEqual(['stopped', 'rejected', 'waiting']);
  expect(await stopAt([row(), short])).toEqual(['stopped', 'succeeded', 'rejected']);
  expect(await claimCount(provider)).toBe(3);
});

test('of claims with equal references or sessions the first one of the file is created, and the others of their set are created together', async () => {
  const provider = new Provider(claims);
  const pairs = Array.from({ length: 8 }, () => {
    const first = provider.submission();
    return [first, provider.submission({ provider_claim_reference: `${first.provider_claim_reference} ` })];
  });
  const session = provider.submission();
  const lines = [...pairs.flat(), session, provider.submission({ session_id: session.session_id })];
  const before = claims.others.calls.length;
  const { results: found } = await run(provider, 'claims', ndjson(lines));
  expect(found.map(({ error }) => error?.code ?? null)).toEqual([
    ...pairs.flatMap(() => [null, 'duplicate_claim_reference']),
    null,
    'session_already_claimed',
  ]);
  const called = claims.others.calls.slice(before).filter(({ name }) => name === 'sessionForClaim');
  expect(called.length).toBeLessThanOrEqual(1 + pairs.length + 1);
});

test('CSV with semicolons, compressed, is the same as NDJSON; results can be a file', async () => {
  const provider = new Provider(claims);
  const { sessionId } = claims.others.deliveredSession();
  const heading =
    'provider_claim_reference;session_id;eligibility_check_id;lines.1.code_system;lines.1.service_code;lines.1.units;lines.1.amount;evidence_refs';
  const row = `INV-CSV;${sessionId};${newId('elig_')};CPT;psy.0;1.5;100000;note:17 note:18`;
  const sent = await submit(provider, 'claims', gzipSync(`${heading}\r\n${row}\r\n=bad;;;;;;;\r\n`), {
    mediaType: 'text/csv',
    encoding: 'gzip',
  });
  expect(sent.status).toBe(202);
  await ended(provider, sent.body.id);
  const [first] = await results(provider, sent.body.id);
  expect(first).toMatchObject({ line: 2, reference: 'INV-CSV', status: 'succeeded' });
  expect(await provider.read(first?.resource_id ?? '')).toMatchObject({
    lines: [{ units: 1.5, amount: 100_000 }],
  });
  const file = await claims.send(provider.tenant, 'listBulkJobResults', {
    params: { bulk_job_id: sent.body.id },
    accept: 'text/csv',
  });
  const [header, one, two] = (await file.text()).split('\r\n');
  expect(header).toBe('line,reference,status,resource_id,error_code,error_message');
  expect(one).toBe(`2,INV-CSV,succeeded,${first?.resource_id},,`);
  expect(two).toMatch(/^3,'=bad,rejected,,validation_failed,/);
});

test('files that can not be read are rejected and leave nothing', async () => {
  const provider = new Provider(claims);
  const line = ndjson([provider.submission()]);
  const attempts: [string | Uint8Array, Parameters<typeof submit>[3], string][] = [
    ['', {}, 'validation_failed'],
    ['\n \n', {}, 'validation_failed'],
    [line, { encoding: 'gzip' }, 'validation_failed'],
    [gzipSync(line).subarray(0, -9), { encoding: 'gzip' }, 'validation_failed'],
    ['provider_claim_reference,unknown\r\n', { mediaType: 'text/csv' }, 'validation_failed'],
    ['{}\n'.repeat(50_001), {}, 'payload_too_large'],
    [gzipSync(Buffer.alloc(100 * 1024 * 1024 + 1, ' ')), { encoding: 'gzip' }, 'payload_too_large'],
  ];
  for (const [content, asked, code] of attempts)
    expect([code, (await submit(provider, 'claims', content, asked)).code]).toEqual([code, code]);
  expect(await claims.sql`select 1 from bulk_jobs where project_id = ${provider.tenant}`).toEqual([]);
});

test('a job whose file did not arrive for an hour of real time is deleted, also in a project with simulated time', async () => {
  const tenant = storedTenant(simulatedProjectId(newId('prj_')));
  const insert = async (createdAt: string, age: string) => {
    const id = newId('bulk_');
    const job = { id, kind: 'claims', on_error: 'continue', dry_run: false } as const;
    await insertJob(claims.sql, job, testCaller(tenant));
    await claims.sql`
      update bulk_jobs set created_at = ${createdAt}, started_at = platform.real_now() - ${age}::interval where id = ${id}`;
    return id;
  };
  const arriving = await insert('2022-01-01T00:00:00Z', '50 minutes');
  await insert('2099-01-01T00:00:00Z', '70 minutes');
  await deleteAbandonedJobs(claims.sql);
  expect(await claims.sql`select id from bulk_jobs where project_id = ${tenant}`).toEqual([{ id: arriving }]);
});

test('a paused job executes no line until it continues, and a cancelled one never', async () => {
  const provider = new Provider(claims);
  const change = (operation: 'pauseBulkJob' | 'continueBulkJob' | 'cancelBulkJob', id: string) =>
    claims.ask(provider.tenant, operation, { params: { bulk_job_id: id } });
  const held = claims.others.holdNext('useForClaim');
  const { body } = await submit(
    provider,
    'claims',
    ndjson(Array.from({ length: 120 }, () => provider.submission())),
  );
  await held.arrived;
  expect(await change('pauseBulkJob', body.id)).toMatchObject({ status: 200, body: { status: 'paused' } });
  held.resume();
  const waiting = await eventually('the lines in progress end', async () => {
    const { counts } = await read(provider, body.id);
    return counts.succeeded > 0 ? counts.waiting : undefined;
  });
  expect(waiting).toBeGreaterThanOrEqual(20);
  expect(await change('continueBulkJob', body.id)).toMatchObject({
    status: 200,
    body: { status: 'pending' },
  });
  expect((await ended(provider, body.id)).counts).toMatchObject({ succeeded: 120, waiting: 0 });
  await keepHistory(body.id, 'paused');

  const second = claims.others.holdNext('useForClaim');
  const other = await submit(
    provider,
    'claims',
    ndjson(Array.from({ length: 120 }, () => provider.submission())),
  );
  await second.arrived;
  expect((await change('cancelBulkJob', other.body.id)).body).toMatchObject({
    status: 'cancelled',
    completed_at: null,
  });
  second.resume();
  const { counts, status } = await ended(provider, other.body.id);
  expect(status).toBe('cancelled');
  expect(counts.waiting).toBeGreaterThanOrEqual(20);
  expect(counts.succeeded).toBe(120 - counts.waiting);
  expect(await claimCount(provider)).toBe(240 - counts.waiting);
  for (const operation of ['pauseBulkJob', 'continueBulkJob', 'cancelBulkJob'] as const)
    expect((await change(operation, other.body.id)).code).toBe('invalid_state');
  const contents = await claims.sql`
    select 1 from bulk_job_lines join bulk_jobs on id = job_id where project_id = ${provider.tenant} and content is not null`;
  expect(contents).toEqual([]);
});

function cancel(provider: Provider, id: string) {
  return claims.ask(provider.tenant, 'cancelBulkJob', { params: { bulk_job_id: id } });
}

test('a cancelled job ends when the lines that were started have their results, and starts no other', async () => {
  const provider = new Provider(claims);
  const submitted = await Promise.all(Array.from({ length: 3 }, () => provider.submitted()));
  const decide = ({ id }: Claim) => ({ claim_id: id, ...adjudication(0, 0) });
  const again = submitted.slice(0, 1).map(({ id }) => ({ claim_id: id, ...adjudication(100_000, 0) }));
  claims.others.outages.set('openLiability', 10_000);
  const { body } = await submit(provider, 'adjudications', ndjson([...submitted.map(decide), ...again]));
  await eventually(
    'payments was called',
    async () => (claims.others.outages.get('openLiability') ?? 0) < 9_995,
  );
  expect((await cancel(provider, body.id)).body).toMatchObject({ status: 'cancelled', completed_at: null });
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  expect(await read(provider, body.id)).toMatchObject({ completed_at: null, counts: { waiting: 4 } });
  claims.others.outages.clear();
  const job = await ended(provider, body.id);
  expect([job.status, job.counts]).toMatchObject(['cancelled', { succeeded: 3, rejected: 0, waiting: 1 }]);
  for (const { id } of submitted)
    expect(await provider.read(id)).toMatchObject({ status: 'denied', adjudication: { version: 1 } });
});

test('a paused job stores the results of the lines that were started, and starts others only when it continues', async () => {
  const provider = new Provider(claims);
  const { id } = await provider.submitted();
  claims.others.outages.set('openLiability', 10_000);
  const lines = [adjudication(0, 0), adjudication(100_000, 0)].map((input) => ({ claim_id: id, ...input }));
  const { body } = await submit(provider, 'adjudications', ndjson(lines));
  await eventually(
    'payments was called',
    async () => (claims.others.outages.get('openLiability') ?? 0) < 10_000,
  );
  const params = { bulk_job_id: body.id };
  expect((await claims.ask(provider.tenant, 'pauseBulkJob', { params })).status).toBe(200);
  claims.others.outages.clear();
  const paused = await eventually('the first line has its result', async () => {
    const job = await read(provider, body.id);
    return job.counts.succeeded > 0 ? job : undefined;
  });
  expect(paused).toMatchObject({ status: 'paused', counts: { succeeded: 1, waiting: 1 } });
  await claims.ask(provider.tenant, 'continueBulkJob', { params });
  expect((await ended(provider, body.id)).counts).toMatchObject({ succeeded: 2, waiting: 0 });
});

/** Inserts a job, by default of submissions, that no workflow executes. */
async function insertedJob(
  provider: Provider,
  lines: number,
  on_error: BulkJob['on_error'] = 'stop',
  kind: BulkJob['kind'] = 'claims',
  contents: readonly object[] = [],
) {
  const job = { id: newId('job_'), kind, on_error, dry_run: false } as const;
  const { tenant } = provider;
  await insertJob(claims.sql, job, testCaller(tenant));
  const received = Array.from({ length: lines }, (_, index) => ({
    line: index + 1,
    key: crypto.randomUUID(),
    is_repeated: false,
    content: JSON.stringify(contents[index] ?? provider.submission()),
    unreadable: null,
  }));
  await insertLines(claims.sql, tenant, job.id, received);
  await claims.sql`${acceptJob(claims.sql, tenant, job.id)}`;
  return { tenant, resourceId: job.id };
}

test('a job that is cancelled after a crash has the results of the lines that were executed before it', async () => {
  const provider = new Provider(claims);
  const job = await insertedJob(provider, 120, 'continue');
  const killPoint = setKillPoint('bulk.executed');
  await expect(executeBulkLines({ ...claims.deps, ...bulkLineLimits(4) }, job)).rejects.toThrow('killed');
  killPoint.clear();
  expect(await claimCount(provider)).toBe(100);
  const { body } = await cancel(provider, job.resourceId);
  expect(body).toMatchObject({ status: 'cancelled', counts: { succeeded: 0, waiting: 120 } });
  const { status, counts } = await ended(provider, job.resourceId);
  expect([status, counts]).toMatchObject(['cancelled', { succeeded: 100, waiting: 20 }]);
  expect(await claimCount(provider)).toBe(100);
});

test('a set for which the process has no permit is executed later', async () => {
  const provider = new Provider(claims);
  const job = await insertedJob(provider, 1);
  const deps = { ...claims.deps, ...bulkLineLimits(1) };
  const others = [newTenant(), newTenant()];
  for (const other of others) expect(deps.setPermits.tryAcquire(other)).toBe(true);
  expect(await executeBulkLines(deps, job)).toMatchObject({ next: 'later' });
  expect(await read(provider, job.resourceId)).toMatchObject({ status: 'pending', counts: { waiting: 1 } });
  for (const other of others) deps.setPermits.release(other);
  expect(await executeBulkLines(deps, job)).toMatchObject({ next: 'more lines' });
  expect(await executeBulkLines(deps, job)).toMatchObject({ next: 'ended' });
  expect(await claimCount(provider)).toBe(1);
});

test('the time of a set starts when it has a slot, so that a set that waited long executes its lines', async () => {
  const provider = new Provider(claims);
  const job = await insertedJob(provider, 3);
  const deps = { ...claims.deps, ...bulkLineLimits(1) };
  await deps.lineSlots.acquire(newTenant());
  setTimeout(() => deps.lineSlots.release(), 5_500);
  await executeBulkLines(deps, job);
  expect((await read(provider, job.resourceId)).counts).toMatchObject({ succeeded: 3, waiting: 0 });
});

test('a job that continues has the consent default that the project has then', async () => {
  const provider = new Provider(claims);
  const { resourceId: id, tenant } = await insertedJob(provider, 1);
  const before = testCaller(tenant, { consentDefault: 'withdrawn' });
  await claims.sql`update bulk_jobs set status = 'paused', caller = ${jsonb(before)}::jsonb where id = ${id}`;
  const useForClaim = jest.spyOn(claims.others.benefits, 'useForClaim');
  await claims.ask(tenant, 'continueBulkJob', { params: { bulk_job_id: id } });
  await ended(provider, id);
  expect(useForClaim.mock.calls.map(([{ caller }]) => caller)).toEqual([
    { ...before, consentDefault: 'granted' },
  ]);
  useForClaim.mockRestore();
});

test('lines that could not be executed are executed later, once', async () => {
  const provider = new Provider(claims);
  const submitted = [await provider.submitted(), await provider.submitted()];
  claims.others.outages.set('openLiability', 100);
  const lines = submitted.map(({ id }) => ({ claim_id: id, ...adjudication(0, 0) }));
  const { body } = await submit(provider, 'adjudications', ndjson(lines));
  await eventually('payments was called', async () => (claims.others.outages.get('openLiability') ?? 0) < 95);
  expect((await read(provider, body.id)).counts).toMatchObject({ succeeded: 0, rejected: 0, waiting: 2 });
  claims.others.outages.clear();
  expect((await ended(provider, body.id)).counts).toMatchObject({ succeeded: 2, rejected: 0 });
  for (const { id } of submitted) expect((await provider.read(id)).adjudication?.version).toBe(1);
});

test('a job ends with one event, and other projects do not see it', async () => {
  const provider = new Provider(claims);
  const { job } = await run(provider, 'claims', ndjson([provider.submission()]));
  const events = await claims.sql<{ payload: string }[]>`
    select payload from outbox where project_id = ${provider.tenant} and type = 'bulk_job.completed'`;
  expect(events.map(({ payload }) => JSON.parse(payload).data)).toEqual([
    { id: job.id, object: 'bulk_job', kind: 'claims', status: 'completed', counts: job.counts },
  ]);
  const otherProject = new Provider(claims, newTenant());
  for (const operation of ['getBulkJob', 'listBulkJobResults', 'pauseBulkJob', 'cancelBulkJob'] as const) {
    const { code } = await claims.ask(otherProject.tenant, operation, { params: { bulk_job_id: job.id } });
    expect([operation, code]).toEqual([operation, 'resource_not_found']);
  }
});

test('the session of a rejected claim of past care is used by a later line with the same reference and session', async () => {
  const provider = new Provider(claims);
  const line = recordedClaim();
  const check = `elig_${line.eligibility_check.member_reference.replaceAll(/\W/g, '_')}`;
  claims.others.rejections.set(check, new ApiError('service_mismatch', '/lines have another service.'));
  const first = await run(provider, 'claims', ndjson([line]));
  expect(first.results[0]?.error?.code).toBe('service_mismatch');
  claims.others.rejections.delete(check);
  const { size } = claims.others.recorded;
  const second = await run(provider, 'claims', ndjson([line]));
  expect(second.results[0]?.status).toBe('succeeded');
  expect(claims.others.recorded.size).toBe(size);
});

test('a claim of past care that its check rejects leaves no session', async () => {
  const provider = new Provider(claims);
  const line = recordedClaim();
  const { size } = claims.others.recorded;
  const rejection = new ApiError('not_eligible', '/eligibility_check is ineligible: coverage_inactive.');
  claims.others.nextRejections.set(line.eligibility_check.member_reference, rejection);
  const { results: found } = await run(provider, 'claims', ndjson([line]));
  expect(found[0]?.error).toEqual({ code: 'not_eligible', message: rejection.message });
  expect(claims.others.recorded.size).toBe(size);
});

test('the results of an ended job are deleted after their retention; the job and its counts stay, and the answer to a reader says so', async () => {
  const DAY_MS = 86_400_000;
  const provider = new Provider(claims);
  const settings = {
    REJECTED_COMMANDS_DAYS: 30,
    VALUATION_RUN_RETENTION_DAYS: null,
    BULK_RESULT_RETENTION_DAYS: 30,
  };
  const cleanUpAfter = async (days: number) => {
    await claims.database.setClockOffset(days * DAY_MS);
    for (const { run: clean } of claimsCleanups(claims.sql, settings)) await clean();
    await claims.database.setClockOffset(0);
  };
  const content = ndjson([provider.submission(), { unexpected: true }]);
  const key = newId('key_');
  const { job, results: found } = await run(provider, 'claims', content, { key });
  expect(job.results_deleted_at).toBeNull();
  const open = await insertedJob(provider, 2);
  await cancel(provider, (await insertedJob(provider, 1)).resourceId);

  await cleanUpAfter(29);
  expect(await results(provider, job.id)).toEqual(found);

  await cleanUpAfter(31);
  const after = await read(provider, job.id);
  expect(after).toEqual({ ...job, results_deleted_at: expect.any(String) });
  const params = { bulk_job_id: job.id };
  for (const accept of ['application/json', 'text/csv', 'application/x-ndjson']) {
    const { status, code, body } = await claims.ask(provider.tenant, 'listBulkJobResults', {
      params,
      accept,
    });
    expect([status, code]).toEqual([404, 'resource_not_found']);
    expect(body.error.message).toBe(
      `The results of this job were deleted at ${after.results_deleted_at}, after their retention. The job has their counts.`,
    );
  }
  expect(await claims.sql`select 1 from bulk_job_lines where job_id = ${job.id}`).toEqual([]);
  expect(await results(provider, open.resourceId)).toHaveLength(2);
  const again = await submit(provider, 'claims', content, { key });
  expect([again.status, again.body.id]).toEqual([200, job.id]);
  expect(await claimCount(provider)).toBe(1);
});

const remittance = (changes: object = {}) => ({
  payer_reference: newId('ERA-'),
  currency: 'KES',
  received_at: '2026-03-02T10:00:00Z',
  allocations: [{ claim_id: newId('clm_'), paid_amount: 100 }],
  ...changes,
});

const settlement = (changes: object = {}) => ({
  remittance_id: newId('rem_'),
  source_reference: newId('bank-'),
  currency: 'KES',
  amount: 100,
  observed_at: '2026-03-03T10:00:00Z',
  ...changes,
});

const session = () => ({
  practitioner_id: newId('prc_'),
  starts_at: '2026-03-01T10:00:00+03:00',
  ends_at: '2026-03-01T10:50:00+03:00',
  format: 'in_person',
  payment_source: 'covered',
  external_reference: newId('encounter-'),
});

const check = () => ({
  member_reference: newId('member:'),
  service_code: 'psy.0',
  scheduled_at: '2026-03-01T10:00:00+03:00',
  amount: 100_000,
  currency: 'KES',
  retrospective: true,
});

/** The kinds whose lines other services execute, each with a line, the field that names it, the call that executes it, and its resource. */
const KINDS_OF_OTHER_SERVICES = [
  ['remittances', remittance, 'payer_reference', 'createRemittance', 'rem_'],
  ['settlements', settlement, 'source_reference', 'createSettlement', 'stl_'],
  ['sessions', session, 'external_reference', 'recordSessions', 'ses_'],
  ['eligibility_checks', check, 'member_reference', 'createEligibilityChecks', 'elig_'],
] as const;

describe.each(KINDS_OF_OTHER_SERVICES)('%s', (kind, lineOf, field, call, prefix) => {
  const referenceOf = (line: object): string => Reflect.get(line, field);
  /** A result does not name a member. */
  const shownOf = (line: object) => (kind === 'eligibility_checks' ? null : referenceOf(line));
  const created = (lines: readonly object[]) =>
    [...claims.others.created.values()].filter(({ body }) =>
      lines.some((line) => referenceOf(line) === referenceOf(body)),
    );

  test('each line has one resource, rejected lines do not affect the others, and an equal line is repeated', async () => {
    const provider = new Provider(claims);
    const lines = [lineOf(), lineOf(), { ...lineOf(), unexpected: true }, lineOf()];
    const [first = {}, rejected = {}] = lines;
    claims.others.rejections.set(
      referenceOf(rejected),
      new ApiError('over_allocation', '/allocations/0/paid_amount is 100, more than 5.'),
    );
    const { job, results: found } = await run(provider, kind, ndjson([...lines, first]));
    expect(job).toMatchObject({
      kind,
      status: 'completed',
      counts: { total: 5, succeeded: 2, replayed: 1, rejected: 2, waiting: 0 },
    });
    expect(found.map(({ status, error }) => [status, error?.code ?? null])).toEqual([
      ['succeeded', null],
      ['rejected', 'over_allocation'],
      ['rejected', 'validation_failed'],
      ['succeeded', null],
      ['replayed', null],
    ]);
    expect(found.map(({ reference }) => reference)).toEqual([...lines, first].map(shownOf));
    expect(found[0]?.resource_id).toMatch(new RegExp(`^${prefix}`));
    expect(found[4]?.resource_id).toBe(found[0]?.resource_id);
    expect(
      created(lines)
        .map(({ id }) => id)
        .sort(),
    ).toEqual([found[0]?.resource_id, found[3]?.resource_id].sort());
  });

  test('a dry run decides every line and creates nothing', async () => {
    const provider = new Provider(claims);
    const lines = [lineOf(), lineOf()];
    claims.others.rejections.set(
      referenceOf(lines[1] ?? {}),
      new ApiError('future_timestamp', '/received_at is in the future.'),
    );
    const dry = await run(provider, kind, ndjson(lines), { query: { dry_run: 'true' } });
    expect(dry.results.map(({ status, resource_id, error }) => [status, resource_id, error?.code])).toEqual([
      ['succeeded', null, undefined],
      ['rejected', null, 'future_timestamp'],
    ]);
    expect(created(lines)).toEqual([]);
  });

  test('a job that stops executes no line after the first rejected one', async () => {
    const provider = new Provider(claims);
    const lines = [lineOf(), lineOf(), lineOf()];
    claims.others.rejections.set(
      referenceOf(lines[1] ?? {}),
      new ApiError('resource_not_found', '/remittance_id names no resource.'),
    );
    const stopped = await run(provider, kind, ndjson(lines), { query: { on_error: 'stop' } });
    expect(stopped.results.map(({ status }) => status)).toEqual(['succeeded', 'rejected', 'waiting']);
    expect(created(lines)).toHaveLength(1);
  });

  test('a crash between the effect and the result leaves one resource per line', async () => {
    const provider = new Provider(claims);
    const lines = Array.from({ length: 5 }, () => lineOf());
    const job = await insertedJob(provider, 5, 'continue', kind, lines);
    const killPoint = setKillPoint('bulk.executed');
    await expect(executeBulkLines({ ...claims.deps, ...bulkLineLimits(4) }, job)).rejects.toThrow('killed');
    killPoint.clear();
    const before = created(lines);
    expect(before).toHaveLength(5);
    await executeBulkLines({ ...claims.deps, ...bulkLineLimits(4) }, job);
    expect((await read(provider, job.resourceId)).counts).toMatchObject({ succeeded: 5, waiting: 0 });
    const found = await results(provider, job.resourceId);
    expect(found.map(({ resource_id }) => resource_id).sort()).toEqual(before.map(({ id }) => id).sort());
    expect(created(lines)).toEqual(before);
  });

  test('lines that the other service could not execute are executed later, once', async () => {
    const provider = new Provider(claims);
    const lines = [lineOf(), lineOf()];
    claims.others.outages.set(call, 100);
    const { body } = await submit(provider, kind, ndjson(lines));
    await eventually('the service was called', async () => (claims.others.outages.get(call) ?? 0) < 95);
    claims.others.outages.clear();
    expect((await ended(provider, body.id)).counts).toMatchObject({ succeeded: 2, rejected: 0 });
    expect(created(lines)).toHaveLength(2);
  });
});

test('lines about the same claim, remittance or advice are executed in the order of the file', async () => {
  const provider = new Provider(claims);
  const allocations = [{ claim_id: newId('clm_'), paid_amount: 1 }];
  const advises = Array.from({ length: 6 }, () => remittance({ allocations }));
  const id = newId('');
  const { remittance_id: _none, ...deposit } = settlement({ amount: 2 });
  const shares = [`adv_${id}`, newId('adv_')].map((payment_advice_id) => ({ payment_advice_id, amount: 1 }));
  const evidence = [
    ...Array.from({ length: 5 }, () => settlement({ remittance_id: `rem_${id}` })),
    { ...deposit, shares },
  ];
  for (const [kind, lines] of [
    ['remittances', advises],
    ['settlements', evidence],
  ] as const) {
    const { job } = await run(provider, kind, ndjson(lines));
    expect(job.counts).toMatchObject({ succeeded: lines.length });
    const executed = [...claims.others.created.values()].map(({ body }) => body).slice(-lines.length);
    expect(executed).toEqual(lines);
  }
});

test('a line of remittances can have 1,000 allocations, and no more; a CSV row has them by their numbers', async () => {
  const provider = new Provider(claims);
  const allocations = Array.from({ length: 1_001 }, () => ({ claim_id: newId('clm_'), paid_amount: 1 }));
  const lines = [remittance({ allocations: allocations.slice(1) }), remittance({ allocations })];
  const { results: found } = await run(provider, 'remittances', ndjson(lines));
  expect(found.map(({ status }) => status)).toEqual(['succeeded', 'rejected']);
  expect(found[1]?.error?.message).toContain('/allocations');
  const heading =
    'payer_reference,currency,received_at,allocations.1.claim_id,allocations.1.paid_amount,allocations.2.claim_id,allocations.2.paid_amount,allocations.2.reason_codes';
  const reference = newId('ERA-');
  const row = `${reference},KES,2026-03-02T10:00:00Z,clm_1,10,clm_2,20,fee_schedule late`;
  const { body } = await submit(provider, 'remittances', `${heading}\n${row}\n`, { mediaType: 'text/csv' });
  await ended(provider, body.id);
  expect([...claims.others.created.values()].at(-1)?.body).toEqual(
    remittance({
      payer_reference: reference,
      allocations: [
        { claim_id: 'clm_1', paid_amount: 10 },
        { claim_id: 'clm_2', paid_amount: 20, reason_codes: ['fee_schedule', 'late'] },
      ],
    }),
  );
});
