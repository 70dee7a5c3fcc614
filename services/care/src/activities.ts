/** What the workflows of claims and pre-authorizations ask of care, on the queue `care`. Each may be repeated after a crash. */
import { databaseNow, notFound, Refusal, type Sql, storedTenant } from '@carecover/platform';
import type { CareForClaims } from '@carecover/workflow-claim';
import type { CareForPreauthorizations } from '@carecover/workflow-preauthorization';
import { confirmation } from './rules/booking-steps';
import { sessionStatus } from './rules/session-status';
import { confirmLocked, lockBooking, sessionStateOf } from './store/bookings';
import { findSessionNow, stateOf } from './store/sessions';

export function careActivities(sql: Sql): CareForClaims & CareForPreauthorizations {
  return {
    async sessionForClaim({ tenant, sessionId }) {
      const row = await findSessionNow(sql, storedTenant(tenant), sessionId);
      if (row === undefined) throw notFound();
      return {
        sessionId: row.id,
        bookingId: row.booking_id,
        practitionerId: row.practitioner_id,
        startsAt: row.starts_at.toISOString(),
        endsAt: row.ends_at.toISOString(),
        status: sessionStatus(stateOf(row), row.now),
        paymentSource: row.payment_source,
      };
    },

    async confirmBooking({ tenant, bookingId, preauthorizationId }) {
      await sql.begin(async (tx) => {
        const row = await lockBooking(tx, storedTenant(tenant), bookingId);
        if (row === undefined) throw notFound();
        const state = { ...sessionStateOf(row), confirmedBy: row.confirmed_by };
        const outcome = confirmation(state, preauthorizationId, await databaseNow(tx));
        if (outcome === 'refuse') {
          throw new Refusal('invalid_state', 'The booking was cancelled, or its session has begun.');
        }
        if (outcome === 'confirm') await confirmLocked(tx, row.id, preauthorizationId);
      });
    },
  };
}
