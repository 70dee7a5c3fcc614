/**
 * Rows of members: the only table with members' references; every other table has a member's surrogate. After an erasure a request with
 * the same reference creates a new member. A transaction that finds a member by reference must call `lockMembers` first.
 */
import type { ConsentStatus } from '@carecover/contract';
import { newId, type Tenant } from '@carecover/domain';
import type { Db, Query, Tx } from '@carecover/postgres';

/** Prefix in the key of the PostgreSQL advisory lock on a project's members, which distinguishes it from the project's other locks. */
const MEMBERS_LOCK = 'benefits.members:';

/**
 * Blocks erasures of the project's members until the transaction ends, and returns the database's time. Every transaction that finds a
 * member by reference must call this first, so that all its reads are before or all are after an erasure.
 */
export function lockMembers(tx: Tx, tenant: Tenant): Query<Date> {
  const locked = tx<{ now: Date }[]>`
    select pg_advisory_xact_lock_shared(hashtextextended(${MEMBERS_LOCK + tenant}, 0))::text as locked, platform.now() as now`;
  return locked.withResult(([row]) => {
    if (row === undefined) throw new Error('the database returned no time');
    return row.now;
  });
}

/** Waits until the transactions that called {@link lockMembers} have ended, and blocks later ones until this transaction ends. */
export async function lockMembersForErasure(tx: Tx, tenant: Tenant): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${MEMBERS_LOCK + tenant}, 0))`;
}

/** A member, and the member's latest statement of consent; null if there is none. */
export interface MemberWithConsent {
  readonly id: string;
  readonly consent: ConsentStatus | null;
}

/** Reads a member by the reference; undefined if the reference is unknown. */
export function findMemberWithConsent(
  db: Db,
  tenant: Tenant,
  reference: string,
): Query<MemberWithConsent | undefined> {
  const found = db<MemberWithConsent[]>`
    select m.id, c.status as consent
    from members m left join consents c on c.member_id = m.id and c.project_id = m.project_id
    where m.project_id = ${tenant} and m.reference = ${reference}`;
  return found.withResult(([row]) => row);
}

/** Reads members like {@link findMemberWithConsent}, by their references. An unknown one is missing in the result. */
export function findMembersWithConsent(
  db: Db,
  tenant: Tenant,
  references: readonly string[],
): Query<ReadonlyMap<string, MemberWithConsent>> {
  const found = db<(MemberWithConsent & { reference: string })[]>`
    select m.id, m.reference, c.status as consent
    from members m left join consents c on c.member_id = m.id and c.project_id = m.project_id
    where m.project_id = ${tenant} and m.reference = any(${[...new Set(references)]})`;
  return found.withResult((rows) => new Map(rows.map((row) => [row.reference, row])));
}

/** Reads the reference of the member of a pre-authorization, null after an erasure; undefined if the tenant has no such pre-authorization. */
export async function memberOfPreauthorization(
  db: Db,
  tenant: Tenant,
  preauthorizationId: string,
): Promise<{ readonly member_reference: string | null } | undefined> {
  const [row] = await db<{ member_reference: string | null }[]>`
    select m.reference as member_reference
    from preauthorizations p
    join eligibility_checks c on c.id = p.eligibility_check_id and c.project_id = p.project_id
    join members m on m.id = c.member_id and m.project_id = p.project_id
    where p.project_id = ${tenant} and p.id = ${preauthorizationId}`;
  return row;
}

async function findMembers(
  db: Db,
  tenant: Tenant,
  references: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db<{ id: string; reference: string }[]>`
    select id, reference from members where project_id = ${tenant} and reference = any(${[...references]})`;
  return new Map(rows.map((row) => [row.reference, row.id]));
}

/**
 * Returns the surrogates of members by their references, and creates the missing members. Rows are created in the order of the references,
 * which prevents deadlocks.
 */
export async function findOrCreateMembers(
  tx: Tx,
  tenant: Tenant,
  references: readonly string[],
): Promise<Map<string, string>> {
  const distinct = [...new Set(references)];
  if (distinct.length === 0) return new Map();
  const members = await findMembers(tx, tenant, distinct);
  const missing = distinct.filter((reference) => !members.has(reference)).sort();
  if (missing.length === 0) return members;
  const created = await tx<{ id: string; reference: string }[]>`
    insert into members (id, project_id, reference)
    select id, ${tenant}, reference
    from unnest(${missing.map(() => newId('mem_'))}::text[], ${missing}::text[]) as new (id, reference)
    order by reference collate "C"
    on conflict (project_id, reference) do update set reference = excluded.reference
    returning id, reference`;
  for (const { id, reference } of created) members.set(reference, id);
  return members;
}

/** Returns the surrogate of one member, and creates the member if the reference is new. */
export async function findOrCreateMember(tx: Tx, tenant: Tenant, reference: string): Promise<string> {
  const id = (await findOrCreateMembers(tx, tenant, [reference])).get(reference);
  if (id === undefined) throw new Error('a member was neither found nor created');
  return id;
}

/** Reads one page of the member references of a project: up to 1000 in alphabetical order that sort after `after`. */
export async function memberReferences(db: Db, tenant: Tenant, after: string): Promise<string[]> {
  const rows = await db<{ reference: string }[]>`
    select reference from members where project_id = ${tenant} and reference > ${after}
    order by reference limit 1000`;
  return rows.map(({ reference }) => reference);
}
