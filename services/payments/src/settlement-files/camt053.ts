/**
 * Reads the booked credits of a bank-to-customer statement (ISO 20022 camt.053, from version 2 on). The source reference is AcctSvcrRef,
 * else NtryRef; EndToEndId is the remittance's payer_reference. A batch entry gives one row per transaction, with its own reference.
 *
 * The file is untrusted: document types are rejected, and only the five predefined XML entities are replaced.
 */
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { checkedRow } from './check-row';
import { minorUnits } from './decimal';
import { LineFinder } from './line-finder';
import { FileError, type Row } from './row';
import { attribute, child, children, text, type XmlNode } from './xml-node';

const parser = new XMLParser({
  captureMetaData: true,
  htmlEntities: false,
  ignoreAttributes: false,
  isArray: (name) => ['Stmt', 'Ntry', 'NtryDtls', 'TxDtls'].includes(String(name)),
  parseAttributeValue: false,
  parseTagValue: false,
  processEntities: false,
  removeNSPrefix: true,
});
const META = XMLParser.getMetaDataSymbol() as symbol;

/** Reads the rows of a statement. @throws FileError if the file is not a camt.053 statement */
export function* readCamt053(xml: string): Generator<Row> {
  if (/<!DOCTYPE/i.test(xml)) throw new FileError('A statement with a document type is not read.');
  const valid = XMLValidator.validate(xml);
  if (valid !== true) throw new FileError(`This is no XML: ${valid.err.msg} (line ${valid.err.line})`);
  const root: XmlNode = parser.parse(xml);
  const report = child(child(root, 'Document'), 'BkToCstmrStmt');
  if (report === undefined) throw new FileError('This is no camt.053 statement.');
  const lines = new LineFinder(xml);
  for (const statement of children(report, 'Stmt')) {
    for (const entry of children(statement, 'Ntry')) yield* entryRows(entry, lines);
  }
}

function lineOf(node: XmlNode, lines: LineFinder): number {
  const meta = node[META] as { startIndex?: number } | undefined;
  return lines.lineAt(meta?.startIndex ?? 0);
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

function* entryRows(entry: XmlNode, lines: LineFinder): Generator<Row> {
  const line = lineOf(entry, lines);
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
    const line = lineOf(transaction, lines);
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
