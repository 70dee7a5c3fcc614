/**
 * What the contract says of one benefit, written apart from the code: a snapshot, what was reserved of it, and how each
 * pre-authorization stands. Times in epoch milliseconds.
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

  /** Sessions left; null before anything was observed. */
  get remaining(): number | null {
    const { snapshot } = this;
    if (snapshot === null) return null;
    const held = this.requests.filter(
      ({ reservedAtMs }) => reservedAtMs !== null && reservedAtMs >= snapshot.observedAtMs,
    );
    return Math.max(0, snapshot.remaining - held.length);
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

  /** What an approval is answered: null, or the code of its rejection. */
  approvalError(request: ModelPreauthorization): string | null {
    if (request.status !== 'pending') return 'invalid_state';
    return (this.remaining ?? 0) > 0 ? null : 'benefit_exhausted';
  }

  /** Reserves after the snapshot's observation, whatever the clock says. */
  approve(request: ModelPreauthorization, decidedAtMs: number, validUntilMs: number): void {
    const reservedAtMs = Math.max(decidedAtMs, this.snapshot?.observedAtMs ?? 0);
    Object.assign(request, { status: 'approved', reservedAtMs, validUntilMs });
  }

  /** Whether it can be cancelled, or made to expire by the test helper. */
  canEnd(request: ModelPreauthorization): boolean {
    return (request.status === 'pending' || request.status === 'approved') && request.claim === null;
  }

  end(request: ModelPreauthorization, status: 'denied' | 'expired' | 'cancelled'): void {
    Object.assign(request, { status, reservedAtMs: null });
  }

  /** Whether a claim may use it. */
  canBeUsed(request: ModelPreauthorization, nowMs: number): boolean {
    return request.status === 'approved' && request.claim === null && nowMs < request.validUntilMs;
  }

  /** Its deadline takes effect, if it has passed: whatever is done to it comes after that. */
  letExpire(request: ModelPreauthorization, nowMs: number): void {
    const isUndecided = request.status === 'pending' && request.decideByMs <= nowMs;
    const isUnused = request.status === 'approved' && request.claim === null && request.validUntilMs <= nowMs;
    if (isUndecided || isUnused) this.end(request, 'expired');
  }

  /** The same for all that hold a session: a check or a decision counts what is left only then. */
  letHoldersExpire(nowMs: number): void {
    for (const request of this.requests) {
      if (request.reservedAtMs !== null) this.letExpire(request, nowMs);
    }
  }
}
