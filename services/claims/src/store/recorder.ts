/**
 * Commits changes of claims: writes facts, new states and events in one statement of the caller's transaction, with the claims' rows locked.
 * There is no other way to change a claim.
 */
import type { EventType } from '@carecover/contract';
import { appendEvents, type Fragment, type NewEvent, type OwnedResource, type Tx } from '@carecover/platform';
import { eventData, eventOf } from '../rules/events';
import type { Fact } from '../rules/facts';
import { type Change, type ClaimState, INITIAL_STATE, record, recordingTime } from '../rules/recording';
import { type Creation, insertClaim, type LockedClaim, type PendingStep, updateStates } from './claims';
import { appendFacts, type ClaimFacts } from './facts';

interface Identity extends Pick<Creation, 'id' | 'project_id' | 'environment' | 'currency' | 'billed'> {}

/** Returns the events of facts; their versions continue from the claim's last version. */
function eventsOf(
  claim: Identity,
  state: ClaimState,
  facts: readonly Fact[],
  lastVersion: number,
): NewEvent[] {
  return facts
    .map((fact) => ({ type: eventOf(fact), createdAt: new Date(fact.recordedAt) }))
    .filter((event): event is typeof event & { type: EventType } => event.type !== null)
    .map((event, index) => ({
      ...event,
      tenant: claim.project_id,
      environment: claim.environment,
      resourceId: claim.id,
      resourceVersion: lastVersion + index + 1,
      data: { ...eventData(claim, state) },
    }));
}

/** The changes to record on a claim. */
export interface Entry {
  readonly claim: LockedClaim;
  readonly changes: readonly Change[];
  /** The step in another service that may have been executed; undefined keeps the stored one. */
  readonly pendingStep?: PendingStep | null;
}

/** A recording whose statement was sent. */
export interface Recording {
  /** recorded_at of every fact, in epoch milliseconds. */
  readonly recordedAt: number;
  /** The claims whose status changed. */
  readonly changed: readonly OwnedResource[];
  readonly written: Promise<unknown>;
}

/** Writes facts, events and the change of the claims' rows in one statement. */
async function write(
  tx: Tx,
  facts: readonly ClaimFacts[],
  events: readonly NewEvent[],
  change: Fragment,
): Promise<void> {
  const event = events.length === 0 ? tx`` : tx`, event as (${appendEvents(tx, events)})`;
  await tx`with fact as (${appendFacts(tx, facts)}) ${event} ${change}`;
}

/**
 * Records changes on several locked claims with one recorded_at.
 *
 * @throws ApiError invalid_state if the transition table rejects a change
 */
export function recordOnAll(tx: Tx, entries: readonly Entry[]): Recording {
  const recordedAt = recordingTime(
    Math.max(...entries.map(({ claim }) => claim.now)),
    entries.map(({ claim }) => claim.state),
    entries.flatMap(({ changes }) => changes.map((change) => change.effectiveAt)),
  );
  const records = entries.map(({ claim: { row, state: before }, changes, pendingStep }) => {
    const { state, facts } = record(before, changes, recordedAt);
    const events = eventsOf(row, state, facts, row.event_version);
    const eventVersion = row.event_version + events.length;
    return {
      row,
      claimId: row.id,
      facts,
      events,
      next: { claimId: row.id, state, eventVersion, pendingStep },
    };
  });
  const change = updateStates(
    tx,
    records.map(({ next }) => next),
  );
  const events = records.flatMap((each) => each.events);
  const changed = records
    .filter(({ row, next: { state } }) => row.status !== state.status)
    .map(({ row: { id, project_id: tenant, environment } }) => ({ id, tenant, environment }));
  return { recordedAt, changed, written: write(tx, records, events, change) };
}

/** Like {@link recordOnAll}, for one locked claim. */
export function recordOn(
  tx: Tx,
  claim: LockedClaim,
  changes: readonly (Change | null)[],
  pendingStep?: PendingStep | null,
): Recording {
  const applied = changes.filter((change) => change !== null);
  return recordOnAll(tx, [
    { claim, changes: applied, ...(pendingStep === undefined ? {} : { pendingStep }) },
  ]);
}

/** Creates a claim with its first facts. `now` in epoch milliseconds. */
export async function recordCreation(
  tx: Tx,
  creation: Creation,
  changes: readonly Change[],
  now: number,
): Promise<void> {
  const { state, facts } = record(INITIAL_STATE, changes, now);
  const events = eventsOf(creation, state, facts, 0);
  await write(tx, [{ claimId: creation.id, facts }], events, insertClaim(tx, creation, state, events.length));
}
