/** Something that two accounts of the same money say differently. */
export interface Difference {
  /** The claim, remittance, settlement or currency that it is about. */
  readonly subject: string;
  /** What differs, with both values. */
  readonly says: string;
}
