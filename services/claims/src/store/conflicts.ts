/** Which rule of the claims' table a submission would break: asked only to explain a rejection, never to decide one. */
import type { Db, Tenant } from '@carecover/platform';

/** The name of the constraint, or null. */
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

/** Whether an ended claim of the session had used something, of which benefits heard only after a command came, or has not heard yet. */
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
      and (released_at is null or released_at >= (select created_at from commands where id = ${commandId}))
    order by released_at desc nulls first limit 1`;
  if (row === undefined) return null;
  return row.released_at === null ? 'outstanding' : 'returned';
}

/** Whether another submission of the session is being carried out, which may end in a claim of it. */
export async function isBeingSubmitted(
  db: Db,
  tenant: Tenant,
  sessionId: string,
  exceptCommandId: string,
): Promise<boolean> {
  const rows = await db`
    select 1 from commands
    where answer_status is null and project_id = ${tenant} and operation = 'createClaim'
      and body ->> 'session_id' = ${sessionId} and id <> ${exceptCommandId}
    limit 1`;
  return rows.length > 0;
}
