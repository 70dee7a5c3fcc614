/**
 * The rules of an eligibility check: whether one of a member's coverages, as the payer last stated it, pays for a session. Pure functions.
 */
import type { CoverageStatus, EligibilityReasonCode } from '@carecover/contract';

/** The snapshot of one of the member's coverages for the requested service and currency. */
export interface CoverageSnapshot {
  readonly coverageId: string;
  readonly observationId: string;
  readonly status: CoverageStatus;
  /** The most that the coverage pays per session, in minor units. */
  readonly amountLimit: number;
  /** The remaining sessions that the payer stated, less the sessions reserved since the observation; at least 0. */
  readonly remainingSessions: number;
  readonly authorizationRequired: boolean;
  /** Rank among the member's coverages: 1 is the highest priority, null the lowest. */
  readonly coordinationPriority: number | null;
  readonly validFrom: Date;
  readonly validUntil: Date;
  readonly observedAt: Date;
  /** Number of the observation in the order in which all observations were recorded. */
  readonly recording: number;
}

export interface EligibilityQuestion {
  readonly scheduledAt: Date;
  /** In minor units. */
  readonly amount: number;
}

export interface EligibilityDecision {
  readonly eligible: boolean;
  /** The reasons of the decision: only `eligible`, or all reasons for ineligibility in the order of the API contract. */
  readonly reasonCodes: readonly EligibilityReasonCode[];
  /** The coverage on which the decision relies; null if there is none, or if several share the highest priority. */
  readonly coverage: CoverageSnapshot | null;
}

const rank = (coverage: CoverageSnapshot) => coverage.coordinationPriority ?? Number.POSITIVE_INFINITY;

function covers(coverage: CoverageSnapshot, at: Date): boolean {
  return coverage.validFrom <= at && at < coverage.validUntil;
}

/** Returns the coverage with the lowest `coordination_priority`, whose payer pays first; null if several have it. */
function onlyHighestPriority(coverages: readonly CoverageSnapshot[]): CoverageSnapshot | null {
  const lowest = Math.min(...coverages.map(rank));
  const [first, ...others] = coverages.filter((coverage) => rank(coverage) === lowest);
  return others.length === 0 ? (first ?? null) : null;
}

/**
 * Returns the coverage whose payer pays first, which has the lowest `coordination_priority`; null if there is no coverage. If several have
 * this priority, returns the one that was observed last; of several observed at the same time, the one that was recorded last.
 */
function bestOf(coverages: readonly CoverageSnapshot[]): CoverageSnapshot | null {
  const [best] = [...coverages].sort((a, b) => {
    if (rank(a) !== rank(b)) return rank(a) < rank(b) ? -1 : 1;
    return b.observedAt.getTime() - a.observedAt.getTime() || b.recording - a.recording;
  });
  return best ?? null;
}

function ineligibilityReasons(
  coverage: CoverageSnapshot,
  question: EligibilityQuestion,
): EligibilityReasonCode[] {
  const reasons: EligibilityReasonCode[] = [];
  if (coverage.status === 'paused' || coverage.status === 'expired') reasons.push('coverage_inactive');
  if (!covers(coverage, question.scheduledAt)) reasons.push('outside_coverage_period');
  if (coverage.status === 'exhausted' || coverage.remainingSessions === 0) reasons.push('benefit_exhausted');
  if (question.amount > coverage.amountLimit) reasons.push('amount_exceeds_benefit');
  return reasons;
}

/** Decides whether a session is eligible, from the snapshots of the member's coverages for its service and currency. */
export function decideEligibility(
  question: EligibilityQuestion,
  coverages: readonly CoverageSnapshot[],
): EligibilityDecision {
  const active = coverages.filter(
    (coverage) => coverage.status === 'active' && covers(coverage, question.scheduledAt),
  );
  const evaluated = active.length > 0 ? onlyHighestPriority(active) : bestOf(coverages);
  if (evaluated === null) {
    const reason = active.length > 0 ? 'coordination_required' : 'coverage_not_found';
    return { eligible: false, reasonCodes: [reason], coverage: null };
  }
  const reasons = ineligibilityReasons(evaluated, question);
  if (reasons.length > 0) return { eligible: false, reasonCodes: reasons, coverage: evaluated };
  return { eligible: true, reasonCodes: ['eligible'], coverage: evaluated };
}
