/**
 * A coverage's snapshot is its observation with the latest observed_at; of two with the same observed_at, the one recorded later. An
 * older observation that arrives late is stored and does not change the snapshot. Pure functions.
 */
import { type Problem, problemMessage } from '@carecover/contract';
import { ApiError } from '@carecover/domain';
import type { HashedStatement } from './coverage-statement';

export interface Snapshot {
  /** Number of times that an observation changed the snapshot; 0 before the first observation. */
  readonly version: number;
  /** The observed_at of the snapshot in epoch milliseconds; null before the first observation. */
  readonly observedAtMs: number | null;
}

/** Returns a coverage's snapshot after a new observation: the same object if the observation is older than the snapshot. */
export function afterObservation(snapshot: Snapshot, observedAtMs: number): Snapshot {
  if (snapshot.observedAtMs !== null && observedAtMs < snapshot.observedAtMs) return snapshot;
  return { version: snapshot.version + 1, observedAtMs };
}

/** A coverage with its snapshot, as they are before a request's statements are recorded. */
export interface StatedCoverage extends Snapshot {
  readonly id: string;
}

/** The decision whether a payer's statement is recorded as a new observation and changes its coverage's snapshot. */
export interface Recording {
  readonly statement: HashedStatement;
  readonly coverageId: string;
  /** The coverage's snapshot version after a new statement; null if the statement repeats a recorded source version. */
  readonly snapshotVersion: number | null;
  readonly changesSnapshot: boolean;
}

const CONFLICT = 'was already recorded with different content: send a new version';

/** Returns the map key of one source version of a coverage. */
export function versionKey(coverageId: string, sourceVersion: string): string {
  return `${coverageId} ${sourceVersion}`;
}

/**
 * Decides for each statement, in their order, whether it is new and whether it changes its coverage's snapshot. The observation of a
 * recorded source version is never replaced.
 *
 * @param coverages the coverages of the statements, by the payer's reference
 * @param recordedHashes content hashes of the recorded observations, by {@link versionKey}
 * @param pointer returns the JSON pointer to the source version of the statement with this index, for the error message
 * @throws ApiError source_version_conflict if source versions were recorded with different content; it names all of them
 */
export function decideRecordings(
  statements: readonly HashedStatement[],
  coverages: ReadonlyMap<string, StatedCoverage>,
  recordedHashes: ReadonlyMap<string, string>,
  pointer: (index: number) => string,
): Recording[] {
  const hashes = new Map(recordedHashes);
  const snapshots = new Map<string, Snapshot>();
  const conflicts: Problem[] = [];
  const recordings = statements.map((statement, index) => {
    const coverage = coverages.get(statement.coverageReference);
    if (coverage === undefined) throw new Error('a statement has no coverage');
    const coverageId = coverage.id;
    const key = versionKey(coverageId, statement.sourceVersion);
    const recordedHash = hashes.get(key);
    if (recordedHash !== undefined) {
      if (recordedHash !== statement.contentHash)
        conflicts.push({ pointer: pointer(index), message: CONFLICT });
      return { statement, coverageId, snapshotVersion: null, changesSnapshot: false };
    }
    const before = snapshots.get(coverageId) ?? coverage;
    const after = afterObservation(before, statement.observedAtMs);
    hashes.set(key, statement.contentHash);
    snapshots.set(coverageId, after);
    return { statement, coverageId, snapshotVersion: after.version, changesSnapshot: after !== before };
  });
  if (conflicts.length > 0) throw new ApiError('source_version_conflict', problemMessage(conflicts));
  return recordings;
}
