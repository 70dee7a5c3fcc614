/**
 * The committing of facts: inside the caller's transaction, under the rows' locks, the facts, where each claim stands after them,
 * and the events that tell of them. There is no other way to change a claim.
 */
import type { EventType } from '@carecover/contract';
import { appendEvent, type NewEvent, type Tx } from '@carecover/platform';
import { eventData, eventOf } from '../rules/events';
import type { Fact } from '../rules/facts';
import { type Happening, record, recordingTime, type Standing, UNBORN } from '../rules/recording';
import { type Birth, insertClaim, type LockedClaim, updateStanding } from './claims';
import { appendFacts } from './facts';

interface Identity extends Pick<Birth, 'id' | 'project_id' | 'environment' | 'currency' | 'billed'> {}

/** The events that tell of the facts; their versions follow the claim's last one. */
function eventsOf(
  claim: Identity,
  standing: Standing,
  facts: readonly Fact[],
  lastVersion: number,
): NewEvent[] {
  return facts
    .map((fact) => ({ type: eventOf(fact), createdAt: new Date(fact.recordedAt) }))
    .filter((told): told is typeof told & { type: EventType } => told.type !== null)
    .map((told, index) => ({
      ...told,
      tenant: claim.project_id,
      environment: claim.environment,
      resourceId: claim.id,
      resourceVersion: lastVersion + index + 1,
      data: { ...eventData(claim, standing) },
    }));
}

/** What is to be recorded on a claim. */
export interface Entry {
  readonly claim: LockedClaim;
  readonly happenings: readonly Happening[];
}

/**
 * Records on several locked claims, with one recorded_at for all; gives that moment in epoch milliseconds.
 *
 * @throws Refusal invalid_state where the transition table refuses
 */
export async function recordOnAll(tx: Tx, entries: readonly Entry[]): Promise<number> {
  const recordedAt = recordingTime(
    Math.max(...entries.map(({ claim }) => claim.now)),
    entries.map(({ claim }) => claim.standing),
    entries.flatMap(({ happenings }) => happenings.map((happening) => happening.effectiveAt)),
  );
  const records = entries.map(({ claim: { row, standing: before }, happenings }) => {
    const { standing, facts } = record(before, happenings, recordedAt);
    return { row, standing, facts, events: eventsOf(row, standing, facts, row.event_version) };
  });
  // Sent without waiting for each other: an advice may be of a hundred claims.
  await Promise.all(
    records.flatMap(({ row, standing, facts, events }) => [
      appendFacts(tx, row.id, facts),
      ...events.map((event) => appendEvent(tx, event)),
      updateStanding(tx, row.id, standing, row.event_version + events.length),
    ]),
  );
  return recordedAt;
}

/** Records on one locked claim; as {@link recordOnAll}. */
export function recordOn(tx: Tx, claim: LockedClaim, ...happenings: (Happening | null)[]): Promise<number> {
  return recordOnAll(tx, [{ claim, happenings: happenings.filter((happening) => happening !== null) }]);
}

/** Records a claim's first facts, and so brings it into being. `now` in epoch milliseconds. */
export async function recordBirth(
  tx: Tx,
  birth: Birth,
  happenings: readonly Happening[],
  now: number,
): Promise<void> {
  const { standing, facts } = record(UNBORN, happenings, now);
  const events = eventsOf(birth, standing, facts, 0);
  await Promise.all([
    insertClaim(tx, birth, standing, events.length),
    appendFacts(tx, birth.id, facts),
    ...events.map((event) => appendEvent(tx, event)),
  ]);
}
