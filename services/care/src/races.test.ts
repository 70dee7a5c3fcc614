import { ApiError, type Tenant } from '@carecover/domain';
import { connectPostgres } from '@carecover/postgres';
import { eventually, testSize } from '@carecover/testing/servers';
import {
  type Answered,
  countWaiting,
  doneOrWaiting,
  newTenant,
  playRounds,
  race,
} from '@carecover/testing/services';
import { careActivities } from './activities';
import { addPractitioner, book, slot } from './testing/fixtures';
import { startTestCare, type TestCare } from './testing/test-care';

const ROUNDS = testSize({ ci: 8, soak: 500 });
/** Rounds of twenty requests each. One more round holds all of them with a lock, so that they certainly overlap. */
const LARGE_ROUNDS = testSize({ ci: 4, soak: 500 });
if (testSize({ ci: false, soak: true })) jest.setTimeout(ROUNDS * 1_000);

let care: TestCare;
let tenant: Tenant;
let practitioner: string;

beforeAll(async () => {
  care = await startTestCare();
});
afterAll(() => care.stop());
beforeEach(async () => {
  tenant = newTenant();
  practitioner = await addPractitioner(care.sql, tenant);
});

const input = (startHour: number, hours = 1) => ({
  practitioner_id: practitioner,
  ...slot(startHour, hours),
});
const numbersTo = (count: number) => Array.from({ length: count }, (_, round) => round);
const rounds = numbersTo(ROUNDS);

/**
 * Returns the start hour of the slots in the repetition `round` of the test. Each repetition has its own day, so slots of different
 * repetitions never overlap.
 */
const hourOf = (round: number) => round * 24;

function count(responses: readonly Answered[], status: number, code?: string): number {
  return responses.filter((response) => response.status === status && response.code === code).length;
}

const cancel = (bookingId: string) =>
  care.request('cancelBooking', { tenant, params: { booking_id: bookingId }, body: { reason_code: 'ill' } });

const approvalOf = (bookingId: string) => ({
  tenant,
  bookingId,
  preauthorizationId: 'preauth_1',
  approvalId: 'cmd_1',
});

async function confirm(bookingId: string): Promise<'confirmed' | 'rejected'> {
  try {
    await careActivities(care.sql).confirmBooking(approvalOf(bookingId));
    return 'confirmed';
  } catch (error) {
    if (error instanceof ApiError && error.code === 'invalid_state') return 'rejected';
    throw error;
  }
}

test('of twenty concurrent bookings that overlap, one is created and nineteen are rejected', async () => {
  // The requests book slots that start at different times and all overlap.
  const requests = (round: number) =>
    Promise.all(
      Array.from({ length: 20 }, (_, index) => book(care, tenant, input(hourOf(round) + (index % 3), 4))),
    );
  const expectOneCreated = (responses: readonly Answered[]) => {
    expect(count(responses, 201)).toBe(1);
    expect(count(responses, 409, 'slot_unavailable')).toBe(19);
  };
  for (const round of numbersTo(LARGE_ROUNDS)) expectOneCreated(await requests(round));

  // In one more round the lock of the test holds all 20 transactions before their insertion, so that they certainly run concurrently.
  const admin = connectPostgres(care.database.adminUrl, 1, 'care-races');
  const held = await admin.begin(async (tx) => {
    await tx`lock table care.bookings in share mode`;
    const responses = requests(LARGE_ROUNDS);
    await eventually('all transactions wait for the lock', async () => (await countWaiting(care.sql)) === 20);
    // The responses are in an object, because `begin` would wait for them before it releases the lock.
    return { responses };
  });
  await admin.end();
  expectOneCreated(await held.responses);

  const overlapping = await care.sql`
    select 1 from bookings a join bookings b
      on a.practitioner_id = b.practitioner_id and a.id < b.id and a.status <> 'cancelled' and b.status <> 'cancelled'
      and a.starts_at < b.ends_at and b.starts_at < a.ends_at
    where a.project_id = ${tenant}`;
  expect(overlapping).toHaveLength(0);
});

test('a booking whose slot starts while it waits for a concurrent booking is rejected, and its key can be used again', async () => {
  const taken = input(hourOf(ROUNDS + 1));
  const key = 'a-key-of-a-booking-that-waits';
  const rollBack = new Error('the test rolls the transaction back');
  const responses: Promise<Answered>[] = [];
  const rolledBack = care.sql.begin(async (tx) => {
    await tx`
      insert into bookings (id, project_id, session_id, practitioner_id, starts_at, ends_at, timezone, format, payment_source, status,
                            created_at)
      values ('bkg_concurrent', ${tenant}, 'ses_concurrent', ${practitioner}, ${taken.starts_at}, ${taken.ends_at}, 'UTC', 'online',
              'covered', 'reserved', ${taken.starts_at})`;
    const response = book(care, tenant, taken, { key });
    responses.push(response);
    await doneOrWaiting(care.sql, response);
    await care.database.setClockOffset(Date.parse(taken.starts_at) + 1_000 - Date.now());
    throw rollBack;
  });
  await expect(rolledBack).rejects.toBe(rollBack);
  const [response] = await Promise.all(responses);
  await care.database.setClockOffset(0);
  expect(response).toMatchObject({ status: 422, code: 'session_in_past' });
  expect(await care.sql`select 1 from bookings where project_id = ${tenant}`).toHaveLength(0);
  expect(await book(care, tenant, taken, { key })).toMatchObject({ status: 201, replayed: false });
});

test('two concurrent requests with the same key create one booking and return the same response', async () => {
  for (const round of rounds) {
    const key = `same-key-in-round-${round}`;
    const send = () => book(care, tenant, input(hourOf(round)), { key });
    const responses = await Promise.all([send(), send()]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 201]);
    expect(responses.map(({ replayed }) => replayed).sort()).toEqual([false, true]);
    expect(responses[0]?.text).toBe(responses[1]?.text);
  }
  const [row] = await care.sql<{ n: number }[]>`
    select count(*)::int as n from bookings where project_id = ${tenant}`;
  expect(row?.n).toBe(ROUNDS);
});

test('two concurrent requests with the same key and different bodies create one booking, and the other conflicts', async () => {
  for (const round of rounds) {
    const key = `two-bodies-of-round-${round}`;
    const responses = await Promise.all([
      book(care, tenant, input(hourOf(round)), { key }),
      book(care, tenant, input(hourOf(round) + 2), { key }),
    ]);
    expect(count(responses, 201)).toBe(1);
    expect(count(responses, 409, 'idempotency_conflict')).toBe(1);
  }
});

test('a concurrent cancellation and approval leave the booking cancelled, and the approval is rejected if it was second', async () => {
  const outcomes = await playRounds(ROUNDS, async (round) => {
    const { body } = await book(care, tenant, input(hourOf(round.number)));
    const [cancelled, confirmed] = await race(
      round,
      () => cancel(body.id),
      () => confirm(body.id),
    );
    expect(cancelled).toMatchObject({ status: 200, body: { status: 'cancelled' } });
    const rows = await care.sql`
      select b.status, c.approval_id from bookings b left join booking_confirmations c on c.booking_id = b.id
      where b.id = ${body.id}`;
    expect([...rows]).toEqual([
      { status: 'cancelled', approval_id: confirmed === 'confirmed' ? 'cmd_1' : null },
    ]);
    return confirmed;
  });
  expect(outcomes).toEqual(['confirmed', 'rejected']);
});

test('a concurrent confirmation and withdrawal of one approval leave the booking reserved, in either order', async () => {
  const outcomes = await playRounds(ROUNDS, async (round) => {
    const { body } = await book(care, tenant, input(hourOf(round.number)));
    const [confirmed] = await race(
      round,
      () => confirm(body.id),
      () => careActivities(care.sql).withdrawConfirmation(approvalOf(body.id)),
    );
    const booking = await care.request('getBooking', { tenant, params: { booking_id: body.id } });
    expect(booking.body.status).toBe('reserved');
    return confirmed;
  });
  expect(outcomes).toEqual(['confirmed', 'rejected']);
});

test('of a concurrent cancellation and delivery, exactly one succeeds', async () => {
  const outcomes = await playRounds(ROUNDS, async (round) => {
    const { body } = await book(care, tenant, input(hourOf(round.number)));
    const responses = await race(
      round,
      () => cancel(body.id),
      () => care.request('deliverSession', { tenant, params: { session_id: body.session_id } }),
    );
    expect(count(responses, 200)).toBe(1);
    expect(count(responses, 409, 'invalid_state')).toBe(1);
    return responses[0].status === 200 ? 'cancelled' : 'delivered';
  });
  expect(outcomes).toEqual(['cancelled', 'delivered']);
});

test('of two concurrent cancellations with different keys, one succeeds and the other is rejected', async () => {
  for (const round of rounds) {
    const { body } = await book(care, tenant, input(hourOf(round)));
    const responses = await Promise.all([cancel(body.id), cancel(body.id)]);
    expect(count(responses, 200)).toBe(1);
    expect(count(responses, 409, 'invalid_state')).toBe(1);
  }
});
