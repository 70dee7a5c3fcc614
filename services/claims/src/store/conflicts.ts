/**
 * Queries for the reason why a submission was rejected: the unique constraint that it violates, or a release that is not complete. They
 * only choose the error code; the constraints and benefits decide the rejection.
 */
import type { Db, Tenant } from '@carecover/platform';

/** Returns the unique constraint that a submission with the given reference and session would violate; null if it would violate none. */
export async function findConflict(
  db: Db,
  tenant: Tenant,
  providerClaimReference: string,
  sessionId: string,
): Promise<'claims_reference_once' | 'claims_one_live_a_session' | null> {
  const [row] = await db<{ reference: boolean; session: boolean }[]>`
    select
      exists (select 1 from claims
              where project_id = ${tenant} and provider_claim_reference = ${providerClaimReference}) as reference,
      exists (select 1 from claims
              where project_id = ${tenant} and session_id = ${sessionId} and status not in ('cancelled', 'reversed')) as session`;
  if (row?.reference) return 'claims_reference_once';
  return row?.session ? 'claims_one_live_a_session' : null;
}

/**
 * Returns the state of the pre-authorization that an ended claim of the session used: `outstanding` if benefits has not released it,
 * `returned` if it was released after the command was accepted; null if neither.
 */
export async function findReturn(
  db: Db,
  tenant: Tenant,
  sessionId: string,
  commandId: string,
): Promise<'returned' | 'outstanding' | null> {
  const [row] = await db<{ released_at: Date | null }[]>`
    select released_at from claims
    where project_id = ${tenant} and session_id = ${sessionId} and status in ('cancelled', 'reversed')
      and preauthorization_id is not null
      and (released_at is null or released_at >= (
        select created_at from pending_commands join commands using (id) where project_id = ${tenant} and id = ${commandId}))
    order by released_at desc nulls first limit 1`;
  if (row === undefined) return null;
  return row.released_at === null ? 'outstanding' : 'returned';
}

/** Returns whether another command that submits a claim for the given session is pending. */
export async function isBeingSubmitted(
  db: Db,
  tenant: Tenant,
  sessionId: string,
  exceptCommandId: string,
): Promise<boolean> {
  const rows = await db`
    select 1 from pending_commands join commands using (id)
    where project_id = ${tenant} and operation = 'createClaim'
      and body ->> 'session_id' = ${sessionId} and id <> ${exceptCommandId}
    limit 1`;
  return rows.length > 0;
}
