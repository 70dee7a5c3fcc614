/** Rows of coverages with their snapshots, locked while observations are recorded or a session is reserved. */
import { type Db, type Fragment, newId, type Tenant, type Tx } from '@carecover/platform';
import type { CoverageSnapshot } from '../rules/eligibility';
import type { Snapshot } from '../rules/snapshot';
import type { ObservationRow } from './observations';
import { reservedSessionCount } from './reservations';

/** Finds or creates the coverages of one contract and locks them in the order of their references, which prevents deadlocks. */
export async function lockCoverages(
  tx: Tx,
  tenant: Tenant,
  contractReference: string,
  coverageReferences: readonly string[],
): Promise<Map<string, Snapshot & { readonly id: string }>> {
  const references = [...new Set(coverageReferences)];
  const rows = await tx<
    { id: string; reference: string; snapshot_version: number; observed_at: Date | null }[]
  >`
    insert into coverages (id, project_id, source_contract_reference, external_coverage_reference)
    select id, ${tenant}, ${contractReference}, reference
    from unnest(${references.map(() => newId('cov_'))}::text[], ${references}::text[]) as new (id, reference)
    order by reference collate "C"
    on conflict (project_id, source_contract_reference, external_coverage_reference)
      do update set snapshot_version = coverages.snapshot_version
    returning id, external_coverage_reference as reference, snapshot_version, observed_at`;
  return new Map(
    rows.map((row) => [
      row.reference,
      { id: row.id, version: row.snapshot_version, observedAtMs: row.observed_at?.getTime() ?? null },
    ]),
  );
}

/** Updates the snapshots of locked coverages to these observations, at most one per coverage. */
export async function updateSnapshots(
  tx: Tx,
  tenant: Tenant,
  observations: readonly ObservationRow[],
): Promise<void> {
  const snapshots = observations.map((observation) => ({
    coverage_id: observation.coverage_id,
    id: observation.id,
    version: observation.snapshot_version,
    observed_at: observation.observed_at,
    member_id: observation.member_id,
    service_code: observation.service_code,
    currency: observation.currency,
  }));
  await tx`
    update coverages set
      snapshot_version = s.version, snapshot_observation_id = s.id, observed_at = s.observed_at,
      member_id = s.member_id, service_code = s.service_code, currency = s.currency
    from jsonb_to_recordset(${JSON.stringify(snapshots)}::text::jsonb) as s (
      coverage_id text, id text, version integer, observed_at timestamptz, member_id text, service_code text, currency text)
    where coverages.id = s.coverage_id and coverages.project_id = ${tenant}`;
}

/** The member, service and currency of a check. */
export interface Benefit {
  readonly memberId: string;
  readonly serviceCode: string;
  readonly currency: string;
}

/** Returns the condition on `c` for the coverages of a benefit. */
export function benefitCondition(db: Db, { memberId, serviceCode, currency }: Benefit): Fragment {
  return db`c.member_id = ${memberId} and c.service_code = ${serviceCode} and c.currency = ${currency}`;
}

/** Reads the snapshots of a benefit's coverages. Remaining sessions are the payer's number less the reservations since the observation. */
export async function benefitSnapshots(
  db: Db,
  tenant: Tenant,
  benefit: Benefit,
): Promise<CoverageSnapshot[]> {
  const rows = await db<(SnapshotRow & { reserved: number })[]>`
    select o.*, ${reservedSessionCount(db)} as reserved
    from coverages c join coverage_observations o on o.id = c.snapshot_observation_id
    where c.project_id = ${tenant} and ${benefitCondition(db, benefit)}`;
  return rows.map((row) => ({
    coverageId: row.coverage_id,
    observationId: row.id,
    status: row.status,
    amountLimit: row.amount_limit,
    remainingSessions: Math.max(0, row.remaining_sessions - row.reserved),
    authorizationRequired: row.authorization_required,
    coordinationPriority: row.coordination_priority,
    validFrom: row.valid_from,
    validUntil: row.valid_until,
    observedAt: row.observed_at,
    recording: row.recording,
  }));
}

type SnapshotRow = ObservationRow & { recording: number };
