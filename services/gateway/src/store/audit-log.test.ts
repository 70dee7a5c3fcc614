import { connectPostgres, constantText, type Sql } from '@carecover/postgres';
import { createTestDatabase, type TestDatabase } from '@carecover/testing/servers';
import { type AuditFilters, audited, deleteOldEntries, listAudit } from './audit-log';

const DAY_MS = 24 * 3_600_000;

let database: TestDatabase;
let admin: Sql;
let sql: Sql;
let replica: Sql;

beforeEach(async () => {
  database = await createTestDatabase({ services: ['gateway'] });
  admin = connectPostgres(database.adminUrl, 1, 'test');
  sql = connectPostgres(database.url('gateway'), 1, 'test');
  replica = connectPostgres(database.url('gateway'), 1, 'test');
});
afterEach(async () => {
  await Promise.all([admin?.end(), sql?.end(), replica?.end()]);
  await database?.drop();
});

const record = (db: Sql, subject: string) =>
  audited(db, 'amina', 'test', async () => ({ subject, result: undefined }));

/** Inserts entries of each of the given numbers of days ago, with the number as their subject. */
const insertEntries = (...daysAgo: number[]) => admin`
  insert into gateway.audit_log (at, actor, action, subject)
  select platform.now() - n * interval '1 day', 'amina', 'test', n from unnest(${daysAgo}::integer[]) as n`;

test('entries older than ten years are deleted in batches, which is recorded; younger ones stay', async () => {
  await insertEntries(3_655, 3_654, 3_653, 3_652, 3_649, 1);
  expect(await deleteOldEntries(sql, 3)).toBe(3);
  expect(await deleteOldEntries(sql, 3)).toBe(1);
  expect(await deleteOldEntries(sql, 3)).toBe(0);
  const deletion = { actor: 'gateway', action: 'audit.delete', subject: 'audit_log' };
  expect(await listAudit(sql, 10)).toMatchObject([
    { ...deletion, details: { entries: 1, first_id: 4, last_id: 4 } },
    { ...deletion, details: { entries: 3, first_id: 1, last_id: 3 } },
    { subject: '1' },
    { subject: '3649' },
  ]);
});

test('the limit is the start of a day, so a day has few entries about deletions', async () => {
  await database.stopClock(Date.UTC(2037, 0, 10, 1));
  await admin`insert into gateway.audit_log (at, actor, action, subject)
    select '2027-01-12T23:00Z'::timestamptz + n * interval '1 hour', 'amina', 'test', n from generate_series(0, 20) n`;
  expect(await deleteOldEntries(sql)).toBe(1);
  await database.stopClock(Date.UTC(2037, 0, 10, 23));
  expect(await deleteOldEntries(sql)).toBe(0);
  await database.stopClock(Date.UTC(2037, 0, 10, 23) + DAY_MS);
  expect(await deleteOldEntries(sql)).toBe(20);
});

test('while one replica deletes, another one deletes nothing, and changes are recorded without a wait', async () => {
  await insertEntries(4_004, 4_003, 4_002, 4_001);
  await sql.begin(async (tx) => {
    expect(await deleteOldEntries(tx, 3)).toBe(3);
    expect(await deleteOldEntries(replica, 3)).toBe(0);
    await record(replica, 'meanwhile');
  });
  expect(await deleteOldEntries(replica, 3)).toBe(1);
  const subjects = (await listAudit(sql, 10)).map(({ subject }) => subject);
  expect(subjects).toEqual(['audit_log', 'meanwhile', 'audit_log']);
});

test('the time of a simulated project neither dates an entry nor makes one old enough to be deleted', async () => {
  await insertEntries(3_600);
  await sql.begin(async (tx) => {
    await tx`select set_config('carecover.now', '2100-01-01T00:00:00Z', true)`;
    await tx`insert into audit_log (actor, action, subject) values ('amina', 'test', 'dated')`;
    expect(await deleteOldEntries(tx)).toBe(0);
  });
  const [entry] = await listAudit(sql, 1);
  expect(Math.abs((entry?.at.getTime() ?? 0) - Date.now())).toBeLessThan(60_000);
});

test("the gateway's role can neither delete a younger entry nor change one, choose its time or change the limit", async () => {
  await insertEntries(4_000, 3_600);
  await record(sql, 'now');
  for (const statement of [
    'delete from audit_log',
    "delete from audit_log where subject = '3600'",
    `with deleted as (delete from audit_log where subject = 'now') delete from audit_log where subject = '4000'`,
    'truncate audit_log',
    `update audit_log set at = '1999-01-01'`,
    `insert into audit_log (at, actor, action, subject) values ('1999-01-01', 'amina', 'test', 'forged')`,
    'update audit_retention set days = 365',
    'alter table audit_log disable trigger all',
    'set session_replication_role = replica',
  ]) {
    await expect(sql`${constantText(statement)}`).rejects.toThrow(
      /append-only|permission denied|must be owner/,
    );
  }
  const subjects = (await listAudit(sql, 10)).map(({ subject }) => subject);
  expect(subjects).toEqual(['now', '3600', '4000']);
});

test('an administrator cannot delete a younger entry either', async () => {
  await insertEntries(3_600);
  await expect(admin`delete from gateway.audit_log`).rejects.toThrow('append-only');
});

test('entries are read by person, action, resource and time, and without sign-ins', async () => {
  const add = (actor: string, action: string, subject: string, at: string) => admin`
    insert into gateway.audit_log (at, actor, action, subject) values (${new Date(at)}, ${actor}, ${action}, ${subject})`;
  await add('amina', 'console.sign_in', 'amina', '2026-11-01T08:00:00Z');
  await add('amina', 'claim.reverse', 'clm_1', '2026-11-01T09:00:00Z');
  await add('joseph', 'claim.reverse', 'clm_2', '2026-11-02T09:00:00Z');
  const read = async (filters: AuditFilters) =>
    (await listAudit(sql, 10, null, filters)).map(({ subject }) => subject);
  expect(await read({})).toEqual(['clm_2', 'clm_1', 'amina']);
  expect(await read({ withoutSignIns: true })).toEqual(['clm_2', 'clm_1']);
  expect(await read({ actor: 'amina' })).toEqual(['clm_1', 'amina']);
  expect(await read({ actor: 'amina', action: 'claim.reverse' })).toEqual(['clm_1']);
  expect(await read({ subject: 'clm_2' })).toEqual(['clm_2']);
  const [since, until] = [new Date('2026-11-01T08:30:00Z'), new Date('2026-11-01T23:59:59.999Z')];
  expect(await read({ since, until })).toEqual(['clm_1']);
});
