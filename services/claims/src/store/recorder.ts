/**
 * The committing of facts: inside the caller's transaction, under the rows' locks, the facts, where each claim stands after them,
 * and the events that tell of them. There is no other way to change a claim.
 */
import type { EventType } from '@carecover/contract';
import { appendEvents, type Fragment, type NewEvent, type Owned, type Tx } from '@carecover/platform';
import { eventData, eventOf } from '../rules/events';
import type { Fact } from '../rules/facts';
import { type Change, type ClaimState, INITIAL_STATE, record, recordingTime } from '../rules/recording';
import { type Creation, insertClaim, type LockedClaim, type PendingStep, updateStates } from './claims';
import { appendFacts, type ClaimFacts } from './facts';

interface Identity extends Pick<Creation, 'id' | 'project_id' | 'environment' | 'currency' | 'billed'> {}

/** The events that tell of the facts; their versions follow the claim's last one. */
function eventsOf(
  claim: Identity,
  state: ClaimState,
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
      data: { ...eventData(claim, state) },
    }));
}

/** What is to be recorded on a claim. */
export interface Entry {
  readonly claim: LockedClaim;
  readonly changes: readonly Change[];
  /** The step in another service that may have been taken; undefined leaves what is noted. */
  readonly pendingStep?: PendingStep | null;
}

/** What is being recorded: the statement is on its way. */
export interface Recording {
  /** Of all facts. Epoch milliseconds. */
  readonly recordedAt: number;
  /** The claims of which the status is another one now. */
  readonly changed: readonly Owned[];
  readonly written: Promise<unknown>;
}

/** Facts, events and a change of the claims' rows, in one statement. */
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
 * Records on several locked claims, with one recorded_at for all.
 *
 * @throws ApiError invalid_state where the transition table rejects
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
      moved: { claimId: row.id, state, eventVersion, pendingStep },
    };
  });
  const change = updateStates(
    tx,
    records.map(({ moved }) => moved),
  );
  const events = records.flatMap((each) => each.events);
  const changed = records
    .filter(({ row, moved: { state } }) => row.status !== state.status)
    .map(({ row: { id, project_id: tenant, environment } }) => ({ id, tenant, environment }));
  return { recordedAt, changed, written: write(tx, records, events, change) };
}

/** Records on one locked claim; as {@link recordOnAll}. */
export function recordOn(
  tx: Tx,
  claim: LockedClaim,
  changes: readonly (Change | null)[],
  pendingStep?: PendingStep | null,
): Recording {
  const happened = changes.filter((change) => change !== null);
  return recordOnAll(tx, [
    { claim, changes: happened, ...(pendingStep === undefined ? {} : { pendingStep }) },
  ]);
}

/** Records a claim's first facts, and so brings it into being. `now` in epoch milliseconds. */
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
