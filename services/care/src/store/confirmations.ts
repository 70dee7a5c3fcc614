/** Which approvals confirmed a booking. Read and written under the lock of the booking's row. */
import type { Tx } from '@carecover/platform';
import type { ApprovalState } from '../rules/booking-steps';

/** An approval of a pre-authorization, and the booking that it confirms. */
export interface Approval {
  readonly bookingId: string;
  readonly preauthorizationId: string;
  /** The id of the command that approves. */
  readonly approvalId: string;
}

/** What this approval has done to the locked booking, and whether another one's confirmation stands. */
export async function approvalStateOf(
  tx: Tx,
  { bookingId, approvalId }: Approval,
): Promise<{ readonly approval: ApprovalState; readonly isConfirmedByAnother: boolean }> {
  const rows = await tx<{ approval_id: string; withdrawn_at: Date | null }[]>`
    select approval_id, withdrawn_at from booking_confirmations where booking_id = ${bookingId}`;
  const own = rows.find((row) => row.approval_id === approvalId);
  return {
    approval: own === undefined ? null : own.withdrawn_at === null ? 'confirmed' : 'withdrawn',
    isConfirmedByAnother: rows.some((row) => row.approval_id !== approvalId && row.withdrawn_at === null),
  };
}

/** Confirms the locked booking. */
export async function confirmLocked(
  tx: Tx,
  { bookingId, preauthorizationId, approvalId }: Approval,
  now: Date,
): Promise<void> {
  await tx`
    insert into booking_confirmations (booking_id, approval_id, preauthorization_id, confirmed_at)
    values (${bookingId}, ${approvalId}, ${preauthorizationId}, ${now})`;
  await tx`update bookings set status = 'confirmed' where id = ${bookingId}`;
}

/** Records that the approval withdrew its confirmation, also where its confirm request has not arrived yet. */
export async function withdrawLocked(
  tx: Tx,
  { bookingId, preauthorizationId, approvalId }: Approval,
  now: Date,
): Promise<void> {
  await tx`
    insert into booking_confirmations (booking_id, approval_id, preauthorization_id, withdrawn_at)
    values (${bookingId}, ${approvalId}, ${preauthorizationId}, ${now})
    on conflict (booking_id, approval_id) do update set withdrawn_at = excluded.withdrawn_at
    where booking_confirmations.withdrawn_at is null`;
}

/** Takes the locked booking back to `reserved`, in which only covered ones begin. */
export async function unconfirmLocked(tx: Tx, bookingId: string): Promise<void> {
  await tx`update bookings set status = 'reserved' where id = ${bookingId} and payment_source = 'covered'`;
}
