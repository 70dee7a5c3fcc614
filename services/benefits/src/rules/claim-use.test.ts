import { ApiError } from '@carecover/platform';
import type { SessionFacts } from '@carecover/workflow-claim';
import { checkClaim } from './claim-use';

const check = {
  status: 'eligible',
  scheduledAt: new Date('2027-03-01T07:00:00Z'),
  serviceCode: 'psy.individual.50',
} as const;
const session: SessionFacts = {
  sessionId: 'ses_1',
  bookingId: 'bkg_1',
  practitionerId: 'prc_1',
  startsAt: '2027-03-01T07:00:00.000Z',
  endsAt: '2027-03-01T07:50:00.000Z',
  status: 'delivered',
  paymentSource: 'covered',
};

function codeOf(work: () => void): string | null {
  try {
    work();
    return null;
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
}

test('a delivered, covered session with the time and service of the check can be claimed', () => {
  expect(codeOf(() => checkClaim(check, session, ['travel', 'psy.individual.50']))).toBeNull();
});

test.each(['reserved', 'confirmed', 'in_progress', 'cancelled'] as const)(
  'a session that is %s is not delivered',
  (status) => {
    expect(codeOf(() => checkClaim(check, { ...session, status }, ['psy.individual.50']))).toBe(
      'session_not_delivered',
    );
  },
);

test('rules are checked in the order of the contract', () => {
  const worst: SessionFacts = {
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
  for (const [step, code] of steps) expect(codeOf(step)).toBe(code);
});
