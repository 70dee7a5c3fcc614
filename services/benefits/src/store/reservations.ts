/**
 * Rows of reservations, one session of a benefit each. Never more than the remaining sessions are reserved, because a reservation locks
 * the coverage's row before it counts and until the commit.
 */
import { ApiError, type Db, type Fragment, newId, type Tenant, type Tx } from '@carecover/platform';

export interface SessionToReserve {
  readonly tenant: Tenant;
  readonly coverageId: string;
  readonly preauthorizationId: string;
}

/**
 * Returns SQL that counts a coverage's unreleased reservations since its snapshot's observation. In the query, `c` is the coverage and
 * `o` the observation.
 */
export function reservedSessionCount(db: Db) {
  return db`(
    select count(*)::int from reservations r
    where r.coverage_id = c.id and r.released_at is null and r.reserved_at >= o.observed_at
  )`;
}

/**
 * Returns the IDs of the pre-authorizations that are past their deadline and still reserve a session of these coverages. Callers lock
 * them in this order.
 *
 * @param coverages a condition on `c`
 */
export async function findOverdueReservations(
  db: Db,
  tenant: Tenant,
  coverages: Fragment,
): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select p.id
    from coverages c
    join reservations r on r.coverage_id = c.id and r.released_at is null
    join preauthorizations p on p.id = r.preauthorization_id
    where c.project_id = ${tenant} and ${coverages}
      and p.status in ('pending', 'approved') and p.used_by_claim_id is null
      and coalesce(p.valid_until, p.decide_by) <= (select platform.now())
    order by p.id`;
  return rows.map(({ id }) => id);
}

async function lockRemainingSessions(tx: Tx, tenant: Tenant, coverageId: string): Promise<number> {
  // A second statement counts, because a statement that waits for the lock would count rows from before its wait.
  await tx`select 1 from coverages where id = ${coverageId} and project_id = ${tenant} for update`;
  const [row] = await tx<{ remaining: number }[]>`
    select o.remaining_sessions - ${reservedSessionCount(tx)} as remaining
    from coverages c join coverage_observations o on o.id = c.snapshot_observation_id
    where c.id = ${coverageId} and c.project_id = ${tenant}`;
  if (row === undefined) throw new Error('a coverage of a check has no observation');
  return row.remaining;
}

/**
 * Reserves one session for a pre-authorization, unless it has one.
 *
 * @returns the time of the reservation, never before the observed_at of the snapshot
 * @throws ApiError benefit_exhausted if no session is left
 */
export async function reserveSession(tx: Tx, session: SessionToReserve): Promise<Date> {
  const [existing] = await tx<{ reserved_at: Date }[]>`
    select reserved_at from reservations
    where preauthorization_id = ${session.preauthorizationId} and project_id = ${session.tenant} and released_at is null`;
  if (existing !== undefined) return existing.reserved_at;
  if ((await lockRemainingSessions(tx, session.tenant, session.coverageId)) < 1) {
    throw new ApiError('benefit_exhausted', 'The coverage has no remaining session to reserve.');
  }
  // Never before the snapshot's observation, also if the clock stepped back between them.
  const [created] = await tx<{ reserved_at: Date }[]>`
    insert into reservations (id, project_id, coverage_id, preauthorization_id, reserved_at)
    select ${newId('res_')}, ${session.tenant}, id, ${session.preauthorizationId}, greatest(platform.now(), observed_at)
    from coverages where id = ${session.coverageId} and project_id = ${session.tenant}
    returning reserved_at`;
  if (created === undefined) throw new Error('a session was not reserved');
  return created.reserved_at;
}

/** Releases the session that a pre-authorization reserved, if there is one. */
export async function releaseSession(tx: Tx, tenant: Tenant, preauthorizationId: string): Promise<void> {
  await tx`
    update reservations set released_at = platform.now()
    where preauthorization_id = ${preauthorizationId} and project_id = ${tenant} and released_at is null`;
}
