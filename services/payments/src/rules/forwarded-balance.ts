/**
 * Balances that payers forward: an advice whose net is below zero is deducted by later advices of the same payer and currency, which name the
 * deduction as an adjustment of the kind `forwarded_balance`. Pure functions. Amounts in minor units.
 */
import type { PaymentAdviceStatus } from '@carecover/contract';

/** An advice that forwards or deducts a balance. */
export interface ForwardingAdvice {
  readonly id: string;
  readonly net: number;
  /** The sum of its adjustments of the kind `forwarded_balance`: above zero it forwards a balance, below zero it deducts balances. */
  readonly forwarded: number;
  readonly status: PaymentAdviceStatus;
  readonly receivedAt: Date;
  /** Whether its net is settled without a transfer. */
  readonly isNetted: boolean;
}

/** A balance that an advice forwarded. */
interface Balance {
  readonly adviceId: string;
  /** The place of the advice in the order in which advices were recorded. */
  readonly place: number;
  readonly receivedAt: Date;
  /** Whether the advice is settled, because reconciled advices had deducted the balance. */
  readonly isSettled: boolean;
  readonly amount: number;
  /** The part that no advice has deducted. */
  open: number;
  /** Whether all advices that deducted a part of it are reconciled. */
  isProved: boolean;
}

/** What an advice deducts of the balances of other advices. */
interface Deduction {
  readonly adviceId: string;
  readonly place: number;
  readonly receivedAt: Date;
  readonly isReconciled: boolean;
  /** The part that is not deducted of a known balance. */
  left: number;
}

/**
 * Deducts the balances in the order in which the advices forwarded them. Balances that are settled come first, with the deductions of reconciled
 * advices, so that no deduction proves a second balance after another advice is withdrawn. What an advice deducts beyond the known balances
 * is of a time before them, and changes none.
 *
 * @param advices the forwarding advices of one payer and currency, in the order in which they were recorded
 */
function balancesAfter(advices: readonly ForwardingAdvice[]): Balance[] {
  const balances = advices.flatMap(({ id, net, forwarded, receivedAt, isNetted }, place): Balance[] => {
    const balance = { adviceId: id, place, receivedAt, isProved: true };
    return [
      { ...balance, isSettled: false, amount: forwarded, open: forwarded },
      { ...balance, isSettled: isNetted, amount: -net, open: -net },
    ].filter(({ amount }) => amount > 0);
  });
  const deductions = advices.flatMap(({ id, forwarded, receivedAt, status }, place): Deduction[] =>
    forwarded >= 0
      ? []
      : [{ adviceId: id, place, receivedAt, isReconciled: status === 'reconciled', left: -forwarded }],
  );
  const settled = balances.filter(({ isSettled }) => isSettled);
  deduct(
    settled,
    deductions.filter(({ isReconciled }) => isReconciled),
  );
  deduct(settled, deductions);
  deduct(
    balances.filter(({ isSettled }) => !isSettled),
    deductions,
  );
  return balances;
}

function deduct(balances: readonly Balance[], deductions: readonly Deduction[]): void {
  // The oldest balances are deducted first, so those before this index are closed.
  let firstOpen = 0;
  for (const deduction of deductions) {
    while (balances[firstOpen]?.open === 0) firstOpen += 1;
    for (let index = firstOpen; deduction.left > 0; index += 1) {
      const balance = balances[index];
      if (balance === undefined) break;
      const part = canDeduct(deduction, balance) ? Math.min(balance.open, deduction.left) : 0;
      if (part === 0) continue;
      balance.open -= part;
      balance.isProved &&= deduction.isReconciled;
      deduction.left -= part;
    }
  }
}

/** Returns whether an advice can deduct a balance: of an advice that was recorded before, or afterwards but received no later. */
function canDeduct(deduction: Deduction, balance: Balance): boolean {
  if (deduction.adviceId === balance.adviceId) return false;
  return balance.place < deduction.place || balance.receivedAt <= deduction.receivedAt;
}

/** Returns whether reconciled advices have deducted all that the advice with the ID forwarded. */
export function isDeducted(advices: readonly ForwardingAdvice[], id: string): boolean {
  return balancesAfter(advices)
    .filter(({ adviceId }) => adviceId === id)
    .every(({ open, isProved }) => open === 0 && isProved);
}

/** Returns whether other advices have deducted a part of what the advice with the ID forwarded. */
export function isPartlyDeducted(advices: readonly ForwardingAdvice[], id: string): boolean {
  return balancesAfter(advices).some(({ adviceId, amount, open }) => adviceId === id && open < amount);
}

/** Returns the sum that other advices have not deducted, and the number of advices that forwarded a part of it. */
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
