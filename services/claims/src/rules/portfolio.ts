/**
 * A portfolio's sums as deltas: a delta is what one commit on a claim changes in the sums over all claims. The sums known at an instant K
 * and in effect through an instant E are the totals of all deltas with recorded_at <= K and effective_at <= E. They equal the totals of the
 * claims' valuations from the facts with recorded_at <= K and effective_at <= E.
 *
 * Most facts have an effective_at that is not before that of any earlier fact of the claim. A commit of such facts has one delta per
 * status. Any other fact has a delta for its own effective_at. It also has a delta for each later effective_at of the claim at which it
 * changes the sums by another amount, for example because a decision replaced the amounts.
 */
import type { ClaimStatus } from '@carecover/contract';
import type { FactKind, ValuedFact } from './facts';
import type { ClaimState } from './recording';
import { type Known, learn, NOTHING_KNOWN, outstandingOf } from './valuation';

/**
 * Sums over claims: three numbers of claims, and amounts in minor units. A claim without an adjudication adds 0 to the payer's liability,
 * the patient's responsibility, the adjustment and the outstanding amount.
 */
export interface Sums {
  readonly claims: number;
  /** The number of claims with an outstanding amount above 0. */
  readonly outstandingClaims: number;
  /** The number of claims with an adjudication that is not reversed. */
  readonly adjudicatedClaims: number;
  readonly billed: number;
  readonly payerLiability: number;
  readonly patientResponsibility: number;
  readonly adjustment: number;
  readonly remitted: number;
  readonly settled: number;
  readonly outstanding: number;
}

/** A change of the sums over the claims in a status. The change counts from `effectiveAt` (epoch milliseconds) on. */
export interface Delta extends Sums {
  readonly effectiveAt: number;
  readonly status: ClaimStatus;
}

/** The fields of a fact from which its deltas are derived. */
export type SummedFact = FactKind extends infer Kind
  ? Kind extends FactKind
    ? Kind & Pick<ValuedFact, 'effectiveAt' | 'nextStatus'>
    : never
  : never;

/** The position of a claim at an instant: its status and its amounts, from the facts that have taken effect by then. */
export interface Position {
  readonly status: ClaimStatus;
  readonly known: Readonly<Known>;
}

/** Returns the status and amounts of a claim after all its facts; null if the claim is not created yet. */
export function positionOf(
  state: ClaimState,
  { currency, billed }: Pick<Known, 'currency' | 'billed'>,
): Position | null {
  const { status, approved, patientResponsibility, adjustment } = state;
  if (status === 'none') return null;
  const adjudication =
    approved === null || patientResponsibility === null || adjustment === null
      ? null
      : { payer: approved, patient_responsibility: patientResponsibility, adjustment };
  const { remitted, settled } = state;
  return {
    status,
    known: { currency, billed, adjudication, remitted: remitted ?? 0, settled: settled ?? 0 },
  };
}

/** The status and amounts of a claim in a period, which begins at `from` (epoch milliseconds) and ends at the next step's `from`. */
export interface Period {
  readonly from: number;
  readonly position: Position | null;
}

const NAMES = [
  'claims',
  'outstandingClaims',
  'adjudicatedClaims',
  'billed',
  'payerLiability',
  'patientResponsibility',
  'adjustment',
  'remitted',
  'settled',
  'outstanding',
] as const satisfies readonly (keyof Sums)[];

const ZERO = Object.fromEntries(NAMES.map((name) => [name, 0])) as Record<keyof Sums, number>;

function sumsOf({ known }: Position): Sums {
  const outstanding = outstandingOf(known) ?? 0;
  return {
    claims: 1,
    outstandingClaims: outstanding > 0 ? 1 : 0,
    adjudicatedClaims: known.adjudication === null ? 0 : 1,
    billed: known.billed,
    payerLiability: known.adjudication?.payer ?? 0,
    patientResponsibility: known.adjudication?.patient_responsibility ?? 0,
    adjustment: known.adjudication?.adjustment ?? 0,
    remitted: known.remitted,
    settled: known.settled,
    outstanding,
  };
}

function after(position: Position | null, fact: SummedFact): Position | null {
  // Before its creation, a claim has no status and no amounts, even if a fact that was recorded later took effect before the creation.
  if (position === null && fact.type !== 'created') return null;
  const known: Known = { ...(position?.known ?? NOTHING_KNOWN) };
  learn(known, fact as ValuedFact);
  return { status: fact.nextStatus, known };
}

/**
 * Returns the status and amounts of a claim after the given facts, which are in sequence; null if the claim's creation is not among them.
 */
function fold(facts: readonly SummedFact[]): Position | null {
  return facts.reduce<Position | null>(after, null);
}

/** Collects deltas: adds up the sums that have the same effective_at and status. */
class Deltas {
  private readonly sums = new Map<
    string,
    Record<keyof Sums, number> & Pick<Delta, 'effectiveAt' | 'status'>
  >();

  add(effectiveAt: number, position: Position | null, sign: 1 | -1): void {
    if (position === null) return;
    const { status } = position;
    const key = `${effectiveAt} ${status}`;
    const sum = this.sums.get(key) ?? { effectiveAt, status, ...ZERO };
    const added = sumsOf(position);
    for (const name of NAMES) sum[name] += sign * added[name];
    this.sums.set(key, sum);
  }

  list(): Delta[] {
    return [...this.sums.values()].filter((sum) => NAMES.some((name) => sum[name] !== 0));
  }
}

/**
 * Applies a fact to a claim's steps (its status and amounts by effective_at), and returns the new steps. Adds the fact's deltas to
 * `deltas`.
 */
function applied(steps: readonly Period[], fact: SummedFact, deltas: Deltas): Period[] {
  const from = fact.effectiveAt;
  const earlier = steps.filter((step) => step.from < from);
  const later = steps.filter((step) => step.from >= from);
  const base = earlier.at(-1)?.position ?? null;
  const starts = later[0]?.from === from ? later : [{ from, position: base }, ...later];
  let before: Period = { from, position: null };
  let changed: Period = { from, position: null };
  const result = starts.map((step) => {
    const next = { from: step.from, position: after(step.position, fact) };
    // A fact changes the sums from its effective_at on, and from a later step on it can change them by another amount. Each delta counts at
    // its own step and at all later ones. So the delta of a step is the fact's change of the sums at this step less its change at the step
    // before.
    deltas.add(step.from, next.position, 1);
    deltas.add(step.from, step.position, -1);
    deltas.add(step.from, changed.position, -1);
    deltas.add(step.from, before.position, 1);
    before = step;
    changed = next;
    return next;
  });
  return [...earlier, ...result];
}

/**
 * Returns the deltas of new facts that all take effect at or after every earlier fact of the claim.
 *
 * @param before the claim's status and amounts before the new facts; null if the new facts create the claim
 */
export function deltasInOrder(before: Position | null, facts: readonly SummedFact[]): Delta[] {
  const deltas = new Deltas();
  let steps: readonly Period[] =
    before === null ? [] : [{ from: Number.NEGATIVE_INFINITY, position: before }];
  for (const fact of facts) steps = applied(steps, fact, deltas);
  return deltas.list();
}

/** The types of the facts that set or remove a claim's adjudication. */
const DECIDING: ReadonlySet<SummedFact['type']> = new Set([
  'approved',
  'partially_approved',
  'denied',
  'reversed',
]);

/**
 * Returns a claim's status and amounts from each effective_at on, in the order of time. Each step equals {@link fold} of the facts that have
 * taken effect by then, but all steps together take about as long as one sort of the facts.
 *
 * @param facts facts of the claim, in sequence
 */
export function stepsOf(facts: readonly SummedFact[]): Period[] {
  const byEffect = facts
    .map((fact, sequence) => ({ fact, sequence }))
    .sort((a, b) => a.fact.effectiveAt - b.fact.effectiveAt || a.sequence - b.sequence);
  const steps = new Map<number, Position | null>();
  let known: Known = NOTHING_KNOWN;
  let status: ClaimStatus | null = null;
  let isCreated = false;
  let lastSequence = -1;
  let decidedBy = -1;
  for (const { fact, sequence } of byEffect) {
    const { adjudication } = known;
    known = { ...known };
    learn(known, fact as ValuedFact);
    // In a fold, the status and the adjudication are those of the last fact in sequence. Amounts do not depend on the order.
    if (DECIDING.has(fact.type)) {
      if (sequence < decidedBy) known.adjudication = adjudication;
      decidedBy = Math.max(decidedBy, sequence);
    }
    if (sequence > lastSequence) {
      status = fact.nextStatus;
      lastSequence = sequence;
    }
    if (fact.type === 'created') isCreated = true;
    steps.set(fact.effectiveAt, isCreated && status !== null ? { status, known } : null);
  }
  return [...steps].map(([from, position]) => ({ from, position }));
}

/** Returns the deltas of a claim's facts from the index `first` on. @param facts all facts of the claim, in sequence */
export function deltasFrom(facts: readonly SummedFact[], first: number): Delta[] {
  const added = facts.slice(first);
  const start = Math.min(...added.map(({ effectiveAt }) => effectiveAt));
  const known = stepsOf(facts.slice(0, first));
  const earlier = known.findLast(({ from }) => from < start)?.position ?? null;
  const deltas = new Deltas();
  let steps: readonly Period[] = [
    { from: Number.NEGATIVE_INFINITY, position: earlier },
    ...known.filter(({ from }) => from >= start),
  ];
  for (const fact of added) steps = applied(steps, fact, deltas);
  return deltas.list();
}

/**
 * Returns a claim's status and amounts from the facts with recorded_at <= `knownAt` and effective_at <= `effectiveThrough`, both in epoch
 * milliseconds; null if the claim's creation is not among these facts.
 *
 * @param facts all facts of the claim, in sequence
 */
export function positionAt(
  facts: readonly (SummedFact & Pick<ValuedFact, 'recordedAt'>)[],
  { knownAt, effectiveThrough }: { readonly knownAt: number; readonly effectiveThrough: number },
): Position | null {
  return fold(
    facts.filter(({ recordedAt, effectiveAt }) => recordedAt <= knownAt && effectiveAt <= effectiveThrough),
  );
}
