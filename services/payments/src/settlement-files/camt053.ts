/**
 * Reads the booked credits of a bank-to-customer statement (ISO 20022 camt.053, from version 2 on). The source reference is AcctSvcrRef,
 * else NtryRef; EndToEndId is the remittance's payer_reference. A batch entry gives one row per transaction, with its own reference.
 *
 * The file is untrusted: document types are rejected, and only the five predefined XML entities are replaced.
 */
import type { Readable } from 'node:stream';
import { checkedRow, type Row } from './row';
import { attribute, child, children, readXmlElements, text, type XmlNode } from './xml-elements';

const LISTS = ['NtryDtls', 'TxDtls'];
const ENTRIES = {
  path: ['Document', 'BkToCstmrStmt', 'Stmt', 'Ntry'],
  lists: new Set(LISTS),
  descendants: new Set([
    ...LISTS,
    ...[
      'NtryRef',
      'Amt',
      'CdtDbtInd',
      'Sts',
      'Cd',
      'RvslInd',
      'BookgDt',
      'ValDt',
      'Dt',
      'DtTm',
      'AcctSvcrRef',
    ],
    ...['Refs', 'EndToEndId', 'AmtDtls', 'TxAmt'],
  ]),
};

/** Reads the rows of a statement. @throws FileError if the file is not a camt.053 statement */
export async function* readCamt053(input: Readable): AsyncGenerator<Row> {
  for await (const entry of readXmlElements(input, ENTRIES)) yield* entryRows(entry);
}

function isBookedCredit(entry: XmlNode): boolean {
  const status = child(entry, 'Sts') === undefined ? text(entry, 'Sts') : text(child(entry, 'Sts'), 'Cd');
  const isReversal = ['true', '1'].includes(text(entry, 'RvslInd'));
  return text(entry, 'CdtDbtInd') === 'CRDT' && status === 'BOOK' && !isReversal;
}

/** A transaction without a direction has its entry's. */
function isCredit(transaction: XmlNode | undefined): boolean {
  return ['', 'CRDT'].includes(text(transaction, 'CdtDbtInd'));
}

/** Returns the element that contains a transaction's amount; version 2 has it in the details only. */
function findAmountParent(transaction: XmlNode): XmlNode {
  if ('Amt' in transaction) return transaction;
  return child(child(transaction, 'AmtDtls'), 'TxAmt') ?? transaction;
}

function* entryRows(entry: XmlNode): Generator<Row> {
  const { line } = entry;
  if (!isBookedCredit(entry)) {
    yield { kind: 'other', line };
    return;
  }
  const transactions = children(entry, 'NtryDtls').flatMap((details) => children(details, 'TxDtls'));
  const [sole, ...more] = transactions;
  if (more.length === 0) {
    const reference =
      text(entry, 'AcctSvcrRef') || text(child(sole, 'Refs'), 'AcctSvcrRef') || text(entry, 'NtryRef');
    yield transactionRow(entry, sole, { line, reference, amountOf: entry });
    return;
  }
  for (const transaction of transactions) {
    const { line } = transaction;
    const reference = text(child(transaction, 'Refs'), 'AcctSvcrRef');
    yield transactionRow(entry, transaction, { line, reference, amountOf: findAmountParent(transaction) });
  }
}

function transactionRow(
  entry: XmlNode,
  transaction: XmlNode | undefined,
  { line, reference, amountOf }: { line: number; reference: string; amountOf: XmlNode },
): Row {
  if (!isCredit(transaction)) return { kind: 'other', line };
  const payerReference = text(child(transaction, 'Refs'), 'EndToEndId');
  const when = child(entry, 'BookgDt') ?? child(entry, 'ValDt');
  return checkedRow({
    line,
    sourceReference: reference,
    payerReference: payerReference === 'NOTPROVIDED' ? '' : payerReference,
    currency: attribute(amountOf, 'Amt', 'Ccy'),
    amount: minorUnits(text(amountOf, 'Amt')),
    observedAt: instantOf(text(when, 'DtTm'), text(when, 'Dt')),
  });
}

/** A date becomes its first instant in UTC; a time without an offset is UTC. */
function instantOf(dateTime: string, date: string): string {
  if (dateTime === '') return `${date.slice(0, 10)}T00:00:00Z`;
  return /(?:Z|[+-]\d{2}:\d{2})$/.test(dateTime) ? dateTime : `${dateTime}Z`;
}

/** Every currency of the contract has two decimals (ISO 4217). */
const DECIMALS = 2;

/** Converts a decimal amount to minor units: `"1234.5"` to 123450. NaN if it is not decimal, too fine, or beyond the safe integers. */
export function minorUnits(decimal: string): number {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(decimal.trim());
  if (match === null) return Number.NaN;
  const [, whole = '', fraction = ''] = match;
  if (/[1-9]/.test(fraction.slice(DECIMALS))) return Number.NaN;
  const units = Number(whole + fraction.slice(0, DECIMALS).padEnd(DECIMALS, '0'));
  return Number.isSafeInteger(units) ? units : Number.NaN;
}
