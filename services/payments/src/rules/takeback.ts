/**
 * The rule of a takeback: which settlements of the returned credit are reversed. A person sees this plan, and the act executes it. Pure functions;
 * amounts in minor units.
 */

/** The credit that a takeback returns. */
interface ReturnedCredit {
  readonly amount: number;
  /** The part that unreversed settlements record. */
  readonly recorded: number;
  /** The part that earlier takebacks returned. */
  readonly returned: number;
}

/** What a takeback changes. */
export interface Plan<Settlement> {
  /** The settlements to be reversed, in the order of their reversals. */
  readonly settlements: readonly Settlement[];
  /** The part of the credit that is open after the takeback. */
  readonly open: number;
}

/**
 * Plans a takeback: the open part of the credit is returned first, then as many settlements are reversed as cover the rest of the debit.
 *
 * @param debit what the bank took back
 * @param settlements the unreversed settlements of the credit, newest first
 * @throws Error if the settlements record less than the credit says
 */
export function planTakeback<Settlement extends { readonly amount: number }>(
  debit: number,
  { amount, recorded, returned }: ReturnedCredit,
  settlements: readonly Settlement[],
): Plan<Settlement> {
  let open = amount - recorded - returned - debit;
  const reversed: Settlement[] = [];
  for (const settlement of settlements) {
    if (open >= 0) break;
    open += settlement.amount;
    reversed.push(settlement);
  }
  if (open < 0) throw new Error(`the settlements of a credit record ${-open} less than the takeback needs`);
  return { settlements: reversed, open };
}
