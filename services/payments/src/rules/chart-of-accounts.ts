/**
 * The chart of accounts. Every claim has each account once, in the claim's currency. The balance of an account is the sum of its incoming
 * postings less the sum of its outgoing postings, so that the balances of a claim sum to zero. Amounts are in minor units.
 */
import type { Tenant } from '@carecover/domain';

/**
 * The accounts of a claim. Balances are never negative, except those of `charges` and `provider`, and those of `remitted` and `cash_observed`
 * while a takeback, or its settlement, comes before the settlement of what it takes back.
 */
export const accounts = [
  /** The source of the adjudicated amounts. Its balance is the negative billed amount, or zero if no adjudication is current. */
  'charges',
  /** The part of the approved amount that no remittance has advised. */
  'payer_liability',
  /** The amount that the patient owes by the adjudication. */
  'patient_responsibility',
  /** The part of the billed amount that neither the payer nor the patient pays. */
  'adjustment',
  /** What remittances have advised and no settlement has settled, less the takebacks that no settlement has proved. */
  'remitted',
  /** The amount of the claim that settlements have settled, less the takebacks that they have proved. */
  'cash_observed',
  /** The settled amount of a reversed claim, which the provider must repay. */
  'recoverable',
  /** The counter-account of `recoverable`. Its balance is the amount that the provider must repay, with a minus sign. */
  'provider',
] as const;

export type Account = (typeof accounts)[number];

/** An amount that moves between two accounts of a claim. */
export interface PostingLine {
  readonly claimId: string;
  readonly source: Account;
  readonly destination: Account;
  /** The amount in minor units, above zero. */
  readonly amount: number;
}

/** The cause and the times of a group of postings. */
interface PostingEntry {
  readonly tenant: Tenant;
  readonly currency: string;
  /**
   * The ID of the adjudication, remittance, recovery or settlement that makes the postings; for a reversal see {@link reversalOf}, for a
   * withdrawal {@link withdrawalOf}. A cause can post only once from one account of a claim to another.
   */
  readonly cause: string;
  /** When the adjudication, remittance, settlement or reversal took effect. */
  readonly effectiveAt: Date;
  /** The time of the database transaction that inserts the postings. */
  readonly recordedAt: Date;
}

/** Lines that are posted with the same cause and times. */
export interface PostingGroup {
  readonly entry: PostingEntry;
  readonly lines: readonly PostingLine[];
}

/** Returns the cause of the postings of a reversal. @param id ID of the settlement or claim that is reversed */
export function reversalOf(id: string): string {
  return `${id}:reversal`;
}

/** Returns the cause of the postings of a withdrawal. @param id ID of the remittance whose advice is withdrawn */
export function withdrawalOf(id: string): string {
  return `${id}:withdrawal`;
}

/** The accounts of a claim with their balances. */
export interface ClaimAccount {
  readonly claimId: string;
  readonly currency: string;
  readonly adjudicationId: string;
  readonly adjudicationVersion: number;
  readonly reversed: boolean;
  readonly balances: Readonly<Record<Account, number>>;
  /** The settled amount in the claims service after all notifications. */
  readonly settled: number;
  /** The cause of the last notification that changes `settled`; null before the first. */
  readonly settledCause: string | null;
  /** The cause of the last notification that changes what is remitted; null before the first. */
  readonly remittedCause: string | null;
}

/** Returns the amount of a claim that the payer approved; null if the claim is reversed. */
export function approvedOf({ reversed, balances }: ClaimAccount): number | null {
  return reversed ? null : balances.payer_liability + balances.remitted + balances.cash_observed;
}

/** Returns the sum that remittances have advised for a claim and not taken back, whether it is settled or not. */
export function remittedOf({ balances }: ClaimAccount): number {
  return balances.remitted + balances.cash_observed;
}

/**
 * Returns the settled amount that the claims service shows: what settlements have settled less the takebacks that they have proved, but at least 0
 * and at most the approved amount. Outside of these bounds it is while the settlement of a takeback, or of a payment that replaces what was
 * taken back, comes before the other one.
 */
export function shownSettled(account: ClaimAccount): number {
  const { cash_observed } = account.balances;
  return Math.max(0, Math.min(cash_observed, approvedOf(account) ?? cash_observed));
}

/** Returns the amount of a claim that the provider must repay: what is settled on it, if it is reversed. */
export function recoverableOf({ reversed, balances }: ClaimAccount): number {
  return reversed ? Math.max(0, balances.cash_observed) : 0;
}

/** Returns those lines whose amount is above zero. */
export function nonZero(lines: readonly PostingLine[]): PostingLine[] {
  return lines.filter((line) => line.amount > 0);
}
