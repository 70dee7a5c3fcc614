/**
 * A model of a claim for tests, written from the API contract and independent of the service's rules. It predicts the response of each
 * command and the facts and events that follow.
 */
import type { ClaimStatus } from '@carecover/contract';

export type Step =
  | { readonly kind: 'query'; readonly hasDeadline: boolean }
  | { readonly kind: 'answer'; readonly isKnown: boolean }
  | { readonly kind: 'adjudicate'; readonly payer: 'all' | 'some' | 'none' }
  | { readonly kind: 'unbalanced' | 'cancel' | 'reverse' | 'wait' | 'replay' }
  | { readonly kind: 'lose'; readonly afterMs: number }
  | { readonly kind: 'kill'; readonly at: string }
  | { readonly kind: 'fail'; readonly times: number }
  | { readonly kind: 'remit' | 'settle' | 'take_back'; readonly share: number };

export const BILLED_TOTAL = 150_000;
export const SOME = 100_000;
const MAX_REQUESTS = 100;
const MAX_ADJUDICATIONS = 1_000;

export class Model {
  status: ClaimStatus = 'submitted';
  submissionVersion = 1;
  adjudications = 0;
  /** The number of information requests, ended ones included. */
  requests = 0;
  decision: 'approved' | 'partially_approved' | 'denied' | null = null;
  approved: number | null = null;
  remitted = 0;
  settled = 0;
  request: 'none' | 'open' | 'answered' | 'lapsed' | 'closed' = 'none';
  requestLapses = false;
  /** Settlements that are not reversed. */
  readonly observations: { id: string; amount: number }[] = [];
  readonly facts: string[] = ['created', 'validated', 'submitted'];
  readonly events: string[] = ['claim.submitted'];

  private happen(fact: string, status: ClaimStatus, event: string | null = null): void {
    this.facts.push(fact);
    this.status = status;
    if (event !== null) this.events.push(`claim.${event}`);
  }

  /** Requests information. Returns the expected error code; null if the command is accepted, and then the model is changed. */
  query(hasDeadline: boolean): string | null {
    if (this.status !== 'submitted' || this.requests === MAX_REQUESTS) return 'invalid_state';
    this.happen('queried', 'queried', 'information_requested');
    this.requests += 1;
    this.request = 'open';
    this.requestLapses = hasDeadline;
    return null;
  }

  answer(isKnown: boolean): string | null {
    if (!isKnown || this.request === 'none') return 'resource_not_found';
    if (this.request !== 'open') return 'invalid_state';
    this.happen('evidence_added', 'queried');
    this.happen('resubmitted', 'submitted', 'resubmitted');
    this.request = 'answered';
    this.submissionVersion += 1;
    return null;
  }

  private canBeAdjudicated(): boolean {
    return (
      ['submitted', 'approved', 'partially_approved', 'denied'].includes(this.status) &&
      this.remitted === 0 &&
      this.adjudications < MAX_ADJUDICATIONS
    );
  }

  adjudicate(payer: number): string | null {
    if (!this.canBeAdjudicated()) return 'invalid_state';
    const decision = payer === 0 ? 'denied' : payer === BILLED_TOTAL ? 'approved' : 'partially_approved';
    this.happen(decision, decision, decision);
    this.decision = decision;
    this.approved = payer;
    this.adjudications += 1;
    return null;
  }

  unbalanced(): string {
    return this.canBeAdjudicated() ? 'adjudication_unbalanced' : 'invalid_state';
  }

  cancel(): string | null {
    if (this.status !== 'submitted' && this.status !== 'queried') return 'invalid_state';
    this.happen('cancelled', 'cancelled', 'cancelled');
    if (this.request === 'open') this.request = 'closed';
    return null;
  }

  reverse(): string | null {
    if (!['approved', 'partially_approved', 'settled'].includes(this.status)) return 'invalid_state';
    this.happen('reversed', 'reversed', 'reversed');
    this.decision = null;
    this.approved = null;
    return null;
  }

  /** Advances the time past the deadline of the open information request. Returns whether the request lapsed. */
  wait(): boolean {
    if (this.request !== 'open' || !this.requestLapses) return false;
    this.happen('submitted', 'submitted');
    this.request = 'lapsed';
    return true;
  }

  /** The amount in minor units that new remittances can still allocate to the claim. */
  get remittable(): number {
    const isPayable = this.status === 'approved' || this.status === 'partially_approved';
    return isPayable ? (this.approved ?? 0) - this.remitted : 0;
  }

  /** The remitted amount in minor units that is not settled. */
  get settleable(): number {
    return this.remitted - this.settled;
  }

  remit(amount: number): void {
    this.happen('remittance_recorded', this.status);
    this.remitted += amount;
  }

  settle(id: string, amount: number): void {
    this.observations.push({ id, amount });
    this.move(amount);
  }

  takeBack(id: string): void {
    const index = this.observations.findIndex((observation) => observation.id === id);
    const [observation] = this.observations.splice(index, 1);
    this.move(-(observation?.amount ?? 0));
  }

  private move(amount: number): void {
    this.settled += amount;
    if (this.status === 'approved' || this.status === 'partially_approved') {
      if (this.settled === this.approved) this.happen('settled', 'settled', 'settled');
      else this.happen('settled', this.status);
    } else if (this.status === 'settled' && this.settled !== this.approved && this.decision !== null) {
      this.happen('settled', this.decision);
    } else this.happen('settled', this.status);
  }

  /** Whether the claim needs a running workflow. */
  get isOpen(): boolean {
    return !['denied', 'settled', 'reversed', 'cancelled'].includes(this.status);
  }
}
