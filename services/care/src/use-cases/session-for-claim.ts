/** Reads the values of sessions that claims store. */
import { notFound, type Tenant } from '@carecover/domain';
import type { Sql } from '@carecover/postgres';
import type { SessionSnapshot } from '@carecover/workflow-claim';
import { sessionStatus } from '../rules/session-status';
import { findSessionNow, findSessionsNow, type SessionNow, stateOf } from '../store/sessions';

/** Reads the session with its current status. @throws ApiError resource_not_found */
export async function sessionForClaim(sql: Sql, tenant: Tenant, sessionId: string): Promise<SessionSnapshot> {
  const row = await findSessionNow(sql, tenant, sessionId);
  if (row === undefined) throw notFound('/session_id');
  return toSnapshot(row);
}

/** Reads sessions with their current status. One that the tenant does not have is missing in the result. */
export async function sessionsForClaims(
  sql: Sql,
  tenant: Tenant,
  sessionIds: readonly string[],
): Promise<SessionSnapshot[]> {
  return (await findSessionsNow(sql, tenant, sessionIds)).map(toSnapshot);
}

function toSnapshot(row: SessionNow): SessionSnapshot {
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
