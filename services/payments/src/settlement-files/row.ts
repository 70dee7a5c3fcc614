/** A row of a settlement file in any format: a credit, an unreadable row with the reason, or a row of another kind. */
import { currencies, isAmount, isPlainText, tryParseInstant } from '@carecover/contract';

export interface CreditRow {
  readonly kind: 'credit';
  /** The line of the file at which the row starts, counted from 1. */
  readonly line: number;
  readonly sourceReference: string;
  /** The texts of the row that can be the remittance's payer_reference, in the order in which they are looked up. */
  readonly payerReferences: readonly string[];
  /** The words of the row's free text that can be a payer_reference. */
  readonly words: readonly string[];
  readonly currency: string;
  /** The amount in minor units, above zero. */
  readonly amount: number;
  /** When the bank booked the credit, in ISO 8601. */
  readonly observedAt: string;
}

/** A row that should be a credit but has an invalid or missing value. */
export interface UnreadableRow {
  readonly kind: 'unreadable';
  readonly line: number;
  readonly reason: string;
}

/** A row that is not a booked credit, such as a debit or a pending entry. */
interface OtherRow {
  readonly kind: 'other';
  readonly line: number;
}

export type Row = CreditRow | UnreadableRow | OtherRow;

/** The texts that banks write where a reference is mandatory but there is none: NONREF (SWIFT MT 940) and NOTPROVIDED (ISO 20022). */
const PLACEHOLDERS = ['NONREF', 'NOTPROVIDED'];

/** Returns a reference of a file; empty if it is a placeholder that means that there is no reference. */
export function withoutPlaceholder(reference: string): string {
  return PLACEHOLDERS.includes(reference) ? '' : reference;
}

const REFERENCE = { min: 3, max: 200 };

function problemOf(row: Omit<CreditRow, 'kind'>): string | null {
  const { sourceReference, payerReferences, currency, amount, observedAt } = row;
  const known: readonly string[] = currencies;
  if (![sourceReference, ...payerReferences].every(isPlainText)) return 'its references are not plain text';
  if (sourceReference.length < REFERENCE.min || sourceReference.length > REFERENCE.max)
    return `its reference must have ${REFERENCE.min} to ${REFERENCE.max} characters`;
  if (!known.includes(currency)) return `its currency is none of ${currencies.join(', ')}`;
  if (!isAmount(amount) || amount === 0) return 'its amount is not a positive number of minor units';
  if (tryParseInstant(observedAt) === undefined) return 'its time is not a date-time with an offset';
  return null;
}

/** Returns a credit row if all values are valid, otherwise an unreadable row with the reason. */
export function checkedRow(row: Omit<CreditRow, 'kind'>): CreditRow | UnreadableRow {
  const reason = problemOf(row);
  return reason === null ? { kind: 'credit', ...row } : { kind: 'unreadable', line: row.line, reason };
}
