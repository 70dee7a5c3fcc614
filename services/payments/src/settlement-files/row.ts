/** A row of a settlement file, whatever its format: money that a bank says has come in, or why the row says no such thing. */

export interface CreditRow {
  readonly kind: 'credit';
  /** Where the row begins, counted from 1. */
  readonly line: number;
  readonly sourceReference: string;
  /** Which advice it pays: the remittance's payer_reference. */
  readonly payerReference: string;
  readonly currency: string;
  /** Minor units, above zero. */
  readonly amount: number;
  /** ISO 8601. */
  readonly observedAt: string;
}

/** A row that should be a credit and can't be read as one. */
export interface UnreadableRow {
  readonly kind: 'unreadable';
  readonly line: number;
  readonly reason: string;
}

/** A row of something else, such as a debit or a pending entry. */
interface OtherRow {
  readonly kind: 'other';
  readonly line: number;
}

export type Row = CreditRow | UnreadableRow | OtherRow;

/** Thrown where a file as a whole is not what it claims to be; nothing of it is imported. */
export class FileError extends Error {
  override readonly name = 'FileError';
}
