/**
 * Makes the story of a claim from its valuations, which an app reads one by one: it has only the operation that values a claim at a cutoff. Every
 * status and amount of a step is that of a valuation.
 */
import type { Amounts, Axis, Step, Story, StoryFact } from './story';

/** A valuation of a claim, as the tool `value_claim` returns it. */
export interface Valuation {
  readonly claim_id: string;
  readonly valuation_at: string;
  readonly currency: string;
  readonly status: string;
  readonly amount: Amounts;
  readonly events: readonly Omit<StoryFact, 'amount'>[];
}

/** The cutoffs of one valuation: of knowledge and, on the axis of what is known now, of business time. RFC 3339. */
export interface Cutoffs {
  readonly valuation_at: string;
  readonly effective_through?: string;
}

/** Returns the instants from which a valuation differs from the one before, on an axis. No fact takes effect after it is recorded. */
export function instantsOf({ events }: Pick<Valuation, 'events'>, axis: Axis): string[] {
  const instants = events.map(({ recorded_at, effective_at }) =>
    axis === 'known_now' ? effective_at : recorded_at,
  );
  return [...new Set(instants)].sort((a, b) => Date.parse(a) - Date.parse(b));
}

/** Returns the cutoffs of the valuation at an instant of an axis. @param now the instant through which everything is known */
export function cutoffsOf(axis: Axis, instant: string, now: string): Cutoffs {
  return axis === 'known_now' ? { valuation_at: now, effective_through: instant } : { valuation_at: instant };
}

const MONEY: Readonly<Record<string, 'remitted' | 'settled'>> = {
  remittance_recorded: 'remitted',
  settled: 'settled',
};

/**
 * Returns the amount of a fact: the part of the valuation that it changed, or the difference to the valuation before. Null if several facts
 * of one commit changed it.
 */
function amountOf(
  { type, recorded_at }: Pick<StoryFact, 'type' | 'recorded_at'>,
  events: Valuation['events'],
  known: readonly Step[],
): number | null {
  const index = known.findIndex(({ at }) => at === recorded_at);
  const step = known[index];
  if (step === undefined) return null;
  if (type === 'created') return step.amount.billed;
  if (['approved', 'partially_approved', 'denied'].includes(type)) return step.amount.payer_liability;
  const part = MONEY[type];
  const isShared = events.filter((each) => each.type === type && each.recorded_at === recorded_at).length > 1;
  if (part === undefined || isShared) return null;
  return step.amount[part] - (known[index - 1]?.amount[part] ?? 0);
}

/**
 * Makes the story of a claim.
 *
 * @param latest the valuation of all that is known
 * @param known_then the valuations at the instants of {@link instantsOf}, oldest first; likewise `known_now`
 * @param timeZone the IANA name of the zone of dates
 */
export function storyOf(
  latest: Valuation,
  known_then: readonly Step[],
  known_now: readonly Step[],
  timeZone: string,
): Story {
  const { currency, valuation_at: now, events } = latest;
  const facts = events.map(({ sequence, type, effective_at, recorded_at, previous_status, next_status }) => ({
    ...{ sequence, type, effective_at, recorded_at, previous_status, next_status },
    amount: amountOf({ type, recorded_at }, events, known_then),
  }));
  return { currency, time_zone: timeZone, now, facts, known_then, known_now };
}
