/**
 * Queries over all tenants for claims that need their workflow, for sweeps, signals and metrics. Sweeps leave out claims that changed
 * within the last `graceS` seconds, because their workflows may still be working on them.
 */

import type { OwnedResource } from '@carecover/domain';
import { type Db, jsonb } from '@carecover/postgres';

/** Reads one page of the claims that wait for an adjudication, evidence or settlement: up to `limit`, by ID, after `afterId`. */
export function openClaimsAfter(
  db: Db,
  afterId: string,
  graceS: number,
  limit: number,
): PromiseLike<OwnedResource[]> {
  return db<OwnedResource[]>`
    select id, project_id as tenant, environment from claims
    where status in ('submitted', 'queried', 'approved', 'partially_approved')
      and id > ${afterId}
      and (platform.is_simulated(project_id) or last_recorded_at < (select platform.now()) - ${graceS} * interval '1 second')
    order by id limit ${limit}`;
}

/** Reads up to `limit` claims of projects with real time whose information request is overdue by more than `graceS` seconds, the most overdue first. */
export function overdueClaims(db: Db, graceS: number, limit: number): PromiseLike<OwnedResource[]> {
  // The subquery reads the clock once per query. If it were read per row, the index on deadlines could not be used.
  return db<OwnedResource[]>`
    select c.id, c.project_id as tenant, c.environment from information_requests r join claims c on c.id = r.claim_id
    where r.status = 'open' and not platform.is_simulated(r.project_id) and r.due_at < (select platform.now()) - ${graceS} * interval '1 second'
    order by r.due_at limit ${limit}`;
}

/**
 * Reads up to `limit` cancelled or reversed claims whose pre-authorization benefits has not released, in random order, so that claims that
 * benefits can't release do not hide the others.
 */
export function unreleasedClaims(db: Db, graceS: number, limit: number): PromiseLike<OwnedResource[]> {
  return db<OwnedResource[]>`
    select id, project_id as tenant, environment from claims
    where status in ('cancelled', 'reversed') and released_at is null
      and (platform.is_simulated(project_id) or last_recorded_at < (select platform.now()) - ${graceS} * interval '1 second')
    order by random() limit ${limit}`;
}

/**
 * Returns the IDs of those of the given claims that wait for an adjudication, evidence or settlement: each of them needs a running
 * workflow.
 */
export async function findWaiting(db: Db, claims: readonly OwnedResource[]): Promise<string[]> {
  const rows = claims.map(({ id, tenant }) => ({ id, tenant }));
  const waiting = await db<{ id: string }[]>`
    select claims.id from claims
    join jsonb_to_recordset(${jsonb(rows)}) as given (id text, tenant text)
      on given.id = claims.id and given.tenant = claims.project_id
    where claims.status in ('submitted', 'queried', 'approved', 'partially_approved')`;
  return waiting.map(({ id }) => id);
}

/** Returns by how many seconds the most overdue information request of all tenants with real time is past its deadline; 0 if none is. */
export async function longestOverdueSeconds(db: Db): Promise<number> {
  const [row] = await db<{ overdue: number }[]>`
    select coalesce(greatest(0, extract(epoch from platform.now() - min(due_at))), 0)::float8 as overdue
    from information_requests where status = 'open' and due_at is not null and not platform.is_simulated(project_id)`;
  return row?.overdue ?? 0;
}
