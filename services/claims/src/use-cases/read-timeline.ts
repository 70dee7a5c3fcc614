/** Reads a claim's whole timeline for operators, and makes it final, so that what a page shows for an instant never changes. */
import { formatInstant } from '@carecover/contract';
import { notFound, type Tenant } from '@carecover/domain';
import type { Sql } from '@carecover/postgres';
import { type Timeline, timelineOf } from '../rules/timeline';
import { closeThrough, horizonOf } from '../store/closed-through';
import { factsKnownAt } from '../store/facts';

/**
 * Returns the timeline of a claim at the database's time `now`. If the clock was set back, `now` is the instant through which the claim is
 * final already. @throws ApiError resource_not_found
 */
export async function readTimeline(
  sql: Sql,
  tenant: Tenant,
  claimId: string,
): Promise<Timeline & { readonly now: string }> {
  const { through, now } = await horizonOf(sql, tenant, claimId);
  if (through === null) throw notFound();
  if (now > through) await closeThrough(sql, tenant, claimId, now);
  const at = Math.max(now, through);
  return { now: formatInstant(at), ...timelineOf(await factsKnownAt(sql, tenant, claimId, at)) };
}
