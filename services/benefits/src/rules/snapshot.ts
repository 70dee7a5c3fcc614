/**
 * Which observation of a coverage is its snapshot: the latest observed, and of two observed at the same instant the later
 * recorded. An older one that comes late is kept and moves nothing.
 */
export interface Snapshot {
  /** 0 before the first observation. */
  readonly version: number;
  /** Epoch milliseconds; null before the first observation. */
  readonly observedAtMs: number | null;
}

/** The snapshot after an observation is recorded; the very same object where it did not move. */
export function afterObservation(snapshot: Snapshot, observedAtMs: number): Snapshot {
  if (snapshot.observedAtMs !== null && observedAtMs < snapshot.observedAtMs) return snapshot;
  return { version: snapshot.version + 1, observedAtMs };
}
