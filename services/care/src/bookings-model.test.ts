/** Random stories of bookings against a model that is written apart from the service: who asks what, in any order, at any time. */

import type { BookingStatus, SessionStatus } from '@carecover/contract';
import { fc } from '@carecover/local/properties';
import { newTenant, testSize } from '@carecover/local/testing';
import { ApiError, type Tenant } from '@carecover/platform';
import { DateTime } from 'luxon';
import { careActivities } from './activities';
import { book, givePractitioner } from './testing/fixtures';
import { startTestCare, type TestCare } from './testing/test-care';

const STORIES = testSize({ ci: 8, soak: 200 });
const COMMANDS = 30;
const MINUTE_MS = 60_000;
const QUARTER_MS = 15 * MINUTE_MS;
/** The night in which New York's clocks go forward, at 07:00 UTC. */
const NIGHT = Date.parse('2027-03-14T00:00:00Z');

let care: TestCare;

beforeAll(async () => {
  care = await startTestCare();
});
afterAll(() => care.stop());

type Command =
  | { do: 'book'; who: number; quarter: number; quarters: number; source: 'covered' | 'self_pay' }
  | { do: 'cancel' | 'deliver'; which: number }
  | { do: 'confirm' | 'withdraw'; which: number; approvalId: string }
  | { do: 'move the clock'; quarter: number };

const quarter = fc.integer({ min: 0, max: 47 });
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('book' as const),
      who: fc.integer({ min: 0, max: 1 }),
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
  who: number;
  start: number;
  end: number;
  status: BookingStatus;
  delivered: boolean;
  readonly isCovered: boolean;
  /** What each approval did: true for a confirmation that stands, false for a withdrawn one. */
  readonly approvals: Map<string, boolean>;
}

/** What the second practitioner's wall clock must show: Saturday from 21:00, Sunday until 05:00. */
function isNewYorkNight(instant: number): boolean {
  const wall = DateTime.fromMillis(instant, { zone: 'America/New_York' });
  return (wall.weekday === 6 && wall.hour >= 21) || (wall.weekday === 7 && wall.hour < 5);
}

class Model {
  readonly bookings: ModelBooking[] = [];
  now = NIGHT - MINUTE_MS;

  statusOf({ status, delivered, start, end }: ModelBooking): SessionStatus {
    if (status === 'cancelled') return status;
    if (delivered || this.now > end) return 'delivered';
    return this.now > start ? 'in_progress' : status;
  }

  /** What booking answers. */
  evaluate(who: number, start: number, end: number): string {
    if (start < this.now) return 'session_in_past';
    for (let minute = start; who === 1 && minute < end; minute += MINUTE_MS) {
      if (!isNewYorkNight(minute)) return 'outside_availability';
    }
    const taken = this.bookings.some(
      (other) => other.who === who && other.status !== 'cancelled' && other.start < end && start < other.end,
    );
    return taken ? 'slot_unavailable' : 'done';
  }

  /** What a step answers, and does. */
  step(kind: 'cancel' | 'deliver', booking: ModelBooking): string {
    const status = this.statusOf(booking);
    const waiting = status === 'reserved' || status === 'confirmed';
    if (!waiting && !(kind === 'deliver' && status === 'in_progress')) return 'invalid_state';
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
      this.statusOf(booking) === 'confirmed' &&
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
  const answer =
    kind === 'cancel'
      ? await care.ask('cancelBooking', {
          tenant,
          params: { booking_id: booking.id },
          body: { reason_code: 'person_unavailable' },
        })
      : await care.ask('deliverSession', { tenant, params: { session_id: booking.sessionId } });
  return answer.code ?? 'done';
}

async function executeCommand(
  tenant: Tenant,
  practitioners: string[],
  model: Model,
  command: Command,
): Promise<void> {
  switch (command.do) {
    case 'move the clock':
      // A minute before a quarter, so that the time which the story takes never matters.
      model.now = NIGHT + command.quarter * QUARTER_MS - MINUTE_MS;
      return care.database.setClockOffset(model.now - Date.now());
    case 'book': {
      const start = NIGHT + command.quarter * QUARTER_MS;
      const end = start + command.quarters * QUARTER_MS;
      const expected = model.evaluate(command.who, start, end);
      const { body, code } = await book(care, tenant, {
        practitioner_id: practitioners[command.who] ?? '',
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
        who: command.who,
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
  const sessions = (await care.ask('listSessions', { tenant, query })).body.data;
  const bookings = (await care.ask('listBookings', { tenant, query })).body.data;
  const newestFirst = [...model.bookings].reverse();
  expect(sessions.map(({ id, status }: { id: string; status: string }) => [id, status])).toEqual(
    newestFirst.map((booking) => [booking.sessionId, model.statusOf(booking)]),
  );
  expect(bookings.map(({ id, status }: { id: string; status: string }) => [id, status])).toEqual(
    newestFirst.map(({ id, status }) => [id, status]),
  );
}

test(
  'whatever is asked in whatever order and at whatever time, the service answers and stands as the model',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: COMMANDS, maxLength: COMMANDS }), async (story) => {
        const tenant = newTenant();
        const model = new Model();
        const formats: 'online'[] = ['online'];
        const practitioners = [
          await givePractitioner(care.sql, tenant),
          await givePractitioner(care.sql, tenant, {
            reference: 'night',
            timezone: 'America/New_York',
            weeklyHours: [
              { weekday: 6, start: '21:00', end: '23:59', formats },
              { weekday: 0, start: '00:00', end: '05:00', formats },
            ],
          }),
        ];
        await care.database.setClockOffset(model.now - Date.now());
        for (const command of story) await executeCommand(tenant, practitioners, model, command);
        await expectSame(tenant, model);
      }),
      { numRuns: STORIES, verbose: fc.VerbosityLevel.None },
    );
  },
  STORIES * 5_000,
);
