/**
 * Records changes of locked claims: one SQL statement writes facts, new states, events and portfolio deltas. Every change of a claim's
 * status or amounts is recorded here. Changes are first decided, which can reject them, and then written.
 */
import type { EventType } from '@carecover/contract';
import type { NewEvent, ResourceChange, Tenant } from '@carecover/domain';
import type { Fragment, Pipelined, Results, Tx } from '@carecover/postgres';
import { enqueueSignals, type NewSignal } from '@carecover/temporal';
import { eventData, eventOf } from '../rules/events';
import type { Fact } from '../rules/facts';
import type { Lapse } from '../rules/information-request';
import { type Delta, deltasFrom, deltasInOrder, positionOf } from '../rules/portfolio';
import { type Change, type ClaimState, INITIAL_STATE, record, recordingTime } from '../rules/recording';
import { workflowChanges } from '../rules/workflow-changes';
import {
  type Creation,
  insertClaims,
  type LockedClaim,
  type PendingStep,
  updateStates,
} from '../store/claims';
import { writeFacts } from '../store/facts';
import { resolveOpenRequest } from '../store/information-requests';
import { appendDeltas, type ClaimDeltas, summedFactsOf } from '../store/portfolio';

interface Identity extends Pick<Creation, 'id' | 'project_id' | 'environment' | 'currency' | 'billed'> {}

/** Returns the events of a claim's new facts. Their resource versions continue from `lastVersion`. */
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

/** A locked claim with the changes to record on it. */
export interface Entry {
  readonly claim: LockedClaim;
  readonly changes: readonly Change[];
  /** The claim's new pending step; null clears the stored pending step, undefined keeps it. */
  readonly pendingStep?: PendingStep | null | undefined;
}

/** Changes that were decided and are not written yet. */
export interface Recording {
  /** The recorded_at of the facts of all changes. */
  readonly recordedAt: Date;
  /** Whether the workflow of a claim receives a signal about these changes. */
  readonly hasSignals: boolean;
  /**
   * Writes the facts, the events and the new states of the claims, and enqueues the signals to their workflows. The queries `next` are
   * executed after these writes, in the same pipeline.
   *
   * @returns the results of `next`
   */
  readonly write: <const Next extends Pipelined>(tx: Tx, next: Next) => Promise<Results<Next>>;
}

/**
 * Decides the changes of several locked claims of one tenant. Their facts have the same recorded_at.
 *
 * @throws ApiError invalid_state if the transition table rejects a change
 */
export function decideOnAll(entries: readonly [Entry, ...Entry[]]): Recording {
  const tenant = entries[0].claim.row.project_id;
  const recordedAt = recordingTime(
    Math.max(...entries.map(({ claim }) => claim.now)),
    entries.map(({ claim }) => claim.state),
    entries.flatMap(({ changes }) => changes.map((change) => change.effectiveAt)),
  );
  const records = entries.map(({ claim: { row, state: before }, changes, pendingStep }) => {
    const { state, facts } = record(before, changes, recordedAt);
    const isInOrder = facts.every((fact) => fact.effectiveAt >= before.lastEffectiveAt);
    const events = eventsOf(row, state, facts, row.event_version);
    const eventVersion = row.event_version + events.length;
    return {
      row,
      claimId: row.id,
      recordedAt,
      facts,
      events,
      deltas: isInOrder ? deltasInOrder(positionOf(before, row), facts) : null,
      next: { claimId: row.id, state, eventVersion, pendingStep },
      signal: signalOf(row, workflowChanges(before, changes, facts, state)),
    };
  });
  const signals = records.flatMap(({ signal }) => signal);
  return {
    recordedAt: new Date(recordedAt),
    hasSignals: signals.length > 0,
    write: async (tx, next) => {
      const states = updateStates(
        tx,
        tenant,
        records.map((record) => record.next),
      );
      const written = writeFacts(
        tx,
        records,
        records.flatMap(({ events }) => events),
        deltasOf(tx, tenant, records),
        states,
      );
      const [, , results] = await tx.pipeline([written, enqueueSignals(tx, signals), tx.pipeline(next)]);
      await writeLateDeltas(tx, tenant, records);
      return results;
    },
  };
}

/** Returns the signal to a claim's workflow; none if there are no changes for it. */
function signalOf({ id, project_id: tenant, environment }: Identity, changes: ResourceChange[]): NewSignal[] {
  return changes.length === 0 ? [] : [{ resource: { id, tenant, environment }, changes }];
}

/** The number of claims whose facts are read together to derive the deltas of late facts. */
const LATE_CLAIMS = 10;

/**
 * The facts of one commit on a claim, with their deltas. `deltas` is null if one of the facts took effect before a fact of an earlier
 * commit; the deltas are then derived from all facts of the claim.
 */
interface Recorded extends Omit<ClaimDeltas, 'deltas'> {
  readonly facts: readonly Fact[];
  readonly deltas: readonly Delta[] | null;
}

/** SQL that appends the deltas of the commits whose facts took effect in order; null if there are none. */
function deltasOf(tx: Tx, tenant: Tenant, records: readonly Recorded[]): Fragment | null {
  const claims = records.map((record) => ({ ...record, deltas: record.deltas ?? [] }));
  return claims.every(({ deltas }) => deltas.length === 0) ? null : appendDeltas(tx, tenant, claims);
}

/**
 * Appends the deltas of commits with a fact that took effect before a fact of an earlier commit. They are derived from all facts of the
 * claim, which are read for a few claims at a time, so that neither the memory nor the time until other requests continue grows with the
 * number of claims.
 */
async function writeLateDeltas(tx: Tx, tenant: Tenant, records: readonly Recorded[]): Promise<void> {
  const late = records.filter(({ deltas }) => deltas === null);
  for (let from = 0; from < late.length; from += LATE_CLAIMS) {
    const batch = late.slice(from, from + LATE_CLAIMS);
    const all = await summedFactsOf(
      tx,
      tenant,
      batch.map(({ claimId }) => claimId),
    );
    const claims = batch.map(({ claimId, recordedAt, facts }) => {
      const history = all.get(claimId) ?? [];
      return { claimId, recordedAt, deltas: deltasFrom(history, history.length - facts.length) };
    });
    await appendDeltas(tx, tenant, claims);
  }
}

/**
 * Decides the changes of one locked claim. The lapse of its information request, if any, comes first.
 *
 * @throws the API errors of {@link decideOnAll}
 */
export function decideOn(
  { claim, lapse }: { readonly claim: LockedClaim; readonly lapse: Lapse | null },
  changes: readonly Change[],
  pendingStep?: PendingStep | null,
): Recording {
  if (lapse === null) return decideOnAll([{ claim, changes, pendingStep }]);
  const recording = decideOnAll([{ claim, changes: [lapse.change, ...changes], pendingStep }]);
  return {
    ...recording,
    async write(tx, next) {
      // The request ends before `next`, which can open another one.
      const ended = resolveOpenRequest(tx, claim, 'cancelled', lapse.dueAt);
      const [, results] = await recording.write(tx, [ended, tx.pipeline(next)]);
      return results;
    },
  };
}

/** A claim to create, with its first changes. */
export interface NewClaim {
  readonly creation: Creation;
  readonly changes: readonly Change[];
}

/** Decides the changes that create claims of one tenant. @param now recorded_at of the first facts, in epoch milliseconds */
export function decideCreations(
  claims: readonly [NewClaim, ...NewClaim[]],
  now: number,
): Pick<Recording, 'write'> {
  const tenant = claims[0].creation.project_id;
  const records = claims.map(({ creation, changes }) => {
    const { state, facts } = record(INITIAL_STATE, changes, now);
    const events = eventsOf(creation, state, facts, 0);
    return {
      claimId: creation.id,
      recordedAt: now,
      facts,
      events,
      deltas: deltasInOrder(null, facts),
      created: { creation, state, eventVersion: events.length },
      signal: signalOf(creation, workflowChanges(INITIAL_STATE, changes, facts, state)),
    };
  });
  return {
    write: async (tx, next) => {
      const written = writeFacts(
        tx,
        records,
        records.flatMap(({ events }) => events),
        deltasOf(tx, tenant, records),
        insertClaims(
          tx,
          records.map(({ created }) => created),
        ),
      );
      const signals = enqueueSignals(
        tx,
        records.flatMap(({ signal }) => signal),
      );
      const [, , results] = await tx.pipeline([written, signals, tx.pipeline(next)]);
      return results;
    },
  };
}
