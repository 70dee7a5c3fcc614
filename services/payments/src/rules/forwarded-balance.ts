/**
 * Balances that payers forward: an advice whose net is below zero is deducted by later advices of the same payer and currency, which name the
 * deduction as an adjustment of the kind `forwarded_balance`. Pure functions. Amounts in minor units.
 */
import type { RemittanceStatus } from '@carecover/contract';

/** An advice that forwards or deducts a balance. */
export interface ForwardingAdvice {
  readonly id: string;
  readonly net: number;
  /** The sum of its adjustments of the kind `forwarded_balance`: above zero it forwards a balance, below zero it deducts balances. */
  readonly forwarded: number;
  readonly status: RemittanceStatus;
}

/** What is not deducted of a balance that an advice forwarded. */
interface Balance {
  readonly adviceId: string;
  open: number;
  /** Whether all advices that deducted a part of it are reconciled. */
  isProved: boolean;
}

/**
 * Deducts the balances in the order in which the advices forwarded them. What an advice deducts beyond the known balances is of a time before them,
 * and changes none.
 *
 * @param advices the forwarding advices of one payer and currency, in the order in which they were recorded
 */
function balancesAfter(advices: readonly ForwardingAdvice[]): Balance[] {
  const balances: Balance[] = [];
  for (const { id, net, forwarded, status } of advices) {
    let deduction = Math.max(0, -forwarded);
    for (const balance of balances) {
      if (deduction === 0) break;
      const part = Math.min(balance.open, deduction);
      if (part === 0) continue;
      balance.open -= part;
      balance.isProved &&= status === 'reconciled';
      deduction -= part;
    }
    for (const open of [Math.max(0, forwarded), Math.max(0, -net)])
      if (open > 0) balances.push({ adviceId: id, open, isProved: true });
  }
  return balances;
}

/** Returns whether reconciled advices have deducted all that the advice with the ID forwarded. */
export function isDeducted(advices: readonly ForwardingAdvice[], id: string): boolean {
  return balancesAfter(advices)
    .filter(({ adviceId }) => adviceId === id)
    .every(({ open, isProved }) => open === 0 && isProved);
}

/** Returns the sum that later advices have not deducted, and the number of advices that forwarded a part of it. */
export function openBalance(advices: readonly ForwardingAdvice[]): {
  readonly amount: number;
  readonly advices: number;
} {
  const open = balancesAfter(advices).filter((balance) => balance.open > 0);
  return {
    amount: open.reduce((sum, balance) => sum + balance.open, 0),
    advices: new Set(open.map(({ adviceId }) => adviceId)).size,
  };
}
