/** Rows of pre-authorizations: read, or locked before a change. */
import type {
  Environment,
  Preauthorization,
  PreauthorizationDecision,
  PreauthorizationStatus,
} from '@carecover/contract';
import type { Db, Fragment, Tenant, Tx } from '@carecover/platform';
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

/** A locked row, and whether the command in `deciding_command_id` is still pending. */
export interface LockedPreauthorization extends PreauthorizationRow {
  readonly is_being_approved: boolean;
}

/** Reads a pre-authorization; null if the tenant has no such one. */
export async function findPreauthorization(
  db: Db,
  tenant: Tenant,
  id: string,
): Promise<PreauthorizationRow | null> {
  const [row] = await db<PreauthorizationRow[]>`
    select * from preauthorizations where id = ${id} and project_id = ${tenant}`;
  return row ?? null;
}

/** Locks a pre-authorization until the transaction ends; null if the tenant has no such one. */
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
    from preauthorizations p where id = ${id} and project_id = ${tenant}`;
  return row ?? null;
}

/** Returns the ID of the booking's pending or approved pre-authorization; null if there is none. */
export async function findOpenPreauthorization(
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
 * Locks a booking's row and inserts it if it is new, so that the creation of a pre-authorization and the booking's cancellation run one
 * after the other.
 *
 * @returns whether benefits has received the booking's cancellation
 */
export async function lockBooking(tx: Tx, tenant: Tenant, bookingId: string): Promise<boolean> {
  const [row] = await tx<{ cancelled_at: Date | null }[]>`
    insert into bookings (booking_id, project_id) values (${bookingId}, ${tenant})
    on conflict (booking_id) do update set cancelled_at = bookings.cancelled_at
    returning cancelled_at`;
  return row?.cancelled_at !== null;
}

/** Records that a booking is cancelled; no pre-authorization is created for it afterwards. */
export async function recordCancelledBooking(tx: Tx, tenant: Tenant, bookingId: string): Promise<void> {
  await tx`
    insert into bookings (booking_id, project_id, cancelled_at) values (${bookingId}, ${tenant}, platform.now())
    on conflict (booking_id) do update set cancelled_at = coalesce(bookings.cancelled_at, excluded.cancelled_at)`;
}

/** Returns those of these pre-authorizations that wait for a deadline; their workflows must run. */
export async function findWaiting(db: Db, ids: readonly string[]): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select id from preauthorizations
    where id = any(${[...ids]}) and status in ('pending', 'approved') and used_by_claim_id is null`;
  return rows.map(({ id }) => id);
}

/** Sets or clears the command of the approval in progress. */
export async function setDecidingCommand(
  tx: Tx,
  tenant: Tenant,
  id: string,
  commandId: string | null,
): Promise<void> {
  await tx`update preauthorizations set deciding_command_id = ${commandId} where id = ${id} and project_id = ${tenant}`;
}

/** Returns the condition on `c` for the coverage of a pre-authorization. */
export function coverageOfPreauthorization(db: Db, tenant: Tenant, id: string): Fragment {
  return db`c.id = (select coverage_id from preauthorizations where id = ${id} and project_id = ${tenant})`;
}

/** Converts a locked row to the state that rules decide on. */
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

/** Converts a row to the pre-authorization's resource. */
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
