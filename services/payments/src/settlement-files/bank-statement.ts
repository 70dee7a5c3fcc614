/**
 * Reads the entries of bank-to-customer statements and of debit and credit notifications (ISO 20022 camt.053 and camt.054, versions 2 to 13). An entry
 * that lists several transactions gives one row per transaction if its control totals agree, otherwise one row for the whole entry, with the
 * difference.
 *
 * The payer_reference is EndToEndId, otherwise the creditor reference (RmtInf/Strd/CdtrRefInf/Ref), otherwise a word of the free text
 * (RmtInf/Ustrd). A reference that is NONREF or NOTPROVIDED is absent.
 *
 * The file is untrusted: a document type declaration is rejected, and only the five predefined XML entities are replaced.
 */
import type { Readable } from 'node:stream';
import { currencyExponent, isPlainText, parseXmlDecimal } from '@carecover/contract';
import { type EntryType, Occurrences } from '../rules/bank-entry';
import {
  type EntrySums,
  findEntryDifference,
  findStatementDifferences,
  type ListedBatch,
} from '../rules/control-totals';
import { parseBookingTime } from './local-time';
import { checkedRow, type Row, type RowValues, type StatementRow, withoutPlaceholder } from './row';
import { attribute, child, children, ownText, readXmlElements, text, type XmlNode } from './xml-elements';

const LISTS = ['NtryDtls', 'TxDtls', 'Strd', 'Ustrd'];
const STATEMENTS = {
  path: [
    ['Document'],
    ['BkToCstmrStmt', 'BkToCstmrDbtCdtNtfctn'],
    ['Stmt', 'Ntfctn'],
    ['Id', 'StmtPgntn', 'NtfctnPgntn', 'ElctrncSeqNb', 'LglSeqNb', 'Acct', 'Bal', 'TxsSummry', 'Ntry'],
  ],
  lists: new Set(LISTS),
  descendants: new Set([
    ...LISTS,
    ...['PgNb', 'Id', 'IBAN', 'Othr', 'Tp', 'CdOrPrtry', 'Cd', 'TtlNtries', 'TtlCdtNtries', 'TtlDbtNtries'],
    ...[
      'NbOfNtries',
      'Sum',
      'NtryRef',
      'Amt',
      'CdtDbtInd',
      'Sts',
      'RvslInd',
      'BookgDt',
      'ValDt',
      'Dt',
      'DtTm',
    ],
    ...['AcctSvcrRef', 'Btch', 'NbOfTxs', 'TtlAmt', 'Refs', 'EndToEndId', 'TxId', 'InstrId', 'UETR'],
    ...['AmtDtls', 'TxAmt', 'BkTxCd', 'Domn', 'Fmly', 'SubFmlyCd', 'RtrInf', 'RmtInf', 'CdtrRefInf', 'Ref'],
  ]),
};

/** Returns the IANA time zone of an account. */
export type ZoneOf = (account: string) => string;

/** Reads the rows of a file. @throws FileError if the file is not a camt.053 statement or a camt.054 notification */
export async function* readBankStatements(input: Readable, zoneOf: ZoneOf): AsyncGenerator<Row> {
  let statement: Statement | undefined;
  for await (const part of readXmlElements(input, STATEMENTS)) {
    if (part.part === 'parent start') statement = new Statement(part.line, zoneOf);
    else if (part.part === 'parent end') {
      if (statement !== undefined) yield statement.end();
    } else if (part.name === 'Ntry') yield* statement?.readEntry(part.node) ?? [];
    else statement?.readHeader(part.name, part.node);
  }
}

function amountOf(node: XmlNode | undefined, name: string): { amount: number | undefined; currency: string } {
  const currency = attribute(node, name, 'Ccy');
  const exponent = currencyExponent(currency);
  const amount = exponent === undefined ? undefined : parseXmlDecimal(text(node, name), exponent);
  return { currency, amount };
}

function directionIn(node: XmlNode | undefined): 'credit' | 'debit' | null {
  const indicator = text(node, 'CdtDbtInd');
  return indicator === 'CRDT' ? 'credit' : indicator === 'DBIT' ? 'debit' : null;
}

/** Returns an integer that XML Schema's type of counts allows; null for other text. */
function countIn(node: XmlNode | undefined, name: string): number | null {
  const digits = /^\+?(\d{1,15})(?:\.0*)?$/.exec(text(node, name));
  return digits === null ? null : Number(digits[1]);
}

/** Returns the reference in the child element with this name; empty if there is none. */
function referenceText(node: XmlNode | undefined, name: string): string {
  return withoutPlaceholder(text(node, name));
}

/** The codes of ISO 20022 for a transaction that returns or cancels a received one: return, reversal by the bank, and recall. */
const RETURN_CODES = ['RRTN', 'RPCR', 'UPDD', 'PRDD'];

function isReturn(node: XmlNode | undefined): boolean {
  const code = text(child(child(child(node, 'BkTxCd'), 'Domn'), 'Fmly'), 'SubFmlyCd');
  return (node !== undefined && 'RtrInf' in node) || RETURN_CODES.includes(code);
}

/** Returns the element that contains a transaction's amount; in version 2 that is AmtDtls/TxAmt. */
function amountParentOf(transaction: XmlNode): XmlNode {
  if ('Amt' in transaction) return transaction;
  return child(child(transaction, 'AmtDtls'), 'TxAmt') ?? transaction;
}

/** What the transactions of an entry share. */
interface EntryFacts {
  readonly bankReference: string;
  readonly entryReference: string;
  readonly isReversal: boolean;
  readonly isReturn: boolean;
  readonly time: RowValues['time'];
}

/** A statement or notification as it is read: its header comes before its entries. */
class Statement {
  private id = '';
  private page: number | null = null;
  private number: number | null = null;
  private account = '';
  private currency = '';
  private opening: number | null = null;
  private closing: number | null = null;
  private hasFinalClosing = false;
  private closesOn: string | null = null;
  private lastBookedOn: string | null = null;
  private rejected = 0;
  private summary: XmlNode | undefined;
  private position = 0;
  private readonly sums = { count: 0, credits: 0n, debits: 0n, unreadable: 0 };
  private readonly occurrences = new Occurrences();

  constructor(
    private readonly line: number,
    private readonly zoneOf: ZoneOf,
  ) {}

  readHeader(name: string, node: XmlNode): void {
    if (name === 'Id') this.id = ownText(node);
    if (name === 'StmtPgntn' || name === 'NtfctnPgntn') this.page = countIn(node, 'PgNb');
    const digits = name.endsWith('SeqNb') ? /^\d{1,15}/.exec(ownText(node)) : null;
    if (digits !== null) this.number ??= Number(digits[0]);
    if (name === 'Acct')
      this.account = text(child(node, 'Id'), 'IBAN') || text(child(child(node, 'Id'), 'Othr'), 'Id');
    if (name === 'TxsSummry') this.summary = node;
    if (name === 'Bal') this.readBalance(node);
  }

  private readBalance(node: XmlNode): void {
    const type = text(child(child(node, 'Tp'), 'CdOrPrtry'), 'Cd');
    const { amount, currency } = amountOf(node, 'Amt');
    const direction = directionIn(node);
    if (amount === undefined || direction === null || !['', currency].includes(this.currency)) return;
    const signed = direction === 'credit' ? amount : -amount;
    // The pages of a statement have interim balances, of which the first is the opening one.
    if (['OPBD', 'PRCD'].includes(type)) this.opening = signed;
    else if (type === 'CLBD') {
      this.closing = signed;
      this.hasFinalClosing = true;
      this.closesOn = this.dateOf(child(node, 'Dt')) ?? this.closesOn;
    } else if (type === 'ITBD' && this.opening === null) this.opening = signed;
    else if (type === 'ITBD' && this.closing === null) {
      this.closing = signed;
      this.closesOn = this.dateOf(child(node, 'Dt')) ?? this.closesOn;
    } else if (type !== 'ITBD') return;
    this.currency = currency;
  }

  /** Returns the date in an element that contains a date or a date-time; null if it has none. */
  private dateOf(node: XmlNode | undefined): string | null {
    const written = text(node, 'DtTm') || text(node, 'Dt');
    return parseBookingTime(written, this.zoneOf(this.account))?.bookedOn ?? null;
  }

  *readEntry(entry: XmlNode): Generator<Row> {
    for (const row of this.rowsOfEntry(entry)) {
      if (row.kind === 'unreadable') this.rejected += 1;
      if (row.kind === 'entry' && row.bookedOn > (this.lastBookedOn ?? '')) this.lastBookedOn = row.bookedOn;
      yield row;
    }
  }

  private *rowsOfEntry(entry: XmlNode): Generator<Row> {
    this.position += 1;
    const { line } = entry;
    const status = child(entry, 'Sts') === undefined ? text(entry, 'Sts') : text(child(entry, 'Sts'), 'Cd');
    if (status !== 'BOOK') {
      this.position -= 1;
      yield { kind: 'skipped', line, reason: `it is not booked: its status is ${status || 'not given'}` };
      return;
    }
    this.sums.count += 1;
    if (this.currency === '') this.currency = attribute(entry, 'Amt', 'Ccy');
    const direction = directionIn(entry);
    const { amount, currency } = amountOf(entry, 'Amt');
    if (direction === null) {
      this.sums.unreadable += 1;
      yield { kind: 'unreadable', line, reason: 'its direction (CdtDbtInd) is not CRDT or DBIT' };
      return;
    }
    if (amount === undefined) this.sums.unreadable += 1;
    else if (direction === 'credit') this.sums.credits += BigInt(amount);
    else this.sums.debits += BigInt(amount);
    if (amount === 0) {
      yield { kind: 'skipped', line, reason: 'its amount is 0' };
      return;
    }
    yield* this.rowsOf(entry, direction, amount, currency);
  }

  private *rowsOf(
    entry: XmlNode,
    direction: 'credit' | 'debit',
    amount: number | undefined,
    currency: string,
  ): Generator<Row> {
    const details = children(entry, 'NtryDtls');
    const batches = details.map((node): ListedBatch => {
      const batch = child(node, 'Btch');
      const total = amountOf(batch, 'TtlAmt');
      return {
        count: countIn(batch, 'NbOfTxs'),
        total: total.currency === currency ? (total.amount ?? null) : null,
        transactions: children(node, 'TxDtls').map((transaction) => ({
          ...amountOf(amountParentOf(transaction), 'Amt'),
          direction: directionIn(transaction) ?? direction,
        })),
      };
    });
    const transactions = details.flatMap((node) => children(node, 'TxDtls'));
    const place = String(this.position);
    const facts = this.factsOf(entry);
    const whole = { line: entry.line, place, amount, currency, batch: null, difference: null };
    const difference =
      amount === undefined || transactions.length === 0
        ? null
        : findEntryDifference({ amount, currency, direction, batches });
    if (difference !== null || transactions.length <= 1) {
      const [sole] = transactions;
      // A debit as the sole transaction of a credit entry has its control totals wrong.
      const opposite = sole !== undefined && (directionIn(sole) ?? direction) !== direction;
      const reason = opposite ? 'the entry and its transaction have different directions' : difference;
      yield this.row(facts, reason === null ? sole : undefined, { ...whole, direction, difference: reason });
      return;
    }
    for (const [index, transaction] of transactions.entries()) {
      const part = {
        line: transaction.line,
        place: `${place}/${index + 1}`,
        batch: { reference: facts.bankReference, amount: amount ?? 0 },
        difference: null,
      };
      const own = amountOf(amountParentOf(transaction), 'Amt');
      const transactionDirection = directionIn(transaction) ?? direction;
      if (own.amount === 0) yield { kind: 'skipped', line: part.line, reason: 'its amount is 0' };
      else yield this.row(facts, transaction, { ...part, ...own, direction: transactionDirection });
    }
  }

  /** Reads what the transactions of an entry share. */
  private factsOf(entry: XmlNode): EntryFacts {
    const when = child(entry, 'BookgDt') ?? child(entry, 'ValDt');
    return {
      bankReference: referenceText(entry, 'AcctSvcrRef'),
      entryReference: referenceText(entry, 'NtryRef'),
      isReversal: ['true', '1'].includes(text(entry, 'RvslInd')),
      isReturn: isReturn(entry),
      time: parseBookingTime(text(when, 'DtTm') || text(when, 'Dt'), this.zoneOf(this.account)),
    };
  }

  private row(
    entry: EntryFacts,
    transaction: XmlNode | undefined,
    part: Pick<RowValues, 'line' | 'place' | 'amount' | 'currency' | 'batch' | 'difference'> & {
      readonly direction: 'credit' | 'debit';
    },
  ): Row {
    const { direction, ...values } = part;
    const references = child(transaction, 'Refs');
    const endToEndId = referenceText(references, 'EndToEndId');
    const information = child(transaction, 'RmtInf');
    const structured = information === undefined ? [] : children(information, 'Strd');
    const creditorReferences = structured.map((each) => referenceText(child(each, 'CdtrRefInf'), 'Ref'));
    const freeTexts = information === undefined ? [] : children(information, 'Ustrd').map(ownText);
    const inEntry = entry.bankReference;
    const inTransaction = referenceText(references, 'AcctSvcrRef');
    const row: RowValues = {
      ...values,
      type: entryTypeOf(direction, entry.isReversal, entry.isReturn || isReturn(transaction)),
      account: this.account,
      statement: this.statementId(),
      page: this.page,
      bankReference: part.batch !== null ? inTransaction || inEntry : inEntry || inTransaction,
      entryReference: entry.entryReference,
      references: [
        endToEndId,
        ...['TxId', 'InstrId', 'UETR'].map((name) => referenceText(references, name)),
      ].filter((each) => each !== ''),
      payerReferences: [endToEndId, ...creditorReferences].filter((each) => each !== ''),
      words: freeTexts.flatMap(referenceWords).slice(0, MAX_WORDS),
      time: entry.time,
      occurrence: 0,
    };
    const checked = checkedRow(row);
    return checked.kind === 'entry' ? { ...checked, occurrence: this.occurrences.next(checked) } : checked;
  }

  private statementId(): string {
    return [this.id, ...(this.number === null ? [] : [`no. ${this.number}`])]
      .filter((part) => part !== '')
      .join(' ');
  }

  end(): StatementRow {
    const { line, account, number, page, summary, currency, opening, closing } = this;
    const exponent = currencyExponent(currency);
    const sumIn = (name: string) => {
      const total = text(child(summary, name), 'Sum');
      return exponent === undefined || total === '' ? null : (parseXmlDecimal(total, exponent) ?? null);
    };
    const totals = {
      currency,
      opening,
      closing,
      count: countIn(child(summary, 'TtlNtries'), 'NbOfNtries'),
      creditSum: sumIn('TtlCdtNtries'),
      debitSum: sumIn('TtlDbtNtries'),
    };
    const sums: EntrySums = this.sums;
    const differences = findStatementDifferences(totals, sums);
    const balances = {
      currency: currency === '' ? null : currency,
      opening,
      closing,
      hasFinalClosing: this.hasFinalClosing,
      closesOn: this.closesOn ?? this.lastBookedOn,
      rejected: this.rejected,
    };
    return {
      kind: 'statement',
      line,
      account,
      statement: this.statementId(),
      number,
      page,
      differences,
      balances,
    };
  }
}

function entryTypeOf(direction: 'credit' | 'debit', isReversal: boolean, isReturned: boolean): EntryType {
  if (direction === 'credit') return isReversal ? 'debit_reversal' : 'credit';
  return isReversal || isReturned ? 'takeback' : 'debit';
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
