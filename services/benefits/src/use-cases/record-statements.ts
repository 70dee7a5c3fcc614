/** Records the statements of a payer about coverages as observations, from a request with one statement or from a batch. */
import { newId, type Tenant } from '@carecover/domain';
import { type Tx, writeTogether } from '@carecover/postgres';
import { decideRecordings, type Recording, versionKey } from '../rules/coverage-snapshot';
import type { HashedStatement } from '../rules/coverage-statement';
import { lockCoverages, snapshotsUpdate } from '../store/coverages';
import { findOrCreateMembers } from '../store/members';
import {
  findVersions,
  type HashedObservation,
  type ObservationRow,
  observationsInsert,
} from '../store/observations';

export interface RecordedStatement {
  readonly observation: ObservationRow;
  /** False if the same source version was recorded before with the same content. */
  readonly isNew: boolean;
}

/**
 * Records statements under one payer's contract, in order, in a fixed number of database round trips. The coverages stay locked until the
 * transaction ends.
 *
 * @param pointer returns the JSON pointer to the source version of the statement with this index, for the error message
 * @throws ApiError source_version_conflict if a source version was recorded with different content; then nothing is recorded
 */
export async function recordStatements(
  tx: Tx,
  tenant: Tenant,
  contractReference: string,
  statements: readonly HashedStatement[],
  pointer: (index: number) => string,
): Promise<RecordedStatement[]> {
  const references = statements.map(({ coverageReference }) => coverageReference);
  const coverages = await lockCoverages(tx, tenant, contractReference, references);
  const versions = statements.flatMap(({ coverageReference, sourceVersion }) => {
    const coverage = coverages.get(coverageReference);
    return coverage === undefined ? [] : [{ coverageId: coverage.id, sourceVersion }];
  });
  const observations = new Map((await findVersions(tx, tenant, versions)).map((row) => [keyOf(row), row]));
  const recordedHashes = new Map([...observations].map(([key, row]) => [key, row.content_hash]));
  const recordings = decideRecordings(statements, coverages, recordedHashes, pointer);

  const added = recordings.filter(({ snapshotVersion }) => snapshotVersion !== null);
  // Creates only the members of new statements: a repeated statement must not create a member that was erased since.
  const members = await findOrCreateMembers(
    tx,
    tenant,
    added.map(({ statement }) => statement.memberReference),
  );
  const rows = added.map((recording) => newObservation(recording, members));
  for (const row of rows) observations.set(keyOf(row), row);
  if (rows.length > 0) {
    const changing = rows.filter((_, index) => added[index]?.changesSnapshot);
    const latest = new Map(changing.map((row) => [row.coverage_id, row]));
    await writeTogether(tx, [
      observationsInsert(tx, tenant, rows),
      snapshotsUpdate(tx, tenant, [...latest.values()]),
    ]);
  }
  return recordings.map(({ statement, coverageId, snapshotVersion }) => {
    const observation = observations.get(versionKey(coverageId, statement.sourceVersion));
    if (observation === undefined) throw new Error('a statement was not recorded');
    return { observation, isNew: snapshotVersion !== null };
  });
}

const keyOf = (row: ObservationRow) => versionKey(row.coverage_id, row.source_version);

function newObservation(
  { statement, coverageId, snapshotVersion }: Recording,
  members: ReadonlyMap<string, string>,
): HashedObservation {
  const memberId = members.get(statement.memberReference);
  if (memberId === undefined || snapshotVersion === null) throw new Error('a statement was not prepared');
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
