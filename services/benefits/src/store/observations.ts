/** Rows of coverage observations. They are append-only: the service has no database privilege to change them. */
import type { CoverageSource, CoverageStatus } from '@carecover/contract';
import type { Tenant } from '@carecover/domain';
import type { Db, Fragment, Tx } from '@carecover/postgres';

export interface ObservationRow {
  readonly id: string;
  readonly coverage_id: string;
  readonly source: CoverageSource;
  readonly source_version: string;
  readonly member_id: string;
  readonly service_code: string;
  readonly plan_name: string;
  readonly status: CoverageStatus;
  readonly currency: string;
  readonly amount_limit: number;
  readonly remaining_sessions: number;
  readonly authorization_required: boolean;
  readonly coordination_priority: number | null;
  readonly valid_from: Date;
  readonly valid_until: Date;
  readonly observed_at: Date;
  readonly evidence_references: readonly string[];
  readonly snapshot_version: number;
  readonly source_contract_reference: string;
  readonly external_coverage_reference: string;
}

/** A coverage observation with the keyed hash of its content, in hexadecimal. */
export interface HashedObservation extends ObservationRow {
  readonly content_hash: string;
}

/** A source version of a coverage. */
export interface CoverageVersion {
  readonly coverageId: string;
  readonly sourceVersion: string;
}

/** Reads the observations of the given source versions of coverages: at most one for each. */
export async function findVersions(
  tx: Tx,
  tenant: Tenant,
  versions: readonly CoverageVersion[],
): Promise<HashedObservation[]> {
  const coverageIds = versions.map(({ coverageId }) => coverageId);
  const sourceVersions = versions.map(({ sourceVersion }) => sourceVersion);
  const rows = await tx<HashedObservation[]>`
    select o.*, encode(o.content_hash, 'hex') as content_hash,
           c.source_contract_reference, c.external_coverage_reference
    from (
      select distinct coverage_id, source_version
      from unnest(${coverageIds}::text[], ${sourceVersions}::text[]) as given (coverage_id, source_version)
    ) given
    join coverage_observations o using (coverage_id, source_version)
    join coverages c on c.id = o.coverage_id
    where o.project_id = ${tenant}`;
  return [...rows];
}

/** Returns SQL that inserts the observations in the given order. */
export function observationsInsert(tx: Tx, tenant: Tenant, rows: readonly HashedObservation[]): Fragment {
  return tx`
    insert into coverage_observations (
      id, project_id, coverage_id, source, source_version, content_hash, member_id, service_code, plan_name, status,
      currency, amount_limit, remaining_sessions, authorization_required, coordination_priority,
      valid_from, valid_until, observed_at, evidence_references, snapshot_version, recorded_at)
    select
      id, ${tenant}, coverage_id, source, source_version, decode(content_hash, 'hex'), member_id, service_code, plan_name,
      status, currency, amount_limit, remaining_sessions, authorization_required, coordination_priority,
      valid_from, valid_until, observed_at, evidence_references, snapshot_version, platform.now()
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as new (
      id text, coverage_id text, source text, source_version text, content_hash text, member_id text, service_code text,
      plan_name text, status text, currency text, amount_limit bigint, remaining_sessions integer,
      authorization_required boolean, coordination_priority smallint, valid_from timestamptz, valid_until timestamptz,
      observed_at timestamptz, evidence_references text[], snapshot_version integer)`;
}

/** Reads the observation that is a coverage's snapshot; null if the tenant has no such coverage. */
export async function latestObservation(
  db: Db,
  tenant: Tenant,
  coverageId: string,
): Promise<ObservationRow | null> {
  const [row] = await db<ObservationRow[]>`
    select o.*, c.source_contract_reference, c.external_coverage_reference
    from coverages c join coverage_observations o on o.id = c.snapshot_observation_id
    where c.id = ${coverageId} and c.project_id = ${tenant}`;
  return row ?? null;
}
