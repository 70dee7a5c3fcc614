/**
 * The clocks of projects whose time is simulated, and the lease of the gateway process that executes an advance.
 *
 * Failure policy: closed. Only the holder of the lease moves the clock of an advance; another process continues it when the lease has ended.
 */
import type { TestClockStatus } from '@carecover/contract';
import { ApiError, digest128, isSimulated, storedTenant, type Tenant } from '@carecover/domain';
import type { Db, Sql, Tx } from '@carecover/postgres';

/** How long in seconds an advance belongs to the process that executes it, after its last completed step. */
const LEASE_S = 30;

/**
 * By how many milliseconds a write moves the clock. The facts of one write on one resource have different milliseconds; the next write begins
 * after them.
 */
const TICK_MS = 10;

export interface ClockRow {
  readonly project_id: Tenant;
  readonly now: Date;
  readonly status: TestClockStatus;
  readonly target: Date | null;
  readonly authority: string | null;
  readonly completed: number;
  /** The last completed instant of the advances; null before the first. */
  readonly advanced_to: Date | null;
  readonly failure: string | null;
  /** Whether a process executes the advance. */
  readonly is_executed: boolean;
}

/** The time of a new simulated project. */
export interface NewClock {
  readonly now: Date;
  /** Of which the project's IDs follow; null: they are random. */
  readonly seed: string | null;
}

/** Inserts the time of a simulated project that is inserted next. @throws ApiError invalid_state if another project has the seed */
export async function insertTime(tx: Tx, projectId: string, { now, seed }: NewClock): Promise<void> {
  const inserted = await tx`
    insert into platform.project_clocks (project_id, now, seed) values (${projectId}, ${now}, ${seed})
    on conflict (seed) do nothing returning 1`;
  if (inserted.length === 0)
    throw new ApiError(
      'invalid_state',
      'Another project of this installation has the /seed, and so the same identifiers: use another seed, or another installation.',
    );
}

/** Inserts the clock of a new simulated project. @param createdBy the project whose key creates it; null for an operator */
export async function insertClock(tx: Tx, projectId: string, createdBy: string | null): Promise<void> {
  await tx`insert into gateway.test_clocks (project_id, created_by) values (${projectId}, ${createdBy})`;
}

/** Counts the clocks that a project has created, and blocks other transactions that count them until the commit. */
export async function countClocksOf(tx: Tx, tenant: Tenant): Promise<number> {
  const [, [row]] = await tx.pipeline([
    tx`select pg_advisory_xact_lock(hashtextextended(${`gateway.clocks:${tenant}`}, 0))`,
    tx<{ count: number }[]>`select count(*)::integer as count from test_clocks where created_by = ${tenant}`,
  ]);
  return row?.count ?? 0;
}

/** Returns the ID of the project whose key created the clock, or of the clock's own project if an operator did. */
export async function findOwner(db: Db, tenant: Tenant): Promise<string> {
  const [row] = await db<{ owner: string }[]>`
    select coalesce(created_by, project_id) as owner from test_clocks where project_id = ${tenant}`;
  return row?.owner ?? tenant;
}

/** Reads the clock of a project; undefined for a project with real time. */
export async function findClock(db: Db, tenant: Tenant): Promise<ClockRow | undefined> {
  const [row] = await db<ClockRow[]>`
    select project_id, now, status, target, authority, completed, advanced_to, failure,
      coalesce(leased_until > platform.real_now(), false) as is_executed
    from test_clocks join platform.project_clocks using (project_id) where project_id = ${tenant}`;
  return row;
}

/** Reads the clock of a project, and blocks other changes of its advance until the commit. */
export async function lockClock(tx: Tx, tenant: Tenant): Promise<ClockRow | undefined> {
  await tx`select 1 from test_clocks where project_id = ${tenant} for update`;
  return findClock(tx, tenant);
}

/**
 * Returns what a request is for the IDs that it makes in a project with a seed, and keeps that it was sent. Returns null for a repeated request,
 * and for a project without a seed.
 */
export async function takeIdScope(
  db: Db,
  tenant: Tenant,
  operation: string,
  key: string,
): Promise<string | null> {
  const scope = digest128(`${operation}\n${key}`);
  const inserted = await db`
    insert into seeded_requests (project_id, scope)
    select project_id, ${scope} from platform.project_clocks where project_id = ${tenant} and seed is not null
    on conflict do nothing returning 1`;
  return inserted.length === 0 ? null : scope;
}

/** A write that was answered. */
export interface AnsweredWrite {
  readonly operation: string;
  /** The idempotency key; null without one. */
  readonly key: string | null;
  /** Whether the response is that of an earlier request with the key. */
  readonly isReplayed: boolean;
}

/**
 * Moves the clock of a simulated project after a write. A repeated request whose write has moved the clock as the latest one does not move it
 * again, so that a client that repeats a request because it lost the response has the same times as one that did not.
 */
export async function tickClock(
  db: Db,
  tenant: Tenant,
  { operation, key, isReplayed }: AnsweredWrite,
): Promise<void> {
  const digest = key === null ? null : digest128(`${tenant}\n${operation}\n${key}`);
  await db`
    update platform.project_clocks set now = now + ${TICK_MS} * interval '1 millisecond', moved_for = ${digest}
    where project_id = ${tenant} and not (${isReplayed} and moved_for is not distinct from ${digest}::uuid)`;
}

/** Moves the clock on before or after a change that no client sent, such as an operator's. Does nothing for a project with real time, or for none. */
export async function tickForChange(db: Db, projectId: string): Promise<void> {
  if (!isSimulated(projectId)) return;
  await tickClock(db, storedTenant(projectId), { operation: 'change', key: null, isReplayed: false });
}

/** An accepted advance. */
export interface NewAdvance {
  readonly target: Date;
  readonly authority: string;
  readonly keyDigest: string;
  readonly requestHash: Buffer;
}

/** Returns the hash of the request that used the idempotency key; undefined if none did. */
export async function findAdvance(db: Db, tenant: Tenant, keyDigest: string): Promise<Buffer | undefined> {
  const [row] = await db<{ request_hash: Buffer }[]>`
    select request_hash from clock_advances where project_id = ${tenant} and key_digest = ${keyDigest}`;
  return row?.request_hash;
}

/** Starts the advance of a locked clock. */
export async function startAdvance(tx: Tx, tenant: Tenant, advance: NewAdvance): Promise<void> {
  await tx`
    insert into clock_advances (project_id, key_digest, request_hash)
    values (${tenant}, ${advance.keyDigest}, ${advance.requestHash})`;
  await tx`
    update test_clocks set status = 'advancing', target = ${advance.target}, authority = ${advance.authority}, completed = 0,
      failure = null, executor = null, leased_until = null
    where project_id = ${tenant}`;
}

/** Takes the lease of an advance that no process executes. Returns the clock; undefined if there is nothing to execute. */
export async function leaseAdvance(
  sql: Sql,
  tenant: Tenant,
  executor: string,
): Promise<ClockRow | undefined> {
  const leased = await sql`
    update test_clocks set executor = ${executor}, leased_until = platform.real_now() + ${LEASE_S} * interval '1 second'
    where project_id = ${tenant} and status = 'advancing'
      and (leased_until is null or leased_until < platform.real_now()) returning 1`;
  return leased.length === 0 ? undefined : findClock(sql, tenant);
}

/**
 * Moves the clock to an instant at which due items were executed, and extends the lease.
 *
 * @returns whether this process still has the lease
 */
export async function completeStep(
  db: Db,
  tenant: Tenant,
  executor: string,
  at: Date,
  completed: number,
): Promise<boolean> {
  const moved = await db`
    with held as (
      update test_clocks set completed = completed + ${completed}, advanced_to = greatest(advanced_to, ${at}), leased_until = platform.real_now() + ${LEASE_S} * interval '1 second'
      where project_id = ${tenant} and executor = ${executor} returning project_id
    )
    update platform.project_clocks clock set now = greatest(now, ${at}) from held where clock.project_id = held.project_id
    returning 1`;
  return moved.length > 0;
}

/** Ends an advance: sets the clock to the target, or keeps it at the last completed item with the reason of the failure. */
export async function endAdvance(
  db: Db,
  tenant: Tenant,
  executor: string,
  end: { readonly target: Date } | { readonly failure: string },
): Promise<void> {
  if ('failure' in end) {
    await db`
      update test_clocks set status = 'failed', failure = ${end.failure}, executor = null, leased_until = null
      where project_id = ${tenant} and executor = ${executor}`;
    return;
  }
  await db`
    with held as (
      update test_clocks set status = 'ready', target = null, advanced_to = ${end.target}, executor = null, leased_until = null
      where project_id = ${tenant} and executor = ${executor} returning project_id
    )
    update platform.project_clocks clock set now = greatest(now, ${end.target}) from held where clock.project_id = held.project_id`;
}

/** Gives the lease back, so that another process can continue the advance. */
export async function releaseAdvance(db: Db, tenant: Tenant, executor: string): Promise<void> {
  await db`
    update test_clocks set executor = null, leased_until = null where project_id = ${tenant} and executor = ${executor}`;
}

/** Lists at most `limit` projects whose advance no process executes. */
export async function listInterrupted(db: Db, limit: number): Promise<Tenant[]> {
  const rows = await db<{ project_id: string }[]>`
    select project_id from test_clocks
    where status = 'advancing' and (leased_until is null or leased_until < platform.real_now())
    order by leased_until nulls first limit ${limit}`;
  return rows.map(({ project_id }) => storedTenant(project_id));
}
