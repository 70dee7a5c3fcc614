/**
 * Reservations: one session of a coverage's benefit each. At most what is left is ever reserved, since whoever reserves
 * holds the coverage's row lock from before the count until the commit.
 */
import { ApiError, type Db, type Fragment, newId, type Tenant, type Tx } from '@carecover/platform';

export interface SessionToReserve {
  readonly tenant: Tenant;
  readonly coverageId: string;
  readonly preauthorizationId: string;
}

/**
 * How many of a coverage's sessions were reserved since its payer counted them, and not released; for a query in which `c` is
 * the coverage and `o` its snapshot's observation.
 */
export function reservedSessions(db: Db) {
  return db`(
    select count(*)::int from reservations r
    where r.coverage_id = c.id and r.released_at is null and r.reserved_at >= o.observed_at
  )`;
}

/**
 * The pre-authorizations past their deadline that still hold a session of these coverages, since nobody has let them expire
 * yet; in the order of their ids, in which they are to be locked.
 *
 * @param coverages a condition on `c`
 */
export async function overdueHolders(db: Db, tenant: Tenant, coverages: Fragment): Promise<string[]> {
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

async function remainingUnderLock(tx: Tx, coverageId: string): Promise<number> {
  // A statement of its own: one that waited for the lock would count what was there before it waited.
  await tx`select 1 from coverages where id = ${coverageId} for update`;
  const [row] = await tx<{ remaining: number }[]>`
    select o.remaining_sessions - ${reservedSessions(tx)} as remaining
    from coverages c join coverage_observations o on o.id = c.snapshot_observation_id
    where c.id = ${coverageId}`;
  if (row === undefined) throw new Error('a coverage of a check has no observation');
  return row.remaining;
}

/**
 * Reserves one session, once a pre-authorization.
 *
 * @returns when it was reserved: by the clock, but never before the observation that it counts against
 * @throws ApiError benefit_exhausted where none is left
 */
export async function reserveSession(tx: Tx, session: SessionToReserve): Promise<Date> {
  const [held] = await tx<{ reserved_at: Date }[]>`
    select reserved_at from reservations
    where preauthorization_id = ${session.preauthorizationId} and released_at is null`;
  if (held !== undefined) return held.reserved_at;
  if ((await remainingUnderLock(tx, session.coverageId)) < 1) {
    throw new ApiError('benefit_exhausted', 'No session of the benefit is left to reserve.');
  }
  // It comes after the snapshot's observation, also where the clock stepped back between them.
  const [made] = await tx<{ reserved_at: Date }[]>`
    insert into reservations (id, project_id, coverage_id, preauthorization_id, reserved_at)
    select ${newId('res_')}, ${session.tenant}, id, ${session.preauthorizationId}, greatest(platform.now(), observed_at)
    from coverages where id = ${session.coverageId}
    returning reserved_at`;
  if (made === undefined) throw new Error('a session was not reserved');
  return made.reserved_at;
}

/** Gives back what a pre-authorization reserved, if it did. */
export async function releaseSession(tx: Tx, preauthorizationId: string): Promise<void> {
  await tx`
    update reservations set released_at = platform.now()
    where preauthorization_id = ${preauthorizationId} and released_at is null`;
}
