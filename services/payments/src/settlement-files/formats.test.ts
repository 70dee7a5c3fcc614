import { Readable } from 'node:stream';
import { FileError } from '@carecover/import-files';
import { readBankStatements } from './bank-statement';
import { type CsvForm, csvFormOf, DEFAULT_CSV_FORM, readCsv } from './csv';
import type { Row } from './row';

async function rowsOf(rows: AsyncGenerator<Row>): Promise<Row[]> {
  const read: Row[] = [];
  for await (const row of rows) if (row.kind !== 'statement') read.push(row);
  return read;
}

const NAIROBI = () => 'Africa/Nairobi';
const readStatements = (input: Readable) => readBankStatements(input, NAIROBI);
const readDefaultCsv = (input: Readable) => readCsv(input, DEFAULT_CSV_FORM, NAIROBI);

const csvRows = (text: string, form: Partial<CsvForm> = {}) =>
  rowsOf(readCsv(Readable.from([text]), { ...DEFAULT_CSV_FORM, ...form }, NAIROBI));
/** Reads a statement in chunks of 7 bytes, which split tags and multi-byte characters. */
const xmlRows = (xml: string) => rowsOf(readStatements(Readable.from(chunksOf(Buffer.from(xml), 7))));

function* chunksOf(bytes: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const AT = '2026-03-16T14:00:00Z';
const HEADING = 'source_reference,payer_reference,currency,amount,observed_at';

describe('a CSV file', () => {
  test('gives its credits with their lines, with columns in any order and other columns', async () => {
    const text = `\ufeffnote,amount,currency,payer_reference,source_reference,observed_at\r\n"two\nlines",1200,KES,"ERA, 1",B-100,2026-03-16T14:00:00+03:00\r\n\r\n,5,EUR,ERA-2,B-200,2026-03-16T14:00:00Z\r\n`;
    expect(await csvRows(text)).toEqual([
      {
        kind: 'entry',
        type: 'credit',
        line: 2,
        place: '2',
        account: '',
        statement: '',
        page: null,
        bankReference: 'B-100',
        entryReference: '',
        references: ['ERA, 1'],
        payerReferences: ['ERA, 1'],
        words: [],
        currency: 'KES',
        amount: 1200,
        bookedOn: '2026-03-16',
        observedAt: '2026-03-16T14:00:00+03:00',
        occurrence: 0,
        batch: null,
        difference: null,
      },
      expect.objectContaining({ line: 5, bankReference: 'B-200' }),
    ]);
  });

  test.each([
    ['B-1,ERA,KES,12.5,2026-03-16T14:00:00Z', 'amount'],
    ['B-1,ERA,KES,0,2026-03-16T14:00:00Z', 'amount'],
    ['B-1,ERA,KES,9007199254740992,2026-03-16T14:00:00Z', 'amount'],
    ['B-1,ERA,XXX,1,2026-03-16T14:00:00Z', 'currency'],
    [',ERA,KES,1,2026-03-16T14:00:00Z', 'reference'],
    ['B-1,ERA,KES,1,2026-13-16', 'time'],
    ['B-1,ERA,KES,1,16.03.2026', 'time'],
    ['B-1,ERA', 'currency'],
    ['B-\u00001,ERA,KES,1,2026-03-16T14:00:00Z', 'plain text'],
    ['B-1,ERA\u0000,KES,1,2026-03-16T14:00:00Z', 'plain text'],
  ])('gives the reason why the row %s is unreadable', async (row, word) => {
    expect(await csvRows(`${HEADING}\n${row}\n`)).toEqual([
      { kind: 'unreadable', line: 2, reason: expect.stringContaining(word) },
    ]);
  });

  test.each([
    ['de-DE', '1.234,50', '20.11.2026'],
    ['en-KE', '1,234.50', '20/11/2026'],
    ['en-US', '1,234.50', '11/20/2026'],
  ])('is read as people of %s write it, by the names of its own heading', async (locale, amount, date) => {
    const columns = { amount: 'Betrag', observed_at: 'Tag', currency: 'Währung' };
    const heading = 'source_reference;payer_reference;Währung;Betrag;Tag';
    const form = { ...csvFormOf(locale), columns };
    const rows = await csvRows(`${heading}\nB-1;ERA-1;KES;${amount};${date}\n`, form);
    expect(rows).toMatchObject([{ amount: 123_450, bookedOn: '2026-11-20' }]);
  });

  test.each(['\n', '\r\n'])('gives the first line of each row, for lines that end in %j', async (end) => {
    const lines = [
      '',
      `"a${end}note",${HEADING},more`,
      `"two${end}lines",B-100,ERA-1,KES,1,${AT},`,
      '',
      '   ',
      `"",B-200,ERA-1,KES,1,${AT},"more${end}${end}cells"`,
      `,B-300,ERA-1,KES,none,"${AT}${end}"`,
      '',
      `,B-400,ERA-1,KES,1,${AT},`,
    ];
    const rows = await csvRows(lines.join(end));
    expect(rows.map(({ kind, line }) => [kind, line])).toEqual([
      ['entry', 4],
      ['entry', 8],
      ['unreadable', 11],
      ['entry', 14],
    ]);
  });

  test.each(['NONREF', 'NOTPROVIDED'])(
    'with the placeholder %s has no reference in that cell',
    async (none) => {
      const rows = await csvRows(`${HEADING}\nB-100,${none},KES,1,${AT}\n${none},ERA-1,KES,1,${AT}\n`);
      expect(rows).toMatchObject([
        { kind: 'entry', bankReference: 'B-100', payerReferences: [] },
        { kind: 'unreadable', line: 3, reason: expect.stringContaining('reference') },
      ]);
    },
  );

  test('without a required column, or with an unclosed quote, is rejected', async () => {
    await expect(csvRows('source_reference,amount\nB-1,1\n')).rejects.toThrow(FileError);
    await expect(csvRows(`${HEADING}\n"B-1,ERA`)).rejects.toThrow(FileError);
  });
});

const document = (entries: string, prefix = '') =>
  `<?xml version="1.0" encoding="UTF-8"?>
<${prefix}Document xmlns${prefix && `:${prefix.slice(0, -1)}`}="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08">
<${prefix}BkToCstmrStmt><${prefix}Stmt><${prefix}Id>S1</${prefix}Id>
${entries}
</${prefix}Stmt></${prefix}BkToCstmrStmt></${prefix}Document>`;

interface EntryParts {
  readonly amount?: string;
  readonly status?: string;
  readonly indicator?: string;
  readonly details?: string;
  readonly references?: string;
}

const entry = ({
  amount = '3000.50',
  status = '<Cd>BOOK</Cd>',
  indicator = 'CRDT',
  details,
  references,
}: EntryParts = {}) => `<Ntry>
<NtryRef>N-0001</NtryRef><Amt Ccy="KES">${amount}</Amt><CdtDbtInd>${indicator}</CdtDbtInd><Sts>${status}</Sts>
<BookgDt><Dt>2026-03-16</Dt></BookgDt>${references ?? '<AcctSvcrRef>A-0001</AcctSvcrRef>'}
<NtryDtls>${details ?? '<TxDtls><Refs><EndToEndId>ERA &amp; 1</EndToEndId></Refs></TxDtls>'}</NtryDtls></Ntry>`;

const transaction = (
  reference: string,
  amount: string,
) => `<TxDtls><Refs><AcctSvcrRef>${reference}</AcctSvcrRef>
<EndToEndId>ERA-${reference}</EndToEndId></Refs>${amount}</TxDtls>`;

const camtRows = (entries: string) => xmlRows(document(entries));

describe('a camt.053 statement', () => {
  test('gives a booked credit with its account servicer’s reference, in minor units, at its booking date', async () => {
    expect(await camtRows(entry())).toEqual([
      {
        kind: 'entry',
        type: 'credit',
        line: 4,
        place: '1',
        account: '',
        statement: 'S1',
        page: null,
        bankReference: 'A-0001',
        entryReference: 'N-0001',
        references: ['ERA & 1'],
        payerReferences: ['ERA & 1'],
        words: [],
        currency: 'KES',
        amount: 300_050,
        bookedOn: '2026-03-16',
        observedAt: '2026-03-15T21:00:00.000Z',
        occurrence: 0,
        batch: null,
        difference: null,
      },
    ]);
  });

  test('without that reference uses the entry’s own reference', async () => {
    expect(await camtRows(entry({ references: '' }))).toMatchObject([
      { bankReference: '', entryReference: 'N-0001' },
    ]);
  });

  test.each(['NONREF', 'NOTPROVIDED'])('treats the placeholder %s as an absent reference', async (none) => {
    const placeholder = `<AcctSvcrRef>${none}</AcctSvcrRef>`;
    const two = ['N-0001', 'N-0002'].map((reference) =>
      entry({ references: placeholder }).replace('N-0001', reference),
    );
    expect(await camtRows(two.join('\n'))).toMatchObject([
      { kind: 'entry', bankReference: '', entryReference: 'N-0001' },
      { kind: 'entry', bankReference: '', entryReference: 'N-0002' },
    ]);
    const details = transaction('T-01', '').replace('ERA-T-01', none);
    expect(await camtRows(entry({ references: placeholder, details }))).toMatchObject([
      { kind: 'entry', bankReference: 'T-01', payerReferences: [] },
    ]);
    const structured = `<TxDtls><RmtInf><Strd><CdtrRefInf><Ref>${none}</Ref></CdtrRefInf></Strd></RmtInf></TxDtls>`;
    expect(await camtRows(entry({ details: structured }))).toMatchObject([{ payerReferences: [] }]);
  });

  test('has rows without any reference identified by their place in the statement', async () => {
    const nameless = entry({ references: '<AcctSvcrRef>NONREF</AcctSvcrRef>' }).replace('N-0001', 'NONREF');
    const amount = '<Amt Ccy="KES">1.00</Amt>';
    const batch = entry({
      amount: '2.00',
      references: '',
      details: transaction('NONREF', amount) + transaction('T-02', amount),
    });
    const rows = await camtRows(nameless + nameless + batch);
    expect(rows).toMatchObject([
      { kind: 'entry', bankReference: '', entryReference: '', place: '1', occurrence: 0 },
      { kind: 'entry', bankReference: '', entryReference: '', place: '2', occurrence: 1 },
      {
        kind: 'entry',
        bankReference: '',
        place: '3/1',
        batch: expect.anything(),
        payerReferences: ['ERA-NONREF'],
      },
      { kind: 'entry', bankReference: 'T-02', place: '3/2', batch: expect.anything() },
    ]);
    const unidentified = document(nameless).replace('<Id>S1</Id>', '');
    expect(await xmlRows(unidentified)).toMatchObject([
      { kind: 'unreadable', reason: expect.stringContaining('reference') },
    ]);
  });

  test('of an older version, or with prefixed names, gives the same rows', async () => {
    expect(await camtRows(entry({ status: 'BOOK' }))).toMatchObject([{ kind: 'entry' }]);
    const prefixed = document(entry(), 's:').replace(/<(\/?)(?=[A-Z])/g, '<$1s:');
    expect(await xmlRows(prefixed)).toMatchObject([{ kind: 'entry', payerReferences: ['ERA & 1'] }]);
  });

  test('names the type of each entry, and skips what is not booked', async () => {
    const reversal = (said: string) => `<RvslInd>${said}</RvslInd><AcctSvcrRef>A-1</AcctSvcrRef>`;
    const returned =
      '<TxDtls><Refs><EndToEndId>ERA-1</EndToEndId></Refs><RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf></TxDtls>';
    const code =
      '<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>RRTN</SubFmlyCd></Fmly></Domn></BkTxCd>';
    const entries = [
      [entry({ indicator: 'DBIT' }), 'debit'],
      ...['true', '1', ' 1 '].map((said) => [entry({ references: reversal(said) }), 'debit_reversal']),
      ...['true', '1'].map((said) => [entry({ indicator: 'DBIT', references: reversal(said) }), 'takeback']),
      [entry({ indicator: 'DBIT', details: returned }), 'takeback'],
      [entry({ indicator: 'DBIT', references: `<AcctSvcrRef>A-1</AcctSvcrRef>${code}` }), 'takeback'],
      ...['false', '0'].map((said) => [entry({ references: reversal(said) }), 'credit']),
    ];
    const rows = await camtRows(entries.map(([xml]) => xml).join('\n'));
    expect(rows.map((row) => ('type' in row ? row.type : row.kind))).toEqual(entries.map(([, type]) => type));
    expect(await camtRows(entry({ status: '<Cd>PDNG</Cd>' }) + entry({ amount: '0.00' }))).toMatchObject([
      { kind: 'skipped', reason: expect.stringContaining('PDNG') },
      { kind: 'skipped', reason: expect.stringContaining('0') },
    ]);
    expect(await camtRows(entry({ indicator: '' }))).toMatchObject([{ kind: 'unreadable' }]);
  });

  test('gives one row per transaction of a batch', async () => {
    const details =
      transaction('T-01', '<Amt Ccy="KES">1.00</Amt>') + transaction('T-02', '<Amt Ccy="KES">2.00</Amt>');
    expect(await camtRows(entry({ amount: '3.00', details }))).toMatchObject([
      { bankReference: 'T-01', payerReferences: ['ERA-T-01'], amount: 100, batch: expect.anything() },
      { bankReference: 'T-02', payerReferences: ['ERA-T-02'], amount: 200, batch: expect.anything() },
    ]);
  });

  test('gives debit transactions of a credit entry as debits of a batch whose sums agree', async () => {
    const [credit, debit] = [
      '<Amt Ccy="KES">100.00</Amt><CdtDbtInd>CRDT</CdtDbtInd>',
      '<Amt Ccy="KES">10.00</Amt><CdtDbtInd>DBIT</CdtDbtInd>',
    ];
    const details = transaction('T-01', credit) + transaction('T-02', debit);
    expect(await camtRows(entry({ amount: '90.00', details }))).toMatchObject([
      { type: 'credit', bankReference: 'T-01', amount: 10_000 },
      { type: 'debit', bankReference: 'T-02', amount: 1_000 },
    ]);
    expect(await camtRows(entry({ amount: '10.00', details: transaction('T-02', debit) }))).toMatchObject([
      { type: 'credit', difference: expect.stringContaining('directions'), payerReferences: [] },
    ]);
  });

  const KES = (amount: string) => `<Amt Ccy="KES">${amount}</Amt>`;
  test.each([
    ['a sum of its transactions below it', '100.00', '', ['60.00', '30.00'], '90.00 together'],
    ['a sum above it', '100.00', '', ['60.00', '50.00'], '110.00 together'],
    ['a sole transaction below it', '100.00', '', ['60.00'], 'its transaction is 60.00'],
    [
      'more transactions than the file lists',
      '1512.00',
      '<Btch><NbOfTxs>3</NbOfTxs></Btch>',
      ['1000.00', '500.00'],
      'says 3 transactions, the file lists 2 of 1,500.00 together',
    ],
    [
      'fewer than the file lists',
      '3.00',
      '<Btch><NbOfTxs>2</NbOfTxs></Btch>',
      ['1.00', '1.00', '1.00'],
      'says 2 transactions',
    ],
    [
      'one transaction where it says two',
      '1.00',
      '<Btch><NbOfTxs>2</NbOfTxs></Btch>',
      ['1.00'],
      'says 2 transactions',
    ],
    [
      'another total of its details',
      '3.00',
      '<Btch><TtlAmt Ccy="KES">4.00</TtlAmt></Btch>',
      ['1.00', '2.00'],
      'a total of 4.00',
    ],
    ['a transaction without an amount', '3.00', '', ['1.00', 'none'], 'not all have an amount'],
  ])('keeps an entry whole that has %s', async (_name, amount, batch, amounts, difference) => {
    const details = batch + amounts.map((each, index) => transaction(`T-${index}`, KES(each))).join('');
    const rows = await camtRows(entry({ amount, details }) + entry());
    expect(rows).toMatchObject([
      { amount: Number(amount) * 100, difference: expect.stringContaining(difference), payerReferences: [] },
      { difference: null },
    ]);
  });

  test('divides an entry whose totals agree, or whose bank lists no transactions', async () => {
    const totals =
      '<Btch><NbOfTxs>2</NbOfTxs><TtlAmt Ccy="KES">3.00</TtlAmt><CdtDbtInd>CRDT</CdtDbtInd></Btch>';
    const details = totals + transaction('T-1', KES('1.00')) + transaction('T-2', KES('2.00'));
    expect(await camtRows(entry({ amount: '3.00', details }))).toHaveLength(2);
    expect(await camtRows(entry({ amount: '3.00', details: totals }))).toMatchObject([
      { amount: 300, difference: null },
    ]);
    const foreign = transaction('T-1', '<Amt Ccy="USD">20.00</Amt>');
    expect(await camtRows(entry({ amount: '3.00', details: foreign }))).toMatchObject([
      { amount: 300, difference: null },
    ]);
  });

  test('has its values read as the types of its schema allow them', async () => {
    const amounts = ['.50', '+1.00', '1000.', '1.50000'].map((amount) => entry({ amount }));
    expect(await camtRows(amounts.join(''))).toMatchObject([
      { amount: 50 },
      { amount: 100 },
      { amount: 100_000 },
      { amount: 150 },
    ]);
    const at = (time: string) => entry().replace(/<BookgDt>.*<\/BookgDt>/, `<BookgDt>${time}</BookgDt>`);
    const times = [
      '<DtTm>2026-03-16T24:00:00</DtTm>',
      '<DtTm>2026-03-16T10:00:00.5</DtTm>',
      '<DtTm>2026-03-16T10:00:00+01:00</DtTm>',
      '<Dt>2026-03-16</Dt>',
      '<Dt>2026-03-16Z</Dt>',
      '<Dt>2026-03-16+05:00</Dt>',
    ];
    expect(await camtRows(times.map(at).join(''))).toMatchObject([
      { bookedOn: '2026-03-17', observedAt: '2026-03-16T21:00:00.000Z' },
      { bookedOn: '2026-03-16', observedAt: '2026-03-16T07:00:00.500Z' },
      { bookedOn: '2026-03-16', observedAt: '2026-03-16T10:00:00+01:00' },
      { bookedOn: '2026-03-16', observedAt: '2026-03-15T21:00:00.000Z' },
      { bookedOn: '2026-03-16', observedAt: '2026-03-16T00:00:00Z' },
      { bookedOn: '2026-03-16', observedAt: '2026-03-16T00:00:00+05:00' },
    ]);
    const invalid = [
      '<Dt>2026-02-30</Dt>',
      '<DtTm>2026-03-16T25:00:00</DtTm>',
      '<DtTm>2026-03-16T24:00:01</DtTm>',
      '',
    ];
    for (const row of await camtRows(invalid.map(at).join('')))
      expect(row).toMatchObject({ kind: 'unreadable', reason: expect.stringContaining('time') });
  });

  test('has amounts with the decimals of their currency', async () => {
    const inCurrency = (currency: string, amount: string) => entry({ amount }).replaceAll('KES', currency);
    const rows = await camtRows(
      inCurrency('JPY', '1500') +
        inCurrency('KWD', '1.234') +
        inCurrency('JPY', '1.5') +
        inCurrency('XYZ', '1'),
    );
    expect(rows).toMatchObject([
      { currency: 'JPY', amount: 1_500 },
      { currency: 'KWD', amount: 1_234 },
      { kind: 'unreadable', reason: expect.stringContaining('amount') },
      { kind: 'unreadable', reason: expect.stringContaining('currency') },
    ]);
  });

  test('as a notification (camt.054) gives the same rows', async () => {
    const notification = document(entry())
      .replaceAll('camt.053', 'camt.054')
      .replaceAll('BkToCstmrStmt', 'BkToCstmrDbtCdtNtfctn')
      .replaceAll('Stmt>', 'Ntfctn>');
    expect(await xmlRows(notification)).toEqual(await xmlRows(document(entry())));
  });

  test('of a real header has its entries identified by account, statement and page', async () => {
    const header = `<Id>S1</Id><StmtPgntn><PgNb>2</PgNb><LastPgInd>false</LastPgInd></StmtPgntn><ElctrncSeqNb>17</ElctrncSeqNb>
<Acct><Id><IBAN>KE01</IBAN></Id><Ownr><Nm>Clinic</Nm></Ownr></Acct>`;
    expect(await xmlRows(document(entry()).replace('<Id>S1</Id>', header))).toMatchObject([
      { account: 'KE01', statement: 'S1 no. 17', page: 2 },
    ]);
  });

  test('of version 2 gives a transaction’s amount from its details', async () => {
    const amount = (units: string) => `<AmtDtls><InstdAmt><Amt Ccy="EUR">9.00</Amt></InstdAmt>
      <TxAmt><Amt Ccy="KES">${units}</Amt></TxAmt></AmtDtls>`;
    const batch = transaction('T-01', amount('1.00')) + transaction('T-02', amount('2.00'));
    expect(await camtRows(entry({ amount: '3.00', status: 'BOOK', details: batch }))).toMatchObject([
      { kind: 'entry', currency: 'KES', amount: 100 },
      { kind: 'entry', currency: 'KES', amount: 200 },
    ]);
  });

  test('without a remittance’s reference gives a credit that names none', async () => {
    const nameless = entry({ details: '<TxDtls><Refs><EndToEndId>NOTPROVIDED</EndToEndId></Refs></TxDtls>' });
    expect(await camtRows(nameless)).toMatchObject([{ kind: 'entry', payerReferences: [], words: [] }]);
  });

  test('gives the structured reference after EndToEndId, and the words of the free text that have a digit', async () => {
    const information = `<RmtInf><Strd><RfrdDocInf><Nb>INV-1</Nb></RfrdDocInf>
      <CdtrRefInf><Tp><CdOrPrtry><Cd>SCOR</Cd></CdOrPrtry></Tp><Ref>RF18-2027</Ref></CdtrRefInf></Strd>
      <Ustrd>Claims of March, ERA-2027-03 (paid by: PAY/77)</Ustrd><Ustrd>2nd "ERA-9".</Ustrd></RmtInf>`;
    const details = (endToEnd: string) =>
      `<TxDtls><Refs><EndToEndId>${endToEnd}</EndToEndId></Refs>${information}</TxDtls>`;
    const words = ['ERA-2027-03', 'PAY/77', '2nd', 'ERA-9'];
    expect(
      await camtRows(entry({ details: details('E2E-1') }) + entry({ details: details('NOTPROVIDED') })),
    ).toMatchObject([
      { payerReferences: ['E2E-1', 'RF18-2027'], words },
      { payerReferences: ['RF18-2027'], words },
    ]);
  });

  test.each(['\0', '&#0;', '&#x0;', '&#xD83D;', '&#xD83D;&#xDE00;', '&#x110000;', '&#9999999;'])(
    'whose reference has the invalid character %j has this row rejected with its line',
    async (none) => {
      const rows = await camtRows(entry({ references: `<AcctSvcrRef>A-${none}1</AcctSvcrRef>` }) + entry());
      expect(rows).toMatchObject([
        { kind: 'unreadable', line: 4, reason: expect.stringContaining('plain text') },
        { kind: 'entry', bankReference: 'A-0001' },
      ]);
    },
  );

  test('has no entity expanded, and is rejected if it has a document type', async () => {
    expect(await camtRows(entry({ references: '<AcctSvcrRef>&lol; &#65;</AcctSvcrRef>' }))).toMatchObject([
      { bankReference: '&lol; A' },
    ]);
    const bomb = `<!DOCTYPE x [<!ENTITY lol "lol">]>${document(entry())}`;
    await expect(xmlRows(bomb)).rejects.toThrow(FileError);
  });

  test('that is truncated, or another document, is rejected as a whole', async () => {
    await expect(xmlRows(document(entry()).slice(0, -40))).rejects.toThrow(FileError);
    await expect(xmlRows('<Document><Other/></Document>')).rejects.toThrow(FileError);
  });
});

describe('the totals of a statement', () => {
  const balance = (type: string, amount: string, indicator = 'CRDT') =>
    `<Bal><Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp><Amt Ccy="KES">${amount}</Amt><CdtDbtInd>${indicator}</CdtDbtInd></Bal>`;
  const differencesOf = async (header: string, entries: string) => {
    const file = document(entries).replace('<Id>S1</Id>', `<Id>S1</Id>${header}`);
    for await (const row of readStatements(Readable.from([file])))
      if (row.kind === 'statement') return row.differences;
    return undefined;
  };
  const entries =
    entry({ amount: '30.00' }) +
    entry({ amount: '10.00', indicator: 'DBIT' }) +
    entry({ status: '<Cd>PDNG</Cd>' });

  test.each([
    ['opening and closing balance', balance('OPBD', '100.00') + balance('CLBD', '120.00')],
    [
      'previous closing balance',
      balance('PRCD', '100.00') + balance('CLBD', '120.00') + balance('CLAV', '7.00'),
    ],
    ['debit balances', balance('OPBD', '100.00', 'DBIT') + balance('CLBD', '80.00', 'DBIT')],
    ['interim balances of a page', balance('ITBD', '100.00') + balance('ITBD', '120.00')],
    ['opening balance alone', balance('OPBD', '100.00')],
    [
      'sums',
      '<TxsSummry><TtlNtries><NbOfNtries>2</NbOfNtries></TtlNtries><TtlCdtNtries><Sum>30.</Sum></TtlCdtNtries></TxsSummry>',
    ],
  ])('agree with its entries: %s', async (_name, header) => {
    expect(await differencesOf(header, entries)).toEqual([]);
  });

  test.each([
    [
      'closing balance',
      balance('OPBD', '100.00') + balance('CLBD', '130.00'),
      'opening 100.00 and entries of 20.00 are 120.00 KES, and the closing balance is 130.00',
    ],
    [
      'number of entries',
      '<TxsSummry><TtlNtries><NbOfNtries>3</NbOfNtries></TtlNtries></TxsSummry>',
      'says 3 entries, and the file lists 2',
    ],
    [
      'sum of credits',
      `<TxsSummry><TtlCdtNtries><Sum>31.00</Sum></TtlCdtNtries></TxsSummry>`,
      'credits of 31.00 KES',
    ],
    [
      'sum of debits',
      `<TxsSummry><TtlDbtNtries><Sum>11.00</Sum></TtlDbtNtries></TxsSummry>`,
      'debits of 11.00 KES',
    ],
  ])('differ from its entries: %s', async (_name, header, difference) => {
    expect(await differencesOf(header, entries)).toEqual([expect.stringContaining(difference)]);
  });
});

describe('a CSV file in the form of a country', () => {
  const semicolons = (...rows: string[]) => [HEADING.replaceAll(',', ';'), ...rows, ''].join('\r\n');

  test('has semicolons, decimal commas, groups of thousands, and dates', async () => {
    const file = semicolons(
      'B-100;ERA-1;EUR;1.234,50;20.11.2026',
      'B-200;ERA-2;EUR;"1 234";3.1.2027',
      'B-300;ERA-3;JPY;1.234;20.11.2026',
    );
    expect(await csvRows(file, { amounts: 'decimal-comma', dates: 'day-month-year' })).toMatchObject([
      {
        bankReference: 'B-100',
        amount: 123_450,
        bookedOn: '2026-11-20',
        observedAt: '2026-11-19T21:00:00.000Z',
      },
      { amount: 123_400, bookedOn: '2027-01-03' },
      { amount: 1_234, currency: 'JPY' },
    ]);
  });

  test('is read by its form alone: no row is guessed', async () => {
    const file = semicolons('B-100;ERA-1;EUR;1,234;20/11/2026');
    expect(await csvRows(file, { amounts: 'decimal-comma', dates: 'day-month-year' })).toMatchObject([
      { kind: 'unreadable', reason: expect.stringContaining('amount') },
    ]);
    expect(await csvRows(file, { amounts: 'decimal-point', dates: 'month-day-year' })).toMatchObject([
      { kind: 'unreadable', reason: expect.stringContaining('time') },
    ]);
    expect(await csvRows(file, { amounts: 'decimal-point', dates: 'day-month-year' })).toMatchObject([
      { amount: 123_400 },
    ]);
    expect(await csvRows(file)).toMatchObject([{ kind: 'unreadable' }]);
  });

  test('can name the account', async () => {
    expect(await csvRows(`account,${HEADING}\nKE01,B-100,ERA-1,KES,1,${AT}\n`)).toMatchObject([
      { account: 'KE01' },
    ]);
  });
});

/** Encodes a text in the given encoding, with its byte order mark. */
function encoded(text: string, encoding: 'utf-8' | 'utf-16le' | 'utf-16be'): Buffer {
  const bytes = Buffer.from(`\ufeff${text}`, encoding === 'utf-8' ? 'utf-8' : 'utf-16le');
  return encoding === 'utf-16be' ? bytes.swap16() : bytes;
}

test.each([
  ['a row without its last cells', 'B-2,ERA-1,KES', /it has 3 cells, and the heading has 5; .*amount/],
  // A comma that is not in quotes moves the amount into another column.
  ['a row with a surplus cell', `B-2,ERA,1,KES,1,${AT}`, /it has 6 cells, and the heading has 5/],
  ['a quote within a cell', `B-2,the "ERA",KES,1,${AT}`, /quotes are misplaced/],
  ['text after a quoted cell', `B-2,"ERA" 1,KES,1,${AT}`, /quotes are misplaced/],
  ['a misplaced quote in a cell of two lines', `B-2,"ERA\n1" 1,KES,1,${AT}`, /misplaced.*ends on line 4/],
  ['another encoding', Buffer.from(`B-2,ERÄ,KES,1,${AT}`, 'latin1'), /not text in UTF-8/],
  ['100,000 bytes and more', `B-2,${'ERA'.repeat(40_000)},KES,1,${AT}`, /100,000 bytes/],
])('a CSV row with %s is unreadable, and the next rows are read', async (_name, bad, reason) => {
  const lines = [`${HEADING}\nB-100,ERA-1,KES,1,${AT}\n`, bad, `\nB-300,ERA-1,KES,1,${AT}`];
  const bytes = Buffer.concat(lines.map((line) => Buffer.from(line as string)));
  expect(await rowsOf(readDefaultCsv(Readable.from(chunksOf(bytes, 1_000))))).toEqual([
    expect.objectContaining({ kind: 'entry', line: 2 }),
    { kind: 'unreadable', line: 3, reason: expect.stringMatching(reason) },
    expect.objectContaining({ kind: 'entry', bankReference: 'B-300' }),
  ]);
});

describe.each([
  ['CSV', readDefaultCsv, `${HEADING}\nB-100,ERÄ-1,KES,1,${AT}\n`],
  ['camt.053', readStatements, document(entry().replace('ERA', 'ERÄ'))],
] as const)('a %s file', (_format, read, text) => {
  const rowsIn = (bytes: Buffer) => rowsOf(read(Readable.from(chunksOf(bytes, 1))));

  test.each(['utf-8', 'utf-16le', 'utf-16be'] as const)(
    'with the byte order mark of %s is read in this encoding',
    async (encoding) => {
      expect(await rowsIn(encoded(text, encoding))).toEqual(await rowsIn(Buffer.from(text)));
      expect(await rowsIn(Buffer.from(text))).toMatchObject([
        { kind: 'entry', payerReferences: [expect.stringContaining('Ä')] },
      ]);
    },
  );

  test('that has the byte order mark of UTF-16 and is not text in it is rejected as a whole', async () => {
    const bytes = encoded(text, 'utf-16le');
    for (const invalid of [bytes.subarray(0, -1), Buffer.concat([bytes, Buffer.of(0x00, 0xd8)])])
      await expect(rowsIn(invalid)).rejects.toThrow(
        new FileError('The file is not text in UTF-16LE. Convert it to UTF-8, and import it again.'),
      );
  });
});

test.each([
  ['in another encoding', Buffer.from(document(entry().replace('ERA', 'ERÄ')), 'latin1')],
  ['that ends within a character', Buffer.concat([Buffer.from(document(entry())), Buffer.of(0xc3)])],
])('a camt.053 file %s is rejected as a whole', async (_name, bytes) => {
  await expect(rowsOf(readStatements(Readable.from(chunksOf(bytes, 1))))).rejects.toThrow(
    new FileError('The file is not text in UTF-8. Convert it to UTF-8, and import it again.'),
  );
});

describe('a deeply nested XML file', () => {
  const nested = (levels: number) => document(`${'<a>'.repeat(levels)}${'</a>'.repeat(levels)}${entry()}`);

  test('is read up to 64 levels, and rejected beyond', async () => {
    expect(await xmlRows(nested(61))).toMatchObject([{ kind: 'entry' }]);
    await expect(xmlRows(nested(62))).rejects.toThrow(
      new FileError('The elements are nested more than 64 deep (line 4).'),
    );
  });

  test('is rejected without reading the rest of it', async () => {
    let chunks = 0;
    function* endless(): Generator<string> {
      for (;;) {
        chunks += 1;
        yield '<a>'.repeat(10);
      }
    }
    await expect(rowsOf(readStatements(Readable.from(endless(), { highWaterMark: 1 })))).rejects.toThrow(
      FileError,
    );
    expect(chunks).toBeLessThan(20);
  });
});

describe('the memory that a file takes is bounded', () => {
  /** Yields the start of a file and then repeats a part of it, up to 30 MB, and counts the characters that were read. */
  function endless(start: string, part: string) {
    const repeated = part.repeat(Math.ceil(10_000 / part.length));
    let characters = 0;
    function* chunks(): Generator<string> {
      yield start;
      for (; characters < 30_000_000; characters += repeated.length) yield repeated;
    }
    return { input: Readable.from(chunks(), { highWaterMark: 1 }), read: () => characters };
  }
  const inEntry = document('').replace(/<\/(?!Id)[\s\S]*/, '<Ntry>');

  test.each([
    ['a document type declaration', '<!DOCTYPE x [', '<!ENTITY lol "lol">'],
    ['a comment', '<!--', 'comment '],
    ['a processing instruction', '<?a ', 'instruction '],
    ['white space before the root', '', '\n'],
    ['an element\u2019s name', '<', 'a'],
    ['attributes of one element', '<Document ', 'a="1" '],
    ['an attribute', '<Document a="', 'value '],
    ['text', `${inEntry}<Ustrd>`, 'text '],
    ['text that is skipped', `${inEntry}<Other>`, 'text '],
    ['a section of text', `${inEntry}<Ustrd><![CDATA[`, 'text '],
    ['an entity', `${inEntry}<Ustrd>&`, 'lol'],
    ['the name of an end tag', `${inEntry}</`, 'a'],
  ])(
    '%s of more than 100,000 characters is rejected without reading the rest of it',
    async (_name, ...file) => {
      const { input, read } = endless(...file);
      await expect(rowsOf(readStatements(input))).rejects.toThrow(FileError);
      expect(read()).toBeLessThan(300_000);
    },
  );

  test.each([
    ['transactions', transaction('T-1', '<Amt Ccy="KES">1.00</Amt>')],
    ['elements that are not read', '<Other>1</Other>'],
  ])('an entry of more than 16,000,000 characters of %s is rejected', async (_name, part) => {
    const { input, read } = endless(`${inEntry}<NtryDtls>`, part);
    await expect(rowsOf(readStatements(input))).rejects.toThrow(
      new FileError('The element Ntry of line 5 has more than 16,000,000 characters.'),
    );
    expect(read()).toBeLessThan(16_200_000);
  });

  test('a chunk of any size is checked in parts', async () => {
    const file = `<!DOCTYPE x [${'<!ENTITY lol "lol">'.repeat(20_000)}`;
    await expect(xmlRows(file)).rejects.toThrow(FileError);
    await expect(rowsOf(readStatements(Readable.from([file])))).rejects.toThrow(/100,000 characters/);
  });

  test('parts up to the maximum are read', async () => {
    const comment = `<!--${'x'.repeat(90_000)}-->`;
    const text = `<RmtInf><Ustrd>${'words '.repeat(15_000)}</Ustrd></RmtInf>`;
    const details = `<TxDtls>${comment.repeat(5)}${text}</TxDtls>`;
    const file = document(`${comment}${entry({ details })}`);
    expect(await rowsOf(readStatements(Readable.from([file])))).toMatchObject([{ kind: 'entry', words: [] }]);
  });
});
