/** A row of a settlement file in any format: a credit, an unreadable row with the reason, or a row of another kind. */

export interface CreditRow {
  readonly kind: 'credit';
  /** The first line of the row, counted from 1. */
  readonly line: number;
  readonly sourceReference: string;
  /** The remittance's payer_reference. */
  readonly payerReference: string;
  readonly currency: string;
  /** Minor units, above zero. */
  readonly amount: number;
  /** ISO 8601. */
  readonly observedAt: string;
}

/** A row that should be a credit and can't be read. */
export interface UnreadableRow {
  readonly kind: 'unreadable';
  readonly line: number;
  readonly reason: string;
}

/** A row of another kind, such as a debit or a pending entry. */
interface OtherRow {
  readonly kind: 'other';
  readonly line: number;
}

export type Row = CreditRow | UnreadableRow | OtherRow;

/** A file that can't be read; none of its rows is imported. */
export class FileError extends Error {
  override readonly name = 'FileError';
}
