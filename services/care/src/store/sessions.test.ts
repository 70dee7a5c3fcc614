import { EARLIEST_INSTANT, type SessionStatus, sessionStatuses } from '@carecover/contract';
import { connectPostgres, type Sql } from '@carecover/postgres';
import { createTestDatabase, type TestDatabase } from '@carecover/testing/servers';
import { costOfPlans, newTenant, type SentStatement, testCaller } from '@carecover/testing/services';
import { listBookings } from './bookings';
import { listSessions } from './sessions';
import type { StartFilters } from './start-filter';

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
  sql = connectPostgres(database.url('care'), 1, 'sessions', {
    listener: (text, values) => sent.push({ text, values }),
  });
  const admin = connectPostgres(database.adminUrl, 1, 'sessions');
  await admin.session(async (session) => {
    // Disables foreign keys: the practitioners of the inserted bookings do not exist.
    await session`set session_replication_role = replica`;
    await session`
     insert into care.bookings (id, project_id, session_id, practitioner_id, starts_at, ends_at, timezone, format, payment_source,
       status, created_at)
     select 'bkg_' || id, ${tenant}, 'ses_' || id, 'prc_' || n, starts_at, starts_at + interval '1 hour', 'UTC', 'online', 'covered',
       case n % 2 when 0 then 'confirmed' else 'reserved' end, starts_at - interval '3 days'
     from generate_series(1, ${ROWS}) n,
       lateral (select ${NOW - HOUR / 2}::bigint + (n - ${ROWS - UPCOMING}) * ${HOUR}::bigint as ms),
       lateral (select to_timestamp(ms / 1000.0) as starts_at,
                       lpad(to_hex(ms - 259200000), 12, '0') || '7' || substr(md5(n::text), 1, 19) as id)`;
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

const startOf = (n: number) => new Date(NOW - HOUR / 2 + (n - (ROWS - UPCOMING)) * HOUR).toISOString();
const OLD = ROWS / 4;
const EARLIEST = new Date(EARLIEST_INSTANT).toISOString();

test.each<[string, StartFilters & { created_before?: string; status?: 'confirmed' }, number]>([
  ['a day long ago', { starts_after: startOf(OLD), starts_before: startOf(OLD + 25) }, 20],
  ['an hour long ago', { starts_after: startOf(OLD), starts_before: startOf(OLD + 2) }, 1],
  ['a year long ago', { starts_after: startOf(OLD), starts_before: startOf(OLD + 8_760) }, 20],
  ['all before long ago', { starts_before: startOf(OLD) }, 20],
  ['all before the first', { starts_before: startOf(1) }, 0],
  ['all after long ago', { starts_after: startOf(OLD) }, 20],
  ['all after the earliest instant', { starts_after: EARLIEST }, 20],
  ['the upcoming', { starts_after: startOf(ROWS - UPCOMING) }, UPCOMING],
  ['all after the last', { starts_after: startOf(ROWS) }, 0],
  [
    'all after long ago, created before',
    { starts_after: startOf(OLD), created_before: startOf(OLD - 100) },
    0,
  ],
  [
    'all after long ago, created just before',
    { starts_after: startOf(OLD), created_before: startOf(OLD - 62) },
    9,
  ],
  ['a year, created earlier', { starts_after: startOf(OLD), created_before: startOf(OLD + 1_000) }, 20],
  [
    'confirmed of a day',
    { starts_after: startOf(OLD), starts_before: startOf(OLD + 25), status: 'confirmed' },
    12,
  ],
  [
    'confirmed of a year',
    { starts_after: startOf(OLD), starts_before: startOf(OLD + 8_760), status: 'confirmed' },
    20,
  ],
])(
  'the bookings and sessions that start in a period (%s) are read by an index, also with a generic plan',
  async (_, query, count) => {
    sent = [];
    const toId = ({ id }: { id: string }) => id as never;
    const page = await listBookings(sql, testCaller(tenant), query, toId);
    expect(page.data).toHaveLength(count);
    if (query.status === undefined) {
      const sessions = await listSessions(sql, testCaller(tenant), query, new Date(NOW), toId);
      expect(sessions.data).toHaveLength(count);
    }
    for (const statement of sent) {
      const { pages, discarded } = await costOfPlans(database.url('care'), statement);
      expect(pages).toBeLessThan(700);
      expect(discarded).toBeLessThan(150);
    }
  },
);

test('a booking thousands of years after its creation does not change which bookings and sessions are listed', async () => {
  const query = { starts_after: startOf(OLD) };
  const upcoming = { status: 'confirmed' } as const;
  const toId = ({ id }: { id: string }) => id as never;
  const readLists = async () => [
    await listBookings(sql, testCaller(tenant), query, toId),
    await listSessions(sql, testCaller(tenant), query, new Date(NOW), toId),
    await listSessions(sql, testCaller(tenant), upcoming, new Date(NOW), toId),
  ];
  const before = await readLists();
  const admin = connectPostgres(database.adminUrl, 1, 'sessions');
  await admin`
    update care.bookings set starts_at = '9990-01-01T00:00:00Z', ends_at = '9990-01-01T01:00:00Z'
    where project_id = ${tenant} and practitioner_id = ${`prc_${ROWS}`}`;
  await admin.end();
  expect(await readLists()).toEqual(before);
});
