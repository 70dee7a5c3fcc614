/**
 * Records a change of a locked pre-authorization: the new values, the fact, the event and the signal to its workflow. A claim's use and its
 * release have no event, because they are not decisions about the pre-authorization.
 */
import { preauthorizationEventData } from '@carecover/contract';
import { appendEvents } from '@carecover/events';
import { type Fragment, type Tx, writeTogether } from '@carecover/postgres';
import { signalsInsert } from '@carecover/temporal';
import { preauthorizationResource } from '../resources';
import {
  afterChange,
  hasEvent,
  type PreauthorizationChange,
  type PreauthorizationFactType,
  releasesSession,
} from '../rules/preauthorization-changes';
import { factInsert, type PreauthorizationRow, updatePreauthorization } from '../store/preauthorizations';
import { releaseReservation } from '../store/reservations';

/** The time of a change, and the person or service that decided it. */
export interface ChangeContext {
  readonly at: Date;
  readonly authority: string;
  /** ID of the request, for the workflow's history; absent if no request of a client caused the change. */
  readonly requestId?: string;
}

/** Records a change of a pre-authorization that this transaction has locked, and returns the changed row. */
export async function recordChange(
  tx: Tx,
  row: PreauthorizationRow,
  change: PreauthorizationChange,
  context: ChangeContext,
): Promise<PreauthorizationRow> {
  const tenant = row.project_id;
  if (releasesSession(change)) await releaseReservation(tx, tenant, row.id);
  const before = {
    status: row.status,
    approvedAmount: row.approved_amount,
    validUntil: row.valid_until,
    decision: row.decision,
    usedByClaimId: row.used_by_claim_id,
  };
  const after = await updatePreauthorization(tx, tenant, row, afterChange(before, change), context.at);
  const { at, authority } = context;
  await writeTogether(tx, [
    factInsert(tx, tenant, after, { ...change, at, authority }),
    signalInsert(tx, after, change.type, context),
    ...(hasEvent(change.type) ? [eventInsert(tx, after, change.type, context.at)] : []),
  ]);
  return after;
}

/** Returns SQL that enqueues the signal about a change to the pre-authorization's workflow. @param what what changed, for operators */
export function signalInsert(
  tx: Tx,
  { id, project_id: tenant, environment }: PreauthorizationRow,
  what: string,
  { at, authority: actor, requestId }: ChangeContext,
): Fragment {
  const change = { what, at: at.toISOString(), actor, requestId: requestId ?? null };
  return signalsInsert(tx, [{ resource: { id, tenant, environment }, changes: [change] }]);
}

/** Returns SQL that appends the event of a pre-authorization's current version to the outbox. */
export function eventInsert(
  tx: Tx,
  row: PreauthorizationRow,
  type: Exclude<PreauthorizationFactType, 'used' | 'released'>,
  at: Date,
): Fragment {
  const event = {
    tenant: row.project_id,
    environment: row.environment,
    type: `preauthorization.${type}`,
    resourceId: row.id,
    resourceVersion: row.version,
    createdAt: at,
    data: preauthorizationEventData(preauthorizationResource(row)),
  } as const;
  return appendEvents(tx, [event]);
}
