/**
 * A model of the ledger for the property test, written from the API contract: a few amounts per claim and remittance, without postings.
 */
export interface ModelClaim {
  approved: number;
  version: number;
  reversed: boolean;
  remitted: number;
  settled: number;
}

interface ModelSettlement {
  readonly amount: number;
  readonly foreign: boolean;
  reversed: boolean;
  /** The amounts that the settlement settles, by claim ID; null while it is unmatched. */
  settles: Map<string, number> | null;
}

export interface ModelRemittance {
  readonly shares: ReadonlyMap<string, number>;
  readonly deadlineMs: number;
  readonly observations: Map<string, ModelSettlement>;
  status: 'received' | 'reconciled' | 'exception';
}

export class LedgerModel {
  readonly claims = new Map<string, ModelClaim>();
  readonly remittances = new Map<string, ModelRemittance>();

  /** Returns the expected error code of a remittance with the given allocations; null if it is accepted. */
  rejectionOf(shares: ReadonlyMap<string, number>): string | null {
    const parts = [...shares].map(([claimId, amount]) => ({ claim: this.claim(claimId), amount }));
    const payable = ({ approved, reversed, settled }: ModelClaim) =>
      !reversed && approved > 0 && settled < approved;
    if (parts.some(({ claim }) => !payable(claim))) return 'claim_not_adjudicated';
    return parts.some(({ claim, amount }) => claim.remitted + amount > claim.approved)
      ? 'over_allocation'
      : null;
  }

  advise(id: string, shares: ReadonlyMap<string, number>, deadlineMs: number): void {
    for (const [claimId, amount] of shares) this.claim(claimId).remitted += amount;
    this.remittances.set(id, { shares, deadlineMs, observations: new Map(), status: 'received' });
  }

  observe(remittanceId: string, id: string, amount: number, foreign: boolean, nowMs: number): void {
    const remittance = this.remittance(remittanceId);
    remittance.observations.set(id, { amount, foreign, reversed: false, settles: null });
    this.evaluate(remittance, nowMs);
  }

  reverseObservation(remittanceId: string, id: string, nowMs: number): void {
    const remittance = this.remittance(remittanceId);
    const observation = remittance.observations.get(id);
    if (observation === undefined) throw new Error(`no observation ${id}`);
    observation.reversed = true;
    for (const [claimId, amount] of observation.settles ?? []) this.claim(claimId).settled -= amount;
    observation.settles = null;
    this.evaluate(remittance, nowMs);
  }

  pass(nowMs: number): void {
    for (const remittance of this.remittances.values()) {
      if (remittance.status === 'received' && nowMs >= remittance.deadlineMs) remittance.status = 'exception';
    }
  }

  claim(id: string): ModelClaim {
    const claim = this.claims.get(id);
    if (claim === undefined) throw new Error(`no claim ${id}`);
    return claim;
  }

  remittance(id: string): ModelRemittance {
    const remittance = this.remittances.get(id);
    if (remittance === undefined) throw new Error(`no remittance ${id}`);
    return remittance;
  }

  private evaluate(remittance: ModelRemittance, nowMs: number): void {
    const total = sum(remittance.shares.values());
    const unreversed = [...remittance.observations.values()].filter(({ reversed }) => !reversed);
    const own = unreversed.filter(({ foreign }) => !foreign);
    const observed = sum(own.map(({ amount }) => amount));
    if (observed <= total)
      for (const observation of own) this.match(remittance, observation, observed === total);
    if (observed === total && unreversed.at(-1)?.foreign === false) remittance.status = 'reconciled';
    else if (observed > total || own.length < unreversed.length) remittance.status = 'exception';
    else remittance.status = nowMs < remittance.deadlineMs ? 'received' : 'exception';
  }

  /**
   * Matches a settlement. If it completes the total (`complete`), it settles all outstanding amounts. Otherwise it is matched only if the
   * remittance has one claim.
   */
  private match(remittance: ModelRemittance, observation: ModelSettlement, complete: boolean): void {
    if (observation.settles !== null) return;
    if (!complete && remittance.shares.size > 1) return;
    const settles = new Map<string, number>();
    let rest = observation.amount;
    for (const [claimId, share] of remittance.shares) {
      const done = sum(
        [...remittance.observations.values()].map((other) => other.settles?.get(claimId) ?? 0),
      );
      const part = Math.min(rest, share - done);
      if (part <= 0) continue;
      settles.set(claimId, part);
      this.claim(claimId).settled += part;
      rest -= part;
    }
    observation.settles = settles;
  }
}

function sum(amounts: Iterable<number>): number {
  let total = 0;
  for (const amount of amounts) total += amount;
  return total;
}
