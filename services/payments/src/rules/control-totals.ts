/** The rules of the control totals of a bank statement: what the bank says of an entry and of a statement, against what the file lists. Pure. */
import { formatMajorUnits } from '@carecover/contract';

/** A transaction that an entry lists. */
interface ListedTransaction {
  /** In minor units of `currency`; undefined if the file has no valid amount. */
  readonly amount: number | undefined;
  readonly currency: string;
  readonly direction: 'credit' | 'debit';
}

/** The part of an entry that has totals of its own (NtryDtls). */
export interface ListedBatch {
  /** The number of transactions that the bank says (NbOfTxs); null if it does not. */
  readonly count: number | null;
  /** Their sum in minor units that the bank says (TtlAmt); null if it does not. */
  readonly total: number | null;
  readonly transactions: readonly ListedTransaction[];
}

/** An entry with what it lists. */
export interface ListedEntry {
  readonly amount: number;
  readonly currency: string;
  readonly direction: 'credit' | 'debit';
  readonly batches: readonly ListedBatch[];
}

function sumOf(transactions: readonly ListedTransaction[], direction: 'credit' | 'debit'): bigint {
  return transactions.reduce(
    (sum, { amount = 0, direction: way }) => sum + (way === direction ? BigInt(amount) : -BigInt(amount)),
    0n,
  );
}

/**
 * Compares an entry with the transactions that it lists: their number with the number that the bank says, and their sum with the sum that the
 * bank says and with the entry's amount. An entry without transactions has nothing to compare, and a sole transaction in another currency has no
 * comparable amount.
 *
 * @returns the difference, as the end of a sentence that starts with the entry; null if everything agrees
 */
export function findEntryDifference({ amount, currency, direction, batches }: ListedEntry): string | null {
  const transactions = batches.flatMap((batch) => batch.transactions);
  if (transactions.length === 0) return null;
  const stated = batches.reduce((count, batch) => count + (batch.count ?? batch.transactions.length), 0);
  const total = `${formatMajorUnits(amount, currency)} ${currency}`;
  const format = (units: bigint) => formatMajorUnits(Number(units), currency);
  const listed = `the file lists ${transactions.length}`;
  const sole = transactions.length === 1;
  if (sole && stated === 1) {
    const [transaction] = transactions;
    const isComparable = transaction?.currency === currency && transaction.amount !== undefined;
    return !isComparable || transaction.amount === amount
      ? null
      : `the entry is ${total}, and its transaction is ${formatMajorUnits(transaction.amount, currency)}`;
  }
  if (transactions.some((each) => each.amount === undefined || each.currency !== currency))
    return `the entry is ${total} and has ${stated} transactions, of which not all have an amount in ${currency}`;
  const sum = sumOf(transactions, direction);
  if (stated !== transactions.length)
    return `the entry is ${total} and says ${stated} transactions, ${listed} of ${format(sum)} together`;
  const wrong = batches.find(
    (batch) =>
      batch.total !== null &&
      batch.transactions.length > 0 &&
      sumOf(batch.transactions, direction) !== BigInt(batch.total),
  );
  if (wrong !== undefined)
    return `its details say a total of ${formatMajorUnits(wrong.total ?? 0, currency)}, ${listed} of ${format(sum)} together`;
  return sum === BigInt(amount)
    ? null
    : `the entry is ${total}, and its ${transactions.length} transactions are ${format(sum)} together`;
}

/** What a statement says of its entries. Amounts in minor units; a debit balance is negative. */
export interface StatementTotals {
  readonly currency: string;
  readonly opening: number | null;
  readonly closing: number | null;
  /** The number and the sum of the entries, of both directions together (TxsSummry); null if the bank does not say them. */
  readonly count: number | null;
  readonly creditSum: number | null;
  readonly debitSum: number | null;
}

/** The entries of a statement as they are added up. */
export interface EntrySums {
  readonly count: number;
  readonly credits: bigint;
  readonly debits: bigint;
  /** Number of entries without a valid amount, which are in no sum. */
  readonly unreadable: number;
}

/** Compares a statement's balances and totals with its entries. Returns the differences; empty if everything agrees. */
export function findStatementDifferences(totals: StatementTotals, sums: EntrySums): string[] {
  const { currency, opening, closing, count, creditSum, debitSum } = totals;
  const format = (units: number | bigint) => formatMajorUnits(Number(units), currency);
  const differences: string[] = [];
  const computed = BigInt(opening ?? 0) + sums.credits - sums.debits;
  if (opening !== null && closing !== null && computed !== BigInt(closing))
    differences.push(
      `opening ${format(opening)} and entries of ${format(sums.credits - sums.debits)} are ${format(computed)} ${currency}, and the closing balance is ${format(closing)}`,
    );
  if (count !== null && count !== sums.count)
    differences.push(`the statement says ${count} entries, and the file lists ${sums.count}`);
  if (creditSum !== null && BigInt(creditSum) !== sums.credits)
    differences.push(
      `the statement says credits of ${format(creditSum)} ${currency}, and the file lists ${format(sums.credits)}`,
    );
  if (debitSum !== null && BigInt(debitSum) !== sums.debits)
    differences.push(
      `the statement says debits of ${format(debitSum)} ${currency}, and the file lists ${format(sums.debits)}`,
    );
  if (differences.length > 0 && sums.unreadable > 0)
    differences.push(`${sums.unreadable} entries have no valid amount and are in no sum`);
  return differences;
}
