/**
 * The chart of accounts: where a claim's money can stand. Every claim has each account once, in the claim's currency; what an
 * account holds is what came in less what went out, so a claim's accounts always sum to zero. Amounts are in minor units.
 */

/** Accounts that stand for amounts of the claim; never below zero, but for the two that mirror others. */
export const accounts = [
  /** Minus what was billed and adjudicated: where all the others come from; never above zero. */
  'charges',
  /** What the payer accepted to pay and has not advised yet. */
  'payer_liability',
  /** What the patient owes by the adjudication. */
  'patient_responsibility',
  /** What nobody owes by the adjudication. */
  'adjustment',
  /** What a remittance advised and nobody has seen to move. */
  'remitted',
  /** What was seen to move: the claim's settled amount. */
  'cash_observed',
  /** What was settled on a claim that is reversed: the provider is to give it back. */
  'recoverable',
  /** Minus what the provider is to give back. */
  'provider',
] as const;

export type Account = (typeof accounts)[number];

/** A movement between two accounts of a claim. */
export interface Move {
  readonly claimId: string;
  readonly source: Account;
  readonly destination: Account;
  /** Minor units, above zero. */
  readonly amount: number;
}

/** The arbiter's row: how a claim's money stands. `remitted` and `settled` as the API shows them are sums of balances. */
export interface ClaimAccount {
  readonly claimId: string;
  readonly currency: string;
  readonly adjudicationId: string;
  readonly adjudicationVersion: number;
  readonly reversed: boolean;
  readonly balances: Readonly<Record<Account, number>>;
}

/** What the payer accepted to pay; null once the claim is reversed. */
export function approvedOf({ reversed, balances }: ClaimAccount): number | null {
  return reversed ? null : balances.payer_liability + balances.remitted + balances.cash_observed;
}

/** All that remittances advised for the claim, settled or not. */
export function remittedOf({ balances }: ClaimAccount): number {
  return balances.remitted + balances.cash_observed;
}

/** The moves that are of any amount. */
export function nonZero(moves: readonly Move[]): Move[] {
  return moves.filter((move) => move.amount > 0);
}
