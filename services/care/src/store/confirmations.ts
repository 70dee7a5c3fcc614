/** SQL of the approvals that confirmed a booking. Every read and write requires the lock of the booking's row. */
import type { Tenant } from '@carecover/domain';
import type { Tx } from '@carecover/postgres';
import type { ApprovalState } from '../rules/booking-steps';

/** An approval of a pre-authorization, and the booking that it confirms. */
export interface Approval {
  readonly bookingId: string;
  readonly preauthorizationId: string;
  /** The ID of the command that approves the pre-authorization. */
  readonly approvalId: string;
}

/** Reads whether this approval confirmed the locked booking or withdrew its confirmation, and whether another approval confirms it. */
export async function approvalStateOf(
  tx: Tx,
  tenant: Tenant,
  { bookingId, approvalId }: Approval,
): Promise<{ readonly approval: ApprovalState; readonly isConfirmedByAnother: boolean }> {
  const rows = await tx<{ approval_id: string; withdrawn_at: Date | null }[]>`
    select approval_id, withdrawn_at from booking_confirmations
    where project_id = ${tenant} and booking_id = ${bookingId}`;
  const own = rows.find((row) => row.approval_id === approvalId);
  return {
    approval: own === undefined ? null : own.withdrawn_at === null ? 'confirmed' : 'withdrawn',
    isConfirmedByAnother: rows.some((row) => row.approval_id !== approvalId && row.withdrawn_at === null),
  };
}

/** Records the confirmation by an approval, and sets the status of the locked booking to `confirmed`. */
export async function recordConfirmation(
  tx: Tx,
  tenant: Tenant,
  { bookingId, preauthorizationId, approvalId }: Approval,
  now: Date,
): Promise<void> {
  await tx`
    insert into booking_confirmations (project_id, booking_id, approval_id, preauthorization_id, confirmed_at)
    values (${tenant}, ${bookingId}, ${approvalId}, ${preauthorizationId}, ${now})`;
  await tx`update bookings set status = 'confirmed' where project_id = ${tenant} and id = ${bookingId}`;
}

/** Records that the approval withdrew its confirmation. If the request to confirm arrives later, it is rejected. */
export async function recordWithdrawal(
  tx: Tx,
  tenant: Tenant,
  { bookingId, preauthorizationId, approvalId }: Approval,
  now: Date,
): Promise<void> {
  await tx`
    insert into booking_confirmations (project_id, booking_id, approval_id, preauthorization_id, withdrawn_at)
    values (${tenant}, ${bookingId}, ${approvalId}, ${preauthorizationId}, ${now})
    on conflict (project_id, booking_id, approval_id) do update set withdrawn_at = excluded.withdrawn_at
    where booking_confirmations.withdrawn_at is null`;
}

/** Undoes the confirmation of a locked covered booking: its status is `reserved` again, as after its creation. */
export async function returnToReserved(tx: Tx, tenant: Tenant, bookingId: string): Promise<void> {
  await tx`
    update bookings set status = 'reserved'
    where project_id = ${tenant} and id = ${bookingId} and payment_source = 'covered'`;
}
