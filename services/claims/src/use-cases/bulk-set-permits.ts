/**
 * The permits of the steps of bulk jobs that one process executes at once. The steps share the process's slots for local activities with the
 * reviews of claims, so a step without a permit ends at once, and its workflow repeats it later by a timer.
 *
 * Failure policy: closed. A project that got no permit is preferred, for a time, to projects that have more permits.
 */

/** How long in milliseconds a permit is kept for a project that got none: longer than the timer of its workflow. */
const KEPT_MS = 12_000;

export class BulkSetPermits {
  private readonly takenBy = new Map<string, number>();
  /** When each project last got no permit, in milliseconds of `performance.now()`. */
  private readonly rejectedAtMs = new Map<string, number>();
  private taken = 0;

  constructor(private readonly permits: number) {}

  /**
   * Takes a permit for a project, without waiting. Returns whether it took one, which the calling code must then release. One permit is left
   * for each project that recently got none and has fewer.
   *
   * @param nowMs milliseconds of `performance.now()`
   * @example if (permits.tryAcquire(project)) try { await work(); } finally { permits.release(project); }
   */
  tryAcquire(project: string, nowMs = performance.now()): boolean {
    const own = this.takenBy.get(project) ?? 0;
    let kept = 0;
    for (const [other, atMs] of this.rejectedAtMs) {
      if (nowMs - atMs > KEPT_MS) this.rejectedAtMs.delete(other);
      else if (other !== project && (this.takenBy.get(other) ?? 0) < own) kept += 1;
    }
    if (this.taken + kept >= this.permits) {
      this.rejectedAtMs.set(project, nowMs);
      return false;
    }
    this.rejectedAtMs.delete(project);
    this.takenBy.set(project, own + 1);
    this.taken += 1;
    return true;
  }

  release(project: string): void {
    const left = (this.takenBy.get(project) ?? 0) - 1;
    if (left > 0) this.takenBy.set(project, left);
    else this.takenBy.delete(project);
    this.taken -= 1;
  }
}
