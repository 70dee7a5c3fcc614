/**
 * The committing of facts: inside the caller's transaction, under the rows' locks, the facts, where each claim stands after them,
 * and the events that tell of them. There is no other way to change a claim.
 */
import { appendEvent, type Tx } from '@carecover/platform';
import { eventData, eventOf } from '../rules/events';
import type { Fact } from '../rules/facts';
import { type Happening, record, recordingTime, type Standing, UNBORN } from '../rules/recording';
import { type Birth, insertClaim, type LockedClaim, updateStanding } from './claims';
import { appendFacts } from './facts';

interface Identity extends Pick<Birth, 'id' | 'project_id' | 'environment' | 'currency' | 'billed'> {}

/** Tells of the facts; gives the claim's event version after it. */
async function tell(
  tx: Tx,
  claim: Identity,
  standing: Standing,
  facts: readonly Fact[],
  eventVersion: number,
): Promise<number> {
  let version = eventVersion;
  for (const fact of facts) {
    const type = eventOf(fact);
    if (type === null) continue;
    version += 1;
    await appendEvent(tx, {
      tenant: claim.project_id,
      environment: claim.environment,
      type,
      resourceId: claim.id,
      resourceVersion: version,
      createdAt: new Date(fact.recordedAt),
      data: { ...eventData(claim, standing) },
    });
  }
  return version;
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
  for (const { claim, happenings } of entries) {
    const { standing, facts } = record(claim.standing, happenings, recordedAt);
    await appendFacts(tx, claim.row.id, facts);
    const eventVersion = await tell(tx, claim.row, standing, facts, claim.row.event_version);
    await updateStanding(tx, claim.row.id, standing, eventVersion);
  }
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
  await insertClaim(tx, birth, standing);
  await appendFacts(tx, birth.id, facts);
  const eventVersion = await tell(tx, birth, standing, facts, 0);
  await updateStanding(tx, birth.id, standing, eventVersion);
}
