/** The amounts of a claim's remittances and settlements in its links, whose released shape has no amount below zero. */

/** What a remittance, recovery or settlement changes in a claim's remitted or settled sum, in minor units. */
export interface Moved {
  readonly id: string;
  readonly amount: number;
}

/**
 * Returns the amounts that are left of each after recoveries, with the same sum and order. What is taken back is taken from the newest of the
 * earlier amounts first, and from later ones if the earlier ones were reversed. A recovery itself has the amount 0.
 *
 * @param moved in the order in which they were recorded; the sum is not below zero
 */
export function linkedAmounts(moved: readonly Moved[]): Moved[] {
  const left = moved.map(({ id, amount }) => ({ id, amount: Math.max(0, amount) }));
  for (const [index, { amount }] of moved.entries()) {
    if (amount >= 0) continue;
    let takenBack = -amount;
    for (const other of [...left.slice(0, index).reverse(), ...left.slice(index + 1)]) {
      if (takenBack === 0) break;
      const taken = Math.min(takenBack, other.amount);
      other.amount -= taken;
      takenBack -= taken;
    }
  }
  return left;
}
