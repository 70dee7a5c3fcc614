/** The rows that the readers of settlement files return, whatever the format: entries of a bank account, and what the file says of its sums. */
import { currencyExponent, isAmount, isPlainText, referenceKey } from '@carecover/contract';
import type { BankEntry } from '../rules/bank-entry';

/** An entry that the bank has booked. */
export interface EntryRow extends BankEntry {
  readonly kind: 'entry';
  /** The line of the file at which the row starts, counted from 1. */
  readonly line: number;
}

/** A row of which a value is invalid or missing, so that it can't be stored. */
export interface UnreadableRow {
  readonly kind: 'unreadable';
  readonly line: number;
  readonly reason: string;
}

/** An entry that the bank has not booked, or that moves nothing. */
interface SkippedRow {
  readonly kind: 'skipped';
  readonly line: number;
  readonly reason: string;
}

/** What a statement says of itself, and how that differs from its entries. It follows the entries of the statement. */
export interface StatementRow {
  readonly kind: 'statement';
  readonly line: number;
  readonly account: string;
  /** The statement's identification and, if the bank numbers its statements, its number. */
  readonly statement: string;
  readonly number: number | null;
  /** The page of the statement; null if it has one page. */
  readonly page: number | null;
  /** The differences between the statement's balances or totals and its entries; empty if there is none. */
  readonly differences: readonly string[];
  readonly balances: StatementBalances;
}

/** The balances of a page of a statement, in minor units; a debit balance is negative. What the file does not say is null. */
interface StatementBalances {
  readonly currency: string | null;
  readonly opening: number | null;
  readonly closing: number | null;
  /** Whether the closing balance is that of the whole statement, and not the interim balance of a page. */
  readonly hasFinalClosing: boolean;
  /** The date of the closing balance, otherwise of the last entry, `YYYY-MM-DD`. */
  readonly closesOn: string | null;
  /** The number of rows that are unreadable and so can't be stored. */
  readonly rejected: number;
}

export type Row = EntryRow | UnreadableRow | SkippedRow | StatementRow;

/** The texts that banks write where a reference is mandatory but there is none: NONREF (SWIFT MT 940) and NOTPROVIDED (ISO 20022). */
const PLACEHOLDERS = ['NONREF', 'NOTPROVIDED'];

/** Returns a reference of a file; empty if it is a placeholder that means that there is no reference. */
export function withoutPlaceholder(reference: string): string {
  return PLACEHOLDERS.includes(referenceKey(reference)) ? '' : reference;
}

/** Maximum length of a reference in characters, that of the API. */
const MAX_REFERENCE = 200;

/** The values of a row before they are checked. */
export interface RowValues extends Omit<BankEntry, 'amount' | 'bookedOn' | 'observedAt'> {
  readonly line: number;
  /** In minor units; undefined if the file has no valid amount. */
  readonly amount: number | undefined;
  readonly time: Pick<BankEntry, 'bookedOn' | 'observedAt'> | undefined;
}

function problemOf(row: RowValues): string | null {
  const { bankReference, entryReference, account, statement, currency, amount, time } = row;
  const references = [
    bankReference,
    entryReference,
    account,
    statement,
    ...row.references,
    ...row.payerReferences,
  ];
  if (!references.every(isPlainText)) return 'its references are not plain text';
  if ([bankReference, entryReference, account, statement].some(({ length }) => length > MAX_REFERENCE))
    return `its reference must have at most ${MAX_REFERENCE} characters`;
  if (bankReference === '' && statement === '')
    return 'neither the bank gave it a reference nor has its statement an identification';
  if (currencyExponent(currency) === undefined) return 'its currency is none of ISO 4217';
  if (!isAmount(amount) || amount === 0) return 'its amount is not a positive number of minor units';
  if (time === undefined) return 'its time is not a date or date-time';
  return null;
}

/** Returns an entry if all values are valid, otherwise an unreadable row with the reason. */
export function checkedRow(row: RowValues): EntryRow | UnreadableRow {
  const reason = problemOf(row);
  const { amount = 0, time, ...values } = row;
  return reason === null && time !== undefined
    ? { kind: 'entry', ...values, amount, ...time }
    : { kind: 'unreadable', line: row.line, reason: reason ?? 'it has no time' };
}
