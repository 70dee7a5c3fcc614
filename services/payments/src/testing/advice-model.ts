/**
 * A model of payment advices for the property test, written from the API contract: a few sums per claim and advice, without postings, accounts
 * and notifications.
 */
export interface ModelClaim {
  readonly approved: number;
  reversed: boolean;
  /** Allocated less taken back. */
  remitted: number;
  /** Settled allocations less proved takebacks; it can be below zero, or above the approved amount, for a while. */
  moved: number;
  /** What the claims service shows as settled. */
  settled: number;
}

interface ModelSettlement {
  readonly id: string;
  readonly amount: number;
  reversed: boolean;
  /** What the settlement adds to each claim; null while it is unmatched. */
  effect: Map<string, number> | null;
  /** What it settles of each allocation. */
  allocations: Map<string, number>;
}

export interface ModelAdvice {
  readonly id: string;
  readonly pays: ReadonlyMap<string, number>;
  readonly takes: ReadonlyMap<string, number>;
  readonly net: number;
  /** What it deducts of balances of earlier advices. */
  readonly deducts: number;
  readonly payer: string;
  /** The day on which it was received. */
  readonly day: number;
  readonly settlements: ModelSettlement[];
  status: 'received' | 'reconciled' | 'exception' | 'withdrawn';
  isNetted: boolean;
}

export type ModelLines = Pick<ModelAdvice, 'pays' | 'takes' | 'net' | 'deducts' | 'payer' | 'day'> & {
  /** The sum of the adjustments, the deduction included. */
  readonly adjusted: number;
};

export class AdviceModel {
  readonly claims = new Map<string, ModelClaim>();
  readonly advices: ModelAdvice[] = [];

  /** Returns the error code with which an advice is rejected; null if it is accepted. */
  rejectionOf({ pays, takes, net, adjusted }: ModelLines): string | null {
    if (net !== sum(pays.values()) - sum(takes.values()) + adjusted) return 'advice_unbalanced';
    if ([...takes].some(([id, amount]) => amount > this.claim(id).remitted)) return 'over_recovery';
    const open = (id: string) => this.claim(id).approved - this.claim(id).remitted + (takes.get(id) ?? 0);
    const isPayable = (id: string) => {
      const { approved, reversed, moved } = this.claim(id);
      return !reversed && approved > 0 && (moved < approved || open(id) > 0);
    };
    if ([...pays.keys()].some((id) => !isPayable(id))) return 'claim_not_adjudicated';
    return [...pays].some(([id, amount]) => amount > open(id)) ? 'over_allocation' : null;
  }

  advise(id: string, { pays, takes, net, deducts, payer, day }: ModelLines): void {
    for (const [claim, amount] of takes) this.claim(claim).remitted -= amount;
    for (const [claim, amount] of pays) this.claim(claim).remitted += amount;
    this.advices.push({
      ...{ id, pays, takes, net, deducts, payer, day },
      settlements: [],
      status: 'received',
      isNetted: false,
    });
    this.settleNets();
  }

  observe(advice: ModelAdvice, id: string, amount: number): void {
    advice.settlements.push({ id, amount, reversed: false, effect: null, allocations: new Map() });
    this.evaluate(advice);
  }

  reverseSettlement(advice: ModelAdvice, id: string): void {
    const settlement = advice.settlements.find((each) => each.id === id);
    if (settlement === undefined) throw new Error(`no settlement ${id}`);
    settlement.reversed = true;
    this.add(settlement.effect ?? new Map(), -1);
    settlement.effect = null;
    settlement.allocations = new Map();
    this.evaluate(advice);
  }

  /** Returns the error code with which the withdrawal of an advice is rejected; null if it is accepted. */
  withdrawalRejection(advice: ModelAdvice): string | null {
    if (advice.status === 'withdrawn') return 'invalid_state';
    if (advice.settlements.some(({ reversed }) => !reversed)) return 'advice_settled';
    const own = this.balances(advice.payer).find(({ of }) => of === advice);
    if (own !== undefined && own.by.length > 0) return 'invalid_state';
    const isUsed = [...new Set([...advice.pays.keys(), ...advice.takes.keys()])].some((id) => {
      const { remitted, approved, reversed } = this.claim(id);
      const left = remitted - (advice.pays.get(id) ?? 0) + (advice.takes.get(id) ?? 0);
      return left < 0 || (!reversed && left > approved);
    });
    return isUsed ? 'invalid_state' : null;
  }

  withdraw(advice: ModelAdvice): void {
    this.undo(advice, 1);
    advice.status = 'withdrawn';
    this.settleNets();
  }

  /** Returns the error code with which the replacement of an advice is rejected; null if it is accepted. */
  replacementRejection(advice: ModelAdvice, lines: ModelLines): string | null {
    const rejected = this.withdrawalRejection(advice);
    if (rejected !== null) return rejected;
    this.undo(advice, 1);
    const code = this.rejectionOf(lines);
    this.undo(advice, -1);
    return code;
  }

  /** Undoes the lines of an advice, and that they are settled without a transfer; `sign` -1 does them again. */
  private undo(advice: ModelAdvice, sign: number): void {
    if (advice.isNetted) this.add(movedBy(advice), -sign);
    for (const [claim, amount] of advice.takes) this.claim(claim).remitted += sign * amount;
    for (const [claim, amount] of advice.pays) this.claim(claim).remitted -= sign * amount;
  }

  /** What the payer will still deduct. */
  balanceOf(payer: string): number {
    return sum(this.balances(payer).map(({ open }) => open));
  }

  claim(id: string): ModelClaim {
    const claim = this.claims.get(id);
    if (claim === undefined) throw new Error(`no claim ${id}`);
    return claim;
  }

  private evaluate(advice: ModelAdvice): void {
    const expected = advice.isNetted ? 0 : advice.net;
    const unreversed = advice.settlements.filter(({ reversed }) => !reversed);
    const observed = sum(unreversed.map(({ amount }) => amount));
    if (observed <= expected) this.match(advice, unreversed, observed === expected);
    if (observed === expected) advice.status = 'reconciled';
    else if (observed > expected && unreversed.length > 0) advice.status = 'exception';
    else advice.status = 'received';
    this.settleNets();
  }

  private match(advice: ModelAdvice, unreversed: readonly ModelSettlement[], isComplete: boolean): void {
    const left = (claim: string) =>
      (advice.pays.get(claim) ?? 0) - sum(unreversed.map(({ allocations }) => allocations.get(claim) ?? 0));
    const fill = (settlement: ModelSettlement) => {
      let rest = settlement.amount;
      for (const claim of advice.pays.keys()) {
        const part = Math.min(rest, left(claim));
        if (part > 0) settlement.allocations.set(claim, part);
        rest -= part;
      }
      settlement.effect = new Map(settlement.allocations);
      this.add(settlement.effect, 1);
    };
    const [sole, ...others] = advice.pays.keys();
    const known: ModelSettlement[] = [];
    const unknown: ModelSettlement[] = [];
    for (const settlement of unreversed.filter(({ effect }) => effect === null)) {
      // Below the net, only a part of an advice with one allocation is known to be of its claim.
      const isKnown = sole !== undefined && others.length === 0 && settlement.amount <= left(sole);
      if (isKnown) fill(settlement);
      (isKnown ? known : unknown).push(settlement);
    }
    if (!isComplete) return;
    unknown.forEach(fill);
    const last = unknown.at(-1) ?? known.at(-1);
    if (last?.effect == null) return;
    // The funds are those of the whole advice: what is left of the allocations was paid against the takebacks.
    const remainder = [...advice.pays.keys()].map((claim) => [claim, left(claim)] as const);
    for (const [claim, amount] of remainder) {
      last.allocations.set(claim, (last.allocations.get(claim) ?? 0) + amount);
    }
    const effect = new Map(remainder);
    for (const [claim, amount] of advice.takes) effect.set(claim, (effect.get(claim) ?? 0) - amount);
    this.add(effect, 1);
    for (const [claim, amount] of effect) last.effect.set(claim, (last.effect.get(claim) ?? 0) + amount);
  }

  /** Settles the advices whose net is zero, or whose balance reconciled advices have deducted, until nothing changes. */
  private settleNets(): void {
    for (let changed = true; changed; ) {
      changed = false;
      for (const advice of this.advices) {
        if (advice.isNetted || advice.net > 0 || advice.status === 'withdrawn') continue;
        const own = this.balances(advice.payer).find(({ of }) => of === advice);
        if (own !== undefined && (own.open > 0 || own.by.some(({ status }) => status !== 'reconciled')))
          continue;
        this.add(movedBy(advice), 1);
        advice.isNetted = true;
        const isPaid = advice.settlements.some(({ reversed }) => !reversed);
        advice.status = isPaid ? 'exception' : 'reconciled';
        changed = true;
      }
    }
  }

  /**
   * The balances of a payer, oldest first, with the advices that deducted a part of each. An advice deducts those of earlier advices, and of later
   * ones that were received no later. What is settled keeps the deductions of reconciled advices.
   */
  private balances(payer: string) {
    const counted = this.advices.filter((each) => each.payer === payer && each.status !== 'withdrawn');
    const balances = counted
      .filter(({ net }) => net < 0)
      .map((of) => ({ of, open: -of.net, by: [] as ModelAdvice[] }));
    const left = new Map(counted.map((each) => [each, each.deducts]));
    const serve = (some: typeof balances, deducting: readonly ModelAdvice[]) => {
      for (const advice of deducting)
        for (const balance of some) {
          const isEarlier = counted.indexOf(balance.of) < counted.indexOf(advice);
          if (balance.of === advice || !(isEarlier || balance.of.day <= advice.day)) continue;
          const part = Math.min(left.get(advice) ?? 0, balance.open);
          if (part === 0) continue;
          balance.open -= part;
          left.set(advice, (left.get(advice) ?? 0) - part);
          balance.by.push(advice);
        }
    };
    const [settled, others] = [true, false].map((is) => balances.filter(({ of }) => of.isNetted === is));
    serve(
      settled ?? [],
      counted.filter(({ status }) => status === 'reconciled'),
    );
    serve(settled ?? [], counted);
    serve(others ?? [], counted);
    return balances;
  }

  /** Adds what a settlement moves to each claim. What claims shows is never below zero, and never above what is approved. */
  private add(effect: ReadonlyMap<string, number>, sign: number): void {
    for (const [id, amount] of effect) {
      if (amount === 0) continue;
      const claim = this.claim(id);
      claim.moved += sign * amount;
      claim.settled = Math.max(0, claim.reversed ? claim.moved : Math.min(claim.moved, claim.approved));
    }
  }
}

/** What the lines of an advice move to each claim once they are settled. */
function movedBy({ pays, takes }: ModelAdvice): Map<string, number> {
  const effect = new Map(pays);
  for (const [claim, amount] of takes) effect.set(claim, (effect.get(claim) ?? 0) - amount);
  return effect;
}

function sum(amounts: Iterable<number>): number {
  let total = 0;
  for (const amount of amounts) total += amount;
  return total;
}
