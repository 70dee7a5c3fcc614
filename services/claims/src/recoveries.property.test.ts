/**
 * Random histories of remittances, recoveries, withdrawals of both, settlements and reversals, valued at random cutoffs, against a plain model that adds up amounts
 * and knows nothing of the service's rules. All amounts agree to the minor unit, none is below zero, and the billed amount is divided without
 * a rest at every cutoff.
 */
import { type ClaimValuation, validateOutput } from '@carecover/contract';
import { fc } from '@carecover/testing';
import { testSize } from '@carecover/testing/servers';
import type { Fact } from './rules/facts';
import { deltasFrom } from './rules/portfolio';
import { recoveryChange, remittanceChange, settlementChanges, withdrawalChanges } from './rules/remittance';
import { timelineOf } from './rules/timeline';
import { valueAt } from './rules/valuation';
import { creation, decide, type Event, end, History } from './testing/history';
import { sumsOfValuation } from './testing/portfolio-sums';

const CLAIM = 'clm_1';
const START = Date.parse('2026-03-02T08:00:00.000Z');
const BILLED = 150;
const APPROVED = 100;

type Kind =
  | 'remit'
  | 'take_back'
  | 'withdraw'
  | 'settle'
  | 'settle_recovery'
  | 'reverse_settlement'
  | 'reverse_claim';

interface Step {
  readonly kind: Kind;
  /** The time since the previous commit, and the time by which the change took effect before it was recorded, in milliseconds. */
  readonly waits: number;
  readonly delay: number;
  /** The part of the possible amount that moves, and which settlement is reversed: fractions from 0 to 1. */
  readonly share: number;
}

interface Movement {
  readonly sum: 'remitted' | 'settled';
  /** In minor units, with its sign. */
  readonly amount: number;
  readonly effective: number;
  readonly recorded: number;
}

/** Adds up the amounts of movements that were recorded by `known` and took effect by `effective`. */
function total(movements: readonly Movement[], sum: Movement['sum'], known: number, effective: number) {
  return movements
    .filter((each) => each.sum === sum && each.recorded <= known && each.effective <= effective)
    .reduce((amount, each) => amount + each.amount, 0);
}

/** A claim of {@link BILLED} of which {@link APPROVED} was approved, with a list of what moved. */
class Subject {
  readonly history = new History()
    .commit(START, ...creation)
    .commit(START + 10, decide(APPROVED, START + 10));
  readonly movements: Movement[] = [];
  /** The settlements that are not reversed, with their signed amounts. */
  private readonly settlements: { readonly id: string; readonly amount: number }[] = [];
  private readonly statuses: {
    readonly status: string;
    readonly effective: number;
    readonly recorded: number;
  }[] = [
    { status: 'submitted', effective: START, recorded: START },
    { status: 'partially_approved', effective: START + 10, recorded: START + 10 },
  ];
  private now = START + 10;
  private count = 0;
  private reversedAt: { readonly effective: number; readonly recorded: number } | null = null;

  private sum(sum: Movement['sum']): number {
    return total(this.movements, sum, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);
  }

  /** The amount of recoveries that no settlement has settled. */
  private get toDeduct(): number {
    const negative = (moved: readonly { readonly amount: number }[]) =>
      moved.reduce((sum, { amount }) => sum + Math.min(0, amount), 0);
    return negative(this.settlements) - negative(this.movements.filter(({ sum }) => sum === 'remitted'));
  }

  /** The first instant from `at` on at and after which the sum is never below `amount`, found by trying every instant. */
  private coveredFrom(sum: Movement['sum'], amount: number, at: number): number {
    const instants = [at, ...this.movements.map(({ effective }) => effective)];
    const isCovered = (from: number) =>
      instants.every(
        (other) => other < from || total(this.movements, sum, Number.POSITIVE_INFINITY, other) >= amount,
      );
    return Math.min(...instants.filter((from) => from >= at && isCovered(from)));
  }

  take({ kind, waits, delay, share }: Step): void {
    this.now += waits;
    this.count += 1;
    const at = Math.max(START, this.now - delay);
    const part = (most: number) => Math.max(1, Math.floor(most * share));
    switch (kind) {
      case 'remit': {
        const most = APPROVED - this.sum('remitted');
        if (most > 0) this.remit(part(most), at);
        return;
      }
      case 'take_back': {
        const most = this.sum('remitted');
        if (most > 0) this.takeBack(part(most), at);
        return;
      }
      case 'withdraw': {
        // The net of both lines of the claim is withdrawn: at most what is remitted, and at most what no other remittance has used.
        const [most, left] = [this.sum('remitted'), APPROVED - this.sum('remitted')];
        const net = Math.round((most + left) * share) - most;
        const recovered = Math.max(0, net) + (delay % 3) * 40;
        const allocated = recovered - net;
        if (allocated + recovered > 0) this.withdraw(allocated, recovered);
        return;
      }
      case 'settle': {
        const most = APPROVED - this.sum('settled');
        if (most > 0) this.settle(part(most), at, `stl_${this.count}`);
        return;
      }
      case 'settle_recovery': {
        const most = Math.min(this.toDeduct, this.sum('settled'));
        if (most > 0) this.settle(-part(most), at, `stl_${this.count}`);
        return;
      }
      case 'reverse_settlement': {
        const index = Math.min(this.settlements.length - 1, Math.floor(share * this.settlements.length));
        const reversed = this.settlements[index];
        if (reversed === undefined) return;
        const left = this.sum('settled') - reversed.amount;
        if (left < 0 || left > APPROVED) return;
        this.settlements.splice(index, 1);
        this.settle(-reversed.amount, null, reversed.id);
        return;
      }
      case 'reverse_claim':
        if (this.reversedAt !== null) return;
        this.reversedAt = { effective: this.now, recorded: this.now };
        this.commit(end('reverse'), 'reversed', this.now);
    }
  }

  private remit(amount: number, at: number): void {
    const remittance = {
      ...{ tenant: 'prj_1', remittanceId: `rem_${this.count}`, receivedAt: new Date(at).toISOString() },
      allocations: [
        { claimId: CLAIM, amount, reasonCode: 'fee_schedule', adjudicationVersion: 1, after: null },
      ],
    };
    this.movements.push({ sum: 'remitted', amount, effective: at, recorded: this.now });
    this.commit((state) => remittanceChange(remittance, CLAIM, state), null, at);
  }

  private takeBack(amount: number, at: number): void {
    const recovery = {
      ...{ tenant: 'prj_1', claimId: CLAIM, recoveryId: `rcv_${this.count}`, adviceId: `adv_${this.count}` },
      ...{ amount, currency: 'KES', effectiveAt: new Date(at).toISOString(), reasonCodes: ['overpayment'] },
      after: null,
    };
    const effective = this.coveredFrom('remitted', amount, at);
    this.movements.push({ sum: 'remitted', amount: -amount, effective, recorded: this.now });
    this.commit((_state, facts) => recoveryChange(recovery, facts), null, effective);
  }

  /** Withdraws an advice with an allocation and a recovery of the claim; one without an amount is not there. */
  private withdraw(allocated: number, recovered: number): void {
    const withdrawal = {
      ...{ tenant: 'prj_1', remittanceId: `rem_${this.count}`, adviceId: `adv_${this.count}` },
      ...{ causeId: `rem_${this.count}:withdrawal`, reasonCode: 'sent_in_error' },
      allocations: allocated > 0 ? [{ claimId: CLAIM, amount: allocated, after: null }] : [],
      recoveries:
        recovered > 0
          ? [{ claimId: CLAIM, recoveryId: `rcv_${this.count}`, amount: recovered, after: null }]
          : [],
    };
    const at = { effective: this.now, recorded: this.now };
    this.movements.push({ sum: 'remitted', amount: recovered - allocated, ...at });
    const changes = withdrawalChanges(withdrawal, CLAIM, this.history.state);
    this.commit(
      changes.map((change) => () => change),
      null,
      this.now,
    );
  }

  /** Settles a signed amount at `at`; null is the reversal of the settlement `id`, which takes effect now. */
  private settle(amount: number, at: number | null, id: string): void {
    const settlement = {
      ...{ tenant: 'prj_1', remittanceId: 'rem_1', settlementId: id, reconciled: null },
      causeId: at === null ? `${id}:reversal` : id,
      observedAt: new Date(at ?? this.now).toISOString(),
      amounts: [{ claimId: CLAIM, amount, after: null }],
    };
    if (at !== null) this.settlements.push({ id, amount });
    const effective = at === null ? this.now : amount < 0 ? this.coveredFrom('settled', -amount, at) : at;
    this.movements.push({ sum: 'settled', amount, effective, recorded: this.now });
    const status = this.sum('settled') === APPROVED ? 'settled' : 'partially_approved';
    const [change] = settlementChanges(settlement, CLAIM, this.history.state, this.history.facts);
    if (change === undefined) throw new Error('a settlement of the claim changes it');
    this.commit(() => change, this.reversedAt === null ? status : null, effective);
  }

  /** Commits an event and the claim's next status; null keeps the status. */
  private commit(event: Event | readonly Event[], status: string | null, effective: number): void {
    this.history.commit(this.now, ...[event].flat());
    const last = this.statuses.at(-1)?.status ?? '';
    this.statuses.push({ status: status ?? last, effective, recorded: this.now });
  }

  /** The amounts and the status that a valuation has, by the model. */
  expected(known: number, effective: number) {
    const counts = (each: { readonly effective: number; readonly recorded: number }) =>
      each.recorded <= known && each.effective <= effective;
    const isDecided = counts({ effective: START + 10, recorded: START + 10 });
    const liability = isDecided && !(this.reversedAt !== null && counts(this.reversedAt)) ? APPROVED : null;
    const settled = total(this.movements, 'settled', known, effective);
    // By an earlier instant, more can be settled than was approved: what was taken back was paid again, and the bank says it was before.
    const owed = (liability ?? 0) - settled;
    return {
      status: this.statuses.filter(counts).at(-1)?.status,
      remitted: total(this.movements, 'remitted', known, effective),
      settled,
      payer_liability: liability,
      outstanding: liability === null ? null : effective < known ? Math.max(0, owed) : owed,
    };
  }
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.oneof(
    {
      arbitrary: fc.constantFrom<Kind[]>('remit', 'take_back', 'withdraw', 'settle', 'settle_recovery'),
      weight: 12,
    },
    { arbitrary: fc.constant<Kind>('reverse_settlement'), weight: 3 },
    { arbitrary: fc.constant<Kind>('reverse_claim'), weight: 1 },
  ),
  waits: fc.integer({ min: 1, max: 20 }),
  delay: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 120 })),
  share: fc.oneof(fc.constant(1), fc.double({ min: 0, max: 1, noNaN: true })),
});

const cutoff = fc.integer({ min: START - 5, max: START + 400 });

function drawn(steps: readonly Step[]): Subject {
  const subject = new Subject();
  for (const each of steps) subject.take(each);
  return subject;
}

function shownBy({ status, amount }: ClaimValuation) {
  const { remitted, settled, payer_liability, outstanding } = amount;
  return { status, remitted, settled, payer_liability, outstanding };
}

/** Adds up the portfolio's deltas of a claim's commits that were recorded by `known` and take effect by `effective`. */
function sumOfDeltas(facts: readonly Fact[], known: number, effective: number) {
  const sums = { remitted: 0, settled: 0, outstanding: 0, claims: 0 };
  const commits = [...new Set(facts.map(({ recordedAt }) => recordedAt))];
  for (const recordedAt of commits.filter((each) => each <= known)) {
    const through = facts.filter((fact) => fact.recordedAt <= recordedAt);
    const first = facts.findIndex((fact) => fact.recordedAt === recordedAt);
    for (const delta of deltasFrom(through, first)) {
      if (delta.effectiveAt > effective) continue;
      for (const name of Object.keys(sums) as (keyof typeof sums)[]) sums[name] += delta[name];
    }
  }
  return sums;
}

const numRuns = testSize({ ci: 200, soak: 100_000 });
const TIMEOUT_MS = testSize({ ci: 90_000, soak: 3_600_000 });

test(
  'every valuation equals the model to the minor unit, and has a shape of the released contract',
  () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 25 }),
        fc.array(fc.tuple(cutoff, cutoff), { minLength: 1, maxLength: 12 }),
        (steps, cutoffs) => {
          const subject = drawn(steps);
          const { facts } = subject.history;
          for (const [one, other] of cutoffs) {
            const [known, effective] = [Math.max(one, other), Math.min(one, other)];
            for (const through of [known, effective]) {
              const value = valueAt(CLAIM, facts, known, through);
              if (value === null) {
                expect(through).toBeLessThan(START);
                continue;
              }
              expect(validateOutput('getClaimValuation', 200, value)).toBeUndefined();
              expect(shownBy(value)).toEqual(subject.expected(known, through));
            }
          }
        },
      ),
      { numRuns },
    );
  },
  TIMEOUT_MS,
);

test(
  'at every cutoff the billed amount is what is settled, outstanding, owed by the patient and adjusted',
  () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), cutoff, (steps, at) => {
        const value = valueAt(CLAIM, drawn(steps).history.facts, at);
        if (value === null || value.amount.payer_liability === null) return;
        const { billed, settled, outstanding, patient_responsibility, adjustment } = value.amount;
        expect(settled + (outstanding ?? 0) + (patient_responsibility ?? 0) + (adjustment ?? 0)).toBe(billed);
        expect(billed).toBe(BILLED);
      }),
      { numRuns },
    );
  },
  TIMEOUT_MS,
);

test(
  'the sums of the portfolio and the picture of two times follow the valuations',
  () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), cutoff, (steps, at) => {
        const { facts } = drawn(steps).history;
        const value = valueAt(CLAIM, facts, at);
        const { remitted, settled, outstanding, claims } = value
          ? sumsOfValuation(value).sums
          : { remitted: 0, settled: 0, outstanding: 0, claims: 0 };
        expect(sumOfDeltas(facts, at, at)).toEqual({ remitted, settled, outstanding, claims });
        const shown = timelineOf(facts).known_then.findLast((each) => Date.parse(each.at) <= at);
        expect(shown?.amount).toEqual(value?.amount);
      }),
      { numRuns },
    );
  },
  TIMEOUT_MS,
);

test(
  'an answered cutoff keeps its bytes whatever is recorded later',
  () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 15 }),
        fc.array(step, { minLength: 1, maxLength: 10 }),
        (steps, later) => {
          const subject = drawn(steps);
          const at = subject.history.state.lastRecordedAt;
          const answer = JSON.stringify(valueAt(CLAIM, subject.history.facts, at));
          for (const each of later) subject.take(each);
          expect(JSON.stringify(valueAt(CLAIM, subject.history.facts, at))).toBe(answer);
        },
      ),
      { numRuns },
    );
  },
  TIMEOUT_MS,
);
