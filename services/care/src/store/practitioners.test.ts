import { createTestDatabase, type TestDatabase } from '@carecover/local/testing';
import { connectPostgres, type Sql } from '@carecover/platform';
import { costOfPlans, newTenant, type SentStatement } from '@carecover/platform/testing';
import { addPractitioner } from '../testing/fixtures';
import { findPractitionerWithBookings } from './practitioners';

/** The number of bookings in the table: one per hour, of which every fourth is cancelled. */
const ROWS = 20_000;
const HOUR_MS = 3_600_000;
const START = Date.parse('2026-01-01T00:00:00Z');

let database: TestDatabase;
let sql: Sql;
let practitioner: string;
let sent: SentStatement[] = [];
const tenant = newTenant();

beforeAll(async () => {
  database = await createTestDatabase({ services: ['care'] });
  sql = connectPostgres(database.url('care'), 1, 'slots', {
    listener: (text, values) => sent.push({ text, values }),
  });
  practitioner = await addPractitioner(sql, tenant);
  const admin = connectPostgres(database.adminUrl, 1, 'slots');
  await admin`
     insert into care.bookings (id, project_id, session_id, practitioner_id, starts_at, ends_at, timezone, format, payment_source,
       status, created_at, cancelled_at, cancellation_reason)
     select 'bkg_' || n, ${tenant}, 'ses_' || n, ${practitioner}, starts_at, starts_at + interval '1 hour', 'UTC', 'online', 'covered',
       case n % 4 when 0 then 'cancelled' else 'confirmed' end, starts_at,
       case n % 4 when 0 then starts_at end, case n % 4 when 0 then 'ill' end
     from generate_series(0, ${ROWS - 1}) n,
       lateral (select to_timestamp((${START}::bigint + n * ${HOUR_MS}::bigint) / 1000.0) as starts_at)`;
  await admin`analyze`;
  await admin.end();
});
afterAll(async () => {
  await sql?.end();
  await database?.drop();
});

test('the bookings of a period are found by the index of the exclusion constraint, also with a generic plan', async () => {
  sent = [];
  const start = START + 10_000 * HOUR_MS;
  const range = { start: start + 1, end: start + 8 * HOUR_MS };
  const found = await findPractitionerWithBookings(sql, tenant, practitioner, range);
  const hours = [1, 2, 3, 5, 6, 7];
  expect(found?.bookings).toEqual(
    hours.map((hour) => ({ start: start + hour * HOUR_MS, end: start + (hour + 1) * HOUR_MS })),
  );
  expect(sent).toHaveLength(1);
  for (const statement of sent) {
    const { pages, discarded } = await costOfPlans(database.url('care'), statement);
    expect(pages).toBeLessThan(100);
    expect(discarded).toBeLessThan(50);
  }
});
