import { storedTenant } from '@carecover/domain';
import { connectPostgres, type Sql } from '@carecover/postgres';
import { createTestDatabase, eventually, type TestDatabase } from '@carecover/testing/servers';
import { withIndexPlansOnly } from '../build';
import { startNewRound } from '../store/deliveries';
import { CHANGED_CHANNEL, disableEndpoint, type EndpointRow } from '../store/endpoints';
import { type FinishedAttempt, insertAwaitedAttempts } from '../store/finished-attempts';
import { recordAttempts } from './record-attempts';

let database: TestDatabase;
let sql: Sql;
let endpoint: EndpointRow | undefined;
const tenant = storedTenant('prj_1');

beforeAll(async () => {
  database = await createTestDatabase({ services: ['webhooks'] });
  sql = connectPostgres(withIndexPlansOnly(database.url('webhooks')), 3, 'test');
  [endpoint] = await sql<EndpointRow[]>`
    insert into endpoints (id, project_id, url, destination, events)
    values ('whe_1', ${tenant}, 'https://a.example', 'a.example:443', '{claim.settled}') returning *`;
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
    insert into deliveries (id, endpoint_id, project_id, type, created_at, next_attempt_at)
    values (${id}, 'whe_1', 'prj_1', 'claim.settled', platform.now(), platform.now())`;
}

let startedMs = Date.now();

/** Returns a finished attempt that started later than those before. */
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
    startedAt: new Date(++startedMs),
    simulatedAt: null,
    failing: false,
    round: 1,
    roundAttempts: 0,
    retryDelayMs: 5_000,
    outcome: { accepted, responseStatus, durationMs: 1, error: null, excerpt: null, requestedDelayMs: null },
    ...changes,
  };
}

async function state(id: string) {
  const [row] = await sql`
    select status, attempts, round_attempts, response_status,
           (select count(*)::int from attempts where event_id = d.id) as recorded
    from deliveries d where id = ${id}`;
  return row;
}

test('two attempts of one delivery in one batch are both counted and recorded', async () => {
  await delivery('evt_1');
  await recordAttempts(sql, [finished('evt_1', 500), finished('evt_1', 200)]);
  expect(await state('evt_1')).toMatchObject({ status: 'delivered', attempts: 2, recorded: 2 });
});

test('two processes that attempted a delivery at the same time advance the schedule once', async () => {
  await delivery('evt_2');
  await recordAttempts(sql, [finished('evt_2', 500)]);
  await recordAttempts(sql, [finished('evt_2', 500)]);
  expect(await state('evt_2')).toMatchObject({
    status: 'pending',
    attempts: 2,
    round_attempts: 1,
    recorded: 2,
  });
});

describe('an attempt that is recorded again because the response of the commit was lost is counted once', () => {
  test.each([200, 500])('if it ended with %i', async (status) => {
    const [id, other] = [`evt_again_${status}`, `evt_beside_${status}`];
    await delivery(id);
    await delivery(other);
    const attempt = finished(id, status);
    await recordAttempts(sql, [attempt]);
    const before = await state(id);
    await recordAttempts(sql, [finished(other, 200), attempt]);
    expect(await state(id)).toEqual(before);
    expect(before).toMatchObject({ attempts: 1, recorded: 1 });
    expect(await state(other)).toMatchObject({ status: 'delivered', attempts: 1, recorded: 1 });
  });

  test('if a later attempt was recorded before', async () => {
    await delivery('evt_again');
    const attempt = finished('evt_again', 500);
    await recordAttempts(sql, [attempt]);
    await recordAttempts(sql, [finished('evt_again', 503, { roundAttempts: 1 })]);
    await recordAttempts(sql, [attempt]);
    expect(await state('evt_again')).toMatchObject({
      ...{ attempts: 2, recorded: 2, round_attempts: 2, response_status: 503 },
    });
  });

  test('if its round has ended', async () => {
    await delivery('evt_ended_round');
    await sql`update deliveries set round = 2 where id = 'evt_ended_round'`;
    const attempt = finished('evt_ended_round', 200);
    await recordAttempts(sql, [attempt]);
    await recordAttempts(sql, [attempt]);
    expect(await state('evt_ended_round')).toMatchObject({ status: 'pending', attempts: 1, recorded: 1 });
  });

  test.each([200, 500])('if the first record with %i is not committed yet', async (status) => {
    const id = `evt_concurrent_${status}`;
    await delivery(id);
    const attempt = finished(id, status);
    let again: Promise<unknown> | undefined;
    await sql.begin(async (tx) => {
      await insertAwaitedAttempts(tx, [attempt]);
      again = recordAttempts(sql, [attempt]);
      await eventually('the second record waits', async () => {
        const waiting = await sql`
          select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
        return waiting.length > 0;
      });
    });
    await again;
    expect(await state(id)).toMatchObject({ attempts: 1, recorded: 1 });
  });
});

test('an attempt of an earlier round is recorded and changes no state', async () => {
  await delivery('evt_3');
  await sql`update deliveries set round = 2 where id = 'evt_3'`;
  await recordAttempts(sql, [finished('evt_3', 200)]);
  expect(await state('evt_3')).toMatchObject({
    status: 'pending',
    attempts: 1,
    round_attempts: 0,
    recorded: 1,
  });
});

test('a response of a former URL does not change the endpoint', async () => {
  await delivery('evt_4');
  expect(await recordAttempts(sql, [finished('evt_4', 410, { url: 'https://old.example' })])).toEqual([]);
  expect(await recordAttempts(sql, [finished('evt_4', 410, { roundAttempts: 1 })])).toEqual([
    { id: 'whe_1', reason: 'gone' },
  ]);
});

test('a failed attempt leads to a retry, and the last one to a failed delivery', async () => {
  await sql`update endpoints set status = 'active', disabled_at = null, disabled_reason = null`;
  await delivery('evt_5');
  await recordAttempts(sql, [finished('evt_5', 503)]);
  expect(await state('evt_5')).toMatchObject({ status: 'pending', response_status: 503 });
  await recordAttempts(sql, [finished('evt_5', 503, { roundAttempts: 1, retryDelayMs: null })]);
  expect(await state('evt_5')).toMatchObject({ status: 'failed', round_attempts: 2 });
});

describe('five days of failures only', () => {
  const DAY_MS = 24 * 3_600_000;
  const start = Date.now();
  const after = (ms: number) => ({ startedAt: new Date(start + ms) });

  beforeEach(async () => {
    await sql`update endpoints set status = 'active', disabled_at = null, disabled_reason = null, first_failure_at = null`;
  });

  test('disable the endpoint', async () => {
    await delivery('evt_failing');
    await recordAttempts(sql, [finished('evt_failing', 500, after(0))]);
    expect(
      await recordAttempts(sql, [
        finished('evt_failing', 503, { ...after(5 * DAY_MS), failing: true, roundAttempts: 1 }),
      ]),
    ).toEqual([{ id: 'whe_1', reason: 'failing' }]);
  });

  test('do not count if an attempt succeeded that started before the first failure was recorded', async () => {
    for (const id of ['evt_a', 'evt_b', 'evt_c']) await delivery(id);
    await recordAttempts(sql, [finished('evt_a', 500, after(0))]);
    await recordAttempts(sql, [finished('evt_b', 200, after(900))]);
    expect(
      await recordAttempts(sql, [finished('evt_c', 503, { ...after(5 * DAY_MS + 1_000), failing: true })]),
    ).toEqual([]);
  });

  test('start at the end of the first failed attempt, so a timeout does not count against attempts that succeeded in the meantime', async () => {
    for (const id of ['evt_hung', 'evt_quick', 'evt_later']) await delivery(id);
    await recordAttempts(sql, [finished('evt_quick', 200, after(1_000))]);
    const outcome = {
      accepted: false,
      responseStatus: null,
      durationMs: 15_000,
      error: null,
      excerpt: null,
      requestedDelayMs: null,
    };
    await recordAttempts(sql, [finished('evt_hung', 500, { ...after(0), outcome })]);
    expect(
      await recordAttempts(sql, [finished('evt_later', 503, { ...after(5 * DAY_MS), failing: true })]),
    ).toEqual([]);
  });

  test('continue after a success of a former URL', async () => {
    for (const id of ['evt_new', 'evt_old']) await delivery(id);
    await recordAttempts(sql, [finished('evt_new', 500, after(0))]);
    await recordAttempts(sql, [finished('evt_old', 200, { ...after(900), url: 'https://old.example' })]);
    const [row] = await sql`select first_failure_at from endpoints where id = 'whe_1'`;
    expect(row?.first_failure_at).not.toBeNull();
  });
});

test('an endpoint can be disabled while its attempts are recorded, in any order', async () => {
  const ids = Array.from({ length: 200 }, (_, number) => `evt_race_${String(number).padStart(3, '0')}`);
  for (const id of ids) await delivery(id);
  for (let round = 0; round < 20; round++) {
    await sql`update endpoints set status = 'active', disabled_at = null, disabled_reason = null`;
    await sql`
      update deliveries set status = 'pending', next_attempt_at = platform.now(), leased_until = null, round = ${round + 2}
      where id = any(${ids})`;
    const attempts = ids.map((id) => finished(id, 200, { round: round + 2 })).reverse();
    await Promise.all([
      recordAttempts(sql, attempts),
      sql.begin(async (tx) => {
        await tx`select 1 from endpoints where id = 'whe_1' for update`;
        await disableEndpoint(tx, tenant, 'whe_1', 'requested');
      }),
    ]);
  }
});

test('notifications of a changed endpoint are sent at the commit, on the connection of the transaction', async () => {
  const narrow = connectPostgres(withIndexPlansOnly(database.url('webhooks')), 1, 'test');
  const received: string[] = [];
  const listening = await sql.listen(CHANGED_CHANNEL, (payload) => received.push(payload));
  try {
    await narrow.begin(async (tx) => {
      await disableEndpoint(tx, tenant, 'whe_1', 'requested');
      if (endpoint !== undefined) await startNewRound(tx, endpoint, 'evt_1');
      await sql`select pg_notify(${CHANGED_CHANNEL}, 'before the commit')`;
    });
    await eventually('both notifications', async () => received.length === 2);
    expect(received).toEqual(['before the commit', 'whe_1']);
  } finally {
    await listening.close();
    await narrow.end();
  }
});
