/** Bank statements of tests, in the forms that banks write. */

/** The values of an entry of a statement that a test states. */
export interface StatedEntry {
  readonly amount: string;
  readonly currency?: string;
  readonly indicator?: 'CRDT' | 'DBIT';
  readonly date?: string;
  /** The XML of the booking date; by default `date` as `Dt`. */
  readonly when?: string;
  readonly bankReference?: string;
  readonly entryReference?: string;
  readonly isReversal?: boolean;
  readonly status?: string;
  /** The EndToEndId of the sole transaction. */
  readonly endToEndId?: string;
  /** The XML of the details, instead of a sole transaction. */
  readonly details?: string;
}

/** Returns an element, or nothing if there is no content. */
export const element = (name: string, content: string | undefined, attributes = '') =>
  content === undefined ? '' : `<${name}${attributes}>${content}</${name}>`;

/** Returns the XML of an entry (Ntry). */
export function entryXml(entry: StatedEntry): string {
  const { amount, currency = 'KES', indicator = 'CRDT', date = '2026-11-18', endToEndId, details } = entry;
  const transaction =
    endToEndId === undefined ? '' : element('TxDtls', element('Refs', element('EndToEndId', endToEndId)));
  return element(
    'Ntry',
    [
      element('NtryRef', entry.entryReference),
      element('Amt', amount, ` Ccy="${currency}"`),
      element('CdtDbtInd', indicator),
      entry.isReversal === true ? '<RvslInd>true</RvslInd>' : '',
      `<Sts><Cd>${entry.status ?? 'BOOK'}</Cd></Sts>`,
      element('BookgDt', entry.when ?? element('Dt', date)),
      element('AcctSvcrRef', entry.bankReference),
      '<BkTxCd/>',
      element('NtryDtls', details ?? transaction),
    ].join(''),
  );
}

/** The values of a statement that a test states. */
export interface StatedStatement {
  readonly id: string;
  readonly account?: string;
  /** XML between the identification and the account, such as a number of the statement. */
  readonly header?: string;
  /** XML between the account and the entries, such as balances. */
  readonly balances?: string;
  readonly entries: readonly (StatedEntry | string)[];
}

/** Returns the XML of a camt.053 file with the given statements. */
export function statementFile(...statements: readonly StatedStatement[]): string {
  const stated = statements.map(({ id, account = '0001', header = '', balances = '', entries }) => {
    const rows = entries.map((entry) => (typeof entry === 'string' ? entry : entryXml(entry)));
    return element(
      'Stmt',
      `<Id>${id}</Id>${header}<Acct><Id><Othr><Id>${account}</Id></Othr></Id></Acct>${balances}\n${rows.join('\n')}`,
    );
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>M1</MsgId></GrpHdr>
${stated.join('\n')}</BkToCstmrStmt></Document>`;
}
