/** A difference between two records of the same amount. */
export interface Difference {
  /** The ID of the claim, remittance or settlement, or the currency. */
  readonly subject: string;
  /** What differs, with both values. */
  readonly says: string;
}
