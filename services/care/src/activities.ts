/** The steps of claims' and pre-authorizations' workflows in care. Each may be repeated after a crash. */
import {
  ApiError,
  databaseNow,
  notFound,
  type Sql,
  type StepHandlers,
  storedTenant,
} from '@carecover/platform';
import type { CareForClaims } from '@carecover/workflow-claim';
import type { CareForPreauthorizations } from '@carecover/workflow-preauthorization';
import { confirmation, returnsToReserved } from './rules/booking-steps';
import { sessionStatus } from './rules/session-status';
import { lockBooking, sessionStateOf } from './store/bookings';
import { approvalStateOf, confirmLocked, unconfirmLocked, withdrawLocked } from './store/confirmations';
import { findSessionNow, stateOf } from './store/sessions';

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

    async confirmBooking({ tenant, ...approval }) {
      await sql.begin(async (tx) => {
        const row = await lockBooking(tx, storedTenant(tenant), approval.bookingId);
        if (row === undefined) throw notFound();
        const state = await approvalStateOf(tx, approval);
        const now = await databaseNow(tx);
        const outcome = confirmation(sessionStateOf(row), state.approval, now);
        if (outcome === 'reject') {
          throw new ApiError(
            'invalid_state',
            'The booking was cancelled, its session has begun, or this approval was withdrawn.',
          );
        }
        if (outcome === 'confirm') await confirmLocked(tx, approval, now);
      });
    },

    async withdrawConfirmation({ tenant, ...approval }) {
      await sql.begin(async (tx) => {
        const row = await lockBooking(tx, storedTenant(tenant), approval.bookingId);
        // Of a booking that care does not know there is nothing to take back: confirming it was rejected.
        if (row === undefined) return;
        const { approval: state, isConfirmedByAnother } = await approvalStateOf(tx, approval);
        const now = await databaseNow(tx);
        await withdrawLocked(tx, approval, now);
        if (returnsToReserved(sessionStateOf(row), state, isConfirmedByAnother, now)) {
          await unconfirmLocked(tx, row.id);
        }
      });
    },
  };
}
