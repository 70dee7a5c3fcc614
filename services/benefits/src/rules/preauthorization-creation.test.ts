import type { BookingSnapshot } from '@carecover/workflow-preauthorization';
import { rejectionCode } from '../testing/rejection-code';
import { checkCreation, checkSessionAhead } from './preauthorization-creation';
import { decideBy } from './preauthorization-expiry';

const startsAt = new Date('2027-03-01T07:00:00.000Z');
const check = { status: 'eligible', scheduledAt: startsAt, isRetrospective: false } as const;
const booking: BookingSnapshot = {
  bookingId: 'bkg_1',
  sessionId: 'ses_1',
  startsAt: startsAt.toISOString(),
  endsAt: '2027-03-01T07:50:00.000Z',
  status: 'reserved',
  paymentSource: 'covered',
  isRecorded: false,
};

test('an eligible check and a covered booking of the same time are accepted, also if the booking is confirmed', () => {
  expect(rejectionCode(() => checkCreation(check, booking))).toBeNull();
  expect(rejectionCode(() => checkCreation(check, { ...booking, status: 'confirmed' }))).toBeNull();
});

test('rules are checked in the order of the contract', () => {
  const worst = { ...booking, paymentSource: 'self_pay', status: 'cancelled' } as const;
  const elsewhere = { status: 'ineligible', scheduledAt: new Date(0), isRetrospective: true } as const;
  expect(rejectionCode(() => checkCreation(elsewhere, worst))).toBe('not_eligible');
  expect(rejectionCode(() => checkCreation({ ...elsewhere, status: 'eligible' }, worst))).toBe(
    'booking_not_covered',
  );
  expect(
    rejectionCode(() =>
      checkCreation({ ...elsewhere, status: 'eligible' }, { ...worst, paymentSource: 'covered' }),
    ),
  ).toBe('invalid_state');
  expect(rejectionCode(() => checkCreation({ ...elsewhere, status: 'eligible' }, booking))).toBe(
    'service_mismatch',
  );
});

test("a creation from the session's start on is rejected", () => {
  const before = new Date(startsAt.getTime() - 1);
  expect(rejectionCode(() => checkSessionAhead(check, booking, before))).toBeNull();
  expect(rejectionCode(() => checkSessionAhead(check, booking, startsAt))).toBe('session_in_past');
});

test("a creation from the session's start on needs a recorded session and a retrospective check", () => {
  const codeOf = (isRecorded: boolean, isRetrospective: boolean) =>
    rejectionCode(() =>
      checkSessionAhead({ ...check, isRetrospective }, { ...booking, isRecorded }, startsAt),
    );
  expect(codeOf(true, true)).toBeNull();
  expect(codeOf(true, false)).toBe('session_in_past');
  expect(codeOf(false, true)).toBe('session_in_past');
});

test('a decision can be made for 14 days, or until the session starts', () => {
  const created = new Date('2027-02-10T07:00:00.000Z');
  expect(decideBy(created, startsAt).toISOString()).toBe('2027-02-24T07:00:00.000Z');
  expect(decideBy(new Date('2027-02-20T07:00:00.000Z'), startsAt)).toEqual(startsAt);
});

test('a decision on a session that has started can be made for 14 days', () => {
  expect(decideBy(startsAt, startsAt).toISOString()).toBe('2027-03-15T07:00:00.000Z');
  expect(decideBy(new Date('2027-04-01T07:00:00.000Z'), startsAt).toISOString()).toBe(
    '2027-04-15T07:00:00.000Z',
  );
});
