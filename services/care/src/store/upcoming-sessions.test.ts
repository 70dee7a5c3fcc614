/** The lists of reserved and of confirmed sessions of a project with thousands of upcoming ones. */

import { connectPostgres, type Sql } from '@carecover/postgres';
import { createTestDatabase, type TestDatabase } from '@carecover/testing/servers';
import { costOfPlans, newTenant, type SentStatement, testCaller } from '@carecover/testing/services';
import { listSessions } from './sessions';

/** The sessions of the project, one per minute. At `NOW` the last 5,000 are upcoming: 625 reserved and 4,375 confirmed. */
const ROWS = 20_000;
const STARTED = 15_000;
const NOW = Date.parse('2026-06-01T12:30:00Z');

let database: TestDatabase;
let sql: Sql;
let sent: SentStatement[] = [];
const tenant = newTenant();

beforeAll(async () => {
  database = await createTestDatabase({ services: ['care'] });
  sql = connectPostgres(database.url('care'), 1, 'sessions', {
    listener: (text, values) => sent.push({ text, values }),
  });
  const admin = connectPostgres(database.adminUrl, 1, 'sessions');
  await admin.session(async (session) => {
    // Disables foreign keys: the practitioners of the inserted bookings do not exist.
    await session`set session_replication_role = replica`;
    // A session is created 1 to 5,000 minutes before its start and before `NOW`. So in the order of the list, sessions that have started
    // are among the upcoming ones.
    await session`
     insert into care.bookings (id, project_id, session_id, practitioner_id, starts_at, ends_at, timezone, format, payment_source,
       status, created_at)
     select 'bkg_' || id, ${tenant}, 'ses_' || id, 'prc_' || n, to_timestamp(start_ms / 1000.0),
       to_timestamp(start_ms / 1000.0) + interval '1 hour', 'UTC', 'online', 'covered',
       case n % 8 when 0 then 'reserved' else 'confirmed' end, to_timestamp(created_ms / 1000.0)
     from generate_series(1, ${ROWS}) n,
       lateral (select ${NOW}::bigint + (n - ${STARTED}) * 60000::bigint as start_ms),
       lateral (select least(start_ms, ${NOW}::bigint) - (1 + n * 7919::bigint % 5000) * 60000 as created_ms),
       lateral (select lpad(to_hex(created_ms), 12, '0') || '7' || substr(md5(n::text), 1, 19) as id)`;
    await session`analyze`;
  });
  await admin.end();
});
afterAll(async () => {
  await sql?.end();
  await database?.drop();
});

test.each([
  ['reserved', 625],
  ['confirmed', 4_375],
] as const)(
  'every page of the list of %s sessions reads a bounded number of pages, also with a generic plan',
  async (status, count) => {
    const upcoming = await sql<{ id: string }[]>`
      select session_id as id from bookings
      where project_id = ${tenant} and status = ${status} and starts_at > ${new Date(NOW)} 
      order by created_at desc, id desc`;
    expect(upcoming).toHaveLength(count);
    const ids = upcoming.map(({ id }) => id);
    const toId = ({ id }: { id: string }) => id as never;
    for (const start of [0, Math.floor(count / 2), count - 10]) {
      const cursor = ids[start - 1];
      const query = { status, ...(cursor === undefined ? {} : { starting_after: cursor }) };
      sent = [];
      const page = await listSessions(sql, testCaller(tenant), query, new Date(NOW), toId);
      expect(page.data).toEqual(ids.slice(start, start + 20));
      expect(page.has_more).toBe(start + 20 < count);
      for (const statement of sent) {
        const { pages, discarded } = await costOfPlans(database.url('care'), statement);
        expect(pages).toBeLessThan(300);
        expect(discarded).toBeLessThan(150);
      }
    }
  },
);
