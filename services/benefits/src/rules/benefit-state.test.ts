import { approval, denial } from '../testing/decisions';
import { rejectionCode } from '../testing/rejection-code';
import {
  type BenefitState,
  checkCancellation,
  checkDecision,
  checkExpiry,
  deadlineOf,
  isDue,
  isOpen,
  isUsableBy,
} from './benefit-state';

const decideBy = new Date('2027-03-01T00:00:00Z');
const validUntil = new Date('2027-05-01T00:00:00Z');
const before = (instant: Date) => new Date(instant.getTime() - 1);

const pending: BenefitState = {
  status: 'pending',
  decideBy,
  isBeingApproved: false,
  validUntil: null,
  usedByClaimId: null,
  requestedAmount: 350_000,
};
const approved: BenefitState = { ...pending, status: 'approved', validUntil };
const used: BenefitState = { ...approved, usedByClaimId: 'clm_1' };
const ended = (['denied', 'expired', 'cancelled'] as const).map(
  (status): BenefitState => ({ ...pending, status }),
);

test('a pending one is due from decide_by on, an approved one from valid_until on', () => {
  expect(isDue(pending, before(decideBy))).toBe(false);
  expect(isDue(pending, decideBy)).toBe(true);
  expect(isDue(approved, before(validUntil))).toBe(false);
  expect(isDue(approved, validUntil)).toBe(true);
});

test('one that a claim uses, one that is being approved and one that has ended are never due', () => {
  for (const state of [used, { ...pending, isBeingApproved: true }, ...ended]) {
    expect(deadlineOf(state)).toBeNull();
    expect(isDue(state, new Date('9999-01-01T00:00:00Z'))).toBe(false);
  }
});

test('a decision is accepted only while pending and before the deadline', () => {
  const now = before(decideBy);
  for (const decision of [denial, approval(now.getTime())]) {
    expect(rejectionCode(() => checkDecision(pending, decision, now))).toBeNull();
    expect(rejectionCode(() => checkDecision(pending, decision, decideBy))).toBe('invalid_state');
    for (const state of [approved, used, { ...pending, isBeingApproved: true }, ...ended]) {
      expect(rejectionCode(() => checkDecision(state, decision, now))).toBe('invalid_state');
    }
  }
});

test('an approval is at most the requested amount, and its valid_until is in the future', () => {
  const now = before(decideBy);
  const of = (amount: number, validForMs: number) =>
    rejectionCode(() =>
      checkDecision(pending, approval(now.getTime(), { approved_amount: amount, validForMs }), now),
    );
  expect(of(350_000, 1)).toBeNull();
  expect(of(350_001, 1)).toBe('amount_exceeds_request');
  expect(of(350_000, 0)).toBe('valid_until_in_past');
  expect(of(350_001, 0)).toBe('amount_exceeds_request');
});

test.each([
  ['cancelling', checkCancellation],
  ['expiring', checkExpiry],
])('%s ends a pending or an approved one, unless it is due, used or ended', (_, check) => {
  const now = before(decideBy);
  expect(rejectionCode(() => check(pending, now))).toBeNull();
  expect(rejectionCode(() => check(approved, now))).toBeNull();
  expect(rejectionCode(() => check(pending, decideBy))).toBe('invalid_state');
  expect(rejectionCode(() => check(approved, validUntil))).toBe('invalid_state');
  for (const state of [used, ...ended]) expect(rejectionCode(() => check(state, now))).toBe('invalid_state');
});

test('a claim can use an approved one before valid_until if no other claim uses it', () => {
  const now = before(validUntil);
  expect(isUsableBy(approved, 'clm_1', now)).toBe(true);
  expect(isUsableBy(used, 'clm_1', now)).toBe(true);
  expect(isUsableBy(used, 'clm_2', now)).toBe(false);
  expect(isUsableBy(approved, 'clm_1', validUntil)).toBe(false);
  for (const state of [pending, ...ended]) expect(isUsableBy(state, 'clm_1', now)).toBe(false);
});

test('one is open while it is pending or approved and not due', () => {
  expect([pending, approved, used].map((state) => isOpen(state, before(decideBy)))).toEqual([
    true,
    true,
    true,
  ]);
  expect(ended.map((state) => isOpen(state, before(decideBy)))).toEqual([false, false, false]);
  expect(isOpen(pending, decideBy)).toBe(false);
  expect(isOpen(used, new Date('2099-01-01T00:00:00Z'))).toBe(true);
});
