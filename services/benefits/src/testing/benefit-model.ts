/**
 * A model of one benefit, written from the API contract and independent of the service's code: the coverage's snapshot, the reservations
 * and the state of each pre-authorization. Times are epoch milliseconds.
 */
const DECISION_MS = 14 * 24 * 60 * 60 * 1000;

export interface ModelPreauthorization {
  status: 'pending' | 'approved' | 'denied' | 'expired' | 'cancelled';
  readonly decideByMs: number;
  validUntilMs: number;
  reservedAtMs: number | null;
  claim: string | null;
}

export class BenefitModel {
  readonly requests: ModelPreauthorization[] = [];
  private snapshot: { observedAtMs: number; remaining: number; isActive: boolean } | null = null;
  snapshotVersion = 0;

  observe(observedAtMs: number, remaining: number, isActive: boolean): void {
    if (this.snapshot !== null && observedAtMs < this.snapshot.observedAtMs) return;
    this.snapshot = { observedAtMs, remaining, isActive };
    this.snapshotVersion += 1;
  }

  /** The benefit's remaining sessions; null before the first observation. */
  get remaining(): number | null {
    const { snapshot } = this;
    if (snapshot === null) return null;
    const reserved = this.requests.filter(
      ({ reservedAtMs }) => reservedAtMs !== null && reservedAtMs >= snapshot.observedAtMs,
    );
    return Math.max(0, snapshot.remaining - reserved.length);
  }

  get isEligible(): boolean {
    return this.snapshot?.isActive === true && (this.remaining ?? 0) > 0;
  }

  open(createdAtMs: number): void {
    this.requests.push({
      status: 'pending',
      decideByMs: createdAtMs + DECISION_MS,
      validUntilMs: 0,
      reservedAtMs: null,
      claim: null,
    });
  }

  /** Returns the error code with which an approval must be rejected; null if it must succeed. */
  approvalError(request: ModelPreauthorization): string | null {
    if (request.status !== 'pending') return 'invalid_state';
    return (this.remaining ?? 0) > 0 ? null : 'benefit_exhausted';
  }

  /** Approves a pre-authorization and reserves a session; the time of the reservation is at least the snapshot's observed_at. */
  approve(request: ModelPreauthorization, decidedAtMs: number, validUntilMs: number): void {
    const reservedAtMs = Math.max(decidedAtMs, this.snapshot?.observedAtMs ?? 0);
    Object.assign(request, { status: 'approved', reservedAtMs, validUntilMs });
  }

  /** Returns whether a pre-authorization can be cancelled, or expired early by the sandbox operation. */
  canEnd(request: ModelPreauthorization): boolean {
    return (request.status === 'pending' || request.status === 'approved') && request.claim === null;
  }

  end(request: ModelPreauthorization, status: 'denied' | 'expired' | 'cancelled'): void {
    Object.assign(request, { status, reservedAtMs: null });
  }

  /** Returns whether a claim can use a pre-authorization. */
  canBeUsed(request: ModelPreauthorization, nowMs: number): boolean {
    return request.status === 'approved' && request.claim === null && nowMs < request.validUntilMs;
  }

  /** Expires a pre-authorization if its deadline has passed, as the service does before every command on it. */
  expireIfDue(request: ModelPreauthorization, nowMs: number): void {
    const isUndecided = request.status === 'pending' && request.decideByMs <= nowMs;
    const isUnused = request.status === 'approved' && request.claim === null && request.validUntilMs <= nowMs;
    if (isUndecided || isUnused) this.end(request, 'expired');
  }

  /**
   * Expires every pre-authorization that has a reservation and whose deadline has passed, as the service does before an eligibility check
   * or a decision counts the remaining sessions.
   */
  expireReservationsIfDue(nowMs: number): void {
    for (const request of this.requests) {
      if (request.reservedAtMs !== null) this.expireIfDue(request, nowMs);
    }
  }
}
