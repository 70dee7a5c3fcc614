/** Rows of consents, one per member with the member's latest statement, and one fact per statement. */
import type { ConsentStatus } from '@carecover/contract';
import { newId, type Tenant } from '@carecover/domain';
import type { Db, Tx } from '@carecover/postgres';

export interface ConsentRow {
  readonly id: string;
  readonly status: ConsentStatus;
  readonly updated_at: Date;
}

/** Stores a member's statement of consent as the latest one, and appends its fact. */
export async function writeConsent(
  tx: Tx,
  tenant: Tenant,
  memberId: string,
  status: ConsentStatus,
  { at, authority }: { readonly at: Date; readonly authority: string },
): Promise<ConsentRow> {
  const [row] = await tx<ConsentRow[]>`
    insert into consents (id, project_id, member_id, status, created_at, updated_at)
    values (${newId('con_')}, ${tenant}, ${memberId}, ${status}, ${at}, ${at})
    on conflict (member_id) do update set status = excluded.status, updated_at = excluded.updated_at
    returning id, status, updated_at`;
  if (row === undefined) throw new Error('a consent was not recorded');
  await tx`
    insert into consent_facts (project_id, consent_id, status, authority, recorded_at)
    values (${tenant}, ${row.id}, ${status}, ${authority}, ${at})`;
  return row;
}

/** Reads a consent; null if the tenant has no such consent. */
export async function findConsent(db: Db, tenant: Tenant, id: string): Promise<ConsentRow | null> {
  const [row] = await db<ConsentRow[]>`
    select id, status, updated_at from consents where id = ${id} and project_id = ${tenant}`;
  return row ?? null;
}

/** Reads a member's latest statement of consent; null if there is none. */
export async function findStatement(db: Db, tenant: Tenant, memberId: string): Promise<ConsentStatus | null> {
  const [row] = await db<{ status: ConsentStatus }[]>`
    select status from consents where member_id = ${memberId} and project_id = ${tenant}`;
  return row?.status ?? null;
}
