/** Rows of coverage observations: payers' statements, append-only by database privilege. */
import type { CoverageObservation, CoverageSource, CoverageStatus } from '@carecover/contract';
import { type Db, newId, type Tenant, type Tx } from '@carecover/platform';
import { afterObservation, type Snapshot } from '../rules/snapshot';
import type { CoverageStatement } from '../rules/statement';
import { lockCoverages, updateSnapshots } from './coverages';
import { findOrCreateMembers } from './members';

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

/** An observation with the hexadecimal hash of its content. */
interface HashedObservation extends ObservationRow {
  readonly content_hash: string;
}

/** A statement with the hash of its content. */
export interface HashedStatement extends CoverageStatement {
  readonly contentHash: string;
}

export interface RecordedStatement {
  readonly observation: ObservationRow;
  /** False if the same version with the same content was recorded before. */
  readonly isNew: boolean;
}

/** The error for a statement whose version was recorded before with different content. */
export class SourceVersionConflict extends Error {
  constructor(readonly index: number) {
    super('a source version was recorded before with different content');
    this.name = 'SourceVersionConflict';
  }
}

const versionKey = (coverageId: string, sourceVersion: string) => `${coverageId} ${sourceVersion}`;

/**
 * Records statements of one contract, in order, in a fixed number of database round trips. The coverages stay locked until the transaction
 * ends.
 *
 * @throws SourceVersionConflict, and then nothing is recorded
 */
export async function recordStatements(
  tx: Tx,
  tenant: Tenant,
  contractReference: string,
  statements: readonly HashedStatement[],
): Promise<RecordedStatement[]> {
  const coverages = await lockCoverages(
    tx,
    tenant,
    contractReference,
    statements.map((statement) => statement.coverageReference),
  );
  const coverageOf = (statement: CoverageStatement) => {
    const coverage = coverages.get(statement.coverageReference);
    if (coverage === undefined) throw new Error('a coverage was not locked');
    return coverage;
  };
  const known = await recordedVersions(
    tx,
    tenant,
    [...coverages.values()].map(({ id }) => id),
    statements,
  );
  const keyOf = (statement: CoverageStatement) =>
    versionKey(coverageOf(statement).id, statement.sourceVersion);
  // Members of repeated statements are left out: a repetition must not create an erased member again.
  const unrecorded = statements.filter((statement) => !known.has(keyOf(statement)));
  const members = await findOrCreateMembers(
    tx,
    tenant,
    unrecorded.map(({ memberReference }) => memberReference),
  );

  const snapshots = new Map<string, Snapshot>();
  const latest = new Map<string, ObservationRow>();
  const inserted: HashedObservation[] = [];
  const recorded = statements.map((statement, index): RecordedStatement => {
    const { id: coverageId, ...current } = coverageOf(statement);
    const before = known.get(keyOf(statement));
    if (before !== undefined) {
      if (before.content_hash !== statement.contentHash) throw new SourceVersionConflict(index);
      return { observation: before, isNew: false };
    }
    const snapshot = snapshots.get(coverageId) ?? current;
    const next = afterObservation(snapshot, statement.observedAtMs);
    const observation = newObservation(
      statement,
      coverageId,
      members.get(statement.memberReference),
      next.version,
    );
    snapshots.set(coverageId, next);
    if (next !== snapshot) latest.set(coverageId, observation);
    known.set(keyOf(statement), observation);
    inserted.push(observation);
    return { observation, isNew: true };
  });
  if (inserted.length > 0) {
    await insertObservations(tx, tenant, inserted);
    await updateSnapshots(tx, tenant, [...latest.values()]);
  }
  return recorded;
}

function newObservation(
  statement: HashedStatement,
  coverageId: string,
  memberId: string | undefined,
  snapshotVersion: number,
): HashedObservation {
  if (memberId === undefined) throw new Error('a member was neither found nor made');
  return {
    id: newId('cobs_'),
    coverage_id: coverageId,
    source: statement.source,
    source_version: statement.sourceVersion,
    content_hash: statement.contentHash,
    member_id: memberId,
    service_code: statement.serviceCode,
    plan_name: statement.planName,
    status: statement.status,
    currency: statement.currency,
    amount_limit: statement.amountLimit,
    remaining_sessions: statement.remainingSessions,
    authorization_required: statement.authorizationRequired,
    coordination_priority: statement.coordinationPriority,
    valid_from: new Date(statement.validFromMs),
    valid_until: new Date(statement.validUntilMs),
    observed_at: new Date(statement.observedAtMs),
    evidence_references: statement.evidenceReferences,
    snapshot_version: snapshotVersion,
    source_contract_reference: statement.contractReference,
    external_coverage_reference: statement.coverageReference,
  };
}

async function recordedVersions(
  tx: Tx,
  tenant: Tenant,
  coverageIds: readonly string[],
  statements: readonly CoverageStatement[],
): Promise<Map<string, HashedObservation>> {
  const versions = [...new Set(statements.map((statement) => statement.sourceVersion))];
  const rows = await tx<HashedObservation[]>`
    select o.*, encode(o.content_hash, 'hex') as content_hash,
           c.source_contract_reference, c.external_coverage_reference
    from coverage_observations o join coverages c on c.id = o.coverage_id
    where o.project_id = ${tenant} and o.coverage_id = any(${[...coverageIds]}) and o.source_version = any(${versions})`;
  return new Map(rows.map((row) => [versionKey(row.coverage_id, row.source_version), row]));
}

async function insertObservations(tx: Tx, tenant: Tenant, rows: readonly HashedObservation[]): Promise<void> {
  await tx`
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

/** Converts a row to the observation's resource. */
export function observationResource(row: ObservationRow): CoverageObservation {
  return {
    id: row.id,
    object: 'coverage_observation',
    coverage_id: row.coverage_id,
    source: row.source,
    source_contract_reference: row.source_contract_reference,
    external_coverage_reference: row.external_coverage_reference,
    source_version: row.source_version,
    snapshot_version: row.snapshot_version,
    status: row.status,
    service_code: row.service_code,
    amount_limit: { currency: row.currency, value: row.amount_limit },
    remaining_sessions: row.remaining_sessions,
    authorization_required: row.authorization_required,
    coordination_priority: row.coordination_priority,
    valid_from: row.valid_from.toISOString(),
    valid_until: row.valid_until.toISOString(),
    observed_at: row.observed_at.toISOString(),
  };
}
