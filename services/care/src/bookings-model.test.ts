/** Random sequences of commands, compared with a model of bookings that shares no code with the service. */

import type { BookingStatus, SessionStatus } from '@carecover/contract';
import { ApiError, type Tenant } from '@carecover/domain';
import { fc } from '@carecover/testing';
import { testSize } from '@carecover/testing/servers';
import { newTenant } from '@carecover/testing/services';
import { DateTime } from 'luxon';
import { careActivities } from './activities';
import { addPractitioner, book } from './testing/fixtures';
import { startTestCare, type TestCare } from './testing/test-care';

const RUNS = testSize({ ci: 8, soak: 200 });
const COMMANDS = 30;
const MINUTE_MS = 60_000;
const QUARTER_MS = 15 * MINUTE_MS;
/** The start in UTC of the day on which New York changes to daylight saving time. The change is at 07:00 UTC. */
const DAY_START = Date.parse('2027-03-14T00:00:00Z');

let care: TestCare;

beforeAll(async () => {
  care = await startTestCare();
});
afterAll(() => care.stop());

type Command =
  | { do: 'book'; practitioner: number; quarter: number; quarters: number; source: 'covered' | 'self_pay' }
  | { do: 'cancel' | 'deliver'; which: number }
  | { do: 'confirm' | 'withdraw'; which: number; approvalId: string }
  | { do: 'move the clock'; quarter: number };

const quarter = fc.integer({ min: 0, max: 47 });
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('book' as const),
      practitioner: fc.integer({ min: 0, max: 1 }),
      quarter,
      quarters: fc.integer({ min: 1, max: 8 }),
      source: fc.constantFrom('covered' as const, 'self_pay' as const),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('cancel' as const, 'deliver' as const),
      which: fc.nat({ max: 30 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('confirm' as const, 'withdraw' as const),
      which: fc.nat({ max: 30 }),
      approvalId: fc.constantFrom('cmd_1', 'cmd_2'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('move the clock' as const), quarter }) },
);

interface ModelBooking {
  id: string;
  sessionId: string;
  practitioner: number;
  start: number;
  end: number;
  status: BookingStatus;
  delivered: boolean;
  readonly isCovered: boolean;
  /** The approvals of the booking by their IDs: true if the approval confirms the booking, false if its confirmation was withdrawn. */
  readonly approvals: Map<string, boolean>;
}

/** Returns whether the second practitioner offers sessions at this instant: from Saturday 21:00 to Sunday 05:00 in New York. */
function isNewYorkNight(instant: number): boolean {
  const local = DateTime.fromMillis(instant, { zone: 'America/New_York' });
  return (local.weekday === 6 && local.hour >= 21) || (local.weekday === 7 && local.hour < 5);
}

class Model {
  readonly bookings: ModelBooking[] = [];
  now = DAY_START - MINUTE_MS;

  statusOf({ status, delivered, start, end }: ModelBooking): SessionStatus {
    if (status === 'cancelled') return status;
    if (delivered || this.now > end) return 'delivered';
    return this.now > start ? 'in_progress' : status;
  }

  /** Returns the result that the model expects for a booking request: `done` or an error code. */
  book(practitioner: number, start: number, end: number): string {
    if (start < this.now) return 'session_in_past';
    for (let minute = start; practitioner === 1 && minute < end; minute += MINUTE_MS) {
      if (!isNewYorkNight(minute)) return 'outside_availability';
    }
    const taken = this.bookings.some(
      (other) =>
        other.practitioner === practitioner &&
        other.status !== 'cancelled' &&
        other.start < end &&
        start < other.end,
    );
    return taken ? 'slot_unavailable' : 'done';
  }

  /** Applies a cancellation or delivery to the model. Returns the result that the model expects: `done` or an error code. */
  step(kind: 'cancel' | 'deliver', booking: ModelBooking): string {
    const status = this.statusOf(booking);
    const isUpcoming = status === 'reserved' || status === 'confirmed';
    if (!isUpcoming && !(kind === 'deliver' && status === 'in_progress')) return 'invalid_state';
    if (kind === 'cancel') booking.status = 'cancelled';
    if (kind === 'deliver') booking.delivered = true;
    return 'done';
  }

  confirm(booking: ModelBooking, approvalId: string): string {
    const earlier = booking.approvals.get(approvalId);
    if (booking.status === 'cancelled' || earlier === false) return 'invalid_state';
    if (earlier === undefined && this.now > booking.start) return 'invalid_state';
    booking.approvals.set(approvalId, true);
    booking.status = 'confirmed';
    return 'done';
  }

  withdraw(booking: ModelBooking, approvalId: string): void {
    const wasConfirmed = booking.approvals.get(approvalId) === true;
    booking.approvals.set(approvalId, false);
    const isUndone =
      wasConfirmed &&
      booking.isCovered &&
      booking.status === 'confirmed' &&
      ![...booking.approvals.values()].includes(true);
    if (isUndone) booking.status = 'reserved';
  }
}

async function confirm(tenant: Tenant, bookingId: string, approvalId: string): Promise<string> {
  try {
    await careActivities(care.sql).confirmBooking({
      tenant,
      bookingId,
      preauthorizationId: 'preauth_1',
      approvalId,
    });
    return 'done';
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
}

async function step(tenant: Tenant, kind: 'cancel' | 'deliver', booking: ModelBooking): Promise<string> {
  const response =
    kind === 'cancel'
      ? await care.request('cancelBooking', {
          tenant,
          params: { booking_id: booking.id },
          body: { reason_code: 'person_unavailable' },
        })
      : await care.request('deliverSession', { tenant, params: { session_id: booking.sessionId } });
  return response.code ?? 'done';
}

async function executeCommand(
  tenant: Tenant,
  practitioners: string[],
  model: Model,
  command: Command,
): Promise<void> {
  switch (command.do) {
    case 'move the clock':
      // The clock is one minute before a quarter hour, so that the duration of the test changes no result.
      model.now = DAY_START + command.quarter * QUARTER_MS - MINUTE_MS;
      return care.database.setClockOffset(model.now - Date.now());
    case 'book': {
      const start = DAY_START + command.quarter * QUARTER_MS;
      const end = start + command.quarters * QUARTER_MS;
      const expected = model.book(command.practitioner, start, end);
      const { body, code } = await book(care, tenant, {
        practitioner_id: practitioners[command.practitioner] ?? '',
        starts_at: new Date(start).toISOString(),
        ends_at: new Date(end).toISOString(),
        payment_source: command.source,
      });
      expect(code ?? 'done').toBe(expected);
      if (expected !== 'done') return;
      const status = command.source === 'covered' ? 'reserved' : 'confirmed';
      model.bookings.push({
        id: body.id,
        sessionId: body.session_id,
        practitioner: command.practitioner,
        start,
        end,
        status,
        delivered: false,
        isCovered: command.source === 'covered',
        approvals: new Map(),
      });
      return;
    }
    case 'confirm':
    case 'withdraw': {
      const booking = model.bookings[command.which % Math.max(1, model.bookings.length)];
      if (booking === undefined) return;
      const { approvalId } = command;
      if (command.do === 'confirm') {
        const expected = model.confirm(booking, approvalId);
        expect(await confirm(tenant, booking.id, approvalId)).toBe(expected);
        return;
      }
      model.withdraw(booking, approvalId);
      const approval = { tenant, bookingId: booking.id, preauthorizationId: 'preauth_1', approvalId };
      return careActivities(care.sql).withdrawConfirmation(approval);
    }
    default: {
      const booking = model.bookings[command.which % Math.max(1, model.bookings.length)];
      if (booking === undefined) return;
      const expected = model.step(command.do, booking);
      expect(await step(tenant, command.do, booking)).toBe(expected);
    }
  }
}

async function expectSame(tenant: Tenant, model: Model): Promise<void> {
  const query = { limit: '100' };
  const sessions = (await care.request('listSessions', { tenant, query })).body.data;
  const bookings = (await care.request('listBookings', { tenant, query })).body.data;
  // The clock moves in both directions, so the last booking need not be the newest one.
  const rows = await care.sql<{ id: string }[]>`
    select id from bookings where project_id = ${tenant} order by created_at desc, id desc`;
  const newestFirst = rows.flatMap(({ id }) => model.bookings.filter((booking) => booking.id === id));
  expect(sessions.map(({ id, status }: { id: string; status: string }) => [id, status])).toEqual(
    newestFirst.map((booking) => [booking.sessionId, model.statusOf(booking)]),
  );
  expect(bookings.map(({ id, status }: { id: string; status: string }) => [id, status])).toEqual(
    newestFirst.map(({ id, status }) => [id, status]),
  );
}

test(
  'the service has the responses and states of the model after random commands at random times',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: COMMANDS, maxLength: COMMANDS }), async (commands) => {
        const tenant = newTenant();
        const model = new Model();
        const formats: 'online'[] = ['online'];
        const practitioners = [
          await addPractitioner(care.sql, tenant),
          await addPractitioner(care.sql, tenant, {
            reference: 'night',
            timezone: 'America/New_York',
            weeklyHours: [
              { weekday: 6, start: '21:00', end: '23:59', formats },
              { weekday: 0, start: '00:00', end: '05:00', formats },
            ],
          }),
        ];
        await care.database.setClockOffset(model.now - Date.now());
        for (const command of commands) await executeCommand(tenant, practitioners, model, command);
        await expectSame(tenant, model);
      }),
      { numRuns: RUNS, verbose: fc.VerbosityLevel.None },
    );
  },
  RUNS * 5_000,
);
