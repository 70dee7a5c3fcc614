import type { WeeklyHours } from '@carecover/contract';
import { connectPostgres, jsonb, type Sql } from '@carecover/postgres';
import { fc } from '@carecover/testing';
import { createTestDatabase, type TestDatabase, testSize } from '@carecover/testing/servers';
import { costOfPlans, newTenant, type SentStatement } from '@carecover/testing/services';
import { freeSlots, type Slot } from '../rules/slot';
import { addPractitioner } from '../testing/fixtures';
import { findPractitionerWithBookings } from './practitioners';

/** The number of bookings in the table: one per hour, of which every fourth is cancelled. */
const ROWS = 20_000;
const HOUR_MS = 3_600_000;
const START = Date.parse('2026-01-01T00:00:00Z');
/** Two periods per day, of which the second continues on the next day. */
const HOURS: readonly WeeklyHours[] = [0, 1, 2, 3, 4, 5, 6].flatMap((weekday) => [
  { weekday, start: '00:00', end: '11:10', formats: ['online'] },
  { weekday, start: '13:00', end: '23:59', formats: ['online'] },
]);

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
  const found = await findPractitionerWithBookings(sql, tenant, practitioner, range, HOUR_MS);
  expect(found?.booked).toEqual([
    { start: start + HOUR_MS, end: start + 4 * HOUR_MS },
    { start: start + 5 * HOUR_MS, end: start + 8 * HOUR_MS },
  ]);
  expect(sent).toHaveLength(1);
  for (const statement of sent) {
    const { pages, discarded } = await costOfPlans(database.url('care'), statement);
    expect(pages).toBeLessThan(100);
    expect(discarded).toBeLessThan(50);
  }
});

/** Inserts bookings of a practitioner without earlier bookings. */
async function insertBookings(id: string, bookings: readonly Slot[]): Promise<void> {
  await sql`
    insert into bookings (id, project_id, session_id, practitioner_id, starts_at, ends_at, timezone, format, payment_source, status,
                          created_at)
    select 'bkg_' || ${id} || n, ${tenant}, 'ses_' || ${id} || n, ${id}, to_timestamp(start / 1000.0), to_timestamp("end" / 1000.0),
           'UTC', 'online', 'covered', 'confirmed', to_timestamp(start / 1000.0)
    from jsonb_to_recordset(${jsonb(bookings.map((booking, n) => ({ ...booking, n })))}) as booking(n int, start bigint, "end" bigint)`;
}

test('thousands of short bookings without a gap for a slot are read as one time', async () => {
  const id = await addPractitioner(sql, tenant, { reference: 'directory:busy' });
  const bookings = Array.from({ length: 5_000 }, (_, index) => START + 1_000 * index).map((start) => ({
    start,
    end: start + 1,
  }));
  await insertBookings(id, bookings);
  const range = { start: START, end: START + 24 * HOUR_MS };
  const read = async (gapMs: number) =>
    (await findPractitionerWithBookings(sql, tenant, id, range, gapMs))?.booked;
  expect(await read(1_000)).toEqual([{ start: START, end: START + 4_999_001 }]);
  expect(await read(999)).toHaveLength(5_000);
});

test('the free slots between joined bookings are those between all bookings', async () => {
  const MINUTE_MS = 60_000;
  const gapAndLength = fc.tuple(
    fc.constantFrom(0, 0, 1, 9, 10, 11, 30, 200),
    fc.constantFrom(1, 10, 60, 480),
  );
  let practitioners = 0;
  let joined = 0;
  let listed = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(gapAndLength, { maxLength: 30 }),
      fc.constantFrom(1, 10, 30),
      fc.integer({ min: 0, max: 600 }),
      async (gapsAndLengths, minutes, fromMinute) => {
        const id = await addPractitioner(sql, tenant, { reference: `directory:property-${practitioners++}` });
        const bookings: Slot[] = [];
        for (const [gap, length] of gapsAndLengths) {
          const start = (bookings.at(-1)?.end ?? START) + gap * MINUTE_MS;
          bookings.push({ start, end: start + length * MINUTE_MS });
        }
        await insertBookings(id, bookings);
        const start = START + fromMinute * MINUTE_MS;
        const range = { start, end: start + 48 * HOUR_MS };
        const durationMs = minutes * MINUTE_MS;
        const found = await findPractitionerWithBookings(sql, tenant, id, range, durationMs);
        const slots = (booked: readonly Slot[]) => [
          ...freeSlots(
            { timezone: 'Asia/Kathmandu', weeklyHours: HOURS },
            'online',
            range,
            durationMs,
            booked,
            new Date(START - HOUR_MS),
          ),
        ];
        const all = bookings.filter((booking) => booking.start < range.end && booking.end > range.start);
        expect(slots(found?.booked ?? [])).toEqual(slots(all));
        joined += all.length - (found?.booked.length ?? 0);
        listed += slots(all).length;
      },
    ),
    { numRuns: testSize({ ci: 30, soak: 500 }) },
  );
  expect(joined).toBeGreaterThan(0);
  expect(listed).toBeGreaterThan(0);
});
