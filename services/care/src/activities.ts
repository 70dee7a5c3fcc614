/** The steps of the claim and pre-authorization workflows in care. Each is idempotent, because a crash can repeat it. */
import { notFound, type Sql, type StepHandlers, storedTenant } from '@carecover/platform';
import type { CareForClaims } from '@carecover/workflow-claim';
import type { CareForPreauthorizations } from '@carecover/workflow-preauthorization';
import { sessionStatus } from './rules/session-status';
import { findSessionNow, stateOf } from './store/sessions';
import { confirmBooking, withdrawConfirmation } from './use-cases/confirm-booking';

export function careActivities(sql: Sql): StepHandlers<CareForClaims & CareForPreauthorizations> {
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

    confirmBooking: ({ tenant, ...approval }) => confirmBooking(sql, storedTenant(tenant), approval),

    withdrawConfirmation: ({ tenant, ...approval }) =>
      withdrawConfirmation(sql, storedTenant(tenant), approval),
  };
}
