/**
 * The eligibility decision: what a member's coverages, as payers last stated them, say about one session at its time.
 * Pure: the snapshots and what is left of each come in as values.
 */
import type { CoverageStatus, EligibilityReasonCode } from '@carecover/contract';

/** A coverage's snapshot of the service and currency asked for. */
export interface CoverageSnapshot {
  readonly coverageId: string;
  readonly observationId: string;
  readonly status: CoverageStatus;
  /** Minor units, for one session. */
  readonly amountLimit: number;
  /** Reservations made since the observation taken off, never below 0. */
  readonly remainingSessions: number;
  readonly authorizationRequired: boolean;
  /** 1 is primary; null ranks last. */
  readonly coordinationPriority: number | null;
  readonly validFrom: Date;
  readonly validUntil: Date;
  readonly observedAt: Date;
  /** Grows with each observation recorded. */
  readonly recording: number;
}

export interface EligibilityQuestion {
  readonly scheduledAt: Date;
  /** Minor units. */
  readonly amount: number;
}

export interface EligibilityDecision {
  readonly eligible: boolean;
  /** Exactly `eligible`, or the reasons against in the order of the contract's enumeration. */
  readonly reasonCodes: readonly EligibilityReasonCode[];
  /** The coverage that was evaluated; null where none was. */
  readonly coverage: CoverageSnapshot | null;
}

const rank = (coverage: CoverageSnapshot) => coverage.coordinationPriority ?? Number.POSITIVE_INFINITY;

function covers(coverage: CoverageSnapshot, at: Date): boolean {
  return coverage.validFrom <= at && at < coverage.validUntil;
}

/** The one coverage with the lowest priority, or null where several share it. */
function soleFirst(coverages: readonly CoverageSnapshot[]): CoverageSnapshot | null {
  const lowest = Math.min(...coverages.map(rank));
  const [first, ...others] = coverages.filter((coverage) => rank(coverage) === lowest);
  return others.length === 0 ? (first ?? null) : null;
}

/** The best priority, then the latest observed, then the latest recorded. */
function bestOf(coverages: readonly CoverageSnapshot[]): CoverageSnapshot | null {
  const [best] = [...coverages].sort((a, b) => {
    if (rank(a) !== rank(b)) return rank(a) < rank(b) ? -1 : 1;
    return b.observedAt.getTime() - a.observedAt.getTime() || b.recording - a.recording;
  });
  return best ?? null;
}

function reasonsAgainst(coverage: CoverageSnapshot, question: EligibilityQuestion): EligibilityReasonCode[] {
  const reasons: EligibilityReasonCode[] = [];
  if (coverage.status === 'paused' || coverage.status === 'expired') reasons.push('coverage_inactive');
  if (!covers(coverage, question.scheduledAt)) reasons.push('outside_coverage_period');
  if (coverage.status === 'exhausted' || coverage.remainingSessions === 0) reasons.push('benefit_exhausted');
  if (question.amount > coverage.amountLimit) reasons.push('amount_exceeds_benefit');
  return reasons;
}

/** Evaluates a session against the coverages of its member, service and currency. */
export function decideEligibility(
  question: EligibilityQuestion,
  coverages: readonly CoverageSnapshot[],
): EligibilityDecision {
  const live = coverages.filter(
    (coverage) => coverage.status === 'active' && covers(coverage, question.scheduledAt),
  );
  const evaluated = live.length > 0 ? soleFirst(live) : bestOf(coverages);
  if (evaluated === null) {
    const reason = live.length > 0 ? 'coordination_required' : 'coverage_not_found';
    return { eligible: false, reasonCodes: [reason], coverage: null };
  }
  const reasons = reasonsAgainst(evaluated, question);
  if (reasons.length > 0) return { eligible: false, reasonCodes: reasons, coverage: evaluated };
  return { eligible: true, reasonCodes: ['eligible'], coverage: evaluated };
}
