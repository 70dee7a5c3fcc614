/** A project's claims in total: deltas, which are derived from facts in the facts' transaction, and their sums. */
import type { ClaimStatus } from '@carecover/contract';
import { constantText, type Db, jsonb, type Tenant, type Tx } from '@carecover/platform';
import type { FactKind } from '../rules/facts';
import type { Delta, SummedFact, Sums } from '../rules/portfolio';

/** The deltas of one commit on a claim. */
export interface ClaimDeltas {
  readonly claimId: string;
  /** Epoch milliseconds. */
  readonly recordedAt: number;
  readonly deltas: readonly Delta[];
}

/** SQL that appends deltas of claims that the tenant owns: a statement, or part of one. */
export function appendDeltas(db: Db, tenant: Tenant, claims: readonly ClaimDeltas[]) {
  const rows = claims.flatMap(({ claimId, recordedAt, deltas }) =>
    deltas.map((delta) => ({
      claim_id: claimId,
      recorded_at: new Date(recordedAt).toISOString(),
      effective_at: new Date(delta.effectiveAt).toISOString(),
      status: delta.status,
      claims: delta.claims,
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
    insert into portfolio_deltas (project_id, claim_id, recorded_at, effective_at, status, claims, billed, payer_liability,
      patient_responsibility, adjustment, remitted, settled, outstanding)
    select ${tenant}, delta.* from jsonb_to_recordset(${jsonb(rows)}) as delta (claim_id text, recorded_at timestamptz,
      effective_at timestamptz, status text, claims smallint, billed bigint, payer_liability bigint, patient_responsibility bigint,
      adjustment bigint, remitted bigint, settled bigint, outstanding bigint)`;
}

/** A fact with what its deltas are derived from. */
export type SequencedFact = SummedFact & { readonly sequence: number };

/** Returns all facts of locked claims of the tenant, in sequence, by claim. */
export async function summedFactsOf(
  tx: Tx,
  tenant: Tenant,
  claimIds: readonly string[],
): Promise<Map<string, SequencedFact[]>> {
  const rows = await tx<
    {
      claim_id: string;
      sequence: number;
      type: FactKind['type'];
      detail: FactKind['detail'];
      effective_at: Date;
      next_status: ClaimStatus;
    }[]
  >`
    select claim_id, sequence, type, detail, effective_at, next_status
    from facts where claim_id in (select id from claims where project_id = ${tenant} and id = any(${[...claimIds]}))
    order by claim_id, sequence`;
  const facts = new Map<string, SequencedFact[]>(claimIds.map((id) => [id, []]));
  for (const { claim_id, sequence, type, detail, effective_at, next_status } of rows) {
    const fact = { sequence, type, detail, effectiveAt: effective_at.getTime(), nextStatus: next_status };
    facts.get(claim_id)?.push(fact as SequencedFact);
  }
  return facts;
}

/** What sums can be grouped by. Months are those of UTC. */
const DIMENSIONS = {
  currency: 'claim.currency',
  status: 'delta.status',
  practitioner_id: 'claim.practitioner_id',
  payer_id: 'claim.payer_id',
  plan: 'claim.plan',
  service_month: "to_char(claim.service_starts_at at time zone 'UTC', 'YYYY-MM')",
  submission_month: "to_char(claim.submitted_at at time zone 'UTC', 'YYYY-MM')",
} as const;

export type Dimension = keyof typeof DIMENSIONS;

/** Two instants in epoch milliseconds, both inclusive: when facts were recorded, and when they took effect. */
export interface Cutoffs {
  readonly knownAt: number;
  readonly effectiveThrough: number;
}

/** The sums of the claims with the same values of the dimensions. */
export interface GroupSums {
  readonly group: Readonly<Partial<Record<Dimension, string>>>;
  readonly sums: Readonly<Record<keyof Sums, bigint>>;
}

/** Sums the tenant's claims as they were known at one instant and in effect through another. A group without claims is left out. */
export async function sumPortfolio(
  db: Db,
  tenant: Tenant,
  { knownAt, effectiveThrough }: Cutoffs,
  dimensions: readonly [Dimension, ...Dimension[]],
): Promise<GroupSums[]> {
  const columns = constantText(dimensions.map((name) => `${DIMENSIONS[name]} as "${name}"`).join(', '));
  const positions = constantText(dimensions.map((_, index) => index + 1).join(', '));
  const rows = await db<(Record<keyof Sums, string> & Record<Dimension, string>)[]>`
    select ${columns}, sum(delta.claims)::text as claims, sum(delta.billed)::text as billed,
      sum(delta.payer_liability)::text as "payerLiability",
      sum(delta.patient_responsibility)::text as "patientResponsibility",
      sum(delta.adjustment)::text as adjustment, sum(delta.remitted)::text as remitted,
      sum(delta.settled)::text as settled, sum(delta.outstanding)::text as outstanding
    from portfolio_deltas delta join claims claim on claim.id = delta.claim_id
    where delta.project_id = ${tenant} and delta.recorded_at <= ${new Date(knownAt)}
      and delta.effective_at <= ${new Date(effectiveThrough)}
    group by ${positions} having sum(delta.claims) <> 0 order by ${positions}`;
  return rows.map((row) => ({
    group: Object.fromEntries(dimensions.map((name) => [name, row[name]])),
    sums: {
      claims: BigInt(row.claims),
      billed: BigInt(row.billed),
      payerLiability: BigInt(row.payerLiability),
      patientResponsibility: BigInt(row.patientResponsibility),
      adjustment: BigInt(row.adjustment),
      remitted: BigInt(row.remitted),
      settled: BigInt(row.settled),
      outstanding: BigInt(row.outstanding),
    },
  }));
}
