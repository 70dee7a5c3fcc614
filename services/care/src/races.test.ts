import { type Answered, newTenant, playRounds, race, testSize } from '@carecover/local/testing';
import { ApiError, type Tenant } from '@carecover/platform';
import { careActivities } from './activities';
import { book, givePractitioner, slot } from './testing/fixtures';
import { startTestCare, type TestCare } from './testing/test-care';

const ROUNDS = testSize({ ci: 50, soak: 500 });
jest.setTimeout(ROUNDS * 1_000);

let care: TestCare;
let tenant: Tenant;
let practitioner: string;

beforeAll(async () => {
  care = await startTestCare();
});
afterAll(() => care.stop());
beforeEach(async () => {
  tenant = newTenant();
  practitioner = await givePractitioner(care.sql, tenant);
});

const wish = (startHour: number, hours = 1) => ({ practitioner_id: practitioner, ...slot(startHour, hours) });
const rounds = Array.from({ length: ROUNDS }, (_, round) => round);

/** A slot of its own for each round: days apart, so that rounds never meet. */
const hourOf = (round: number) => round * 24;

function count(answers: readonly Answered[], status: number, code?: string): number {
  return answers.filter((answer) => answer.status === status && answer.code === code).length;
}

const cancel = (bookingId: string) =>
  care.ask('cancelBooking', { tenant, params: { booking_id: bookingId }, body: { reason_code: 'ill' } });

const approvalOf = (bookingId: string) => ({
  tenant,
  bookingId,
  preauthorizationId: 'preauth_1',
  approvalId: 'cmd_1',
});

async function confirm(bookingId: string): Promise<'confirmed' | 'refused'> {
  try {
    await careActivities(care.sql).confirmBooking(approvalOf(bookingId));
    return 'confirmed';
  } catch (error) {
    if (error instanceof ApiError && error.code === 'invalid_state') return 'refused';
    throw error;
  }
}

test('twenty racing for the last slot: one gets it, nineteen are told that it is taken', async () => {
  const winners = new Set<number>();
  for (const round of rounds) {
    // All overlap one another, at different starts.
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, racer) => book(care, tenant, wish(hourOf(round) + (racer % 3), 4))),
    );
    expect(count(answers, 201)).toBe(1);
    expect(count(answers, 409, 'slot_unavailable')).toBe(19);
    winners.add(answers.findIndex(({ status }) => status === 201));
  }
  expect(winners.size).toBeGreaterThan(1);
  const overlapping = await care.sql`
    select 1 from bookings a join bookings b
      on a.practitioner_id = b.practitioner_id and a.id < b.id and a.status <> 'cancelled' and b.status <> 'cancelled'
      and a.starts_at < b.ends_at and b.starts_at < a.ends_at
    where a.project_id = ${tenant}`;
  expect(overlapping).toHaveLength(0);
});

test('the same key twice at once: one booking, one answer, given twice', async () => {
  for (const round of rounds) {
    const key = `twins-of-round-${round}`;
    const ask = () => book(care, tenant, wish(hourOf(round)), { key });
    const answers = await Promise.all([ask(), ask()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 201]);
    expect(answers.map(({ replayed }) => replayed).sort()).toEqual([false, true]);
    expect(answers[0]?.text).toBe(answers[1]?.text);
  }
  const [row] = await care.sql<{ n: number }[]>`
    select count(*)::int as n from bookings where project_id = ${tenant}`;
  expect(row?.n).toBe(ROUNDS);
});

test('the same key with two bodies at once: one booking, the other body conflicts', async () => {
  for (const round of rounds) {
    const key = `two-bodies-of-round-${round}`;
    const answers = await Promise.all([
      book(care, tenant, wish(hourOf(round)), { key }),
      book(care, tenant, wish(hourOf(round) + 2), { key }),
    ]);
    expect(count(answers, 201)).toBe(1);
    expect(count(answers, 409, 'idempotency_conflict')).toBe(1);
  }
});

test('a cancellation against an approval: the booking ends cancelled, and the approval knows whether it came first', async () => {
  const outcomes = await playRounds(ROUNDS, async (round) => {
    const { body } = await book(care, tenant, wish(hourOf(round.number)));
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
  expect(outcomes).toEqual(['confirmed', 'refused']);
});

test('a confirmation against its own withdrawal: the booking is reserved, whichever came first', async () => {
  const outcomes = await playRounds(ROUNDS, async (round) => {
    const { body } = await book(care, tenant, wish(hourOf(round.number)));
    const [confirmed] = await race(
      round,
      () => confirm(body.id),
      () => careActivities(care.sql).withdrawConfirmation(approvalOf(body.id)),
    );
    const booking = await care.ask('getBooking', { tenant, params: { booking_id: body.id } });
    expect(booking.body.status).toBe('reserved');
    return confirmed;
  });
  expect(outcomes).toEqual(['confirmed', 'refused']);
});

test('a cancellation against a delivery: exactly one of them happens', async () => {
  const outcomes = await playRounds(ROUNDS, async (round) => {
    const { body } = await book(care, tenant, wish(hourOf(round.number)));
    const answers = await race(
      round,
      () => cancel(body.id),
      () => care.ask('deliverSession', { tenant, params: { session_id: body.session_id } }),
    );
    expect(count(answers, 200)).toBe(1);
    expect(count(answers, 409, 'invalid_state')).toBe(1);
    return answers[0].status === 200 ? 'cancelled' : 'delivered';
  });
  expect(outcomes).toEqual(['cancelled', 'delivered']);
});

test('two cancellations under different keys: one cancels, the other is told that it came too late', async () => {
  for (const round of rounds) {
    const { body } = await book(care, tenant, wish(hourOf(round)));
    const answers = await Promise.all([cancel(body.id), cancel(body.id)]);
    expect(count(answers, 200)).toBe(1);
    expect(count(answers, 409, 'invalid_state')).toBe(1);
  }
});
