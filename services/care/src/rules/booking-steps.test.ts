import { confirmation, mayCancel, mayDeliver, returnsToReserved } from './booking-steps';
import { type SessionState, sessionStatus } from './session-status';

const startsAt = new Date('2027-03-01T10:00:00.000Z');
const endsAt = new Date('2027-03-01T11:00:00.000Z');
const before = new Date(startsAt.getTime() - 1);
const lastMoment = new Date(endsAt.getTime() - 1);

function session(changes: Partial<SessionState> = {}): SessionState {
  return { bookingStatus: 'reserved', startsAt, endsAt, deliveredEarly: false, ...changes };
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

  test('cancelled stays cancelled, whatever the clock says', () => {
    for (const now of [before, startsAt, endsAt]) {
      expect(sessionStatus(session({ bookingStatus: 'cancelled' }), now)).toBe('cancelled');
    }
  });

  test('delivered ahead of time is delivered, even if the clock steps back', () => {
    for (const now of [before, startsAt, endsAt]) {
      expect(sessionStatus(session({ deliveredEarly: true }), now)).toBe('delivered');
    }
  });
});

describe('cancelling', () => {
  test('is possible until the moment before the session starts', () => {
    expect(mayCancel(session(), before)).toBe(true);
    expect(mayCancel(session({ bookingStatus: 'confirmed' }), before)).toBe(true);
    expect(mayCancel(session(), startsAt)).toBe(false);
    expect(mayCancel(session(), endsAt)).toBe(false);
  });

  test('is not possible twice, nor once the session was delivered', () => {
    expect(mayCancel(session({ bookingStatus: 'cancelled' }), before)).toBe(false);
    expect(mayCancel(session({ deliveredEarly: true }), before)).toBe(false);
  });
});

describe('delivering ahead of time', () => {
  test('is possible before and during the session', () => {
    expect(mayDeliver(session(), before)).toBe(true);
    expect(mayDeliver(session(), lastMoment)).toBe(true);
  });

  test('is not possible after its end, twice, or after a cancellation', () => {
    expect(mayDeliver(session(), endsAt)).toBe(false);
    expect(mayDeliver(session({ deliveredEarly: true }), before)).toBe(false);
    expect(mayDeliver(session({ bookingStatus: 'cancelled' }), before)).toBe(false);
  });
});

describe('confirming by an approval', () => {
  test('a booking whose session has not begun is confirmed, also by a second approval', () => {
    expect(confirmation(session(), null, before)).toBe('confirm');
    expect(confirmation(session({ bookingStatus: 'confirmed' }), null, before)).toBe('confirm');
  });

  test('a repetition changes nothing, also after the session began', () => {
    const confirmed = session({ bookingStatus: 'confirmed' });
    expect(confirmation(confirmed, 'confirmed', before)).toBe('confirmed_already');
    expect(confirmation(confirmed, 'confirmed', endsAt)).toBe('confirmed_already');
  });

  test('a booking whose session was delivered ahead of time is confirmed: only its start ends the time to decide', () => {
    expect(confirmation(session({ deliveredEarly: true }), null, before)).toBe('confirm');
    expect(confirmation(session({ deliveredEarly: true }), null, startsAt)).toBe('reject');
  });

  test('a booking that was cancelled, or whose session has begun, is not confirmed', () => {
    expect(confirmation(session({ bookingStatus: 'cancelled' }), null, before)).toBe('reject');
    expect(confirmation(session({ bookingStatus: 'cancelled' }), 'confirmed', before)).toBe('reject');
    expect(confirmation(session(), null, startsAt)).toBe('reject');
  });

  test('an approval that was withdrawn does not confirm', () => {
    expect(confirmation(session(), 'withdrawn', before)).toBe('reject');
    expect(confirmation(session({ bookingStatus: 'confirmed' }), 'withdrawn', before)).toBe('reject');
  });
});

describe('withdrawing a confirmation', () => {
  const confirmed = session({ bookingStatus: 'confirmed' });

  test('takes the booking back to reserved until its session begins', () => {
    expect(returnsToReserved(confirmed, 'confirmed', false, before)).toBe(true);
    expect(returnsToReserved(confirmed, 'confirmed', false, startsAt)).toBe(false);
    expect(returnsToReserved({ ...confirmed, deliveredEarly: true }, 'confirmed', false, before)).toBe(false);
  });

  test('leaves a cancelled booking, and one that another approval confirmed', () => {
    expect(returnsToReserved(session({ bookingStatus: 'cancelled' }), 'confirmed', false, before)).toBe(
      false,
    );
    expect(returnsToReserved(confirmed, 'confirmed', true, before)).toBe(false);
  });

  test('undoes nothing that this approval did not do', () => {
    for (const approval of [null, 'withdrawn'] as const) {
      expect(returnsToReserved(confirmed, approval, false, before)).toBe(false);
    }
  });
});
