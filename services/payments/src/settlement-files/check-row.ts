/** Checks the fields of a credit row, for every file format. */
import { currencies, isAmount, isPlainText, tryParseInstant } from '@carecover/contract';
import type { CreditRow, UnreadableRow } from './row';

const REFERENCE = { min: 3, max: 200 };

function problemOf(row: Omit<CreditRow, 'kind'>): string | null {
  const { sourceReference, payerReference, currency, amount, observedAt } = row;
  const known: readonly string[] = currencies;
  if (![sourceReference, payerReference].every(isPlainText)) return 'its references are not plain text';
  if (payerReference === '') return 'names no remittance';
  if (sourceReference.length < REFERENCE.min || sourceReference.length > REFERENCE.max)
    return `its reference must have ${REFERENCE.min} to ${REFERENCE.max} characters`;
  if (!known.includes(currency)) return `its currency is none of ${currencies.join(', ')}`;
  if (!isAmount(amount) || amount === 0) return 'its amount is not a positive number of minor units';
  if (tryParseInstant(observedAt) === undefined) return 'its time is not a date-time with an offset';
  return null;
}

/** Returns the credit row, or an unreadable row with the reason. */
export function checkedRow(row: Omit<CreditRow, 'kind'>): CreditRow | UnreadableRow {
  const reason = problemOf(row);
  return reason === null ? { kind: 'credit', ...row } : { kind: 'unreadable', line: row.line, reason };
}
