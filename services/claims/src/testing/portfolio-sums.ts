/** The expected sums of a portfolio, computed by their definition from the facts or the valuations of claims. For tests. */
import type { ClaimValuation } from '@carecover/contract';
import type { ValuedFact } from '../rules/facts';
import type { Position, SummedFact, Sums } from '../rules/portfolio';
import { type Known, learn, NOTHING_KNOWN } from '../rules/valuation';

/**
 * Returns a claim's status and amounts from its facts with recorded_at <= `knownAt` and effective_at <= `effectiveThrough`; null if the
 * claim's creation is not among these facts.
 */
export function knownInEffect(
  facts: readonly (SummedFact & Pick<ValuedFact, 'recordedAt'>)[],
  { knownAt, effectiveThrough }: { readonly knownAt: number; readonly effectiveThrough: number },
): Position | null {
  const included = facts.filter(
    ({ recordedAt, effectiveAt }) => recordedAt <= knownAt && effectiveAt <= effectiveThrough,
  );
  const last = included.at(-1);
  if (last === undefined || included[0]?.type !== 'created') return null;
  const known: Known = { ...NOTHING_KNOWN };
  for (const fact of included) learn(known, fact as ValuedFact);
  return { status: last.nextStatus, known };
}

/** The status of a claim, and what the claim adds to the sums over the claims in this status. */
interface StatusSums {
  readonly status: string;
  readonly sums: Record<keyof Sums, number>;
}

/** Returns a claim's status and what the claim adds to the sums, computed from its valuation. */
export function sumsOfValuation({ status, amount }: Pick<ClaimValuation, 'status' | 'amount'>): StatusSums {
  const sums = {
    claims: 1,
    outstandingClaims: (amount.outstanding ?? 0) > 0 ? 1 : 0,
    adjudicatedClaims: amount.payer_liability === null ? 0 : 1,
    billed: amount.billed,
    payerLiability: amount.payer_liability ?? 0,
    patientResponsibility: amount.patient_responsibility ?? 0,
    adjustment: amount.adjustment ?? 0,
    remitted: amount.remitted,
    settled: amount.settled,
    outstanding: amount.outstanding ?? 0,
  };
  return { status, sums };
}

/** Returns a claim's status and what the claim adds to the sums, computed from its status and amounts. */
export function sumsOfPosition({ status, known }: Position): StatusSums {
  const { adjudication } = known;
  return sumsOfValuation({
    status,
    amount: {
      billed: known.billed,
      payer_liability: adjudication?.payer ?? null,
      patient_responsibility: adjudication?.patient_responsibility ?? null,
      adjustment: adjudication?.adjustment ?? null,
      remitted: known.remitted,
      settled: known.settled,
      outstanding: adjudication === null ? null : adjudication.payer - known.settled,
    },
  });
}
