/**
 * Makes a valuation final: closes the claim through every cutoff that was answered. Closing locks the claim's row, as every writer does
 * before it chooses recorded_at, so no later fact falls inside an answered cutoff.
 */
import type { Db, Tenant } from '@carecover/platform';

/** Returns through when the claim's history is final, and the database's time (epoch milliseconds); `through` is null for an unknown claim. */
export async function horizonOf(
  db: Db,
  tenant: Tenant,
  claimId: string,
): Promise<{ readonly through: number | null; readonly now: number }> {
  // Every fact is recorded later than all earlier ones, so history is also final through the newest fact's recorded_at.
  const [row] = await db<{ through: Date | null; now: Date }[]>`
    select (select greatest(closed_through, last_recorded_at) from claims
            where project_id = ${tenant} and id = ${claimId}) as through, platform.now() as now`;
  if (row === undefined) throw new Error('the database returned no time');
  return { through: row.through?.getTime() ?? null, now: row.now.getTime() };
}

/** Closes the tenant's claim through `cutoff` (epoch milliseconds). Waits for a concurrent writer; never moves it back. */
export async function closeThrough(db: Db, tenant: Tenant, claimId: string, cutoff: number): Promise<void> {
  const at = new Date(cutoff);
  await db`
    update claims set closed_through = ${at}
    where project_id = ${tenant} and id = ${claimId} and (closed_through is null or closed_through < ${at})`;
}
