/**
 * A portfolio's sums as deltas: what each commit on a claim changes in the sums over all claims. The sums known at an instant K and in
 * effect through an instant E are the totals of all deltas with recorded_at <= K and effective_at <= E. They equal the totals of the
 * claims' valuations from the facts with recorded_at <= K and effective_at <= E.
 *
 * Most facts take effect after all earlier ones, and then a commit has one delta per status. A fact that takes effect earlier changes the
 * claim's amounts from its effective_at on, which later facts may have replaced: it has one delta for its own effective_at and one for each
 * later effective_at of the claim.
 */
import type { ClaimStatus } from '@carecover/contract';
import type { FactKind, ValuedFact } from './facts';
import type { ClaimState } from './recording';
import { type Known, learn, NOTHING_KNOWN, outstandingOf } from './valuation';

/**
 * Sums over claims: three numbers of claims, and amounts in minor units. A claim without an adjudication adds 0 to the amounts that depend
 * on one.
 */
export interface Sums {
  readonly claims: number;
  /** The number of claims with an outstanding amount above 0. */
  readonly outstandingClaims: number;
  /** The number of claims with an adjudication in effect. */
  readonly adjudicatedClaims: number;
  readonly billed: number;
  readonly payerLiability: number;
  readonly patientResponsibility: number;
  readonly adjustment: number;
  readonly remitted: number;
  readonly settled: number;
  readonly outstanding: number;
}

/** A change of the sums over the claims in a status, from `effectiveAt` (epoch milliseconds) on. */
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

/** The status and amounts of a claim that follow from its facts through an effective_at. */
export interface Position {
  readonly status: ClaimStatus;
  readonly known: Readonly<Known>;
}

/** Returns the position of a claim with all its facts; null before its creation. */
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

/** A claim's position from `from` on (epoch milliseconds), until the next step's `from`. */
interface Step {
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
  // A claim is counted from its creation on, even if a later fact took effect before it.
  if (position === null && fact.type !== 'created') return null;
  const known: Known = { ...(position?.known ?? NOTHING_KNOWN) };
  learn(known, fact as ValuedFact);
  return { status: fact.nextStatus, known };
}

/** Returns the position of a claim after the given facts, in sequence; null if its creation is not among them. */
function fold(facts: readonly SummedFact[]): Position | null {
  return facts.reduce<Position | null>(after, null);
}

/** Sums of deltas by effective_at and status. */
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

/** Applies a fact to the steps of a claim, and returns the new steps. Adds the deltas of the fact to `deltas`. */
function applied(steps: readonly Step[], fact: SummedFact, deltas: Deltas): Step[] {
  const from = fact.effectiveAt;
  const earlier = steps.filter((step) => step.from < from);
  const later = steps.filter((step) => step.from >= from);
  const base = earlier.at(-1)?.position ?? null;
  const starts = later[0]?.from === from ? later : [{ from, position: base }, ...later];
  let before: Step = { from, position: null };
  let changed: Step = { from, position: null };
  const result = starts.map((step) => {
    const next = { from: step.from, position: after(step.position, fact) };
    // The fact changes the sums from its effective_at on. A delta holds from its effective_at on too, so the delta at a step is the change of
    // the sums at this step less their change at the previous step.
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
 * @param before the claim's position before the new facts; null before its creation
 */
export function deltasInOrder(before: Position | null, facts: readonly SummedFact[]): Delta[] {
  const deltas = new Deltas();
  let steps: readonly Step[] = before === null ? [] : [{ from: Number.NEGATIVE_INFINITY, position: before }];
  for (const fact of facts) steps = applied(steps, fact, deltas);
  return deltas.list();
}

/** Returns the deltas of a claim's facts, in sequence, from the index `first` on. */
export function deltasFrom(facts: readonly SummedFact[], first: number): Delta[] {
  const known = facts.slice(0, first);
  const added = facts.slice(first);
  const start = Math.min(...added.map(({ effectiveAt }) => effectiveAt));
  const laterTimes = known.map(({ effectiveAt }) => effectiveAt).filter((at) => at >= start);
  const deltas = new Deltas();
  let steps: readonly Step[] = [
    {
      from: Number.NEGATIVE_INFINITY,
      position: fold(known.filter(({ effectiveAt }) => effectiveAt < start)),
    },
    ...[...new Set(laterTimes)]
      .sort((a, b) => a - b)
      .map((from) => ({ from, position: fold(known.filter(({ effectiveAt }) => effectiveAt <= from)) })),
  ];
  for (const fact of added) steps = applied(steps, fact, deltas);
  return deltas.list();
}

/**
 * Returns a claim's position from its facts with recorded_at <= `knownAt` and effective_at <= `effectiveThrough`, both in epoch milliseconds;
 * null if its creation is not among them.
 *
 * @param facts in sequence
 */
export function positionAt(
  facts: readonly (SummedFact & Pick<ValuedFact, 'recordedAt'>)[],
  { knownAt, effectiveThrough }: { readonly knownAt: number; readonly effectiveThrough: number },
): Position | null {
  return fold(
    facts.filter(({ recordedAt, effectiveAt }) => recordedAt <= knownAt && effectiveAt <= effectiveThrough),
  );
}
