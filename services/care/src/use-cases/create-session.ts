/** Records a session outside the booking calendar, with a booking of its own, in one transaction. */

import { type DecidedWrite, type JsonResponse, type WriteRequest, writeOnce } from '@carecover/commands';
import { parseInstant, type SessionInput } from '@carecover/contract';
import { ApiError, type Caller, notFound, requireVisibleReference } from '@carecover/domain';
import type { Call } from '@carecover/http';
import type { Transactions, Tx } from '@carecover/postgres';
import { sessionResource } from '../resources';
import { requireRecent } from '../rules/slot';
import { insertRecordedSession, type NewRecordedRow, recordedRow } from '../store/bookings';
import { findPractitionerNow, type PractitionerRow } from '../store/practitioners';

/**
 * Records a session that took place, or will take place. Neither the practitioner's hours nor other bookings are checked, and the session
 * takes no slot.
 *
 * @throws ApiError validation_failed (the reference has no visible character), resource_not_found, session_too_old,
 *   duplicate_session_reference, idempotency_conflict
 */
export async function createSession(
  sql: Transactions,
  call: Pick<Call<'createSession'>, 'body' | 'replayStatus' | keyof WriteRequest>,
): Promise<JsonResponse> {
  const { caller, body } = call;
  checkReference(body);
  const fetch = (tx: Tx) => findPractitionerNow(tx, caller.tenant, body.practitioner_id);
  const effect = async (tx: Tx, practitioner: Awaited<ReturnType<typeof fetch>>) => {
    const { row, ...written } = decideSession(caller, body, practitioner);
    const isInserted = await insertRecordedSession(tx, row);
    if (!isInserted) {
      throw new ApiError(
        'duplicate_session_reference',
        '/external_reference belongs to another session of the project.',
      );
    }
    return written;
  };
  return writeOnce(sql, call, call.replayStatus, effect, fetch);
}

/** @throws ApiError validation_failed (the reference has no visible character) */
export function checkReference({ external_reference: reference }: SessionInput): void {
  if (reference != null) requireVisibleReference('/external_reference', reference);
}

/**
 * Decides a session that is recorded. Returns its response and its row.
 *
 * @param practitioner undefined if the project has none with the given ID
 * @throws ApiError resource_not_found, session_too_old
 */
export function decideSession(
  { tenant, authority }: Caller,
  body: SessionInput,
  practitioner: (PractitionerRow & { readonly now: Date }) | undefined,
): DecidedWrite<NewRecordedRow> {
  if (practitioner === undefined) throw notFound('/practitioner_id');
  const { now } = practitioner;
  const slot = { start: parseInstant(body.starts_at), end: parseInstant(body.ends_at) };
  requireRecent(slot, now);
  const row = recordedRow(tenant, {
    practitionerId: practitioner.id,
    slot,
    timezone: practitioner.timezone,
    format: body.format,
    paymentSource: body.payment_source,
    createdAt: now,
    recordedBy: authority,
    externalReference: body.external_reference ?? null,
  });
  const session = {
    ...row,
    id: row.session_id,
    booking_id: row.id,
    booking_status: row.status,
    delivered_at: null,
  };
  return { status: 201, body: sessionResource(session, now), resourceId: row.session_id, row };
}
