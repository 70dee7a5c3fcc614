/** Rows of claims' facts, which are only appended and read. */
import type { ClaimStatus } from '@carecover/contract';
import { digest128, type NewEvent, type Tenant } from '@carecover/domain';
import { appendEvents } from '@carecover/events';
import { type Db, type Fragment, jsonb, type Query, type Tx } from '@carecover/postgres';
import type { Fact, FactKind, ValuedFact } from '../rules/facts';

interface FactRow {
  claim_id: string;
  sequence: number;
  type: FactKind['type'];
  cause: string;
  authority: string;
  effective_at: Date;
  recorded_at: Date;
  previous_status: ClaimStatus | null;
  next_status: ClaimStatus;
  reason_code: string | null;
  evidence_references: string[];
  detail: FactKind['detail'];
}

/** New facts of one claim. */
export interface ClaimFacts {
  readonly claimId: string;
  readonly facts: readonly Fact[];
}

/**
 * Returns the parts of a `with` clause that append facts. The facts' claims must be locked, or inserted by the same SQL statement. The
 * authority of a fact, such as an API key, is stored only once, in the table actors.
 */
function appendFacts(db: Db, claims: readonly ClaimFacts[]) {
  const rows = claims.flatMap(({ claimId, facts }) =>
    facts.map((fact) => ({
      claim_id: claimId,
      sequence: fact.sequence,
      type: fact.type,
      cause: fact.cause,
      authority: fact.authority,
      authority_digest: digest128(fact.authority),
      effective_at: new Date(fact.effectiveAt).toISOString(),
      recorded_at: new Date(fact.recordedAt).toISOString(),
      previous_status: fact.previousStatus,
      next_status: fact.nextStatus,
      reason_code: fact.reasonCode,
      evidence_references: fact.evidenceReferences,
      detail: fact.detail,
    })),
  );
  return db`
    fact as materialized (
      select * from jsonb_to_recordset(${jsonb(rows)}) as fact (claim_id text, sequence integer, type text, cause text,
        authority text, authority_digest uuid, effective_at timestamptz, recorded_at timestamptz, previous_status text,
        next_status text, reason_code text, evidence_references jsonb, detail jsonb)
    ), appended as (
      insert into facts (claim_id, sequence, type, cause, authority_digest, effective_at, recorded_at, previous_status,
        next_status, reason_code, evidence_references, detail)
      select claim_id, sequence, type, cause, authority_digest, effective_at, recorded_at, previous_status, next_status,
        reason_code, evidence_references, detail from fact
    ), named as (
      insert into actors (digest, authority) select distinct authority_digest, authority from fact
      on conflict (digest) do nothing
    )`;
}

/**
 * Appends facts, events and portfolio deltas, and inserts or updates the rows of their claims, in one SQL statement.
 *
 * @param change the SQL that inserts or updates the rows of the claims; it must restrict updates to the tenant's claims
 */
export function writeFacts(
  tx: Tx,
  facts: readonly ClaimFacts[],
  events: readonly NewEvent[],
  deltas: Fragment | null,
  change: Fragment,
): Query<unknown> {
  const event = events.length === 0 ? tx`` : tx`, event as (${appendEvents(tx, events)})`;
  const delta = deltas === null ? tx`` : tx`, delta as (${deltas})`;
  return tx`with ${appendFacts(tx, facts)} ${event} ${delta} ${change}`;
}

/**
 * Returns the SQL condition that selects the facts of a claim of the tenant. The table facts has no tenant, so the table claims is read
 * too.
 */
function isOf(db: Db, tenant: Tenant, claimId: string) {
  return db`claim_id = (select id from claims where project_id = ${tenant} and id = ${claimId})`;
}

/** Reads the facts of a claim whose recorded_at and effective_at are on or before `cutoff` (epoch milliseconds), in sequence. */
export async function factsKnownAt(db: Db, tenant: Tenant, claimId: string, cutoff: number): Promise<Fact[]> {
  const at = new Date(cutoff);
  const rows = await db<FactRow[]>`
    select facts.*, authority from facts left join actors on digest = authority_digest
    where ${isOf(db, tenant, claimId)} and recorded_at <= ${at} and effective_at <= ${at} order by sequence`;
  return rows.map(toFact);
}

/** Returns the `recorded_at` of a claim's first fact. @throws Error if the tenant has no such claim */
export async function firstRecordedAt(db: Db, tenant: Tenant, claimId: string): Promise<Date> {
  const [first] = await db<{ recorded_at: Date }[]>`
    select recorded_at from facts where ${isOf(db, tenant, claimId)} and sequence = 1`;
  if (first === undefined) throw new Error(`Claim ${claimId} has no facts.`);
  return first.recorded_at;
}

/**
 * The columns of a claim's facts as arrays, with one element per fact in sequence. To read the facts as rows takes twice the CPU time: see
 * decision 0021.
 */
interface FactColumns {
  sequence: number[];
  type: FactKind['type'][];
  effective_at: number[];
  recorded_at: number[];
  previous_status: (ClaimStatus | null)[];
  next_status: ClaimStatus[];
  reason_code: (string | null)[];
  evidence_references: string[][];
  detail: FactKind['detail'][];
}

/**
 * Reads the facts of a claim that were recorded by `cutoff` and took effect by `effectiveThrough` (epoch milliseconds, inclusive), in sequence,
 * but only what a valuation at these instants needs. The detail of a decision is null if a later decision replaced it.
 */
export async function valuedFactsKnownAt(
  db: Db,
  tenant: Tenant,
  claimId: string,
  cutoff: number,
  effectiveThrough = cutoff,
): Promise<ValuedFact[]> {
  const [columns] = await db<FactColumns[]>`
    with known as (
      select *, type in ('approved', 'partially_approved', 'denied') as is_decision
      from facts where ${isOf(db, tenant, claimId)} and recorded_at <= ${new Date(cutoff)}
        and effective_at <= ${new Date(effectiveThrough)} order by sequence
    )
    select coalesce(json_agg(sequence), '[]') as sequence,
      json_agg(type) as type,
      json_agg((extract(epoch from effective_at) * 1000)::bigint) as effective_at,
      json_agg((extract(epoch from recorded_at) * 1000)::bigint) as recorded_at,
      json_agg(previous_status) as previous_status,
      json_agg(next_status) as next_status,
      json_agg(reason_code) as reason_code,
      json_agg(evidence_references) as evidence_references,
      json_agg(case when is_decision and sequence < (select max(sequence) from known where is_decision) then null
                    else detail end) as detail
    from known`;
  if (columns === undefined) throw new Error('an aggregate without groups has one row');
  return columns.sequence.map(
    (sequence, index) =>
      ({
        sequence,
        type: columns.type[index],
        detail: columns.detail[index],
        effectiveAt: columns.effective_at[index],
        recordedAt: columns.recorded_at[index],
        previousStatus: columns.previous_status[index],
        nextStatus: columns.next_status[index],
        reasonCode: columns.reason_code[index],
        evidenceReferences: columns.evidence_references[index],
      }) as ValuedFact,
  );
}

/** Returns the IDs of those of the given claims that exist for the tenant and already have a fact with the given cause. */
export function claimsWithCause(
  db: Db,
  tenant: Tenant,
  claimIds: readonly string[],
  cause: string,
): Query<Set<string>> {
  const found = db<{ claim_id: string }[]>`
    select distinct claim_id from facts join claims on claims.id = facts.claim_id
    where project_id = ${tenant} and claim_id = any(${[...claimIds]}) and cause = ${cause}`;
  return found.withResult((rows) => new Set(rows.map((row) => row.claim_id)));
}

/**
 * Returns a pair of claim and cause for which no fact is stored, because the tenant has no such claim or the claim has no fact with this
 * cause. Returns undefined if every pair has a fact.
 */
export function firstWithout(
  db: Db,
  tenant: Tenant,
  causes: readonly { readonly claimId: string; readonly cause: string }[],
): Query<{ readonly claimId: string; readonly cause: string } | undefined> {
  const rows = causes.map(({ claimId, cause }) => ({ claim_id: claimId, cause }));
  const found = db<{ claim_id: string; cause: string }[]>`
    select claim_id, cause from jsonb_to_recordset(${jsonb(rows)}) as asked (claim_id text, cause text)
    where not exists (
      select 1 from facts join claims on claims.id = facts.claim_id
      where facts.claim_id = asked.claim_id and facts.cause = asked.cause and project_id = ${tenant})
    limit 1`;
  return found.withResult(([missing]) => missing && { claimId: missing.claim_id, cause: missing.cause });
}

function toFact(row: FactRow): Fact {
  return {
    sequence: row.sequence,
    type: row.type,
    detail: row.detail,
    effectiveAt: row.effective_at.getTime(),
    recordedAt: row.recorded_at.getTime(),
    previousStatus: row.previous_status,
    nextStatus: row.next_status,
    reasonCode: row.reason_code,
    evidenceReferences: row.evidence_references,
    cause: row.cause,
    authority: row.authority,
  } as Fact;
}
