/** A difference between two stored values that must be equal. */
export interface Difference {
  /** The ID of the claim, remittance or settlement that has the difference, or the currency. */
  readonly subject: string;
  /** Text that says what differs, with both values. */
  readonly says: string;
}
