/**
 * Reads the booked credits of a bank-to-customer statement (ISO 20022 camt.053, version 2 and later). The source reference of a row is
 * AcctSvcrRef, otherwise NtryRef. The payer_reference is EndToEndId, otherwise the creditor reference (RmtInf/Strd/CdtrRefInf/Ref),
 * otherwise a word of the free text (RmtInf/Ustrd). A batch entry gives one row per transaction in it. A reference that is NONREF or
 * NOTPROVIDED is absent.
 *
 * The file is untrusted: a document type declaration is rejected, and only the five predefined XML entities are replaced.
 */
import type { Readable } from 'node:stream';
import { isPlainText } from '@carecover/contract';
import { checkedRow, type Row, withoutPlaceholder } from './row';
import { attribute, child, children, ownText, readXmlElements, text, type XmlNode } from './xml-elements';

const LISTS = ['NtryDtls', 'TxDtls', 'Strd', 'Ustrd'];
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
    ...['Refs', 'EndToEndId', 'AmtDtls', 'TxAmt', 'RmtInf', 'CdtrRefInf', 'Ref'],
  ]),
};

/** Reads the rows of a camt.053 statement. @throws FileError if the file is not a camt.053 statement */
export async function* readCamt053(input: Readable): AsyncGenerator<Row> {
  for await (const entry of readXmlElements(input, ENTRIES)) yield* entryRows(entry);
}

function isBookedCredit(entry: XmlNode): boolean {
  const status = child(entry, 'Sts') === undefined ? text(entry, 'Sts') : text(child(entry, 'Sts'), 'Cd');
  const isReversal = ['true', '1'].includes(text(entry, 'RvslInd'));
  return text(entry, 'CdtDbtInd') === 'CRDT' && status === 'BOOK' && !isReversal;
}

/**
 * Returns whether a transaction of an entry is a credit. A transaction that states no direction has the direction of its entry, which is a
 * credit.
 */
function isCredit(transaction: XmlNode | undefined): boolean {
  return ['', 'CRDT'].includes(text(transaction, 'CdtDbtInd'));
}

/** Returns the element that contains a transaction's amount; in version 2 of camt.053 that is AmtDtls/TxAmt. */
function findAmountParent(transaction: XmlNode): XmlNode {
  if ('Amt' in transaction) return transaction;
  return child(child(transaction, 'AmtDtls'), 'TxAmt') ?? transaction;
}

/** Returns the reference in the child element with this name; empty if there is none. */
function referenceText(node: XmlNode | undefined, name: string): string {
  return withoutPlaceholder(text(node, name));
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
      referenceText(entry, 'AcctSvcrRef') ||
      referenceText(child(sole, 'Refs'), 'AcctSvcrRef') ||
      referenceText(entry, 'NtryRef');
    yield transactionRow(entry, sole, { line, reference, amountOf: entry });
    return;
  }
  for (const transaction of transactions) {
    const { line } = transaction;
    const reference = referenceText(child(transaction, 'Refs'), 'AcctSvcrRef');
    yield transactionRow(entry, transaction, { line, reference, amountOf: findAmountParent(transaction) });
  }
}

function transactionRow(
  entry: XmlNode,
  transaction: XmlNode | undefined,
  { line, reference, amountOf }: { line: number; reference: string; amountOf: XmlNode },
): Row {
  if (!isCredit(transaction)) return { kind: 'other', line };
  const endToEndId = referenceText(child(transaction, 'Refs'), 'EndToEndId');
  const information = child(transaction, 'RmtInf');
  const structured = information === undefined ? [] : children(information, 'Strd');
  const references = structured.map((each) => referenceText(child(each, 'CdtrRefInf'), 'Ref'));
  const freeTexts = information === undefined ? [] : children(information, 'Ustrd').map(ownText);
  const when = child(entry, 'BookgDt') ?? child(entry, 'ValDt');
  return checkedRow({
    line,
    sourceReference: reference,
    payerReferences: [endToEndId, ...references].filter((each) => each !== ''),
    words: freeTexts.flatMap(referenceWords).slice(0, MAX_WORDS),
    currency: attribute(amountOf, 'Amt', 'Ccy'),
    amount: minorUnits(text(amountOf, 'Amt')),
    observedAt: instantOf(text(when, 'DtTm'), text(when, 'Dt')),
  });
}

/** Maximum number of words that are read from a payment's free text. The free text should have 140 characters, but a file can have more. */
const MAX_WORDS = 50;

/** The part of a word from its first letter or digit to its last. The expression takes linear time, also for long punctuation. */
const WITHOUT_PUNCTUATION = /[\p{L}\p{N}](?:.*[\p{L}\p{N}])?/su;

/** Returns those words of a free text that can be a reference, because they have a digit, without the punctuation around them. */
function referenceWords(freeText: string): string[] {
  return freeText
    .split(/[\s,;]+/)
    .map((word) => WITHOUT_PUNCTUATION.exec(word)?.[0] ?? '')
    .filter((word) => /\d/.test(word) && isPlainText(word));
}

/** Converts the date-time or date of an entry to ISO 8601. A date is taken as its start in UTC, a time without an offset as UTC. */
function instantOf(dateTime: string, date: string): string {
  if (dateTime === '') return `${date.slice(0, 10)}T00:00:00Z`;
  return /(?:Z|[+-]\d{2}:\d{2})$/.test(dateTime) ? dateTime : `${dateTime}Z`;
}

/** Number of decimals of every currency that the API accepts (ISO 4217). */
const DECIMALS = 2;

/**
 * Converts a decimal amount to minor units: `"1234.5"` to 123450. Returns NaN if the text is not a decimal number, has a fraction of a
 * minor unit, or is above 2^53 - 1 minor units.
 */
export function minorUnits(decimal: string): number {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(decimal.trim());
  if (match === null) return Number.NaN;
  const [, whole = '', fraction = ''] = match;
  if (/[1-9]/.test(fraction.slice(DECIMALS))) return Number.NaN;
  const units = Number(whole + fraction.slice(0, DECIMALS).padEnd(DECIMALS, '0'));
  return Number.isSafeInteger(units) ? units : Number.NaN;
}
