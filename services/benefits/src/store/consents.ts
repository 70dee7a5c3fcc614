/** Rows of consents, one per member with the latest statement, and the facts of every statement. */
import type { Consent, ConsentStatus } from '@carecover/contract';
import { ApiError, type Caller, type Db, newId, type Tenant, type Tx } from '@carecover/platform';

export interface ConsentRow {
  readonly id: string;
  readonly status: ConsentStatus;
  readonly updated_at: Date;
}

/** Records a member's statement of consent. */
export async function recordConsent(
  tx: Tx,
  caller: Caller,
  memberId: string,
  status: ConsentStatus,
  now: Date,
): Promise<ConsentRow> {
  const [row] = await tx<ConsentRow[]>`
    insert into consents (id, project_id, member_id, status, created_at, updated_at)
    values (${newId('con_')}, ${caller.tenant}, ${memberId}, ${status}, ${now}, ${now})
    on conflict (member_id) do update set status = excluded.status, updated_at = excluded.updated_at
    returning id, status, updated_at`;
  if (row === undefined) throw new Error('a consent was not recorded');
  await tx`
    insert into consent_facts (project_id, consent_id, status, authority, recorded_at)
    values (${caller.tenant}, ${row.id}, ${status}, ${caller.authority}, ${now})`;
  return row;
}

/** Reads a consent; null if the tenant has no such consent. */
export async function findConsent(db: Db, tenant: Tenant, id: string): Promise<ConsentRow | null> {
  const [row] = await db<ConsentRow[]>`
    select id, status, updated_at from consents where id = ${id} and project_id = ${tenant}`;
  return row ?? null;
}

/** Checks a member's consent; without a statement the project's default applies. @throws ApiError consent_required if it is withdrawn */
export async function requireConsent(db: Db, caller: Caller, memberId: string): Promise<void> {
  const [row] = await db<{ status: ConsentStatus }[]>`
    select status from consents where member_id = ${memberId} and project_id = ${caller.tenant}`;
  if ((row?.status ?? caller.consentDefault) === 'withdrawn') {
    throw new ApiError('consent_required', 'The member has not consented to this sharing of data.');
  }
}

/** Converts a row to the consent's resource. */
export function consentResource(row: ConsentRow): Consent {
  return { id: row.id, object: 'consent', status: row.status, updated_at: row.updated_at.toISOString() };
}
