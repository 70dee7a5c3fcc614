/** SQL of a project's deltas. They are derived from facts, and stored in the transaction that stores the facts. */
import type { ClaimStatus } from '@carecover/contract';
import type { Tenant } from '@carecover/domain';
import { constantText, type Db, type Fragment, jsonb, type Tx } from '@carecover/postgres';
import type { FactKind } from '../rules/facts';
import type { Delta, SummedFact } from '../rules/portfolio';
import { AGE_LIMITS_DAYS } from '../rules/receivables';

/** The deltas of one commit on a claim. */
export interface ClaimDeltas {
  readonly claimId: string;
  /** Epoch milliseconds. */
  readonly recordedAt: number;
  readonly deltas: readonly Delta[];
}

/** SQL that appends deltas of the tenant's claims, as an SQL statement or inside another one. */
export function appendDeltas(db: Db, tenant: Tenant, claims: readonly ClaimDeltas[]) {
  const rows = claims.flatMap(({ claimId, recordedAt, deltas }) =>
    deltas.map((delta) => ({
      claim_id: claimId,
      recorded_at: new Date(recordedAt).toISOString(),
      effective_at: new Date(delta.effectiveAt).toISOString(),
      status: delta.status,
      claims: delta.claims,
      outstanding_claims: delta.outstandingClaims,
      adjudicated_claims: delta.adjudicatedClaims,
      billed: delta.billed,
      payer_liability: delta.payerLiability,
      patient_responsibility: delta.patientResponsibility,
      adjustment: delta.adjustment,
      remitted: delta.remitted,
      settled: delta.settled,
      outstanding: delta.outstanding,
    })),
  );
  return db`
    insert into portfolio_deltas (project_id, claim_id, recorded_at, effective_at, status, claims, outstanding_claims, adjudicated_claims,
      billed, payer_liability, patient_responsibility, adjustment, remitted, settled, outstanding)
    select ${tenant}, delta.* from jsonb_to_recordset(${jsonb(rows)}) as delta (claim_id text, recorded_at timestamptz,
      effective_at timestamptz, status text, claims smallint, outstanding_claims smallint, adjudicated_claims smallint, billed bigint, payer_liability bigint, patient_responsibility bigint,
      adjustment bigint, remitted bigint, settled bigint, outstanding bigint)`;
}

/** A fact with its sequence number and the fields from which its deltas are derived. */
export type SequencedFact = SummedFact & { readonly sequence: number; readonly recordedAt: number };

/**
 * Returns all facts of the given claims of the tenant, in sequence, by claim ID. Lock the claims first if deltas are derived from the
 * facts.
 */
export async function summedFactsOf(
  db: Db,
  tenant: Tenant,
  claimIds: readonly string[],
): Promise<Map<string, SequencedFact[]>> {
  const rows = await db<
    {
      claim_id: string;
      sequence: number;
      type: FactKind['type'];
      detail: FactKind['detail'];
      effective_at: Date;
      recorded_at: Date;
      next_status: ClaimStatus;
    }[]
  >`
    select claim_id, sequence, type, detail, effective_at, recorded_at, next_status
    from facts where claim_id in (select id from claims where project_id = ${tenant} and id = any(${[...claimIds]}))
    order by claim_id, sequence`;
  const facts = new Map<string, SequencedFact[]>(claimIds.map((id) => [id, []]));
  for (const { claim_id, sequence, type, detail, effective_at, recorded_at, next_status } of rows) {
    const [effectiveAt, recordedAt] = [effective_at.getTime(), recorded_at.getTime()];
    const fact = { sequence, type, detail, effectiveAt, recordedAt, nextStatus: next_status };
    facts.get(claim_id)?.push(fact as SequencedFact);
  }
  return facts;
}

/** The two instants of a sum, in epoch milliseconds, both inclusive: when facts were recorded, and when they took effect. */
export interface Cutoffs {
  readonly knownAt: number;
  readonly effectiveThrough: number;
}

/** SQL condition on `delta` that selects the tenant's deltas whose totals are the sums at the given cutoffs. */
export function isIncluded(db: Db, tenant: Tenant, { knownAt, effectiveThrough }: Cutoffs): Fragment {
  return db`delta.project_id = ${tenant} and delta.recorded_at <= ${new Date(knownAt)}
    and delta.effective_at <= ${new Date(effectiveThrough)}`;
}

/**
 * SQL of the number, from 0, of a claim's age band at `at` (epoch milliseconds). The age is the number of whole days since the submission.
 *
 * @param submittedAt SQL of the instant of the submission
 */
export function ageBandOf(
  db: Db,
  at: number,
  submittedAt: Fragment = constantText('claim.submitted_at'),
): Fragment {
  return db`width_bucket(floor(extract(epoch from ${new Date(at)}::timestamptz - ${submittedAt}) / 86400)::integer,
    ${[...AGE_LIMITS_DAYS]}::integer[])`;
}

/** Deletes the deltas of locked claims of the tenant, which are then derived again. */
export async function deleteDeltas(tx: Tx, tenant: Tenant, claimIds: readonly string[]): Promise<void> {
  await tx`delete from portfolio_deltas where project_id = ${tenant} and claim_id = any(${[...claimIds]})`;
}

/** Yields the IDs of all claims of the tenant, oldest first, in batches of at most `size`. */
export async function* batchesOfClaimIds(db: Db, tenant: Tenant, size: number): AsyncGenerator<string[]> {
  let last: { readonly id: string; readonly created_at: Date } | undefined;
  do {
    const isAfter = last === undefined ? db`` : db`and (created_at, id) > (${last.created_at}, ${last.id})`;
    const rows = await db<{ id: string; created_at: Date }[]>`
      select id, created_at from claims where project_id = ${tenant} ${isAfter} order by created_at, id limit ${size}`;
    if (rows.length > 0) yield rows.map(({ id }) => id);
    last = rows.at(-1);
  } while (last !== undefined);
}

/** Returns the IDs of random claims of the tenant. */
export async function randomClaimIds(db: Db, tenant: Tenant, limit: number): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select id from claims where project_id = ${tenant} order by random() limit ${limit}`;
  return rows.map(({ id }) => id);
}
