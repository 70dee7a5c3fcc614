import type { ClaimStatus } from '@carecover/contract';
import { fc } from '@carecover/testing';
import {
  creation,
  decide,
  type Event,
  end,
  evidence,
  History,
  lapse,
  query,
  reconcile,
  recover,
  remit,
  settle,
  settleRecovery,
} from '../testing/history';
import { knownInEffect, sumsOfPosition, sumsOfValuation } from '../testing/portfolio-sums';
import type { Fact } from './facts';
import { type Delta, deltasFrom, deltasInOrder } from './portfolio';
import { valueAt } from './valuation';

const START = 1_000;

interface RecordedDelta extends Delta {
  readonly recordedAt: number;
}

/**
 * A random commit. `waits` is the time since the previous commit, `delay` the time by which effective_at is before recorded_at; both are in
 * milliseconds.
 */
const commit = fc.record({
  waits: fc.integer({ min: 1, max: 20 }),
  delay: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 60 })),
  kind: fc.constantFrom(
    'decide',
    'remit',
    'recover',
    'settle',
    'settle_recovery',
    'reconcile',
    'query',
    'lapse',
    'evidence',
    'reverse',
    'cancel',
  ),
  amount: fc.integer({ min: 0, max: 150 }),
});
type Commit = typeof commit extends fc.Arbitrary<infer T> ? T : never;

function eventsOf({ kind, amount }: Commit, effectiveAt: number): readonly Event[] {
  switch (kind) {
    case 'decide':
      return [decide(amount, effectiveAt)];
    case 'remit':
      return [remit(amount, effectiveAt)];
    case 'recover':
      return [recover(amount, effectiveAt)];
    case 'settle_recovery':
      return [settleRecovery(amount, effectiveAt)];
    case 'settle':
      return [settle(amount, effectiveAt), reconcile(effectiveAt)];
    case 'reconcile':
      return [reconcile(effectiveAt)];
    case 'query':
      return [query()];
    case 'lapse':
      return [lapse(effectiveAt)];
    case 'evidence':
      return evidence();
    case 'reverse':
    case 'cancel':
      return [end(kind)];
  }
}

/** Commits changes in order, without those that are rejected. Returns the facts of each commit. */
function commitsOf(commits: readonly Commit[]): Fact[][] {
  const history = new History().commit(START, ...creation);
  const groups = [[...history.facts]];
  let now = START;
  for (const each of commits) {
    now += each.waits;
    const count = history.facts.length;
    try {
      history.commit(now, ...eventsOf(each, Math.max(START, now - each.delay)));
    } catch {
      continue;
    }
    groups.push(history.facts.slice(count));
  }
  return groups;
}

function isInOrder(earlier: readonly Fact[], facts: readonly Fact[]): boolean {
  const last = Math.max(Number.NEGATIVE_INFINITY, ...earlier.map((fact) => fact.effectiveAt));
  return facts.every((fact) => fact.effectiveAt >= last);
}

function deltasOf(groups: readonly (readonly Fact[])[]): RecordedDelta[] {
  return groups.flatMap((facts, index) => {
    const earlier = groups.slice(0, index).flat();
    const recordedAt = facts[0]?.recordedAt ?? Number.NaN;
    const deltas = deltasFrom([...earlier, ...facts], earlier.length);
    if (isInOrder(earlier, facts)) {
      const before = knownInEffect(earlier, { knownAt: recordedAt, effectiveThrough: recordedAt });
      expect(deltasInOrder(before, facts)).toEqual(deltas);
    }
    return deltas.map((delta) => ({ ...delta, recordedAt }));
  });
}

/** Adds up, by status, the deltas with recorded_at <= `knownAt` and effective_at <= `effectiveThrough`. */
function totalsOf(deltas: readonly RecordedDelta[], knownAt: number, effectiveThrough: number) {
  const totals: Partial<Record<ClaimStatus, Record<string, number>>> = {};
  for (const { status, effectiveAt, recordedAt, ...sums } of deltas) {
    if (recordedAt > knownAt || effectiveAt > effectiveThrough) continue;
    const total = totals[status] ?? {};
    for (const [name, value] of Object.entries(sums)) total[name] = (total[name] ?? 0) + value;
    totals[status] = total;
  }
  return Object.fromEntries(
    Object.entries(totals).filter(([, total]) => Object.values(total).some((value) => value !== 0)),
  );
}

function expectedOf(claim: { readonly status: string; readonly sums: object } | null) {
  return claim === null ? {} : { [claim.status]: claim.sums };
}

const cutoff = fc.integer({ min: START - 5, max: START + 400 });

test('the totals of the deltas known at one instant and in effect through another are the claim as its facts give it', () => {
  fc.assert(
    fc.property(
      fc.array(commit, { maxLength: 14 }),
      fc.array(fc.tuple(cutoff, cutoff), { maxLength: 30 }),
      (commits, cutoffs) => {
        const groups = commitsOf(commits);
        const facts = groups.flat();
        const deltas = deltasOf(groups);
        for (const [knownAt, effectiveThrough] of cutoffs) {
          const position = knownInEffect(facts, { knownAt, effectiveThrough });
          expect(totalsOf(deltas, knownAt, effectiveThrough)).toEqual(
            expectedOf(position === null ? null : sumsOfPosition(position)),
          );
        }
      },
    ),
  );
});

test('at one cutoff for both times they are the valuation', () => {
  fc.assert(
    fc.property(fc.array(commit, { maxLength: 14 }), cutoff, (commits, at) => {
      const groups = commitsOf(commits);
      const value = valueAt('clm_1', groups.flat(), at);
      const totals = totalsOf(deltasOf(groups), at, at);
      expect(totals).toEqual(expectedOf(value === null ? null : sumsOfValuation(value)));
    }),
  );
});

test('a commit in order has one delta per status that it concerns', () => {
  const history = new History().commit(1_000, ...creation);
  expect(deltasFrom(history.facts, 0)).toEqual([
    expect.objectContaining({ status: 'submitted', effectiveAt: 1_000, claims: 1, billed: 150 }),
  ]);
  history.commit(2_000, decide(100, 1_900));
  expect(
    deltasFrom(history.facts, 3).map(({ status, claims, effectiveAt }) => [status, claims, effectiveAt]),
  ).toEqual(
    expect.arrayContaining([
      ['submitted', -1, 1_900],
      ['partially_approved', 1, 1_900],
    ]),
  );
  history.commit(3_000, reconcile(2_900));
  expect(deltasFrom(history.facts, 4)).toEqual([]);
});

test('a decision that took effect before the one that it follows replaces it for every later instant, and counts alone in between', () => {
  const { facts } = new History()
    .commit(1_000, ...creation)
    .commit(2_000, decide(100, 1_900))
    .commit(3_000, decide(40, 1_500));
  expect(
    deltasFrom(facts, 4).map(({ effectiveAt, status, payerLiability }) => [
      effectiveAt,
      status,
      payerLiability,
    ]),
  ).toEqual(
    expect.arrayContaining([
      [1_500, 'submitted', 0],
      [1_500, 'partially_approved', 40],
      [1_900, 'partially_approved', -100],
    ]),
  );
});
