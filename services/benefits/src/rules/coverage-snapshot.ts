/**
 * A coverage's snapshot is its latest observation by observed_at; of two with the same observed_at, the later recorded. An older
 * observation that arrives late is stored and does not change the snapshot. Pure.
 */
import { ApiError } from '@carecover/platform';
import type { HashedStatement } from './coverage-statement';

export interface Snapshot {
  /** 0 before the first observation. */
  readonly version: number;
  /** Epoch milliseconds; null before the first observation. */
  readonly observedAtMs: number | null;
}

/** Returns the snapshot after an observation; the same object if the observation does not change it. */
export function afterObservation(snapshot: Snapshot, observedAtMs: number): Snapshot {
  if (snapshot.observedAtMs !== null && observedAtMs < snapshot.observedAtMs) return snapshot;
  return { version: snapshot.version + 1, observedAtMs };
}

/** A coverage with its snapshot before the statements are recorded. */
export interface StatedCoverage extends Snapshot {
  readonly id: string;
}

/** How one statement is recorded. */
export interface Recording {
  readonly statement: HashedStatement;
  readonly coverageId: string;
  /** The coverage's snapshot version after a new statement; null if the statement repeats a recorded version. */
  readonly snapshotVersion: number | null;
  readonly changesSnapshot: boolean;
}

/** Identifies a version of a coverage. */
export function versionKey(coverageId: string, sourceVersion: string): string {
  return `${coverageId} ${sourceVersion}`;
}

/**
 * Decides in order which statements are new and which coverages' snapshots they change. A recorded version is never replaced.
 *
 * @param coverages by the payer's references of the coverages
 * @param recordedHashes content hashes of recorded versions by {@link versionKey}
 * @param pointer returns the JSON pointer to the version of the statement with this index, for the error
 * @throws ApiError source_version_conflict if a version was recorded with different content
 */
export function decideRecordings(
  statements: readonly HashedStatement[],
  coverages: ReadonlyMap<string, StatedCoverage>,
  recordedHashes: ReadonlyMap<string, string>,
  pointer: (index: number) => string,
): Recording[] {
  const hashes = new Map(recordedHashes);
  const snapshots = new Map<string, Snapshot>();
  return statements.map((statement, index) => {
    const coverage = coverages.get(statement.coverageReference);
    if (coverage === undefined) throw new Error('a statement has no coverage');
    const coverageId = coverage.id;
    const key = versionKey(coverageId, statement.sourceVersion);
    const recordedHash = hashes.get(key);
    if (recordedHash !== undefined) {
      if (recordedHash !== statement.contentHash) throw versionConflict(pointer(index));
      return { statement, coverageId, snapshotVersion: null, changesSnapshot: false };
    }
    const before = snapshots.get(coverageId) ?? coverage;
    const after = afterObservation(before, statement.observedAtMs);
    hashes.set(key, statement.contentHash);
    snapshots.set(coverageId, after);
    return { statement, coverageId, snapshotVersion: after.version, changesSnapshot: after !== before };
  });
}

function versionConflict(pointer: string): ApiError {
  return new ApiError(
    'source_version_conflict',
    `${pointer} was already recorded with different content. Send a new version.`,
  );
}
