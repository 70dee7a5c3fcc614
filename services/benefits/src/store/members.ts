/**
 * Members: the one table in which a member's reference stands. Everything else knows a member by a surrogate. A reference seen
 * again after its erasure is a new member. A transaction that looks one up holds `lockMembers`.
 */
import { type Db, newId, type Tenant, type Tx } from '@carecover/platform';

async function knownMembers(
  db: Db,
  tenant: Tenant,
  references: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db<{ id: string; reference: string }[]>`
    select id, reference from members where project_id = ${tenant} and reference = any(${[...references]})`;
  return new Map(rows.map((row) => [row.reference, row.id]));
}

/** The surrogates of members by their references; those not known yet are made. Locks new ones in the order of reference. */
export async function memberIds(
  tx: Tx,
  tenant: Tenant,
  references: readonly string[],
): Promise<Map<string, string>> {
  const distinct = [...new Set(references)];
  if (distinct.length === 0) return new Map();
  const known = await knownMembers(tx, tenant, distinct);
  const missing = distinct.filter((reference) => !known.has(reference)).sort();
  if (missing.length === 0) return known;
  const made = await tx<{ id: string; reference: string }[]>`
    insert into members (id, project_id, reference)
    select id, ${tenant}, reference
    from unnest(${missing.map(() => newId('mem_'))}::text[], ${missing}::text[]) as new (id, reference)
    order by reference collate "C"
    on conflict (project_id, reference) do update set reference = excluded.reference
    returning id, reference`;
  for (const { id, reference } of made) known.set(reference, id);
  return known;
}

/** The surrogate of one member, made where the reference is new. */
export async function memberId(tx: Tx, tenant: Tenant, reference: string): Promise<string> {
  const id = (await memberIds(tx, tenant, [reference])).get(reference);
  if (id === undefined) throw new Error('a member was neither found nor made');
  return id;
}
