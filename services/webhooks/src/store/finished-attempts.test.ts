import { createTestDatabase, eventually, type TestDatabase } from '@carecover/local/testing';
import { connectPostgres, type Sql } from '@carecover/platform';
import { byIndexes } from './by-indexes';
import { redeliver } from './deliveries';
import { CHANGED_CHANNEL, disableEndpoint } from './endpoints';
import { type FinishedAttempt, recordAttempts } from './finished-attempts';

let database: TestDatabase;
let sql: Sql;

beforeAll(async () => {
  database = await createTestDatabase({ services: ['webhooks'] });
  sql = connectPostgres(byIndexes(database.url('webhooks')), 3, 'test');
  await sql`insert into endpoints (id, project_id, url, events) values ('whe_1', 'prj_1', 'https://a.example', '{claim.settled}')`;
});
afterAll(async () => {
  await sql?.end();
  await database?.drop();
});

async function delivery(id: string): Promise<void> {
  await sql`
    insert into events (id, project_id, resource_id, type, payload, created_at)
    values (${id}, 'prj_1', 'clm_1', 'claim.settled', '{}', platform.now())`;
  await sql`
    insert into deliveries (id, endpoint_id, project_id, type, created_at, next_attempt_at, due_at)
    values (${id}, 'whe_1', 'prj_1', 'claim.settled', platform.now(), platform.now(), platform.now())`;
}

function finished(
  eventId: string,
  responseStatus: number,
  changes: Partial<FinishedAttempt> = {},
): FinishedAttempt {
  const accepted = responseStatus < 300;
  return {
    endpointId: 'whe_1',
    eventId,
    url: 'https://a.example',
    startedAt: new Date(),
    failing: false,
    round: 1,
    roundAttempts: 0,
    pauseMs: 5_000,
    outcome: { accepted, responseStatus, durationMs: 1, error: null, excerpt: null },
    ...changes,
  };
}

async function state(id: string) {
  const [row] = await sql`
    select status, attempts, round_attempts, response_status,
           (select count(*)::int from attempts where event_id = d.id) as written
    from deliveries d where id = ${id}`;
  return row;
}

test('two tries of one delivery that end together are both counted and both written', async () => {
  await delivery('evt_1');
  await recordAttempts(sql, [finished('evt_1', 500), finished('evt_1', 200)]);
  expect(await state('evt_1')).toMatchObject({ status: 'delivered', attempts: 2, written: 2 });
});

test('the same failure found by two processes moves the schedule once', async () => {
  await delivery('evt_2');
  await recordAttempts(sql, [finished('evt_2', 500)]);
  await recordAttempts(sql, [finished('evt_2', 500)]);
  expect(await state('evt_2')).toMatchObject({
    status: 'pending',
    attempts: 2,
    round_attempts: 1,
    written: 2,
  });
});

test('a try of an earlier round is written down and changes no state', async () => {
  await delivery('evt_3');
  await sql`update deliveries set round = 2 where id = 'evt_3'`;
  await recordAttempts(sql, [finished('evt_3', 200)]);
  expect(await state('evt_3')).toMatchObject({
    status: 'pending',
    attempts: 1,
    round_attempts: 0,
    written: 1,
  });
});

test('the answer of a former address says nothing of the endpoint', async () => {
  await delivery('evt_4');
  expect(await recordAttempts(sql, [finished('evt_4', 410, { url: 'https://old.example' })])).toEqual([]);
  expect(await recordAttempts(sql, [finished('evt_4', 410, { roundAttempts: 1 })])).toEqual([
    { id: 'whe_1', reason: 'gone' },
  ]);
});

test('a try that is not the last fails into a retry, the last one into failure', async () => {
  await sql`update endpoints set status = 'active', disabled_at = null, disabled_reason = null`;
  await delivery('evt_5');
  await recordAttempts(sql, [finished('evt_5', 503)]);
  expect(await state('evt_5')).toMatchObject({ status: 'pending', response_status: 503 });
  await recordAttempts(sql, [finished('evt_5', 503, { roundAttempts: 1, pauseMs: null })]);
  expect(await state('evt_5')).toMatchObject({ status: 'failed', round_attempts: 2 });
});

describe('five days of failures alone', () => {
  const DAY_MS = 24 * 3_600_000;
  const start = Date.now();
  const after = (ms: number) => ({ startedAt: new Date(start + ms) });

  beforeEach(async () => {
    await sql`update endpoints set status = 'active', disabled_at = null, disabled_reason = null, first_failure_at = null`;
  });

  test('disable', async () => {
    await delivery('evt_failing');
    await recordAttempts(sql, [finished('evt_failing', 500, after(0))]);
    expect(
      await recordAttempts(sql, [
        finished('evt_failing', 503, { ...after(5 * DAY_MS), failing: true, roundAttempts: 1 }),
      ]),
    ).toEqual([{ id: 'whe_1', reason: 'failing' }]);
  });

  test('are not where a try succeeded that had begun before the first failure was written down', async () => {
    for (const id of ['evt_a', 'evt_b', 'evt_c']) await delivery(id);
    await recordAttempts(sql, [finished('evt_a', 500, after(0))]);
    await recordAttempts(sql, [finished('evt_b', 200, after(900))]);
    expect(
      await recordAttempts(sql, [finished('evt_c', 503, { ...after(5 * DAY_MS + 1_000), failing: true })]),
    ).toEqual([]);
  });

  test('begin when the first one has failed: a try that hung says nothing of others that succeeded meanwhile', async () => {
    for (const id of ['evt_hung', 'evt_quick', 'evt_later']) await delivery(id);
    await recordAttempts(sql, [finished('evt_quick', 200, after(1_000))]);
    const outcome = { accepted: false, responseStatus: null, durationMs: 15_000, error: null, excerpt: null };
    await recordAttempts(sql, [finished('evt_hung', 500, { ...after(0), outcome })]);
    expect(
      await recordAttempts(sql, [finished('evt_later', 503, { ...after(5 * DAY_MS), failing: true })]),
    ).toEqual([]);
  });

  test('go on when a former address answers well', async () => {
    for (const id of ['evt_new', 'evt_old']) await delivery(id);
    await recordAttempts(sql, [finished('evt_new', 500, after(0))]);
    await recordAttempts(sql, [finished('evt_old', 200, { ...after(900), url: 'https://old.example' })]);
    const [row] = await sql`select first_failure_at from endpoints where id = 'whe_1'`;
    expect(row?.first_failure_at).not.toBeNull();
  });
});

test('an endpoint can be disabled while what came of its tries is written down, whatever their order', async () => {
  const ids = Array.from({ length: 200 }, (_, number) => `evt_race_${String(number).padStart(3, '0')}`);
  for (const id of ids) await delivery(id);
  for (let round = 0; round < 20; round++) {
    await sql`update endpoints set status = 'active', disabled_at = null, disabled_reason = null`;
    await sql`
      update deliveries set status = 'pending', next_attempt_at = platform.now(), due_at = platform.now(), round = ${round + 2}
      where id = any(${ids})`;
    const tries = ids.map((id) => finished(id, 200, { round: round + 2 })).reverse();
    await Promise.all([
      recordAttempts(sql, tries),
      sql.begin(async (tx) => {
        await tx`select 1 from endpoints where id = 'whe_1' for update`;
        await disableEndpoint(tx, 'whe_1', 'requested');
      }),
    ]);
  }
});

test('what a change of an endpoint tells goes with its transaction, on its one connection', async () => {
  const narrow = connectPostgres(byIndexes(database.url('webhooks')), 1, 'test');
  const heard: string[] = [];
  const { unlisten } = await sql.listen(CHANGED_CHANNEL, (payload) => heard.push(payload));
  try {
    await narrow.begin(async (tx) => {
      await disableEndpoint(tx, 'whe_1', 'requested');
      await redeliver(tx, 'whe_1', 'evt_1');
      await sql`select pg_notify(${CHANGED_CHANNEL}, 'before the commit')`;
    });
    await eventually('both are told', async () => heard.length === 2);
    expect(heard).toEqual(['before the commit', 'whe_1']);
  } finally {
    await unlisten();
    await narrow.end();
  }
});
