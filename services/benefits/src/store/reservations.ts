/**
 * Rows of reservations: each reserves one session of a benefit. A transaction locks the coverage's row (`lockSessions`) before it counts
 * the coverage's reservations, and holds this lock until the commit. So no more sessions are reserved than remain.
 */

import { newId, type Tenant } from '@carecover/domain';
import { type Db, type Fragment, jsonb, type Query, type Tx } from '@carecover/postgres';
import { type Benefit, benefitCondition } from './coverages';

/** Returns the time of a pre-authorization's unreleased reservation; null if it has none. */
export function findReservation(db: Db, tenant: Tenant, preauthorizationId: string): Query<Date | null> {
  const found = db<{ reserved_at: Date }[]>`
    select reserved_at from reservations
    where preauthorization_id = ${preauthorizationId} and project_id = ${tenant} and released_at is null`;
  return found.withResult(([row]) => row?.reserved_at ?? null);
}

/**
 * Reserves one session of a locked coverage for a pre-authorization.
 *
 * @returns the time of the reservation: the current time, but at least the observed_at of the coverage's snapshot, which is later if the
 *   clock was set back
 */
export async function insertReservation(
  tx: Tx,
  tenant: Tenant,
  coverageId: string,
  preauthorizationId: string,
): Promise<Date> {
  const [row] = await tx<{ reserved_at: Date }[]>`
    insert into reservations (id, project_id, coverage_id, preauthorization_id, reserved_at)
    select ${newId('res_')}, ${tenant}, id, ${preauthorizationId}, greatest(platform.now(), observed_at)
    from coverages where id = ${coverageId} and project_id = ${tenant}
    returning reserved_at`;
  if (row === undefined) throw new Error('a session was not reserved');
  return row.reserved_at;
}

/** Releases the session that a pre-authorization reserved, if there is one. */
export async function releaseReservation(tx: Tx, tenant: Tenant, preauthorizationId: string): Promise<void> {
  await tx`
    update reservations set released_at = platform.now()
    where preauthorization_id = ${preauthorizationId} and project_id = ${tenant} and released_at is null`;
}

/**
 * Returns the IDs of the pre-authorizations past their deadline that still reserve a session of a benefit, sorted. Lock them in this order
 * to prevent deadlocks.
 */
export function overdueReservationsOf(db: Db, tenant: Tenant, benefit: Benefit): Query<string[]> {
  return overdueReservations(db, tenant, benefitCondition(db, benefit));
}

/** Returns the same as {@link overdueReservationsOf}, for many benefits. */
export function overdueReservationsOfAll(
  db: Db,
  tenant: Tenant,
  benefits: readonly Benefit[],
): Query<string[]> {
  const asked = db`
    (c.member_id, c.service_code, c.currency) in (
      select "memberId", "serviceCode", currency
      from jsonb_to_recordset(${jsonb(benefits)}) as asked ("memberId" text, "serviceCode" text, currency text))`;
  return overdueReservations(db, tenant, asked);
}

/** Returns the same as {@link overdueReservationsOf}, for the coverage of the given pre-authorization instead of a benefit. */
export function overdueReservationsBeside(
  db: Db,
  tenant: Tenant,
  preauthorizationId: string,
): Query<string[]> {
  const coverage = db`
    c.id = (select coverage_id from preauthorizations where id = ${preauthorizationId} and project_id = ${tenant})`;
  return overdueReservations(db, tenant, coverage);
}

/** @param coverages SQL condition that selects the coverages; `c` is the coverage in the query */
function overdueReservations(db: Db, tenant: Tenant, coverages: Fragment): Query<string[]> {
  const found = db<{ id: string }[]>`
    select p.id
    from coverages c
    join reservations r on r.coverage_id = c.id and r.released_at is null
    join preauthorizations p on p.id = r.preauthorization_id
    where c.project_id = ${tenant} and ${coverages}
      and p.status in ('pending', 'approved') and p.used_by_claim_id is null
      and coalesce(p.valid_until, p.decide_by) <= (select platform.now())
    order by p.id`;
  return found.withResult((rows) => rows.map(({ id }) => id));
}
