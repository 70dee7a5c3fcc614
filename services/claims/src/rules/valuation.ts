/**
 * The valuation of a claim, computed from the facts that were known at a cutoff. A fact counts if it was recorded on or before the cutoff and
 * took effect on or before a second instant, by default the cutoff. The same facts and instants give the same bytes in every release; the
 * golden files test this.
 */
import {
  type ClaimValuation,
  type ClaimValuationEventType,
  formatInstant,
  VALUATION_LOOKAHEAD_MS,
} from '@carecover/contract';
import { ApiError } from '@carecover/domain';
import type { Adjudication, FactType, ValuedFact } from './facts';

/**
 * Returns by how many milliseconds a cutoff is after the database's time `now`; a negative number if it is before. Both are epoch
 * milliseconds.
 *
 * @param pointer the JSON pointer to the cutoff in the request, for the error message
 * @param isSimulated whether `now` is the time of a simulated project, which does not pass while a request waits
 * @throws ApiError validation_failed if the cutoff is more than 5 seconds after the database's time, or after a simulated time
 */
export function millisecondsAhead(
  cutoff: number,
  now: number,
  pointer: string,
  isSimulated: boolean,
): number {
  const ahead = cutoff - now;
  if (isSimulated && ahead > 0) {
    throw new ApiError(
      'validation_failed',
      `${pointer} is later than the time of the project's clock, which is ${formatInstant(now)}: advance the clock first`,
    );
  }
  if (ahead > VALUATION_LOOKAHEAD_MS) {
    throw new ApiError(
      'validation_failed',
      `${pointer} is more than 5 seconds ahead of the server's time, which is ${formatInstant(now)}`,
    );
  }
  return ahead;
}

/** The amounts of a claim in minor units after some of its facts, which are applied in sequence. */
export interface Known {
  currency: string;
  billed: number;
  adjudication: Pick<Adjudication, 'payer' | 'patient_responsibility' | 'adjustment'> | null;
  remitted: number;
  settled: number;
}

/** The same amounts as {@link Known}, with all fields of the adjudication. */
interface KnownInFull extends Known {
  adjudication: Adjudication | null;
}

/** The amounts of a claim before its first fact. */
export const NOTHING_KNOWN: Readonly<KnownInFull> = {
  currency: '',
  billed: 0,
  adjudication: null,
  remitted: 0,
  settled: 0,
};

/**
 * Returns the amount that the payer has not settled yet: the payer's liability less the settled amount, in minor units; null without an
 * adjudication.
 */
export function outstandingOf({ adjudication, settled }: Readonly<Known>): number | null {
  return adjudication === null ? null : adjudication.payer - settled;
}

/** Adds the claim's next fact to the amounts `known`, which are changed in place. */
export function learn(known: Known, fact: ValuedFact): void {
  switch (fact.type) {
    case 'created':
      known.currency = fact.detail.currency;
      known.billed = fact.detail.billed;
      return;
    case 'approved':
    case 'partially_approved':
    case 'denied':
      known.adjudication = fact.detail;
      return;
    case 'remittance_recorded':
      known.remitted += fact.detail.amount;
      return;
    case 'remittance_recovered':
      known.remitted -= fact.detail.amount;
      return;
    case 'settled':
      known.settled += fact.detail.amount;
      return;
    case 'reversed':
      known.adjudication = null;
      return;
    default:
      return;
  }
}

/** Returns the amounts of a valuation. */
export function valuationAmount(known: Readonly<Known>): ClaimValuation['amount'] {
  const { billed, adjudication, remitted, settled } = known;
  return {
    billed,
    payer_liability: adjudication?.payer ?? null,
    patient_responsibility: adjudication?.patient_responsibility ?? null,
    adjustment: adjudication?.adjustment ?? null,
    remitted,
    settled,
    outstanding: outstandingOf(known),
  };
}

/**
 * Returns the amounts of a valuation that counts what took effect through an earlier instant than the cutoff. A settlement can take effect
 * before the decision that grants its amount; then nothing is outstanding.
 */
export function amountInEffect(known: Readonly<Known>): ClaimValuation['amount'] {
  const amount = valuationAmount(known);
  const { outstanding } = amount;
  return { ...amount, outstanding: outstanding === null ? null : Math.max(0, outstanding) };
}

/**
 * Returns the type under which a valuation lists a fact. A recovery is listed as `remittance_recorded`, because v1 has no type for it: like a
 * remittance, it changes the remitted amount.
 */
function eventTypeOf(type: FactType): ClaimValuationEventType {
  return type === 'remittance_recovered' ? 'remittance_recorded' : type;
}

export function toEvent(fact: ValuedFact): ClaimValuation['events'][number] {
  return {
    sequence: fact.sequence,
    type: eventTypeOf(fact.type),
    effective_at: formatInstant(fact.effectiveAt),
    recorded_at: formatInstant(fact.recordedAt),
    previous_status: fact.previousStatus,
    next_status: fact.nextStatus,
    reason_code: fact.reasonCode,
    evidence_references: [...fact.evidenceReferences],
  };
}

function valuationId(claimId: string, cutoff: number, effectiveThrough: number): string {
  const instants = effectiveThrough === cutoff ? [cutoff] : [cutoff, effectiveThrough];
  return [claimId, ...instants.map(formatInstant)].join(':');
}

/**
 * Returns the valuation of a claim at `cutoff` (epoch milliseconds, inclusive); null if the claim's creation was not known then, or took
 * effect after `effectiveThrough`.
 *
 * @param facts the claim's facts in sequence; may contain facts that do not count
 * @param effectiveThrough the last instant at which a fact that counts takes effect (epoch milliseconds)
 */
export function valueAt(
  claimId: string,
  facts: readonly ValuedFact[],
  cutoff: number,
  effectiveThrough = cutoff,
): ClaimValuation | null {
  const included = facts.filter((fact) => fact.recordedAt <= cutoff && fact.effectiveAt <= effectiveThrough);
  const last = included.at(-1);
  // A fact that was recorded later can take effect before the creation.
  if (last === undefined || included[0]?.type !== 'created') return null;
  const known: KnownInFull = { ...NOTHING_KNOWN };
  for (const fact of included) learn(known, fact);
  const { adjudication } = known;
  return {
    id: valuationId(claimId, cutoff, effectiveThrough),
    object: 'claim_valuation',
    claim_id: claimId,
    valuation_at: formatInstant(cutoff),
    currency: known.currency,
    status: last.nextStatus,
    amount: effectiveThrough === cutoff ? valuationAmount(known) : amountInEffect(known),
    policy:
      adjudication === null
        ? null
        : { reference: adjudication.policy.reference, version: adjudication.policy.version },
    events: included.map(toEvent),
  };
}
