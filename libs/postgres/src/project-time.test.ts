import { activeProjectTime, newId } from '@carecover/domain';
import { withConnection } from '@carecover/local/postgres';
import { createTestDatabase, type TestDatabase } from '@carecover/testing/servers';
import { connectPostgres, databaseNow, type Sql } from './connect';
import { atProjectTime } from './project-time';

const PROJECT = 'prj_1_sim';
const PAST = '2020-02-29T12:00:00.000Z';

let database: TestDatabase;
let sql: Sql;

beforeAll(async () => {
  database = await createTestDatabase({ services: ['benefits'], mode: 'production' });
  sql = connectPostgres(database.url('benefits'), 2, 'test');
  await withConnection(database.adminUrl, (admin) =>
    admin.query('insert into platform.project_clocks (project_id, now) values ($1, $2)', [PROJECT, PAST]),
  );
});

afterAll(async () => {
  await sql.end();
  await database.drop();
});

const millisecondsOf = (id: string) => Number.parseInt(id.slice(4, 16), 16);

test('work for a simulated project has the time of its clock, in a transaction and without one, also for new IDs', async () => {
  const [alone, inTransaction, id, next] = await atProjectTime(sql, PROJECT, async () => [
    await databaseNow(sql),
    await sql.begin((tx) => databaseNow(tx)),
    newId('clm_'),
    newId('clm_'),
  ]);
  expect([alone, inTransaction]).toEqual([new Date(PAST), new Date(PAST)]);
  expect(millisecondsOf(id)).toBe(Date.parse(PAST));
  expect(next > id).toBe(true);
});

test('with a seed the same work has the same IDs, in their order; other work, and work without a scope, has others', async () => {
  const project = 'prj_3_sim';
  await withConnection(database.adminUrl, (admin) =>
    admin.query('insert into platform.project_clocks (project_id, now, seed) values ($1, $2, $3)', [
      ...[project, PAST, 'golden'],
    ]),
  );
  const made = (scope: string | null, project_ = project) =>
    atProjectTime(
      sql,
      project_,
      async () => [newId('clm_'), newId('evt_'), activeProjectTime()?.ids?.next().name, newId('clm_')],
      null,
      scope,
    );
  const first = await made('one');
  expect(await made('one')).toEqual(first);
  expect(first).toEqual([
    expect.stringMatching(/^clm_[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/),
    expect.stringMatching(/^evt_/),
    'one/2',
    expect.stringMatching(/^clm_/),
  ]);
  expect(String(first[0]) < String(first[3])).toBe(true);
  expect(millisecondsOf(String(first[0]))).toBe(Date.parse(PAST));
  const others = await Promise.all([
    made('two'),
    made('one/2'),
    made(null),
    made(null),
    made('one', PROJECT),
  ]);
  const ids = [first, ...others].flat().filter((id) => /^(clm|evt)_/.test(String(id)));
  expect(new Set(ids).size).toBe(18);
});

test('a due item has its own instant, before and after the time of the clock', async () => {
  const at = Date.parse('2021-01-01T00:00:00.000Z');
  const seen = await atProjectTime(sql, PROJECT, () => databaseNow(sql), at);
  expect(seen.getTime()).toBe(at);
});

test('a connection that served a simulated project has the real time afterwards, also while others use it', async () => {
  const reads = await Promise.all(
    Array.from({ length: 40 }, async (_, index) => {
      const project = index % 2 === 0 ? PROJECT : 'prj_1';
      const read = () => (index % 4 < 2 ? databaseNow(sql) : sql.begin((tx) => databaseNow(tx)));
      return { project, now: await atProjectTime(sql, project, read) };
    }),
  );
  for (const { project, now } of reads) {
    if (project === PROJECT) expect(now).toEqual(new Date(PAST));
    else expect(Math.abs(now.getTime() - Date.now())).toBeLessThan(60_000);
  }
});

test('work for a simulated project without a clock fails instead of having the real time', async () => {
  await expect(atProjectTime(sql, 'prj_2_sim', () => databaseNow(sql))).rejects.toThrow('has no clock');
});

test('a service can read the clocks of projects, but not change them', async () => {
  await expect(sql`update platform.project_clocks set now = now`).rejects.toThrow('permission denied');
});

test('the planner replaces both functions of the time by the real clock', async () => {
  const rows = await sql<Record<string, string>[]>`
    explain (verbose, costs off) select 1 from preauthorizations where created_at < (select platform.now())`;
  const plan = rows.flatMap((row) => Object.values(row)).join('\n');
  expect(plan).not.toContain('platform.');
});
