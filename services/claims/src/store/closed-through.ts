/**
 * Makes valuations final. `closed_through` is the latest cutoff for which a valuation of a claim, or sums over all claims of a project (its
 * portfolio), were returned. Every new fact gets a later recorded_at, because writing a fact and closing use the same locks. Closing a
 * claim locks the claim's row, as every writer does. Closing a portfolio takes the project's advisory lock in exclusive mode; writers take
 * it in shared mode.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Tenant, unavailable } from '@carecover/domain';
import { type Db, isLockTimeout, type Query, type Sql, type Tx } from '@carecover/postgres';

/** Prefix of the key of the advisory lock on a project's portfolio. */
const PORTFOLIO_LOCK = 'claims.portfolio:';

/**
 * The longest time for which the closing of a portfolio waits for the project's lock. It is short, because all writers of the project wait
 * as long as the closing waits.
 */
const LONGEST_LOCK_WAIT = '300ms';
const LOCK_ATTEMPTS = 10;
const LOCK_PAUSE_MS = 200;

/**
 * Returns the instant through which a claim's facts are final, and the database's time, both in epoch milliseconds. `through` is null if
 * the tenant has no such claim.
 */
export async function horizonOf(db: Db, tenant: Tenant, claimId: string): Promise<Horizon> {
  // The recorded_at of every new fact is later than that of all earlier facts, so facts are also final through the newest recorded_at.
  const [row] = await db<{ through: Date | null; now: Date }[]>`
    select (select greatest(closed_through, last_recorded_at, (select closed_through from portfolios where project_id = ${tenant}))
            from claims where project_id = ${tenant} and id = ${claimId}) as through, platform.now() as now`;
  if (row === undefined) throw new Error('the database returned no time');
  return { through: row.through?.getTime() ?? null, now: row.now.getTime() };
}

/**
 * Sets a claim's `closed_through` to `cutoff` (epoch milliseconds), unless the stored instant is later. Waits for a concurrent change of
 * the claim.
 */
export async function closeThrough(db: Db, tenant: Tenant, claimId: string, cutoff: number): Promise<void> {
  const at = new Date(cutoff);
  await db`
    update claims set closed_through = ${at}
    where project_id = ${tenant} and id = ${claimId} and (closed_through is null or closed_through < ${at})`;
}

/**
 * Returns the SQL of a common table expression that takes the project's advisory lock until the transaction ends. It is taken in shared
 * mode, so writers do not wait for each other.
 */
export function portfolioLock(db: Db, tenant: Tenant) {
  return db`portfolio_lock as materialized (
    select pg_advisory_xact_lock_shared(hashtextextended(${PORTFOLIO_LOCK + tenant}, 0)))`;
}

/**
 * Returns the SQL of the columns of a {@link Clock}. Select the columns in a statement that begins after the project's lock is taken, so
 * that it reads everything that was committed before the lock was taken.
 */
export function clockColumns(db: Db, tenant: Tenant) {
  return db`platform.now() as now,
    (select closed_through from portfolios where project_id = ${tenant}) as portfolio_closed_through`;
}

/**
 * The database's time after the project's lock was taken, and the instant through which the project's portfolio is closed; null if the
 * portfolio was never closed.
 */
export interface Clock {
  readonly now: Date;
  readonly portfolio_closed_through: Date | null;
}

/**
 * Takes the project's advisory lock in shared mode, for the creation of a claim. Returns the earliest recorded_at that the claim's first
 * fact may have (epoch milliseconds).
 */
export function lockForCreation(tx: Tx, tenant: Tenant): Query<number> {
  const locked = tx.pipeline([
    tx`with ${portfolioLock(tx, tenant)} select 1 from portfolio_lock`,
    tx<Clock[]>`select ${clockColumns(tx, tenant)}`,
  ]);
  return locked.withResult(([, [clock]]) => {
    if (clock === undefined) throw new Error('the database returned no time');
    const { now, portfolio_closed_through: closed } = clock;
    return Math.max(now.getTime(), closed === null ? Number.NEGATIVE_INFINITY : closed.getTime() + 1);
  });
}

/**
 * Closes all claims of the tenant through `cutoff` (epoch milliseconds), which must not be later than the database's time. If a later
 * instant is stored already, it stays. Waits for the transactions of writers that already hold the project's lock. Executes only one SQL
 * statement, so that a process that is paused holds no lock.
 *
 * @throws ApiError service_unavailable if a writer of the project held its transaction open for several seconds
 */
export async function closePortfolioThrough(sql: Sql, tenant: Tenant, cutoff: number): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await sql`
        with
          bounded as materialized (select set_config('lock_timeout', ${LONGEST_LOCK_WAIT}, true)),
          portfolio_lock as materialized (
            select pg_advisory_xact_lock(hashtextextended(${PORTFOLIO_LOCK + tenant}, 0)) from bounded)
        insert into portfolios as portfolio (project_id, closed_through)
        select ${tenant}, ${new Date(cutoff)}::timestamptz from portfolio_lock
        on conflict (project_id) do update set closed_through = excluded.closed_through
        where portfolio.closed_through < excluded.closed_through`;
      return;
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      if (attempt === LOCK_ATTEMPTS) throw unavailable("The lock of the project's claims");
      await sleep(LOCK_PAUSE_MS);
    }
  }
}

/** The instant through which facts are final, and the database's time; both in epoch milliseconds. */
export interface Horizon {
  /** Null if nothing is final. */
  readonly through: number | null;
  readonly now: number;
}

/**
 * Returns the instant through which all claims of the tenant are closed (epoch milliseconds; null: never closed), and the database's time.
 */
export async function portfolioHorizonOf(db: Db, tenant: Tenant): Promise<Horizon> {
  const [clock] = await db<Clock[]>`select ${clockColumns(db, tenant)}`;
  if (clock === undefined) throw new Error('the database returned no time');
  return { through: clock.portfolio_closed_through?.getTime() ?? null, now: clock.now.getTime() };
}
