/**
 * Queries that find why a submission was rejected: the unique constraint that it violates, or a pre-authorization that is not released yet.
 * The result only determines the error code. The constraints and the benefits service decide whether a submission is rejected.
 */
import { referenceKey } from '@carecover/contract';
import type { Tenant } from '@carecover/domain';
import { type Db, jsonb, type Query } from '@carecover/postgres';

/** Returns the unique constraint that a submission with the given reference and session would violate; null if it would violate none. */
export function findConflict(
  db: Db,
  tenant: Tenant,
  providerClaimReference: string,
  sessionId: string,
): Query<'claims_reference_once' | 'claims_one_live_a_session' | null> {
  const found = db<{ reference: boolean; session: boolean }[]>`
    select
      exists (select 1 from claims
              where project_id = ${tenant} and provider_claim_reference_key = ${referenceKey(providerClaimReference)}) as reference,
      exists (select 1 from claims
              where project_id = ${tenant} and session_id = ${sessionId} and status not in ('cancelled', 'reversed')) as session`;
  return found.withResult(([row]) => {
    if (row?.reference) return 'claims_reference_once';
    return row?.session ? 'claims_one_live_a_session' : null;
  });
}

/** An ended claim that still used a pre-authorization when a command was accepted. */
export interface EndedUser {
  readonly id: string;
  /** Whether benefits has released the pre-authorization since. */
  readonly is_released: boolean;
}

/**
 * Finds an ended claim of the session whose pre-authorization benefits has not released, or has released only after the given command was
 * accepted; null if there is none. One that is not released is found first.
 */
export function findEndedUser(
  db: Db,
  tenant: Tenant,
  sessionId: string,
  commandId: string,
): Query<EndedUser | null> {
  const found = db<EndedUser[]>`
    select id, released_at is not null as is_released from claims
    where project_id = ${tenant} and session_id = ${sessionId} and status in ('cancelled', 'reversed')
      and preauthorization_id is not null
      and (released_at is null or released_at >= (
        select created_at from pending_commands join commands using (id) where project_id = ${tenant} and id = ${commandId}))
    order by released_at desc nulls first limit 1`;
  return found.withResult(([row]) => row ?? null);
}

/** Returns whether a command other than `exceptCommandId` that submits a claim for the given session is pending. */
export function isBeingSubmitted(
  db: Db,
  tenant: Tenant,
  sessionId: string,
  exceptCommandId: string,
): Query<boolean> {
  const found = db`
    select 1 from pending_commands join commands using (id)
    where project_id = ${tenant} and operation = 'createClaim'
      and body ->> 'session_id' = ${sessionId} and id <> ${exceptCommandId}
    limit 1`;
  return found.withResult((rows) => rows.length > 0);
}

/** Returns which of the submissions, by their index, would violate a unique constraint together with the tenant's claims. */
export async function findConflicts(
  db: Db,
  tenant: Tenant,
  submissions: readonly { readonly provider_claim_reference: string; readonly session_id: string }[],
): Promise<ReadonlySet<number>> {
  const rows = submissions.map(({ provider_claim_reference, session_id }, index) => ({
    index,
    reference: referenceKey(provider_claim_reference),
    session_id,
  }));
  const found = await db<{ index: number }[]>`
    select index from jsonb_to_recordset(${jsonb(rows)}) as given (index integer, reference text, session_id text)
    where exists (select 1 from claims where project_id = ${tenant} and provider_claim_reference_key = given.reference)
      or exists (select 1 from claims
                 where project_id = ${tenant} and session_id = given.session_id and status not in ('cancelled', 'reversed'))`;
  return new Set(found.map(({ index }) => index));
}
