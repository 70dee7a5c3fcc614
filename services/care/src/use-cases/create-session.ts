/** Records a session outside the booking calendar, with a booking of its own, in one transaction. */

import { type JsonResponse, type WriteRequest, writeOnce } from '@carecover/commands';
import { parseInstant } from '@carecover/contract';
import { ApiError, notFound, requireVisibleReference } from '@carecover/domain';
import type { Call } from '@carecover/http';
import type { Transactions, Tx } from '@carecover/postgres';
import { sessionResource } from '../resources';
import { requireRecent } from '../rules/slot';
import { insertRecordedSession } from '../store/bookings';
import { findPractitionerNow } from '../store/practitioners';

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
  const { external_reference: externalReference = null } = body;
  if (externalReference !== null) requireVisibleReference('/external_reference', externalReference);
  const slot = { start: parseInstant(body.starts_at), end: parseInstant(body.ends_at) };
  const fetch = (tx: Tx) => findPractitionerNow(tx, caller.tenant, body.practitioner_id);
  const effect = async (tx: Tx, practitioner: Awaited<ReturnType<typeof fetch>>) => {
    if (practitioner === undefined) throw notFound('/practitioner_id');
    const { now } = practitioner;
    requireRecent(slot, now);
    const row = await insertRecordedSession(tx, caller.tenant, {
      practitionerId: practitioner.id,
      slot,
      timezone: practitioner.timezone,
      format: body.format,
      paymentSource: body.payment_source,
      createdAt: now,
      recordedBy: caller.authority,
      externalReference,
    });
    if (row === undefined) {
      throw new ApiError(
        'duplicate_session_reference',
        '/external_reference belongs to another session of the project.',
      );
    }
    const session = { ...row, id: row.session_id, booking_id: row.id, booking_status: row.status };
    return { status: 201, body: sessionResource(session, now), resourceId: row.session_id };
  };
  return writeOnce(sql, call, call.replayStatus, effect, fetch);
}
