import {
  approved,
  before,
  decideBy,
  ended,
  pending,
  used,
  validUntil,
} from '../testing/preauthorization-states';
import { rejectionCode } from '../testing/rejection-code';
import { checkEnd, deadlineOf, isDue, isOpen, type PreauthorizationState } from './preauthorization-expiry';

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

test.each(['cancelled', 'expired'] as const)(
  'a pending or approved one can be %s unless it is due, used or ended',
  (end) => {
    const check = (state: PreauthorizationState, now: Date) => checkEnd(state, now, end);
    const now = before(decideBy);
    expect(rejectionCode(() => check(pending, now))).toBeNull();
    expect(rejectionCode(() => check(approved, now))).toBeNull();
    expect(rejectionCode(() => check(pending, decideBy))).toBe('invalid_state');
    expect(rejectionCode(() => check(approved, validUntil))).toBe('invalid_state');
    for (const state of [used, ...ended])
      expect(rejectionCode(() => check(state, now))).toBe('invalid_state');
  },
);

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
