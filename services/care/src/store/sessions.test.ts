import { type SessionStatus, sessionStatuses } from '@carecover/contract';
import { createTestDatabase, type TestDatabase } from '@carecover/local/testing';
import { connectPostgres, type Sql } from '@carecover/platform';
import { costOfPlans, newTenant, type SentStatement, testCaller } from '@carecover/platform/testing';
import { listSessions } from './sessions';

/** The number of sessions in the table, one per hour. At `NOW` the last ten are upcoming, and one is in progress. */
const ROWS = 20_000;
const UPCOMING = 10;
const HOUR = 3_600_000;
const NOW = Date.parse('2026-06-01T12:30:00Z');

let database: TestDatabase;
let sql: Sql;
let sent: SentStatement[] = [];
const tenant = newTenant();

beforeAll(async () => {
  database = await createTestDatabase({ services: ['care'] });
  sql = connectPostgres(database.url('care'), 1, 'sessions', (text, values) => sent.push({ text, values }));
  const admin = connectPostgres(database.adminUrl, 1, 'sessions');
  await admin.session(async (session) => {
    // Disables foreign keys: the practitioners of the inserted bookings do not exist.
    await session`set session_replication_role = replica`;
    await session`
     insert into care.bookings (id, project_id, session_id, practitioner_id, starts_at, ends_at, timezone, format, payment_source,
       status, created_at)
     select 'bkg_' || id, ${tenant}, 'ses_' || id, 'prc_' || n, starts_at, starts_at + interval '1 hour', 'UTC', 'online', 'covered',
       case n % 2 when 0 then 'confirmed' else 'reserved' end, starts_at
     from generate_series(1, ${ROWS}) n,
       lateral (select ${NOW - HOUR / 2}::bigint + (n - ${ROWS - UPCOMING}) * ${HOUR}::bigint as ms),
       lateral (select to_timestamp(ms / 1000.0) as starts_at,
                       lpad(to_hex(ms), 12, '0') || '7' || substr(md5(n::text), 1, 19) as id)`;
    await session`analyze`;
  });
  await admin.end();
});
afterAll(async () => {
  await sql?.end();
  await database?.drop();
});

const EXPECTED: Readonly<Record<SessionStatus, number>> = {
  reserved: UPCOMING / 2,
  confirmed: UPCOMING / 2,
  in_progress: 1,
  delivered: 20,
  cancelled: 0,
};

test.each([...sessionStatuses])(
  'the list of %s sessions reads a bounded number of pages, also with a generic plan',
  async (status) => {
    sent = [];
    const toId = ({ id }: { id: string }) => id as never;
    const page = await listSessions(sql, testCaller(tenant), { status }, new Date(NOW), toId);
    expect(page.data).toHaveLength(EXPECTED[status]);
    expect(page.has_more).toBe(status === 'delivered');
    for (const statement of sent) {
      const { pages, discarded } = await costOfPlans(database.url('care'), statement);
      expect(pages).toBeLessThan(300);
      expect(discarded).toBeLessThan(150);
    }
  },
);
