/** Valuation runs over HTTP, on the real workflow: their responses, when a result is ready, and which clients can read it. */
import { join } from 'node:path';
import type { ValuationRun, ValuationRunClaim } from '@carecover/contract';
import { type Caller, newId } from '@carecover/domain';
import { connectPostgres } from '@carecover/postgres';
import { recordHistory } from '@carecover/temporal/replay';
import { eventually } from '@carecover/testing/servers';
import { type Answered, type Asked, newTenant, testCaller } from '@carecover/testing/services';
import { deleteOldRuns } from './store/valuation-runs';
import { claimsCleanups } from './sweeps';
import { whileLocked } from './testing/advisory-lock';
import { SOME } from './testing/model';
import { Provider } from './testing/provider';
import { startTestClaims, type TestClaims } from './testing/test-claims';
import { realTimeTemporal } from './testing/test-temporal';
import { answerValuationRun, createRunAnswers } from './use-cases/read-valuation-run';

let claims: TestClaims;
beforeAll(async () => {
  claims = await startTestClaims(realTimeTemporal);
}, 120_000);
afterAll(() => claims.stop());
afterEach(() => claims.database.setClockOffset(0));

async function databaseTime(): Promise<number> {
  const [row] = await claims.sql<{ now: Date }[]>`select platform.now() as now`;
  return row?.now.getTime() ?? Number.NaN;
}

const HISTORIES = join(__dirname, '../../../workflows/valuation/histories');

/** Records the history of a run after its workflow has ended. */
async function keepHistory(id: string, name: string): Promise<void> {
  const handle = claims.environment.client.workflow.getHandle(id);
  await handle.result();
  await recordHistory(HISTORIES, name, handle);
}

const iso = (at: number) => new Date(at).toISOString();

function create(provider: Provider, body: object, asked: Asked = {}): Promise<Answered> {
  return claims.ask(provider.tenant, 'createValuationRun', { ...asked, body });
}

function read(provider: Provider, id: string, asked: Asked = {}): Promise<Answered> {
  return claims.ask(provider.tenant, 'getValuationRun', { ...asked, params: { valuation_run_id: id } });
}

async function ended(provider: Provider, id: string): Promise<ValuationRun> {
  return eventually('the run ends', async () => {
    const { body }: { body: ValuationRun } = await read(provider, id);
    return body.status === 'pending' ? undefined : body;
  });
}

async function run(provider: Provider, body: object): Promise<ValuationRun> {
  const answered = await create(provider, body);
  expect(answered.status).toBe(201);
  const result = await ended(provider, answered.body.id);
  expect(result).toMatchObject({ status: 'ready', progress: 100, failure: null });
  return result;
}

async function claimsOf(provider: Provider, id: string, asked: Asked = {}): Promise<ValuationRunClaim[]> {
  const items: ValuationRunClaim[] = [];
  for (;;) {
    const last = items.at(-1);
    const { status, body } = await claims.ask(provider.tenant, 'listValuationRunClaims', {
      ...asked,
      params: { valuation_run_id: id },
      query: { limit: '2', ...(last === undefined ? {} : { starting_after: last.id }) },
    });
    expect(status).toBe(200);
    items.push(...body.data);
    if (!body.has_more) return items;
  }
}

/** Submits a claim of the given practitioner under a coverage. */
async function submit(
  provider: Provider,
  { practitionerId = 'prc_amina', currency = 'KES', payerId = 'payer_1', plan = 'Outpatient' } = {},
): Promise<string> {
  const eligibility_check_id = newId('elig_');
  claims.others.coverages.set(eligibility_check_id, { currency, payerId, plan });
  const { sessionId } = claims.others.deliveredSession({ practitionerId });
  return (await provider.submitted({ eligibility_check_id, session_id: sessionId })).id;
}

const NOTHING = {
  billed: 0,
  payer_liability: 0,
  patient_responsibility: 0,
  adjustment: 0,
  remitted: 0,
  settled: 0,
  outstanding: 0,
};
const UNGROUPED = {
  status: null,
  practitioner_id: null,
  payer_reference: null,
  plan: null,
  service_month: null,
  submission_month: null,
  age_band: null,
};

test('the answer of a ready run is kept, for those who can read the run, once benefits knows all of its payers', async () => {
  const provider = new Provider(claims);
  await submit(provider);
  const { id } = await run(provider, {
    valuation_at: iso(await databaseTime()),
    kind: 'totals',
    group_by: ['payer_reference'],
  });
  const answers = createRunAnswers();
  let known = false;
  const readPayers = jest.fn(async (payers: readonly string[]) =>
    known ? Object.fromEntries(payers.map((payer) => [payer, `contract of ${payer}`])) : {},
  );
  const answer = (changes: Partial<Caller> = {}) =>
    answerValuationRun(claims.sql, answers, readPayers, testCaller(provider.tenant, changes), id);
  expect(JSON.parse(await answer()).groups).toMatchObject([{ payer_reference: 'payer_1' }]);
  known = true;
  const first = await answer();
  expect(JSON.parse(first).groups).toMatchObject([{ payer_reference: 'contract of payer_1' }]);
  expect(readPayers).toHaveBeenCalledTimes(2);
  expect(await answer()).toBe(first);
  expect(readPayers).toHaveBeenCalledTimes(2);
  const others = [{ tenant: newTenant() }, { resourceIds: ['clm_1'] }];
  for (const changes of others)
    await expect(answer(changes)).rejects.toMatchObject({ code: 'resource_not_found' });
});

test('a run of totals is pending, then ready with the sums of its groups', async () => {
  const provider = new Provider(claims);
  const [first] = [await submit(provider), await submit(provider, { payerId: 'payer_2' })];
  await submit(provider, { currency: 'USD', payerId: 'payer_2' });
  await provider.adjudicate(first, SOME, 0);
  const at = await databaseTime();
  const { status, body } = await create(provider, {
    valuation_at: iso(at),
    kind: 'totals',
    group_by: ['status', 'payer_reference'],
  });
  expect(status).toBe(201);
  expect(body).toMatchObject({
    object: 'valuation_run',
    status: 'pending',
    progress: 0,
    valuation_at: iso(at),
    effective_through: iso(at),
    totals: [],
    groups: [],
    triangle: null,
    result_sha256: null,
    claims_counted: null,
    completed_at: null,
  });
  const ready = await ended(provider, body.id);
  await keepHistory(body.id, 'ready');
  const adjudicated = {
    claim_count: 1,
    amount: {
      ...NOTHING,
      billed: 150_000,
      payer_liability: SOME,
      adjustment: 150_000 - SOME,
      outstanding: SOME,
    },
  };
  const submitted = { claim_count: 1, amount: { ...NOTHING, billed: 150_000 } };
  expect(ready).toMatchObject({ status: 'ready', progress: 100, claims_counted: 3 });
  expect(ready.groups).toEqual([
    {
      currency: 'KES',
      ...UNGROUPED,
      status: 'partially_approved',
      payer_reference: 'contract/payer_1',
      ...adjudicated,
    },
    { currency: 'KES', ...UNGROUPED, status: 'submitted', payer_reference: 'contract/payer_2', ...submitted },
    { currency: 'USD', ...UNGROUPED, status: 'submitted', payer_reference: 'contract/payer_2', ...submitted },
  ]);
  expect(ready.totals).toEqual([
    { currency: 'KES', claim_count: 2, amount: { ...adjudicated.amount, billed: 300_000 } },
    { currency: 'USD', ...submitted },
  ]);
});

test('an operator opens the claims of a group or of months of service, of the own project alone', async () => {
  const provider = new Provider(claims);
  const [first, second] = [await submit(provider), await submit(provider, { payerId: 'payer_2' })];
  const dollars = await submit(provider, { currency: 'USD', payerId: 'payer_2' });
  await provider.adjudicate(first, SOME, 0);
  const { id } = await run(provider, { valuation_at: iso(await databaseTime()), kind: 'totals' });
  const open = (body: object, runId = id, tenant = provider.tenant) =>
    claims.operator(tenant, `/valuation_runs/${runId}/claims`, 'console', body);
  const idsOf = async (body: object) => {
    const { status, body: found } = await open(body);
    expect([status, found.has_more]).toEqual([200, false]);
    return found.data.map((claim: { id: string }) => claim.id);
  };
  expect(await idsOf({ currency: 'KES' })).toEqual([second, first]);
  expect(await idsOf({ currency: 'USD', status: null })).toEqual([dollars]);
  expect(await idsOf({ currency: 'KES', status: 'submitted', payer_reference: 'contract/payer_2' })).toEqual([
    second,
  ]);
  expect(await idsOf({ currency: 'KES', service_from: '2026-01', service_until: '2026-03' })).toHaveLength(2);
  expect(await idsOf({ currency: 'KES', service_from: '2026-04', service_until: '2026-06' })).toEqual([]);
  expect((await open({})).status).toBe(400);
  for (const [runId, tenant] of [
    ['vrun_x', provider.tenant],
    ['%00', provider.tenant],
    [id, newTenant()],
  ] as const)
    expect((await open({ currency: 'KES' }, runId, tenant)).status).toBe(404);
});

test('the claims of a run are its claims at the cutoffs, newest first, and equal to their valuations', async () => {
  const provider = new Provider(claims);
  const ids = [await submit(provider), await submit(provider), await submit(provider)];
  await provider.adjudicate(ids[0] ?? '', SOME, 0);
  const at = await databaseTime();
  const { id } = await run(provider, { valuation_at: iso(at), kind: 'totals' });
  await provider.adjudicate(ids[1] ?? '', SOME, 0);
  await submit(provider);
  const items = await claimsOf(provider, id);
  expect(items.map((item) => item.id)).toEqual([...ids].reverse());
  for (const item of items) {
    const { body } = await provider.value(item.id, at);
    expect(item).toMatchObject({
      object: 'valuation_run_claim',
      status: body.status,
      currency: body.currency,
      amount: body.amount,
      payer_reference: 'contract/payer_1',
      plan: 'Outpatient',
      practitioner_id: 'prc_amina',
      service_month: '2026-03',
      submission_month: iso(at).slice(0, 7),
      age_band: 'days_0_30',
    });
  }
  const usual = await claims.ask(provider.tenant, 'listValuationRunClaims', {
    params: { valuation_run_id: id },
  });
  expect(usual).toMatchObject({ status: 200, body: { has_more: false } });
  const unknown = await claims.ask(provider.tenant, 'listValuationRunClaims', {
    params: { valuation_run_id: id },
    query: { limit: '2', starting_after: 'clm_unknown' },
  });
  expect(unknown).toMatchObject({ status: 400, code: 'validation_failed' });
});

test('the same request has the same result and digest after later writes', async () => {
  const provider = new Provider(claims);
  const ids = [await submit(provider), await submit(provider)];
  await provider.adjudicate(ids[0] ?? '', SOME, 0);
  const at = iso(await databaseTime());
  const bodies = [
    { valuation_at: at, kind: 'totals', group_by: ['practitioner_id', 'age_band', 'service_month'] },
    {
      valuation_at: at,
      kind: 'development',
      development: { origin: 'service_month', step: 'month', measures: ['claim_count', 'outstanding'] },
    },
  ];
  const first = await Promise.all(bodies.map((body) => run(provider, body)));
  await provider.adjudicate(ids[1] ?? '', SOME, 0);
  await provider.ask('reverseClaim', ids[0] ?? '', { reason_code: 'entered_in_error' });
  await submit(provider, { practitionerId: 'prc_ben' });
  const again = await Promise.all(bodies.map((body) => run(provider, body)));
  const resultOf = ({ totals, groups, triangle, result_sha256 }: ValuationRun) =>
    JSON.stringify({ totals, groups, triangle, result_sha256 });
  expect(again.map(resultOf)).toEqual(first.map(resultOf));
  expect(again[0]?.id).not.toBe(first[0]?.id);
});

test('two equal requests without a key create two runs with the same result', async () => {
  const provider = new Provider(claims);
  await submit(provider);
  const body = { valuation_at: iso(await databaseTime()), kind: 'totals' };
  const responses = [
    await create(provider, body, { key: null }),
    await create(provider, body, { key: null }),
  ];
  expect(responses).toMatchObject([
    { status: 201, replayed: false },
    { status: 201, replayed: false },
  ]);
  const [first, second] = responses.map((response) => response.body.id);
  expect(second).not.toBe(first);
  const results = [await ended(provider, first), await ended(provider, second)];
  expect(results).toMatchObject([{ status: 'ready' }, { status: 'ready' }]);
  expect(results[0]?.result_sha256).toBe(results[1]?.result_sha256);
});

test('a repeated request has the first response, and its key another request a conflict', async () => {
  const provider = new Provider(claims);
  await submit(provider);
  const body = { valuation_at: iso(await databaseTime()), kind: 'totals' };
  const key = newId('key_');
  const first = await create(provider, body, { key });
  const again = await create(provider, body, { key });
  expect([first.status, again.status, again.replayed]).toEqual([201, 200, true]);
  expect(again.text).toBe(first.text);
  const other = await create(provider, { ...body, group_by: ['status'] }, { key });
  expect(other).toMatchObject({ status: 409, code: 'idempotency_conflict' });
});

test('a cutoff up to five seconds ahead is awaited, and a later one is rejected', async () => {
  const provider = new Provider(claims);
  await submit(provider);
  const at = (await databaseTime()) + 1_500;
  const { id, completed_at } = await run(provider, { valuation_at: iso(at), kind: 'totals' });
  expect(Date.parse(completed_at ?? '')).toBeGreaterThanOrEqual(at);
  await keepHistory(id, 'awaited');
  const rejected = await create(provider, { valuation_at: iso(at + 60_000), kind: 'totals' });
  expect(rejected).toMatchObject({ status: 400, code: 'validation_failed' });
  expect(rejected.text).toContain('/valuation_at is more than 5 seconds ahead');
});

test('a pending run has no claims to list, and a run that its process did not start is started by the sweep', async () => {
  const provider = new Provider(claims);
  await submit(provider);
  const at = (await databaseTime()) + 4_000;
  const { body } = await create(provider, { valuation_at: iso(at), kind: 'totals' });
  const early = await claims.ask(provider.tenant, 'listValuationRunClaims', {
    params: { valuation_run_id: body.id },
    query: { limit: '2' },
  });
  expect(early).toMatchObject({ status: 409, code: 'valuation_not_ready' });
  await claims.environment.client.workflow.getHandle(body.id).terminate();
  await claims.database.setClockOffset(60_000);
  const sweep = claims.sweeps.find(({ name }) => name === 'valuation runs without a workflow');
  await eventually('the sweep starts the run again', async () => {
    await sweep?.run();
    return (await read(provider, body.id)).body.status === 'ready';
  });
});

test('a run reads the sums of a month that no roll-up can hold from deltas, and ends', async () => {
  const provider = new Provider(claims);
  const id = await submit(provider);
  const now = new Date(await databaseTime());
  const startOfMonth = Date.UTC(now.getUTCFullYear(), now.getUTCMonth());
  const largest = 2n ** 63n - 1n;
  const admin = connectPostgres(claims.database.adminUrl, 1, 'test');
  const change = (at: number, billed: bigint) =>
    admin`insert into claims.portfolio_deltas (claim_id, recorded_at, effective_at, status, project_id, claims, outstanding_claims,
        adjudicated_claims, billed, payer_liability, patient_responsibility, adjustment, remitted, settled, outstanding)
      values (${id}, ${new Date(at)}, ${new Date(at)}, 'submitted', ${provider.tenant}, 0, 0, 0, ${String(billed)}, 0, 0, 0, 0, 0, 0)`;
  try {
    await change(startOfMonth - 2, largest);
    await change(startOfMonth - 1, largest);
    await change(startOfMonth, -largest);
    await change(startOfMonth + 1, -largest);
  } finally {
    await admin.end();
  }
  const result = await run(provider, { valuation_at: iso(now.getTime()), kind: 'totals' });
  expect(result.totals).toMatchObject([{ claim_count: 1, amount: { billed: 150_000 } }]);
});

test('runs are visible to their project, and a restricted token sees the run and the claims that it names', async () => {
  const provider = new Provider(claims);
  const [first, second] = [await submit(provider), await submit(provider)];
  const { id } = await run(provider, { valuation_at: iso(await databaseTime()), kind: 'totals' });
  const other = await run(provider, {
    valuation_at: iso(await databaseTime()),
    kind: 'development',
    development: { origin: 'service_year', step: 'quarter', measures: ['billed'] },
  });
  expect(await read(new Provider(claims), id)).toMatchObject({ status: 404 });
  expect(await read(provider, id, { resourceIds: [first] })).toMatchObject({ status: 404 });
  expect((await claimsOf(provider, id, { resourceIds: [id, second] })).map((item) => item.id)).toEqual([
    second,
  ]);
  const list = async (query: Record<string, string>, asked: Asked = {}) => {
    const { body } = await claims.ask(provider.tenant, 'listValuationRuns', {
      ...asked,
      query: { limit: '20', ...query },
    });
    return body.data.map((each: ValuationRun) => each.id);
  };
  expect(await list({})).toEqual([other.id, id]);
  expect(await list({ kind: 'totals' })).toEqual([id]);
  expect(await list({ status: 'failed' })).toEqual([]);
  expect(await list({ starting_after: other.id })).toEqual([id]);
  expect(await list({}, { resourceIds: [id] })).toEqual([id]);
});

test('a run waits without a connection while the result of another run of its project is computed', async () => {
  const provider = new Provider(claims);
  await submit(provider);
  const body = { valuation_at: iso(await databaseTime()), kind: 'totals' };
  let id = '';
  await whileLocked(claims.database.url('claims'), 'valuation run', provider.tenant, async () => {
    id = (await create(provider, body)).body.id;
    const handle = claims.environment.client.workflow.getHandle(id);
    await eventually('the run waits with a timer', async () => {
      const { events } = await handle.fetchHistory().catch(() => ({ events: [] }));
      return events?.some(({ timerStartedEventAttributes }) => timerStartedEventAttributes != null);
    });
    expect((await read(provider, id)).body).toMatchObject({ status: 'pending' });
    const unaffected = new Provider(claims);
    await submit(unaffected);
    await run(unaffected, { ...body, valuation_at: iso(await databaseTime()) });
  });
  expect(await ended(provider, id)).toMatchObject({ status: 'ready', claims_counted: 1 });
  await keepHistory(id, 'waited-for-lock');
});

test('a project has at most 100 pending runs; a request with a used idempotency key still has its first response', async () => {
  const provider = new Provider(claims);
  const body = { valuation_at: iso(await databaseTime()), kind: 'totals' };
  const first = await create(provider, body, { key: 'first-run' });
  await ended(provider, first.body.id);
  const fill = (count: number) => claims.sql`
    insert into valuation_runs (id, project_id, environment, valuation_at, effective_through, kind, group_by, status, progress, created_at)
    select 'vrun_' || replace(gen_random_uuid()::text, '-', ''), ${provider.tenant}, 'sandbox', now(), now(), 'totals', '[]', 'pending', 0, now()
    from generate_series(1, ${count}::integer)`;
  await fill(100);
  expect(await create(provider, body)).toMatchObject({
    status: 409,
    body: {
      error: { code: 'invalid_state', message: expect.stringMatching(/has 100 pending valuation runs/) },
    },
  });
  expect(await create(provider, body, { key: 'first-run' })).toMatchObject({
    status: 200,
    body: { id: first.body.id },
  });
  await claims.sql`
    update valuation_runs set status = 'failed', failure = 'ended by the test', completed_at = now()
    where id = (select id from valuation_runs where project_id = ${provider.tenant} and status = 'pending' limit 1)`;
  const outcomes = await Promise.all([1, 2, 3].map(() => create(provider, body)));
  expect(outcomes.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
});

describe('the retention of runs', () => {
  const DAY_MS = 86_400_000;

  /** Deletes the runs that ended more than 30 days ago, as a cleanup of the service does. */
  const cleanUp = async () => {
    for (const { run: deleteOld } of cleanups(30)) await deleteOld();
  };

  const valuationOf = async (provider: Provider, claimId: string, at: string) =>
    (
      await claims.ask(provider.tenant, 'getClaimValuation', {
        params: { claim_id: claimId },
        query: { valuation_at: at },
      })
    ).text;

  const cleanups = (days: number | null) =>
    claimsCleanups(claims.sql, {
      REJECTED_COMMANDS_DAYS: 30,
      BULK_RESULT_RETENTION_DAYS: 30,
      VALUATION_RUN_RETENTION_DAYS: days,
    });

  test('by default keeps all runs', () => {
    expect(cleanups(null).map(({ name }) => name)).not.toContain('old valuation runs');
  });

  test('deletes ended runs after their time, with their keys; valuations and sums at the cutoff stay the same', async () => {
    const provider = new Provider(claims);
    const claimId = await submit(provider);
    const body = { valuation_at: iso(await databaseTime()), kind: 'totals', group_by: ['status'] };
    const [key, failedKey] = [newId('key_'), newId('key_')];
    const { body: first } = await create(provider, body, { key });
    const { result_sha256, groups } = await ended(provider, first.id);
    const { body: failed } = await create(provider, body, { key: failedKey });
    await ended(provider, failed.id);
    await claims.sql`update valuation_runs set status = 'failed', failure = 'x', result_sha256 = null where id = ${failed.id}`;
    const valuation = await valuationOf(provider, claimId, body.valuation_at);

    await claims.database.setClockOffset(29 * DAY_MS);
    await cleanUp();
    expect((await read(provider, first.id)).status).toBe(200);

    await claims.database.setClockOffset(31 * DAY_MS);
    const { body: recent } = await create(provider, { ...body, kind: 'totals' });
    await ended(provider, recent.id);
    await claims.sql`
      insert into valuation_runs (id, project_id, environment, valuation_at, effective_through, kind, group_by, status, progress, created_at)
      values ('vrun_waiting', ${provider.tenant}, 'sandbox', now(), now(), 'totals', '[]', 'pending', 0, now())`;
    await cleanUp();

    for (const id of [first.id, failed.id]) {
      const params = { valuation_run_id: id };
      expect(await read(provider, id)).toMatchObject({ status: 404, code: 'resource_not_found' });
      for (const accept of ['application/json', 'text/csv'])
        expect((await claims.ask(provider.tenant, 'listValuationRunClaims', { params, accept })).status).toBe(
          404,
        );
    }
    const { body: list } = await claims.ask(provider.tenant, 'listValuationRuns', {});
    expect(list.data.map(({ id }: ValuationRun) => id).sort()).toEqual([recent.id, 'vrun_waiting'].sort());
    expect(await valuationOf(provider, claimId, body.valuation_at)).toBe(valuation);
    const again = await create(provider, body, { key });
    expect([again.status, again.replayed, again.body.id === first.id]).toEqual([201, false, false]);
    expect(await ended(provider, again.body.id)).toMatchObject({ result_sha256, groups });
    await claims.sql`update valuation_runs set status = 'failed', failure = 'x', completed_at = now() where id = 'vrun_waiting'`;
  });

  test('deletes in bounded batches, one process at a time', async () => {
    const { tenant } = new Provider(claims);
    await cleanUp();
    await claims.sql`
      insert into valuation_runs (id, project_id, environment, valuation_at, effective_through, kind, group_by, status, progress, failure,
        created_at, completed_at)
      select 'vrun_old_' || n, ${tenant}, 'sandbox', now(), now(), 'totals', '[]', 'failed', 0, 'x', now(), now() - interval '31 days'
      from generate_series(1, 250) n`;
    const counts = [];
    for (let batch = 0; batch < 4; batch++) counts.push(await deleteOldRuns(claims.sql, 30));
    expect(counts).toEqual([100, 100, 50, 0]);
    await claims.sql`
      insert into valuation_runs (id, project_id, environment, valuation_at, effective_through, kind, group_by, status, progress, failure,
        created_at, completed_at)
      select 'vrun_older_' || n, ${tenant}, 'sandbox', now(), now(), 'totals', '[]', 'failed', 0, 'x', now(), now() - interval '31 days'
      from generate_series(1, 60) n`;
    const raced = await Promise.all(Array.from({ length: 6 }, () => deleteOldRuns(claims.sql, 30, 20)));
    expect(raced.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(60);
    await cleanUp();
    const left = await claims.sql`select from valuation_runs where project_id = ${tenant}`;
    expect(left).toHaveLength(0);
  });
});
