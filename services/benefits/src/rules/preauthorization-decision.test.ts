import { approval, denial } from '../testing/decisions';
import { approved, before, decideBy, ended, pending, used } from '../testing/preauthorization-states';
import { rejectionCode } from '../testing/rejection-code';
import { checkDecision } from './preauthorization-decision';

test('a decision is accepted only while pending and before the deadline', () => {
  const now = before(decideBy);
  for (const decision of [denial, approval(now.getTime())]) {
    expect(rejectionCode(() => checkDecision(pending, decision, now))).toBeNull();
    expect(rejectionCode(() => checkDecision(pending, decision, decideBy))).toBe('invalid_state');
    for (const state of [approved, used, ...ended]) {
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
