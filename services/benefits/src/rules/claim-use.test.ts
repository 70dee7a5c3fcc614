import type { SessionSnapshot } from '@carecover/workflow-claim';
import { rejectionCode } from '../testing/rejection-code';
import { canUse, checkClaim } from './claim-use';
import type { PreauthorizationState } from './preauthorization-expiry';

const check = {
  status: 'eligible',
  scheduledAt: new Date('2027-03-01T07:00:00Z'),
  serviceCode: 'psy.individual.50',
} as const;
const session: SessionSnapshot = {
  sessionId: 'ses_1',
  bookingId: 'bkg_1',
  practitionerId: 'prc_1',
  startsAt: '2027-03-01T07:00:00.000Z',
  endsAt: '2027-03-01T07:50:00.000Z',
  status: 'delivered',
  paymentSource: 'covered',
  recorded: null,
};

test('a delivered, covered session with the time and service of the check can be claimed', () => {
  expect(rejectionCode(() => checkClaim(check, session, ['travel', 'psy.individual.50']))).toBeNull();
});

test.each(['reserved', 'confirmed', 'in_progress', 'cancelled'] as const)(
  'a session that is %s is not delivered',
  (status) => {
    expect(rejectionCode(() => checkClaim(check, { ...session, status }, ['psy.individual.50']))).toBe(
      'session_not_delivered',
    );
  },
);

test('rules are checked in the order of the contract', () => {
  const worst: SessionSnapshot = {
    ...session,
    startsAt: '2027-03-02T07:00:00.000Z',
    paymentSource: 'self_pay',
    status: 'reserved',
  };
  const steps: [() => void, string][] = [
    [() => checkClaim({ ...check, status: 'ineligible' }, worst, []), 'not_eligible'],
    [() => checkClaim(check, worst, []), 'service_mismatch'],
    [() => checkClaim(check, { ...worst, startsAt: session.startsAt }, []), 'booking_not_covered'],
    [() => checkClaim(check, { ...session, status: 'reserved' }, []), 'session_not_delivered'],
    [() => checkClaim(check, session, ['travel']), 'service_mismatch'],
  ];
  for (const [step, code] of steps) expect(rejectionCode(step)).toBe(code);
});

test('a claim can use an approved pre-authorization of its check and booking before valid_until if no other claim uses it', () => {
  const validUntil = new Date('2027-05-01T00:00:00Z');
  const now = new Date(validUntil.getTime() - 1);
  const approved: PreauthorizationState = {
    status: 'approved',
    decideBy: new Date('2027-03-01T00:00:00Z'),
    isBeingApproved: false,
    validUntil,
    usedByClaimId: null,
    requestedAmount: 350_000,
  };
  const claim = { id: 'clm_1', eligibilityCheckId: 'elig_1', bookingId: 'bkg_1' };
  const requested = { eligibilityCheckId: 'elig_1', bookingId: 'bkg_1' };
  const can = (state: PreauthorizationState, at = now) => canUse({ ...requested, state }, claim, at);
  expect(can(approved)).toBe(true);
  expect(can({ ...approved, usedByClaimId: 'clm_1' })).toBe(true);
  expect(can({ ...approved, usedByClaimId: 'clm_2' })).toBe(false);
  expect(can(approved, validUntil)).toBe(false);
  for (const status of ['pending', 'denied', 'expired', 'cancelled'] as const)
    expect(can({ ...approved, status })).toBe(false);
  for (const other of [{ eligibilityCheckId: 'elig_2' }, { bookingId: 'bkg_2' }])
    expect(canUse({ ...requested, ...other, state: approved }, claim, now)).toBe(false);
});
