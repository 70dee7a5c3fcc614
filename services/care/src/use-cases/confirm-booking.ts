/** Confirms a booking for an approval of its pre-authorization, and withdraws the confirmation if the approval is rejected later. */
import { ApiError, notFound, type Tenant } from '@carecover/domain';
import { databaseNow, type Sql } from '@carecover/postgres';
import { decideConfirmation, returnsToReserved } from '../rules/booking-steps';
import { lockBooking, sessionStateOf } from '../store/bookings';
import {
  type Approval,
  approvalStateOf,
  recordConfirmation,
  recordWithdrawal,
  returnToReserved,
} from '../store/confirmations';

/**
 * Confirms a booking by an approval. Idempotent by the approval's ID.
 *
 * @throws ApiError resource_not_found, or invalid_state if the booking was cancelled, its session has started and was not recorded outside
 *   the calendar, or the confirmation by this approval was withdrawn
 */
export async function confirmBooking(sql: Sql, tenant: Tenant, approval: Approval): Promise<void> {
  await sql.begin(async (tx) => {
    const row = await lockBooking(tx, tenant, approval.bookingId);
    if (row === undefined) throw notFound();
    const state = await approvalStateOf(tx, tenant, approval);
    const now = await databaseNow(tx);
    const decision = decideConfirmation(
      { ...sessionStateOf(row), isRecorded: row.recorded_by !== null },
      state.approval,
      now,
    );
    if (decision === 'reject') {
      throw new ApiError(
        'invalid_state',
        'The booking was cancelled, its session has started, or this approval was withdrawn.',
      );
    }
    if (decision === 'confirm') await recordConfirmation(tx, tenant, approval, now);
  });
}

/**
 * Withdraws an approval's confirmation. The booking returns to `reserved`, also after its session's start, unless it was cancelled or
 * another approval confirms it. Idempotent by the approval's ID. Does nothing if the booking does not exist.
 */
export async function withdrawConfirmation(sql: Sql, tenant: Tenant, approval: Approval): Promise<void> {
  await sql.begin(async (tx) => {
    const row = await lockBooking(tx, tenant, approval.bookingId);
    if (row === undefined) return;
    const { approval: state, isConfirmedByAnother } = await approvalStateOf(tx, tenant, approval);
    await recordWithdrawal(tx, tenant, approval, await databaseNow(tx));
    if (returnsToReserved(row.status, state, isConfirmedByAnother)) {
      await returnToReserved(tx, tenant, row.id);
    }
  });
}
