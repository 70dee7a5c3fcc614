/**
 * Makes valuations final: stores the latest cutoff for which a claim's valuation was returned (`closed_through`). This and every change of
 * the claim lock its row, and later facts get a recorded_at after `closed_through`.
 */
import type { Db, Tenant } from '@carecover/platform';

/**
 * Returns the instant through which a claim's facts are final, and the database's time, both in epoch milliseconds. `through` is null if
 * the tenant has no such claim.
 */
export async function horizonOf(
  db: Db,
  tenant: Tenant,
  claimId: string,
): Promise<{ readonly through: number | null; readonly now: number }> {
  // The recorded_at of every new fact is later than that of all earlier facts, so facts are also final through the newest recorded_at.
  const [row] = await db<{ through: Date | null; now: Date }[]>`
    select (select greatest(closed_through, last_recorded_at) from claims
            where project_id = ${tenant} and id = ${claimId}) as through, platform.now() as now`;
  if (row === undefined) throw new Error('the database returned no time');
  return { through: row.through?.getTime() ?? null, now: row.now.getTime() };
}

/**
 * Sets a claim's `closed_through` to `cutoff` (epoch milliseconds), unless it is later already. Waits for a concurrent change of the claim.
 */
export async function closeThrough(db: Db, tenant: Tenant, claimId: string, cutoff: number): Promise<void> {
  const at = new Date(cutoff);
  await db`
    update claims set closed_through = ${at}
    where project_id = ${tenant} and id = ${claimId} and (closed_through is null or closed_through < ${at})`;
}
