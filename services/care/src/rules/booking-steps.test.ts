import {
  type ConfirmableBooking,
  canCancel,
  canDeliver,
  decideConfirmation,
  returnsToReserved,
} from './booking-steps';
import { type SessionState, sessionStatus } from './session-status';

const startsAt = new Date('2027-03-01T10:00:00.000Z');
const endsAt = new Date('2027-03-01T11:00:00.000Z');
const before = new Date(startsAt.getTime() - 1);
const lastMoment = new Date(endsAt.getTime() - 1);

function session(changes: Partial<SessionState> = {}): SessionState {
  return { bookingStatus: 'reserved', startsAt, endsAt, deliveredEarly: false, ...changes };
}

function booking(changes: Partial<ConfirmableBooking> = {}): ConfirmableBooking {
  return { ...session(), isRecorded: false, ...changes };
}

describe("a session's status", () => {
  test.each([
    ['reserved', before, 'reserved'],
    ['confirmed', before, 'confirmed'],
    ['reserved', startsAt, 'in_progress'],
    ['confirmed', startsAt, 'in_progress'],
    ['confirmed', lastMoment, 'in_progress'],
    ['reserved', endsAt, 'delivered'],
    ['confirmed', endsAt, 'delivered'],
  ] as const)('of a %s booking at %j is %s', (bookingStatus, now, status) => {
    expect(sessionStatus(session({ bookingStatus }), now)).toBe(status);
  });

  test('stays cancelled at any time after a cancellation', () => {
    for (const now of [before, startsAt, endsAt]) {
      expect(sessionStatus(session({ bookingStatus: 'cancelled' }), now)).toBe('cancelled');
    }
  });

  test('stays delivered after an early delivery, even if the clock steps back', () => {
    for (const now of [before, startsAt, endsAt]) {
      expect(sessionStatus(session({ deliveredEarly: true }), now)).toBe('delivered');
    }
  });
});

describe('cancellation', () => {
  test('is possible until the session starts', () => {
    expect(canCancel(session(), before)).toBe(true);
    expect(canCancel(session({ bookingStatus: 'confirmed' }), before)).toBe(true);
    expect(canCancel(session(), startsAt)).toBe(false);
    expect(canCancel(session(), endsAt)).toBe(false);
  });

  test('is not possible twice, or after the session was delivered', () => {
    expect(canCancel(session({ bookingStatus: 'cancelled' }), before)).toBe(false);
    expect(canCancel(session({ deliveredEarly: true }), before)).toBe(false);
  });
});

describe('early delivery', () => {
  test('is possible before and during the session', () => {
    expect(canDeliver(session(), before)).toBe(true);
    expect(canDeliver(session(), lastMoment)).toBe(true);
  });

  test('is not possible after its end, twice, or after a cancellation', () => {
    expect(canDeliver(session(), endsAt)).toBe(false);
    expect(canDeliver(session({ deliveredEarly: true }), before)).toBe(false);
    expect(canDeliver(session({ bookingStatus: 'cancelled' }), before)).toBe(false);
  });
});

describe('confirmation by an approval', () => {
  test('a booking whose session has not started is confirmed, also by a second approval', () => {
    expect(decideConfirmation(booking(), null, before)).toBe('confirm');
    expect(decideConfirmation(booking({ bookingStatus: 'confirmed' }), null, before)).toBe('confirm');
  });

  test('a repeated request changes nothing, also after the session started', () => {
    const confirmed = booking({ bookingStatus: 'confirmed' });
    expect(decideConfirmation(confirmed, 'confirmed', before)).toBe('already_confirmed');
    expect(decideConfirmation(confirmed, 'confirmed', endsAt)).toBe('already_confirmed');
  });

  test('a booking whose session was delivered early can be confirmed until its planned start', () => {
    expect(decideConfirmation(booking({ deliveredEarly: true }), null, before)).toBe('confirm');
    expect(decideConfirmation(booking({ deliveredEarly: true }), null, startsAt)).toBe('reject');
  });

  test('a booking of a recorded session is confirmed at any time, unless it was cancelled', () => {
    for (const now of [before, startsAt, endsAt]) {
      expect(decideConfirmation(booking({ isRecorded: true }), null, now)).toBe('confirm');
    }
    const cancelled = booking({ isRecorded: true, bookingStatus: 'cancelled' });
    expect(decideConfirmation(cancelled, null, before)).toBe('reject');
  });

  test('a booking that was cancelled, or whose session has started, is not confirmed', () => {
    expect(decideConfirmation(booking({ bookingStatus: 'cancelled' }), null, before)).toBe('reject');
    expect(decideConfirmation(booking({ bookingStatus: 'cancelled' }), 'confirmed', before)).toBe('reject');
    expect(decideConfirmation(booking(), null, startsAt)).toBe('reject');
  });

  test('a withdrawn approval does not confirm', () => {
    expect(decideConfirmation(booking(), 'withdrawn', before)).toBe('reject');
    expect(decideConfirmation(booking({ bookingStatus: 'confirmed' }), 'withdrawn', before)).toBe('reject');
  });
});

describe('withdrawal of a confirmation', () => {
  test('returns the booking to reserved', () => {
    expect(returnsToReserved('confirmed', 'confirmed', false)).toBe(true);
  });

  test('does not change a cancelled booking, or one that another approval confirms', () => {
    expect(returnsToReserved('cancelled', 'confirmed', false)).toBe(false);
    expect(returnsToReserved('confirmed', 'confirmed', true)).toBe(false);
  });

  test('changes nothing if this approval confirmed nothing', () => {
    for (const approval of [null, 'withdrawn'] as const) {
      expect(returnsToReserved('confirmed', approval, false)).toBe(false);
    }
  });
});
