/**
 * The chart of accounts. Every claim has each account once, in the claim's currency. A balance is the sum of incoming less outgoing
 * postings, so a claim's balances always sum to zero. Amounts are in minor units.
 */
import type { Tenant } from '@carecover/platform';

/** The accounts of a claim. Balances are never negative, except those of `charges` and `provider`. */
export const accounts = [
  /** The source of all other accounts: the negative adjudicated amount, never above zero. */
  'charges',
  /** The approved amount that no remittance has advised. */
  'payer_liability',
  /** The patient's part by the adjudication. */
  'patient_responsibility',
  /** The part that neither the payer nor the patient pays. */
  'adjustment',
  /** The amount that remittances advised and no settlement has settled. */
  'remitted',
  /** The claim's settled amount. */
  'cash_observed',
  /** The settled amount of a reversed claim, which the provider must repay. */
  'recoverable',
  /** The negative amount that the provider must repay. */
  'provider',
] as const;

export type Account = (typeof accounts)[number];

/** An amount that moves between two accounts of a claim. */
export interface Move {
  readonly claimId: string;
  readonly source: Account;
  readonly destination: Account;
  /** Minor units, above zero. */
  readonly amount: number;
}

/** The cause and the times of a group of postings. */
interface PostingEntry {
  readonly tenant: Tenant;
  readonly currency: string;
  /** The ID of the adjudication, remittance or settlement, or see {@link reversalOf}. A cause posts once per claim and pair of accounts. */
  readonly cause: string;
  /** When the fact took effect. */
  readonly effectiveAt: Date;
  /** The transaction's time. */
  readonly recordedAt: Date;
}

/** Moves with the same cause and times. */
export interface PostingGroup {
  readonly entry: PostingEntry;
  readonly moves: readonly Move[];
}

/** Returns the cause of the postings that a reversal of this resource makes. */
export function reversalOf(id: string): string {
  return `${id}:reversal`;
}

/** A claim's account row with its balances. The API's `remitted` and `settled` amounts are sums of balances. */
export interface ClaimAccount {
  readonly claimId: string;
  readonly currency: string;
  readonly adjudicationId: string;
  readonly adjudicationVersion: number;
  readonly reversed: boolean;
  readonly balances: Readonly<Record<Account, number>>;
}

/** The amount that the payer approved; null if the claim is reversed. */
export function approvedOf({ reversed, balances }: ClaimAccount): number | null {
  return reversed ? null : balances.payer_liability + balances.remitted + balances.cash_observed;
}

/** The sum that remittances advised for the claim, settled or not. */
export function remittedOf({ balances }: ClaimAccount): number {
  return balances.remitted + balances.cash_observed;
}

/** Returns the moves with an amount above zero. */
export function nonZero(moves: readonly Move[]): Move[] {
  return moves.filter((move) => move.amount > 0);
}
