/**
 * A coverage's snapshot is its latest observation by observed_at; of two with the same observed_at, the later recorded. An older
 * observation that arrives late is stored and does not change the snapshot.
 */
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
