/** Reads the values of a session that a claim stores. */
import { notFound, type Tenant } from '@carecover/domain';
import type { Sql } from '@carecover/postgres';
import type { SessionSnapshot } from '@carecover/workflow-claim';
import { sessionStatus } from '../rules/session-status';
import { findSessionNow, stateOf } from '../store/sessions';

/** Reads the session with its current status. @throws ApiError resource_not_found */
export async function sessionForClaim(sql: Sql, tenant: Tenant, sessionId: string): Promise<SessionSnapshot> {
  const row = await findSessionNow(sql, tenant, sessionId);
  if (row === undefined) throw notFound('/session_id');
  return {
    sessionId: row.id,
    bookingId: row.booking_id,
    practitionerId: row.practitioner_id,
    startsAt: row.starts_at.toISOString(),
    endsAt: row.ends_at.toISOString(),
    status: sessionStatus(stateOf(row), row.now),
    paymentSource: row.payment_source,
    recorded: row.recorded_by === null ? null : { by: row.recorded_by, at: row.created_at.toISOString() },
  };
}
