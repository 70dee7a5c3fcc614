/** Rows of facts: appended and read, never changed. */
import type { ClaimStatus } from '@carecover/contract';
import { type Db, jsonb } from '@carecover/platform';
import type { Fact, FactKind } from '../rules/facts';

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

/** Facts of one claim. */
export interface ClaimFacts {
  readonly claimId: string;
  readonly facts: readonly Fact[];
}

/** SQL that appends facts to claims that are locked, or inserted in the same statement: part of another statement. */
export function appendFacts(db: Db, claims: readonly ClaimFacts[]) {
  const rows = claims.flatMap(({ claimId, facts }) =>
    facts.map((fact) => ({
      claim_id: claimId,
      sequence: fact.sequence,
      type: fact.type,
      cause: fact.cause,
      authority: fact.authority,
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
    insert into facts (claim_id, sequence, type, cause, authority, effective_at, recorded_at, previous_status, next_status,
      reason_code, evidence_references, detail)
    select * from jsonb_to_recordset(${jsonb(db, rows)}) as fact (claim_id text, sequence integer, type text, cause text,
      authority text, effective_at timestamptz, recorded_at timestamptz, previous_status text, next_status text,
      reason_code text, evidence_references jsonb, detail jsonb)`;
}

/** A claim's facts recorded and in effect at `cutoff` (epoch milliseconds, inclusive), in sequence. */
export async function factsKnownAt(db: Db, claimId: string, cutoff: number): Promise<Fact[]> {
  const at = new Date(cutoff);
  const rows = await db<FactRow[]>`
    select * from facts where claim_id = ${claimId} and recorded_at <= ${at} and effective_at <= ${at} order by sequence`;
  return rows.map(toFact);
}

/** Returns those of these claims that already have a fact with this cause. */
export async function claimsWithCause(
  db: Db,
  claimIds: readonly string[],
  cause: string,
): Promise<Set<string>> {
  const rows = await db<{ claim_id: string }[]>`
    select distinct claim_id from facts where claim_id = any(${[...claimIds]}) and cause = ${cause}`;
  return new Set(rows.map((row) => row.claim_id));
}

/** Returns the first pair whose claim has no fact with the cause; undefined if every claim has. */
export async function firstWithout(
  db: Db,
  causes: readonly { readonly claimId: string; readonly cause: string }[],
): Promise<{ readonly claimId: string; readonly cause: string } | undefined> {
  if (causes.length === 0) return undefined;
  const rows = causes.map(({ claimId, cause }) => ({ claim_id: claimId, cause }));
  const [missing] = await db<{ claim_id: string; cause: string }[]>`
    select claim_id, cause from jsonb_to_recordset(${db.json(rows)}) as asked (claim_id text, cause text)
    where not exists (select 1 from facts where facts.claim_id = asked.claim_id and facts.cause = asked.cause)
    limit 1`;
  return missing && { claimId: missing.claim_id, cause: missing.cause };
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
