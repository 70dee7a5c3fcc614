import { Readable } from 'node:stream';
import { FileError } from '@carecover/platform';
import { minorUnits, readCamt053 } from './camt053';
import { readCsv } from './csv';
import type { Row } from './row';

async function rowsOf(rows: AsyncGenerator<Row>): Promise<Row[]> {
  const read: Row[] = [];
  for await (const row of rows) read.push(row);
  return read;
}

const csvRows = (text: string) => rowsOf(readCsv(Readable.from([text])));
/** Reads a statement in chunks of 7 bytes, which split tags and multi-byte characters. */
const xmlRows = (xml: string) => rowsOf(readCamt053(Readable.from(chunksOf(Buffer.from(xml), 7))));

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
        kind: 'credit',
        line: 2,
        sourceReference: 'B-100',
        payerReferences: ['ERA, 1'],
        words: [],
        currency: 'KES',
        amount: 1200,
        observedAt: '2026-03-16T14:00:00+03:00',
      },
      expect.objectContaining({ line: 5, sourceReference: 'B-200' }),
    ]);
  });

  test.each([
    ['B-1,ERA,KES,12.5,2026-03-16T14:00:00Z', 'amount'],
    ['B-1,ERA,KES,0,2026-03-16T14:00:00Z', 'amount'],
    ['B-1,ERA,KES,9007199254740992,2026-03-16T14:00:00Z', 'amount'],
    ['B-1,ERA,JPY,1,2026-03-16T14:00:00Z', 'currency'],
    ['B,ERA,KES,1,2026-03-16T14:00:00Z', 'reference'],
    ['B-1,ERA,KES,1,2026-03-16', 'time'],
    ['B-1,ERA', 'currency'],
    ['B-\u00001,ERA,KES,1,2026-03-16T14:00:00Z', 'plain text'],
    ['B-1,ERA\u0000,KES,1,2026-03-16T14:00:00Z', 'plain text'],
  ])('gives the reason why the row %s is unreadable', async (row, word) => {
    expect(await csvRows(`${HEADING}\n${row}\n`)).toEqual([
      { kind: 'unreadable', line: 2, reason: expect.stringContaining(word) },
    ]);
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
      ['credit', 4],
      ['credit', 8],
      ['unreadable', 11],
      ['credit', 14],
    ]);
  });

  test.each(['NONREF', 'NOTPROVIDED'])(
    'with the placeholder %s has no reference in that cell',
    async (none) => {
      const rows = await csvRows(`${HEADING}\nB-100,${none},KES,1,${AT}\n${none},ERA-1,KES,1,${AT}\n`);
      expect(rows).toMatchObject([
        { kind: 'credit', sourceReference: 'B-100', payerReferences: [] },
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
<${prefix}BkToCstmrStmt><${prefix}Stmt>
${entries}
</${prefix}Stmt></${prefix}BkToCstmrStmt></${prefix}Document>`;

interface EntryParts {
  readonly status?: string;
  readonly indicator?: string;
  readonly details?: string;
  readonly references?: string;
}

const entry = ({
  status = '<Cd>BOOK</Cd>',
  indicator = 'CRDT',
  details,
  references,
}: EntryParts = {}) => `<Ntry>
<NtryRef>N-0001</NtryRef><Amt Ccy="KES">3000.50</Amt><CdtDbtInd>${indicator}</CdtDbtInd><Sts>${status}</Sts>
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
        kind: 'credit',
        line: 4,
        sourceReference: 'A-0001',
        payerReferences: ['ERA & 1'],
        words: [],
        currency: 'KES',
        amount: 300_050,
        observedAt: '2026-03-16T00:00:00Z',
      },
    ]);
  });

  test('without that reference uses the entry’s own reference', async () => {
    expect(await camtRows(entry({ references: '' }))).toMatchObject([{ sourceReference: 'N-0001' }]);
  });

  test.each(['NONREF', 'NOTPROVIDED'])('treats the placeholder %s as an absent reference', async (none) => {
    const placeholder = `<AcctSvcrRef>${none}</AcctSvcrRef>`;
    const two = ['N-0001', 'N-0002'].map((reference) =>
      entry({ references: placeholder }).replace('N-0001', reference),
    );
    expect(await camtRows(two.join('\n'))).toMatchObject([
      { kind: 'credit', sourceReference: 'N-0001' },
      { kind: 'credit', sourceReference: 'N-0002' },
    ]);
    const details = transaction('T-01', '').replace('ERA-T-01', none);
    expect(await camtRows(entry({ references: placeholder, details }))).toMatchObject([
      { kind: 'credit', sourceReference: 'T-01', payerReferences: [] },
    ]);
    const structured = `<TxDtls><RmtInf><Strd><CdtrRefInf><Ref>${none}</Ref></CdtrRefInf></Strd></RmtInf></TxDtls>`;
    expect(await camtRows(entry({ details: structured }))).toMatchObject([{ payerReferences: [] }]);
  });

  test('has the rows without any reference rejected with their lines', async () => {
    const nameless = entry({ references: '<AcctSvcrRef>NONREF</AcctSvcrRef>' }).replace('N-0001', 'NONREF');
    const absent = entry({ references: '' }).replace('<NtryRef>N-0001</NtryRef>', '');
    const amount = '<Amt Ccy="KES">1.00</Amt>';
    const batch = entry({ details: transaction('NONREF', amount) + transaction('T-02', amount) });
    const rejected = { kind: 'unreadable', reason: expect.stringContaining('reference') };
    expect(await camtRows(nameless + absent + batch)).toMatchObject([
      rejected,
      rejected,
      rejected,
      { kind: 'credit', sourceReference: 'T-02' },
    ]);
  });

  test('of an older version, or with prefixed names, gives the same rows', async () => {
    expect(await camtRows(entry({ status: 'BOOK' }))).toMatchObject([{ kind: 'credit' }]);
    const prefixed = document(entry(), 's:').replace(/<(\/?)(?=[A-Z])/g, '<$1s:');
    expect(await xmlRows(prefixed)).toMatchObject([{ kind: 'credit', payerReferences: ['ERA & 1'] }]);
  });

  test('ignores debits, pending entries and reversals of debits', async () => {
    const others = [
      entry({ indicator: 'DBIT' }),
      entry({ status: '<Cd>PDNG</Cd>' }),
      ...['true', '1', ' 1 '].map((said) =>
        entry({ references: `<RvslInd>${said}</RvslInd><AcctSvcrRef>A-1</AcctSvcrRef>` }),
      ),
    ];
    expect((await camtRows(others.join('\n'))).map(({ kind }) => kind)).toEqual(others.map(() => 'other'));
    for (const said of ['false', '0']) {
      const credit = entry({ references: `<RvslInd>${said}</RvslInd><AcctSvcrRef>A-1</AcctSvcrRef>` });
      expect(await camtRows(credit)).toMatchObject([{ kind: 'credit' }]);
    }
  });

  test('gives one row per transaction of a batch', async () => {
    const details =
      transaction('T-01', '<Amt Ccy="KES">1.00</Amt>') + transaction('T-02', '<Amt Ccy="KES">2.00</Amt>');
    expect(await camtRows(entry({ details }))).toMatchObject([
      { sourceReference: 'T-01', payerReferences: ['ERA-T-01'], amount: 100 },
      { sourceReference: 'T-02', payerReferences: ['ERA-T-02'], amount: 200 },
    ]);
  });

  test('ignores debit transactions of a credit entry, in a batch and as the sole transaction', async () => {
    const [credit, debit] = [
      '<Amt Ccy="KES">100.00</Amt><CdtDbtInd>CRDT</CdtDbtInd>',
      '<Amt Ccy="KES">10.00</Amt><CdtDbtInd>DBIT</CdtDbtInd>',
    ];
    const batch = entry({ details: transaction('T-01', credit) + transaction('T-02', debit) });
    expect(await camtRows(batch)).toMatchObject([
      { kind: 'credit', sourceReference: 'T-01', amount: 10_000 },
      { kind: 'other' },
    ]);
    expect(await camtRows(entry({ details: transaction('T-02', debit) }))).toMatchObject([{ kind: 'other' }]);
  });

  test('of version 2 gives a transaction’s amount from its details', async () => {
    const amount = (units: string) => `<AmtDtls><InstdAmt><Amt Ccy="EUR">9.00</Amt></InstdAmt>
      <TxAmt><Amt Ccy="KES">${units}</Amt></TxAmt></AmtDtls>`;
    const batch = transaction('T-01', amount('1.00')) + transaction('T-02', amount('2.00'));
    expect(await camtRows(entry({ status: 'BOOK', details: batch }))).toMatchObject([
      { kind: 'credit', currency: 'KES', amount: 100 },
      { kind: 'credit', currency: 'KES', amount: 200 },
    ]);
  });

  test('without a remittance’s reference gives a credit that names none', async () => {
    const nameless = entry({ details: '<TxDtls><Refs><EndToEndId>NOTPROVIDED</EndToEndId></Refs></TxDtls>' });
    expect(await camtRows(nameless)).toMatchObject([{ kind: 'credit', payerReferences: [], words: [] }]);
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
        { kind: 'credit', sourceReference: 'A-0001' },
      ]);
    },
  );

  test('has no entity expanded, and is rejected if it has a document type', async () => {
    expect(await camtRows(entry({ references: '<AcctSvcrRef>&lol; &#65;</AcctSvcrRef>' }))).toMatchObject([
      { sourceReference: '&lol; A' },
    ]);
    const bomb = `<!DOCTYPE x [<!ENTITY lol "lol">]>${document(entry())}`;
    await expect(xmlRows(bomb)).rejects.toThrow(FileError);
  });

  test('that is truncated, or another document, is rejected as a whole', async () => {
    await expect(xmlRows(document(entry()).slice(0, -40))).rejects.toThrow(FileError);
    await expect(xmlRows('<Document><Other/></Document>')).rejects.toThrow(FileError);
  });
});

test.each([
  ['0.01', 1],
  ['1', 100],
  ['1.5', 150],
  ['1.500', 150],
  ['90071992547409.91', Number.MAX_SAFE_INTEGER],
  ['90071992547409.92', Number.NaN],
  ['1.005', Number.NaN],
  ['-1', Number.NaN],
  ['1,5', Number.NaN],
  ['1e3', Number.NaN],
  ['', Number.NaN],
])('%s is %d minor units', (decimal, units) => {
  expect(minorUnits(decimal)).toBe(units);
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
  expect(await rowsOf(readCsv(Readable.from(chunksOf(bytes, 1_000))))).toEqual([
    expect.objectContaining({ kind: 'credit', line: 2 }),
    { kind: 'unreadable', line: 3, reason: expect.stringMatching(reason) },
    expect.objectContaining({ kind: 'credit', sourceReference: 'B-300' }),
  ]);
});

describe.each([
  ['CSV', readCsv, `${HEADING}\nB-100,ERÄ-1,KES,1,${AT}\n`],
  ['camt.053', readCamt053, document(entry().replace('ERA', 'ERÄ'))],
] as const)('a %s file', (_format, read, text) => {
  const rowsIn = (bytes: Buffer) => rowsOf(read(Readable.from(chunksOf(bytes, 1))));

  test.each(['utf-8', 'utf-16le', 'utf-16be'] as const)(
    'with the byte order mark of %s is read in this encoding',
    async (encoding) => {
      expect(await rowsIn(encoded(text, encoding))).toEqual(await rowsIn(Buffer.from(text)));
      expect(await rowsIn(Buffer.from(text))).toMatchObject([
        { kind: 'credit', payerReferences: [expect.stringContaining('Ä')] },
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
  await expect(rowsOf(readCamt053(Readable.from(chunksOf(bytes, 1))))).rejects.toThrow(
    new FileError('The file is not text in UTF-8. Convert it to UTF-8, and import it again.'),
  );
});

describe('a deeply nested XML file', () => {
  const nested = (levels: number) => document(`${'<a>'.repeat(levels)}${'</a>'.repeat(levels)}${entry()}`);

  test('is read up to 64 levels, and rejected beyond', async () => {
    expect(await xmlRows(nested(61))).toMatchObject([{ kind: 'credit' }]);
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
    await expect(rowsOf(readCamt053(Readable.from(endless(), { highWaterMark: 1 })))).rejects.toThrow(
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
  const inEntry = document('').replace(/<\/[\s\S]*/, '<Ntry>');

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
      await expect(rowsOf(readCamt053(input))).rejects.toThrow(FileError);
      expect(read()).toBeLessThan(300_000);
    },
  );

  test.each([
    ['transactions', transaction('T-1', '<Amt Ccy="KES">1.00</Amt>')],
    ['elements that are not read', '<Other>1</Other>'],
  ])('an entry of more than 16,000,000 characters of %s is rejected', async (_name, part) => {
    const { input, read } = endless(`${inEntry}<NtryDtls>`, part);
    await expect(rowsOf(readCamt053(input))).rejects.toThrow(
      new FileError('The element Ntry of line 5 has more than 16,000,000 characters.'),
    );
    expect(read()).toBeLessThan(16_200_000);
  });

  test('a chunk of any size is checked in parts', async () => {
    const file = `<!DOCTYPE x [${'<!ENTITY lol "lol">'.repeat(20_000)}`;
    await expect(xmlRows(file)).rejects.toThrow(FileError);
    await expect(rowsOf(readCamt053(Readable.from([file])))).rejects.toThrow(/100,000 characters/);
  });

  test('parts up to the maximum are read', async () => {
    const comment = `<!--${'x'.repeat(90_000)}-->`;
    const text = `<RmtInf><Ustrd>${'words '.repeat(15_000)}</Ustrd></RmtInf>`;
    const details = `<TxDtls>${comment.repeat(5)}${text}</TxDtls>`;
    const file = document(`${comment}${entry({ details })}`);
    expect(await rowsOf(readCamt053(Readable.from([file])))).toMatchObject([{ kind: 'credit', words: [] }]);
  });
});
