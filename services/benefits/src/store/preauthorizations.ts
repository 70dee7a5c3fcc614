/** Pre-authorizations: their rows, read as they are or locked to be changed. */
import type {
  Environment,
  Preauthorization,
  PreauthorizationDecision,
  PreauthorizationStatus,
} from '@carecover/contract';
import type { Db, Tenant, Tx } from '@carecover/platform';
import type { BenefitState } from '../rules/benefit-state';

export interface PreauthorizationRow {
  readonly id: string;
  readonly project_id: Tenant;
  readonly environment: Environment;
  readonly eligibility_check_id: string;
  readonly booking_id: string;
  readonly coverage_id: string;
  readonly coverage_observation_id: string;
  readonly status: PreauthorizationStatus;
  readonly version: number;
  readonly requested_amount: number;
  readonly currency: string;
  readonly decide_by: Date;
  readonly deciding_command_id: string | null;
  readonly approved_amount: number | null;
  readonly valid_until: Date | null;
  readonly decision: PreauthorizationDecision | null;
  readonly used_by_claim_id: string | null;
  readonly created_at: Date;
}

/** A row under its lock, with whether the approval that it names is still being carried out. */
export interface LockedPreauthorization extends PreauthorizationRow {
  readonly is_being_approved: boolean;
}

/** Null where the tenant has no such pre-authorization. */
export async function findPreauthorization(
  db: Db,
  tenant: Tenant,
  id: string,
): Promise<PreauthorizationRow | null> {
  const [row] = await db<PreauthorizationRow[]>`
    select * from preauthorizations where id = ${id} and project_id = ${tenant}`;
  return row ?? null;
}

/** Locks it until the transaction ends; null where the tenant has no such pre-authorization. */
export async function lockPreauthorization(
  tx: Tx,
  tenant: Tenant,
  id: string,
): Promise<LockedPreauthorization | null> {
  const locked = await tx`
    select 1 from preauthorizations where id = ${id} and project_id = ${tenant} for update`;
  if (locked.length === 0) return null;
  const [row] = await tx<LockedPreauthorization[]>`
    select p.*, exists (
      select 1 from commands where id = p.deciding_command_id and answer_status is null
    ) as is_being_approved
    from preauthorizations p where id = ${id}`;
  return row ?? null;
}

/** The id of the booking's pre-authorization that is pending or approved. */
export async function openPreauthorizationOf(
  db: Db,
  tenant: Tenant,
  bookingId: string,
): Promise<string | null> {
  const [row] = await db<{ id: string }[]>`
    select id from preauthorizations
    where project_id = ${tenant} and booking_id = ${bookingId} and status in ('pending', 'approved')`;
  return row?.id ?? null;
}

/**
 * Locks what benefits knows of a booking, so that a creation and the booking's cancellation come one after the other.
 *
 * @returns whether the booking is known to be cancelled
 */
export async function lockBooking(tx: Tx, tenant: Tenant, bookingId: string): Promise<boolean> {
  const [row] = await tx<{ cancelled_at: Date | null }[]>`
    insert into bookings (booking_id, project_id) values (${bookingId}, ${tenant})
    on conflict (booking_id) do update set cancelled_at = bookings.cancelled_at
    returning cancelled_at`;
  return row?.cancelled_at !== null;
}

/** Notes that a booking is cancelled: from now on no pre-authorization is born for it. */
export async function noteCancelledBooking(tx: Tx, tenant: Tenant, bookingId: string): Promise<void> {
  await tx`
    insert into bookings (booking_id, project_id, cancelled_at) values (${bookingId}, ${tenant}, platform.now())
    on conflict (booking_id) do update set cancelled_at = coalesce(bookings.cancelled_at, excluded.cancelled_at)`;
}

/** Which of these wait for a deadline, so that their workflows run. */
export async function findWaiting(db: Db, ids: readonly string[]): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select id from preauthorizations
    where id = any(${[...ids]}) and status in ('pending', 'approved') and used_by_claim_id is null`;
  return rows.map(({ id }) => id);
}

/** A locked row as the rules see it. */
export function stateOf(row: LockedPreauthorization): BenefitState {
  return {
    status: row.status,
    decideBy: row.decide_by,
    isBeingApproved: row.is_being_approved,
    validUntil: row.valid_until,
    usedByClaimId: row.used_by_claim_id,
    requestedAmount: row.requested_amount,
  };
}

/** As the contract shows a pre-authorization. */
export function preauthorizationResource(row: PreauthorizationRow): Preauthorization {
  return {
    id: row.id,
    object: 'preauthorization',
    eligibility_check_id: row.eligibility_check_id,
    booking_id: row.booking_id,
    status: row.status,
    reason_codes: row.decision?.reason_codes ?? [],
    amount: {
      requested: row.requested_amount,
      approved: row.approved_amount,
      currency: row.currency,
    },
    valid_until: row.valid_until?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    decision: row.decision,
  };
}
