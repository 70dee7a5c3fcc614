/**
 * A claim's whole timeline, for the picture of its two times: all facts with their amounts, and the claim's status and amounts from each
 * instant on at which they change, on both axes.
 */
import { type ClaimValuation, formatInstant } from '@carecover/contract';
import type { Fact, FactType } from './facts';
import { stepsOf } from './portfolio';
import { amountInEffect, type Known, learn, NOTHING_KNOWN, toEvent, valuationAmount } from './valuation';

/** The status and amounts of a claim from the instant `at` to the next step, as its valuations have them. */
export interface TimelineStep extends Pick<ClaimValuation, 'status' | 'amount'> {
  readonly at: string;
}

/**
 * A fact as valuations have it, but a recovery has its own type, and so has a settlement that lowers what is settled and reverses no other
 * one. `amount` is in minor units; null if the fact has none.
 */
interface TimelineFact extends Omit<ClaimValuation['events'][number], 'type'> {
  readonly type: FactType | 'recovery_settled';
  readonly amount: number | null;
}

export interface Timeline {
  readonly currency: string;
  readonly facts: readonly TimelineFact[];
  /** The valuations at each cutoff: what was known then. */
  readonly known_then: readonly TimelineStep[];
  /** The valuations that count what took effect through each instant, as it is known now. */
  readonly known_now: readonly TimelineStep[];
}

/**
 * Returns the billed amount, the payer's part of a decision, or by how much the fact changes what is remitted or settled; null for other
 * facts.
 */
function amountOf(fact: Fact): number | null {
  switch (fact.type) {
    case 'created':
      return fact.detail.billed;
    case 'approved':
    case 'partially_approved':
    case 'denied':
      return fact.detail.payer;
    case 'remittance_recorded':
    case 'settled':
      return fact.detail.amount;
    case 'remittance_recovered':
      return -fact.detail.amount;
    default:
      return null;
  }
}

/** Returns a fact's type in the timeline. The cause of a reversal is not the settlement's ID. */
function typeOf(fact: Fact): TimelineFact['type'] {
  const isRecovery =
    fact.type === 'settled' && fact.detail.amount < 0 && fact.evidenceReferences.includes(fact.cause);
  return isRecovery ? 'recovery_settled' : fact.type;
}

/**
 * Returns the timeline of a claim. It takes about as long as one sort of the facts.
 *
 * @param facts all facts of the claim that are known, in sequence; none takes effect after it is recorded
 */
export function timelineOf(facts: readonly Fact[]): Timeline {
  const known: Known = { ...NOTHING_KNOWN };
  const knownThen = new Map<string, TimelineStep>();
  for (const fact of facts) {
    learn(known, fact);
    const at = formatInstant(fact.recordedAt);
    knownThen.set(at, { at, status: fact.nextStatus, amount: valuationAmount(known) });
  }
  return {
    currency: known.currency,
    facts: facts.map((fact) => ({ ...toEvent(fact), type: typeOf(fact), amount: amountOf(fact) })),
    known_then: [...knownThen.values()],
    known_now: stepsOf(facts).flatMap(({ from, position }) =>
      position === null
        ? []
        : [{ at: formatInstant(from), status: position.status, amount: amountInEffect(position.known) }],
    ),
  };
}
