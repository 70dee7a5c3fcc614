import { eligibilityReasonCodes } from '@carecover/contract';
import { fc } from '@carecover/testing';
import { type CoverageSnapshot, decideEligibility } from './eligibility';

const at = new Date('2027-03-01T07:00:00Z');
const question = { scheduledAt: at, amount: 100 };

function coverage(overrides: Partial<CoverageSnapshot> = {}): CoverageSnapshot {
  return {
    coverageId: 'cov_1',
    observationId: 'cobs_1',
    status: 'active',
    amountLimit: 100,
    remainingSessions: 1,
    authorizationRequired: true,
    coordinationPriority: null,
    validFrom: new Date('2027-01-01T00:00:00Z'),
    validUntil: new Date('2028-01-01T00:00:00Z'),
    observedAt: new Date('2027-02-01T00:00:00Z'),
    recording: 1,
    ...overrides,
  };
}

const reasons = (...coverages: CoverageSnapshot[]) => decideEligibility(question, coverages).reasonCodes;
const evaluated = (...coverages: CoverageSnapshot[]) =>
  decideEligibility(question, coverages).coverage?.coverageId;

describe('one coverage', () => {
  test('that is active, with a remaining session and a sufficient limit, is eligible', () => {
    expect(decideEligibility(question, [coverage()])).toEqual({
      eligible: true,
      reasonCodes: ['eligible'],
      coverage: coverage(),
    });
  });

  test('applies from valid_from until before valid_until', () => {
    expect(reasons(coverage({ validFrom: at }))).toEqual(['eligible']);
    expect(reasons(coverage({ validFrom: new Date(at.getTime() + 1) }))).toEqual(['outside_coverage_period']);
    expect(reasons(coverage({ validUntil: at }))).toEqual(['outside_coverage_period']);
    expect(reasons(coverage({ validUntil: new Date(at.getTime() + 1) }))).toEqual(['eligible']);
  });

  test.each([
    [{ status: 'paused' }, ['coverage_inactive']],
    [{ status: 'expired' }, ['coverage_inactive']],
    [{ status: 'exhausted' }, ['benefit_exhausted']],
    [{ remainingSessions: 0 }, ['benefit_exhausted']],
    [{ status: 'exhausted', remainingSessions: 0 }, ['benefit_exhausted']],
    [{ amountLimit: 99 }, ['amount_exceeds_benefit']],
    [{ status: 'paused', remainingSessions: 0 }, ['coverage_inactive', 'benefit_exhausted']],
    [
      { status: 'expired', validUntil: at, remainingSessions: 0, amountLimit: 1 },
      ['coverage_inactive', 'outside_coverage_period', 'benefit_exhausted', 'amount_exceeds_benefit'],
    ],
  ] as const)('with %j is evaluated %j', (overrides, expected) => {
    expect(reasons(coverage(overrides))).toEqual(expected);
  });
});

describe('several coverages', () => {
  test('no coverage: coverage_not_found as the only reason', () => {
    expect(decideEligibility(question, [])).toEqual({
      eligible: false,
      reasonCodes: ['coverage_not_found'],
      coverage: null,
    });
  });

  test.each([
    [1, 1],
    [null, null],
  ])(
    'two active ones of equal priority (%j, %j): coordination_required as the only reason, without a coverage',
    (a, b) => {
      const live = [coverage({ coordinationPriority: a }), coverage({ coordinationPriority: b })];
      expect(decideEligibility({ ...question, amount: 1_000 }, live)).toEqual({
        eligible: false,
        reasonCodes: ['coordination_required'],
        coverage: null,
      });
    },
  );

  test('of the active ones, the only one with the highest priority is evaluated; null is the lowest', () => {
    const second = coverage({ coverageId: 'cov_2', coordinationPriority: 2 });
    const first = coverage({ coverageId: 'cov_1', coordinationPriority: 1 });
    const last = coverage({ coverageId: 'cov_9', coordinationPriority: null });
    expect(evaluated(last, second, first)).toBe('cov_1');
    expect(evaluated(last, second)).toBe('cov_2');
    expect(evaluated(second, first, { ...last }, { ...last })).toBe('cov_1');
  });

  test('an active one is evaluated even if it is exhausted and another has sessions', () => {
    const spent = coverage({ coordinationPriority: 1, remainingSessions: 0 });
    expect(reasons(spent, coverage({ coordinationPriority: 2 }))).toEqual(['benefit_exhausted']);
  });

  test('an inactive one with a higher priority does not block an active one', () => {
    const paused = coverage({ coverageId: 'cov_1', coordinationPriority: 1, status: 'paused' });
    expect(evaluated(paused, coverage({ coverageId: 'cov_2' }))).toBe('cov_2');
  });

  test('if none is active, the highest priority is evaluated, then the latest observed, then the latest recorded', () => {
    const paused = (id: string, more: Partial<CoverageSnapshot>) =>
      coverage({ coverageId: id, status: 'paused', ...more });
    const later = new Date('2027-02-02T00:00:00Z');
    expect(
      evaluated(
        paused('a', { coordinationPriority: 2, observedAt: later }),
        paused('b', { coordinationPriority: 1 }),
      ),
    ).toBe('b');
    expect(evaluated(paused('a', {}), paused('b', { coordinationPriority: 100 }))).toBe('b');
    expect(evaluated(paused('a', { observedAt: later }), paused('b', { recording: 9 }))).toBe('a');
    expect(evaluated(paused('a', { recording: 2 }), paused('b', { recording: 3 }))).toBe('b');
  });
});

const anyCoverage = fc.record({
  status: fc.constantFrom('active' as const, 'paused' as const, 'exhausted' as const, 'expired' as const),
  amountLimit: fc.integer({ min: 1, max: 200 }),
  remainingSessions: fc.integer({ min: 0, max: 2 }),
  coordinationPriority: fc.option(fc.integer({ min: 1, max: 3 })),
  validFrom: fc.constantFrom(new Date(0), at, new Date(at.getTime() + 1)),
  validUntil: fc.constantFrom(at, new Date(at.getTime() + 1)),
  recording: fc.integer({ min: 1, max: 1_000_000 }),
});

test('every decision lists its reasons in the order of the contract, and is eligible exactly if there is no reason against it', () => {
  fc.assert(
    fc.property(fc.array(anyCoverage, { maxLength: 5 }), (drawn) => {
      const coverages = drawn.map((each) => coverage(each));
      const { eligible, reasonCodes, coverage: chosen } = decideEligibility(question, coverages);
      const order = reasonCodes.map((code) => eligibilityReasonCodes.indexOf(code));
      expect(order).toEqual([...new Set(order)].sort((a, b) => a - b));
      expect(eligible).toBe(reasonCodes.includes('eligible'));
      if (eligible) {
        expect(reasonCodes).toEqual(['eligible']);
        expect(chosen?.status).toBe('active');
        expect(chosen?.remainingSessions).toBeGreaterThan(0);
      }
      if (chosen === null) expect(reasonCodes).toHaveLength(1);
    }),
  );
});
