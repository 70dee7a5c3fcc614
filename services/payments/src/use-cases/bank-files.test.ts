/** Tests what becomes of the entries of real forms of bank files: each is recorded, kept or reported, and none is lost in silence. */
import { Readable } from 'node:stream';
import { connectPostgres, type Sql } from '@carecover/postgres';
import { createTestDatabase, type TestDatabase } from '@carecover/testing/servers';
import { listOpenEntries, recordParts } from '../store/bank-entries';
import { listEntries, setTimeZone } from '../store/bank-statements';
import { element, entryXml, type StatedStatement, statementFile } from '../testing/bank-inputs';
import { Bookkeeper } from '../testing/bookkeeper';
import { takeBackAsPlanned } from '../testing/take-back';
import { assignUnmatchedRow } from './assign-unmatched-row';
import {
  importSettlements,
  type ReportedRow,
  type ReportedStatement,
  type SettlementImport,
  type UnmatchedRow,
} from './import-settlements';
import { resolveEntry } from './resolve-entry';
import { readTakebackPlan, takeBackCredit } from './take-back-credit';

let database: TestDatabase;
let sql: Sql;
let books: Bookkeeper;

beforeAll(async () => {
  database = await createTestDatabase({ services: ['payments'] });
  sql = connectPostgres(database.url('payments'), 20, 'test');
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});
beforeEach(() => {
  books = new Bookkeeper(sql);
});

const author = () => ({ tenant: books.tenant, environment: 'sandbox', authority: 'operator:test' }) as const;

const dismissed = (row: number) => resolveEntry(sql, author(), row, { kind: 'not_ours', reason: 'a refund' });

async function imported(file: string, options: Partial<SettlementImport> = {}) {
  const unmatched: UnmatchedRow[] = [];
  const ignored: ReportedRow[] = [];
  const statements: ReportedStatement[] = [];
  const counts = await importSettlements({
    sql,
    isDryRun: false,
    author: author(),
    file: 'bank.xml',
    format: 'camt',
    open: () => Readable.from([Buffer.from(file)]),
    onUnmatched: (row) => unmatched.push(row),
    onIgnored: (row) => ignored.push(row),
    onStatement: (statement) => statements.push(statement),
    ...options,
  });
  return { counts, unmatched: unmatched.sort((a, b) => a.line - b.line), ignored, statements };
}

const importStatement = (...statements: StatedStatement[]) => imported(statementFile(...statements));

async function advised(reference: string, amount: number): Promise<string> {
  return books.advise({ [await books.adjudicate(amount)]: amount }, { reference });
}

async function settled(): Promise<
  { id: string; source_reference: string; amount: number; status: string }[]
> {
  return [
    ...(await sql<{ id: string; source_reference: string; amount: number; status: string }[]>`
      select id, source_reference, amount, status from settlements where project_id = ${books.tenant} order by id`),
  ];
}

const openRows = () => listOpenEntries(sql, books.tenant);

describe('the identity of an entry', () => {
  test('a number that the bank gives per statement names another entry in the next statement', async () => {
    const remittance = await advised('ERA-TWICE', 200_000);
    const day = (id: string, date: string) => ({
      id,
      entries: [{ entryReference: '0001', amount: '1000.00', date, endToEndId: 'ERA-TWICE' }],
    });
    expect((await importStatement(day('S1', '2026-11-18'))).counts).toMatchObject({ matched: 1, known: 0 });
    expect((await importStatement(day('S2', '2026-11-19'))).counts).toMatchObject({ matched: 1, known: 0 });
    expect(await books.status(remittance)).toBe('reconciled');
    expect((await importStatement(day('S2', '2026-11-19'))).counts).toMatchObject({ matched: 0, known: 1 });
  });

  test('transactions of a batch that agree in everything are each recorded', async () => {
    const remittance = await advised('ERA-ONE', 100_000);
    const refs = '<Refs><AcctSvcrRef>BATCH-9</AcctSvcrRef><EndToEndId>ERA-ONE</EndToEndId></Refs>';
    const details = `<Btch><NbOfTxs>2</NbOfTxs></Btch>${`<TxDtls>${refs}<Amt Ccy="KES">500.00</Amt></TxDtls>`.repeat(2)}`;
    const file = { id: 'S1', entries: [{ amount: '1000.00', bankReference: 'BATCH-9', details }] };
    expect((await importStatement(file)).counts).toMatchObject({ matched: 2, known: 0, unmatched: 0 });
    expect((await settled()).map(({ source_reference }) => source_reference)).toEqual([
      'BATCH-9/1/1',
      'BATCH-9/1/2',
    ]);
    expect(await books.status(remittance)).toBe('reconciled');
    expect((await importStatement(file)).counts).toMatchObject({ matched: 0, known: 2 });
  });

  test('entries of two accounts with one number are both recorded', async () => {
    const remittance = await advised('ERA-TWO', 200_000);
    const entries = [{ entryReference: '0001', amount: '1000.00', endToEndId: 'ERA-TWO' }];
    const { counts } = await importStatement(
      { id: 'S1', account: '0001', entries },
      { id: 'S2', account: '0002', entries },
    );
    expect(counts).toMatchObject({ matched: 2, known: 0 });
    expect(await books.status(remittance)).toBe('reconciled');
  });

  test('an entry without a reference of the bank that two statements of a day can both list is kept in doubt', async () => {
    await advised('ERA-1', 200_000);
    const entries = [{ amount: '1000.00', endToEndId: 'ERA-1' }];
    await importStatement({ id: 'S1', entries });
    for (const entry of [entries, [{ amount: '1000.00' }]]) {
      const { counts, unmatched } = await importStatement({ id: 'S2', entries: entry });
      expect(counts).toMatchObject({ matched: 0, known: 0, unmatched: 1 });
      expect(unmatched).toMatchObject([
        { kind: 'kept', reason: expect.stringMatching(/it can be row \d+ .*again/) },
      ]);
    }
    expect((await importStatement({ id: 'S2', entries })).counts).toMatchObject({ matched: 0, unmatched: 1 });
  });

  test('an entry with a reference of the bank that two files list is known, and in doubt if something differs', async () => {
    await advised('ERA-1', 300_000);
    const entry = { bankReference: 'A-1', amount: '1000.00', endToEndId: 'ERA-1' };
    await importStatement({ id: 'S1', entries: [entry] });
    expect((await importStatement({ id: 'S2', entries: [entry] })).counts).toMatchObject({
      known: 1,
      unmatched: 0,
    });
    for (const other of [{ amount: '999.00' }, { date: '2026-11-19' }, { endToEndId: 'ERA-2' }]) {
      const { counts, unmatched } = await importStatement({ id: 'S3', entries: [{ ...entry, ...other }] });
      expect(counts).toMatchObject({ known: 0, unmatched: 1 });
      expect(unmatched).toMatchObject([
        { kind: 'kept', reason: expect.stringContaining('its reference was used for row') },
      ]);
    }
  });

  describe('of a statement that is delivered again', () => {
    const one = { bankReference: 'A-1', amount: '1000.00', endToEndId: 'ERA-1' };
    const other = { bankReference: 'A-2', amount: '500.00', endToEndId: 'ERA-1' };
    const same = { bankReference: 'A-1', amount: '5.00', endToEndId: 'ERA-1' };

    test.each([
      [
        'another amount',
        { ...one, amount: '999.00' },
        /^its reference was used for row \d+ .*differs in the amount/,
      ],
      ['no reference of the bank', { amount: '1000.00', endToEndId: 'ERA-1' }, /it can be row \d+ .*again/],
    ])('is kept for a person, if the delivery lists a line with %s', async (_name, changed, reason) => {
      await advised('ERA-1', 300_000);
      expect((await importStatement({ id: 'S1', entries: [one, other] })).counts).toMatchObject({
        matched: 2,
      });
      for (const _time of [1, 2]) {
        const { counts, unmatched } = await importStatement({ id: 'S1', entries: [changed, other] });
        expect(counts).toMatchObject({ matched: 0, known: 1, unmatched: 1 });
        expect(unmatched).toMatchObject([{ kind: 'kept', reason: expect.stringMatching(reason) }]);
      }
      expect(await settled()).toHaveLength(2);
    });

    test('is certain beside those that the delivery lists as before, as in an import that was interrupted', async () => {
      await advised('ERA-1', 300_000);
      await importStatement({ id: 'S1', entries: [one, other] });
      expect((await importStatement({ id: 'S1', entries: [one, other, same] })).counts).toMatchObject({
        ...{ matched: 1, known: 2, unmatched: 0 },
      });
    });
  });

  test('an entry without any reference is kept, with a reason that says so, and is recognized in a second import', async () => {
    const details = '<TxDtls><RmtInf><Ustrd>TERMINAL 5501 DAY 20261118 PAYMENTS 12</Ustrd></RmtInf></TxDtls>';
    const part = (reference: string, amount: string) =>
      `<TxDtls><Refs><EndToEndId>${reference}</EndToEndId></Refs><AmtDtls><TxAmt><Amt Ccy="EUR">${amount}</Amt></TxAmt></AmtDtls></TxDtls>`;
    const file = {
      id: 'S1',
      entries: [
        { amount: '2210.40', currency: 'EUR', details },
        {
          entryReference: '2',
          amount: '612.30',
          currency: 'EUR',
          bankReference: 'BATCH-7',
          details: `<Btch><NbOfTxs>2</NbOfTxs></Btch>${part('ERA-B1', '480.30')}${part('ERA-B2', '132.00')}`,
        },
        { entryReference: '3', amount: '1.00', currency: 'EUR', endToEndId: 'ERA-B3' },
      ],
    };
    for (const _ of [1, 2]) {
      const { counts, unmatched } = await importStatement(file);
      expect(counts).toMatchObject({ rows: 4, unmatched: 4 });
      expect(unmatched.map(({ kind, amount }) => [kind, amount])).toEqual([
        ['kept', 221_040],
        ['kept', 48_030],
        ['kept', 13_200],
        ['kept', 100],
      ]);
    }
    expect((await openRows()).map(({ source_reference }) => source_reference)).toEqual([
      '0001/S1/entry 1',
      'BATCH-7/2/1',
      'BATCH-7/2/2',
      '0001/S1/3',
    ]);
  });

  test('two credits of a statement that agree in everything are two', async () => {
    const remittance = await advised('ERA-1', 200);
    const entry = { amount: '1.00', endToEndId: 'ERA-1' };
    const file = { id: 'S1', entries: [entry, entry] };
    expect((await importStatement(file)).counts).toMatchObject({ matched: 2 });
    expect(await books.status(remittance)).toBe('reconciled');
    expect((await importStatement(file)).counts).toMatchObject({ known: 2 });
  });

  test('a settlement of a client with the bank’s reference is the record of the credit, once', async () => {
    const remittance = await advised('ERA-1', 300);
    await books.observe(remittance, 100, { reference: 'A-1 ', observedAt: '2026-11-17T22:00:00Z' });
    const entry = { amount: '1.00', bankReference: 'A-1', endToEndId: 'ERA-1' };
    const file = statementFile({ id: 'S1', entries: [entry] });
    // The client's time is on the booking date of the bank's country, and on the day before in UTC.
    expect((await imported(file, { timeZone: 'Africa/Nairobi' })).counts).toMatchObject({
      known: 1,
      unmatched: 0,
    });
    expect(await openRows()).toEqual([]);
    const other = await importStatement({ id: 'S2', entries: [{ ...entry, amount: '2.00' }] });
    expect(other.counts).toMatchObject({ known: 0, unmatched: 1 });
  });
});

test('a settlement of a client is the record of one of two equal transactions of a batch', async () => {
  const remittance = await advised('ERA-1', 200);
  await books.observe(remittance, 100, { reference: 'B-1', observedAt: '2026-11-18T00:00:00Z' });
  const part = '<TxDtls><Refs><EndToEndId>ERA-1</EndToEndId></Refs><Amt Ccy="KES">1.00</Amt></TxDtls>';
  const file = { id: 'S1', entries: [{ amount: '2.00', bankReference: 'B-1', details: part + part }] };
  expect((await importStatement(file)).counts).toMatchObject({ known: 1, matched: 1 });
  expect(await books.status(remittance)).toBe('reconciled');
  expect(await openRows()).toEqual([]);
});

test('a settlement of a client that is reversed while an import finds it is not counted as a record of the entry', async () => {
  for (const round of [1, 2, 3, 4]) {
    const remittance = await advised(`ERA-RACE-${round}`, 300);
    const { id } = await books.observe(remittance, 100, {
      reference: `R-${round}`,
      observedAt: '2026-11-18T00:00:00Z',
    });
    const entry = { amount: '1.00', bankReference: `R-${round}`, endToEndId: `ERA-RACE-${round}` };
    await Promise.all([importStatement({ id: `S${round}`, entries: [entry] }), books.reverse({ id })]);
    const [stored] = await sql<{ recorded: number }[]>`
      select recorded from bank_entries where project_id = ${books.tenant} and bank_reference = ${`R-${round}`}`;
    const unreversed = (await settled()).filter(
      ({ source_reference, status }) => source_reference.startsWith(`R-${round}`) && status !== 'reversed',
    );
    expect(stored?.recorded).toBe(unreversed.reduce((sum, { amount }) => sum + amount, 0));
  }
});

test.each(['B-1', undefined])(
  'an entry that one file lists whole and another by its transactions is in doubt, whichever comes first (reference %s)',
  async (bankReference) => {
    const part = (reference: string) =>
      `<TxDtls><Refs><AcctSvcrRef>T-${reference}</AcctSvcrRef><EndToEndId>${reference}</EndToEndId></Refs><Amt Ccy="KES">1.00</Amt></TxDtls>`;
    const entry = { amount: '2.00', ...(bankReference && { bankReference }) };
    const whole = { id: 'S1', entries: [entry] };
    const parts = { id: 'N1', entries: [{ ...entry, details: part('ERA-1') + part('ERA-2') }] };
    for (const [first, second] of [
      [whole, parts],
      [parts, whole],
    ] as const) {
      books = new Bookkeeper(sql);
      await advised('ERA-1', 100);
      await importStatement(first);
      const { counts, unmatched } = await importStatement(second);
      expect(counts).toMatchObject({ matched: 0, known: 0 });
      for (const { reason } of unmatched) expect(reason).toMatch(/whole entry|is a transaction of it/);
      expect((await importStatement(first)).counts).toMatchObject({ matched: 0 });
    }
  },
);

describe('control totals', () => {
  const part = (reference: string, amount: string) =>
    `<TxDtls><Refs><AcctSvcrRef>T-${reference}</AcctSvcrRef><EndToEndId>${reference}</EndToEndId></Refs><Amt Ccy="KES">${amount}</Amt></TxDtls>`;

  test('an entry that differs from its details is kept whole, and the other entries of the file are recorded', async () => {
    const [first, other] = [await advised('ERA-S1', 100_000), await advised('ERA-S2', 50_000)];
    const details = `<Btch><NbOfTxs>3</NbOfTxs></Btch>${part('ERA-S1', '1000.00')}${part('ERA-S1', '500.00')}`;
    const { counts, unmatched } = await importStatement({
      id: 'S1',
      entries: [
        { amount: '1512.00', bankReference: 'E-001', details },
        { amount: '500.00', bankReference: 'E-002', endToEndId: 'ERA-S2' },
      ],
    });
    expect(counts).toMatchObject({ matched: 1, unmatched: 1 });
    expect(unmatched).toMatchObject([
      {
        kind: 'kept',
        amount: 151_200,
        reason:
          "the bank's totals differ: the entry is 1,512.00 KES and says 3 transactions, the file lists 2 of 1,500.00 together",
      },
    ]);
    expect([await books.status(first), await books.status(other)]).toEqual(['received', 'reconciled']);
  });

  test('a file of more statements than rows are permitted is rejected, although they have no rows', async () => {
    const file = statementFile(
      ...Array.from({ length: 4 }, (_, index) => ({ id: `S${index}`, entries: [] })),
    );
    await expect(imported(file, { maxRows: 3 })).rejects.toThrow(
      'The file has more than 3 statements, the maximum.',
    );
    expect(await sql`select from bank_statements where project_id = ${books.tenant}`).toHaveLength(0);
    await imported(file, { maxRows: 4 });
    expect(await sql`select from bank_statements where project_id = ${books.tenant}`).toHaveLength(4);
  });

  test('a statement that does not add up, or does not follow the last one, is reported, and its entries are recorded', async () => {
    await advised('ERA-1', 100);
    const balance = (type: string, amount: string) =>
      `<Bal><Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp><Amt Ccy="KES">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>`;
    const day = (number: number, closing: string) => ({
      id: `S${number}`,
      header: `<ElctrncSeqNb>${number}</ElctrncSeqNb>`,
      balances: balance('OPBD', '10.00') + balance('CLBD', closing),
      entries: [{ amount: '1.00', bankReference: `A-${number}`, endToEndId: 'ERA-1' }],
    });
    expect((await importStatement(day(7, '11.00'))).statements).toEqual([]);
    const wrong = await importStatement(day(8, '12.00'));
    expect(wrong.counts).toMatchObject({ rows: 1, unmatched: 1 });
    expect(wrong.statements).toMatchObject([
      {
        account: '0001',
        statement: 'S8 no. 8',
        differences: [expect.stringContaining('closing balance is 12.00')],
      },
    ]);
    expect((await importStatement(day(10, '11.00'))).statements).toMatchObject([
      { differences: ['statement 10 follows 8: those between them were not imported'] },
    ]);
    expect((await importStatement(day(9, '11.00'))).statements).toEqual([]);
    expect((await importStatement(day(10, '11.00'))).statements).toEqual([]);
    expect((await importStatement(day(1, '11.00'))).statements).toEqual([]);
  });
});

describe('a credit that the bank takes back', () => {
  const credit = { amount: '1200.00', bankReference: 'A-0077', endToEndId: 'ERA-BACK' };
  const back = { ...credit, indicator: 'DBIT', bankReference: 'A-0078', date: '2026-11-19' } as const;
  const first = { id: 'S1', entries: [credit] };

  test.each([
    ['with the indicator of a reversal', { ...back, isReversal: true }],
    [
      'as a return',
      entryXml({
        ...back,
        details: '<TxDtls><Refs><EndToEndId>ERA-BACK</EndToEndId></Refs><RtrInf/></TxDtls>',
      }),
    ],
    ['as a debit with the same references', back],
  ])('%s is a work item that names the settlement, and one act reverses it', async (_name, entry) => {
    const remittance = await advised('ERA-BACK', 120_000);
    const second = { id: 'S2', entries: [entry] };
    await importStatement(first);
    expect(await books.status(remittance)).toBe('reconciled');
    const [settlement] = await settled();
    const { counts, unmatched } = await importStatement(second);
    expect(counts).toMatchObject({ ignored: 0, unmatched: 1 });
    expect(unmatched).toMatchObject([
      {
        kind: 'takeback',
        amount: 120_000,
        reason: expect.stringContaining(`${settlement?.id} of ${remittance} records the credit`),
      },
    ]);
    const [row] = await openRows();
    expect(row).toMatchObject({
      type: 'takeback',
      settlements: [{ id: settlement?.id, remittance_id: remittance }],
    });
    const reversed = await takeBackAsPlanned(sql, author(), row?.row ?? 0);
    expect(reversed).toMatchObject({ data: [{ id: settlement?.id, status: 'reversed' }], problem: null });
    expect(await books.status(remittance)).toBe('received');
    expect(await openRows()).toEqual([]);
    expect(await takeBackAsPlanned(sql, author(), row?.row ?? 0)).toBeNull();
    expect((await importStatement(first)).counts).toMatchObject({ known: 1, matched: 0 });
    expect((await importStatement(second)).counts).toMatchObject({ known: 1, unmatched: 0 });
    expect(await books.sums()).toEqual({ KES: 0 });
  });

  test('before the credit was imported is the same work item afterwards', async () => {
    const remittance = await advised('ERA-BACK', 120_000);
    expect((await importStatement({ id: 'S2', entries: [back] })).counts).toMatchObject({ ignored: 1 });
    expect(await openRows()).toEqual([]);
    await importStatement(first);
    const [row] = await openRows();
    expect(row).toMatchObject({ type: 'takeback', settlements: [{ remittance_id: remittance }] });
    await takeBackAsPlanned(sql, author(), row?.row ?? 0);
    expect(await openRows()).toEqual([]);
  });

  test('of which no import has the credit can only be dismissed', async () => {
    await importStatement({ id: 'S2', entries: [{ ...back, isReversal: true }] });
    const [row] = await openRows();
    await expect(takeBackAsPlanned(sql, author(), row?.row ?? 0)).rejects.toMatchObject({
      code: 'invalid_state',
    });
    expect(await dismissed(row?.row ?? 0)).toBe(true);
    expect(
      (await importStatement({ id: 'S2', entries: [{ ...back, isReversal: true }] })).counts,
    ).toMatchObject({ dismissed: 1 });
  });

  test('in part leaves the rest of the credit open', async () => {
    const remittance = await advised('ERA-BACK', 120_000);
    await importStatement(first);
    await importStatement({ id: 'S2', entries: [{ ...back, amount: '200.00' }] });
    const [row] = await openRows();
    await takeBackAsPlanned(sql, author(), row?.row ?? 0);
    expect(await openRows()).toMatchObject([{ type: 'credit', amount: 120_000, open: 100_000 }]);
    expect(await books.status(remittance)).toBe('received');
  });

  test('in part before it was recorded leaves the rest to a person, also if a remittance has its reference now', async () => {
    await importStatement(first);
    await importStatement({ id: 'S2', entries: [{ ...back, amount: '200.00' }] });
    const takeback = (await openRows()).find(({ type }) => type === 'takeback');
    await takeBackAsPlanned(sql, author(), takeback?.row ?? 0);
    const remittance = await advised('ERA-BACK', 100_000);
    for (const isDryRun of [true, false]) {
      const { counts, unmatched } = await imported(statementFile(first), { isDryRun });
      expect(counts).toMatchObject({ known: 0, matched: 0, unmatched: 1 });
      expect(unmatched).toMatchObject([
        { kind: 'kept', reason: 'a part of it was returned, and the rest is not assigned' },
      ]);
    }
    const [row] = await openRows();
    await assignUnmatchedRow({ sql, author: author() }, row?.row ?? 0, remittance);
    expect(await books.status(remittance)).toBe('reconciled');
  });

  describe('after it was divided', () => {
    let row: number;

    /** Books a credit of 1,200.00 with 700.00 and then 300.00 assigned, of which the bank takes an amount back. */
    async function divided(amount: string): Promise<void> {
      const entry = { amount: '1200.00', bankReference: 'A-0077' };
      await importStatement({ id: 'S1', entries: [entry] });
      const [credit] = await openRows();
      for (const part of [70_000, 30_000])
        await assignUnmatchedRow(
          { sql, author: author() },
          credit?.row ?? 0,
          await advised(`ERA-${part}`, part),
          part,
        );
      await importStatement({
        id: 'S2',
        entries: [{ ...entry, amount, isReversal: true, indicator: 'DBIT', date: '2026-11-19' }],
      });
      row = (await openRows()).find(({ type }) => type === 'takeback')?.row ?? 0;
    }

    test.each([
      ['150.00', [], 5_000],
      ['200.00', [], 0],
      ['250.00', ['ERA-30000'], 25_000],
      ['1200.00', ['ERA-30000', 'ERA-70000'], 0],
    ])(
      'a takeback of %s reverses what its plan says, and leaves open what it says',
      async (amount, advices, open) => {
        await divided(amount);
        const plan = await readTakebackPlan(sql, books.tenant, row);
        expect(plan).toMatchObject({ credit: { source_reference: 'A-0077' }, open });
        expect(plan?.settlements.map(({ payer_reference }) => payer_reference)).toEqual(advices);
        const planned = plan?.settlements.map(({ id }) => id) ?? [];
        const result = await takeBackCredit(sql, author(), row, planned);
        expect(result?.data.map(({ id, status }) => [id, status])).toEqual(
          planned.map((id) => [id, 'reversed']),
        );
        expect((await settled()).filter(({ status }) => status === 'reversed')).toHaveLength(planned.length);
        expect((await openRows()).map((each) => each.open)).toEqual(open === 0 ? [] : [open]);
        expect(await books.sums()).toEqual({ KES: 0 });
      },
    );

    test('a plan that has changed since it was read is not executed', async () => {
      await divided('250.00');
      const rejected = { code: 'invalid_state' };
      await expect(takeBackCredit(sql, author(), row, [])).rejects.toMatchObject(rejected);
      const planned = (await readTakebackPlan(sql, books.tenant, row))?.settlements.map(({ id }) => id) ?? [];
      const credit = (await openRows()).find(({ type }) => type === 'credit')?.row ?? 0;
      const later = await advised('ERA-LATER', 20_000);
      await assignUnmatchedRow({ sql, author: author() }, credit, later, 20_000);
      await expect(takeBackCredit(sql, author(), row, planned)).rejects.toMatchObject(rejected);
      expect((await settled()).filter(({ status }) => status === 'reversed')).toEqual([]);
    });

    test('a reversal that is rejected after another one leaves the takeback open, and the result says which are done', async () => {
      await divided('1200.00');
      const [oldest, newest] = await settled();
      // Another command has the key of the second reversal.
      const other = await books.createSettlement(await advised('ERA-OTHER', 100), 100);
      await books.reverseSettlement(JSON.parse(other.text).id, `takeback:${row}:${oldest?.id}`);
      const result = await takeBackAsPlanned(sql, author(), row);
      expect(result).toMatchObject({
        data: [{ id: newest?.id, status: 'reversed' }],
        problem: expect.stringContaining('key'),
      });
      expect(await readTakebackPlan(sql, books.tenant, row)).toMatchObject({
        settlements: [{ id: oldest?.id }],
      });
    });
  });

  test('two acts at once on one takeback reverse once', async () => {
    await advised('ERA-BACK', 120_000);
    await importStatement(first);
    await importStatement({ id: 'S2', entries: [back] });
    const [row] = await openRows();
    await Promise.allSettled([1, 2, 3].map(() => takeBackAsPlanned(sql, author(), row?.row ?? 0)));
    expect((await settled()).map(({ status }) => status)).toEqual(['reversed']);
    expect(await openRows()).toEqual([]);
    expect(await books.sums()).toEqual({ KES: 0 });
  });

  test('of another project is not found', async () => {
    await importStatement({ id: 'S2', entries: [{ ...back, isReversal: true }] });
    const [row] = await openRows();
    const foreign = new Bookkeeper(sql);
    expect(await takeBackAsPlanned(sql, { ...author(), tenant: foreign.tenant }, row?.row ?? 0)).toBeNull();
  });
});

test('what settles nothing and needs no act of a person is counted and listed', async () => {
  const { counts, ignored } = await importStatement({
    id: 'S1',
    entries: [
      { amount: '5.00', indicator: 'DBIT', bankReference: 'D-1' },
      { amount: '6.00', isReversal: true, bankReference: 'D-2' },
      { amount: '7.00', status: 'PDNG', bankReference: 'D-3' },
    ],
  });
  expect(counts).toMatchObject({ ignored: 3, unmatched: 0 });
  expect(ignored).toMatchObject(
    [
      { line: 4, reason: expect.stringContaining('PDNG'), amount: null },
      { line: 2, reason: 'it is a debit', amount: 500, currency: 'KES' },
      { line: 3, reason: 'it takes back a debit', amount: 600 },
    ].map(({ line, ...row }) => ({ line: line + 2, ...row })),
  );
});

describe('local times', () => {
  const local = (at: Date, zone: string) =>
    new Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
      .format(at)
      .replace(' ', 'T');
  const hourAgo = () => new Date(Date.now() - 3_600_000);
  const file = (zone: string, at = hourAgo()) =>
    statementFile({
      id: 'S1',
      entries: [
        {
          amount: '1.00',
          bankReference: 'D-002',
          when: element('DtTm', local(at, zone)),
          endToEndId: 'ERA-NOW',
        },
      ],
    });

  test('belong to the zone of the project, or to that of their account', async () => {
    await advised('ERA-NOW', 300);
    const nairobi = await imported(file('Africa/Nairobi'), { timeZone: 'Africa/Nairobi' });
    expect(nairobi.counts).toMatchObject({ matched: 1, unmatched: 0 });
    await setTimeZone(sql, books.tenant, '0001', 'Pacific/Auckland');
    const auckland = statementFile({
      id: 'S2',
      entries: [
        {
          amount: '3.00',
          bankReference: 'D-003',
          when: element('DtTm', local(hourAgo(), 'Pacific/Auckland')),
          endToEndId: 'ERA-NOW',
        },
      ],
    });
    expect((await imported(auckland, { timeZone: 'UTC' })).unmatched).toMatchObject([{ kind: 'recorded' }]);
    await setTimeZone(sql, books.tenant, '0001', null);
    const later = auckland.replace('D-003', 'D-004').replace('S2', 'S3');
    expect((await imported(later, { timeZone: 'UTC' })).unmatched).toMatchObject([{ kind: 'kept' }]);
  });

  test('that are in the future are kept, and recorded when they have passed', async () => {
    await advised('ERA-NOW', 100);
    const first = await imported(file('Africa/Nairobi'));
    expect(first.unmatched).toMatchObject([
      { kind: 'kept', reason: expect.stringContaining('in the future') },
    ]);
    // The same file read in the right zone is the same entry.
    const [kept] = await openRows();
    expect(
      await assignUnmatchedRow({ sql, author: author() }, kept?.row ?? 0, await advised('ERA-X', 100)).catch(
        (error) => error.code,
      ),
    ).toBe('future_timestamp');
    expect((await imported(file('Africa/Nairobi'), { timeZone: 'Africa/Nairobi' })).counts).toMatchObject({
      rows: 1,
    });
    expect(await openRows()).toEqual([]);
  });
});

test('one deposit is divided among several remittances, with what remains open', async () => {
  const remittances = [await advised('ERA-BUN-1', 100_000), await advised('ERA-BUN-2', 200_000)];
  const details =
    '<TxDtls><Refs><EndToEndId>NOTPROVIDED</EndToEndId></Refs><RmtInf><Ustrd>ERA-BUN-1 ERA-BUN-2</Ustrd></RmtInf></TxDtls>';
  const file = { id: 'S1', entries: [{ amount: '3000.00', bankReference: 'DEP-001', details }] };
  expect((await importStatement(file)).unmatched).toMatchObject([
    { kind: 'kept', reason: 'its text names no remittance, or several' },
  ]);
  const [row] = await openRows();
  const assign = (remittance = '', amount?: number) =>
    assignUnmatchedRow({ sql, author: author() }, row?.row ?? 0, remittance, amount);
  await expect(assign(remittances[0], 300_001)).rejects.toMatchObject({ code: 'validation_failed' });
  expect(await assign(remittances[0], 100_000)).toMatchObject({
    source_reference: 'DEP-001',
    status: 'matched',
  });
  expect(await openRows()).toMatchObject([{ amount: 300_000, open: 200_000 }]);
  expect((await importStatement(file)).counts).toMatchObject({ known: 0, unmatched: 1 });
  expect(await assign(remittances[1])).toMatchObject({ source_reference: 'DEP-001#2', status: 'matched' });
  expect(await openRows()).toEqual([]);
  expect(await Promise.all(remittances.map((id) => books.status(id)))).toEqual(['reconciled', 'reconciled']);
  expect((await importStatement(file)).counts).toMatchObject({ known: 1 });
});

describe('a settlement that names an imported credit by its source_reference', () => {
  const deposit = () => importStatement({ id: 'S1', entries: [{ amount: '3.00', bankReference: 'DEP-1' }] });

  test('records the credit, so that no person and no import records it again', async () => {
    const [first, second] = [await advised('ERA-1', 300), await advised('ERA-2', 300)];
    await deposit();
    const [row] = await openRows();
    await books.observe(first, 200, { reference: 'dep 1'.toUpperCase().replace(' ', '-') });
    expect(await openRows()).toMatchObject([{ amount: 300, open: 100 }]);
    await assignUnmatchedRow({ sql, author: author() }, row?.row ?? 0, second, null);
    expect((await settled()).map(({ source_reference, amount }) => [source_reference, amount])).toEqual([
      ['DEP-1', 200],
      ['DEP-1#2', 100],
    ]);
    expect(await openRows()).toEqual([]);
    expect((await deposit()).counts).toMatchObject({ known: 1, matched: 0, unmatched: 0 });
  });

  test('is rejected if it is more than what is open, or in another currency', async () => {
    const [first, second] = [await advised('ERA-1', 300), await advised('ERA-2', 300)];
    await deposit();
    const [row] = await openRows();
    await assignUnmatchedRow({ sql, author: author() }, row?.row ?? 0, first, 100);
    const [settlement] = await settled();
    await books.reverseSettlement(settlement?.id ?? '');
    await assignUnmatchedRow({ sql, author: author() }, row?.row ?? 0, first, 200);
    await importStatement({ id: 'S2', entries: [{ amount: '5.00', bankReference: 'DEP-2' }] });
    await expect(books.observe(second, 501, { reference: 'DEP-2' })).rejects.toMatchObject({
      code: 'invalid_state',
      message: expect.stringMatching(
        /row \d+ of the imported bank files, of which 500 in minor units of KES/,
      ),
    });
    expect(await openRows()).toMatchObject([{ open: 100 }, { open: 500 }]);
  });

  test('and was recorded before the import, in shares of several advices, is recognized in the bank file', async () => {
    const [paid, other] = [await books.adjudicate(100), await books.adjudicate(200)];
    const first = await books.adviceOf({ allocations: [{ claim_id: paid, paid_amount: 100 }], net: 100 });
    const second = await books.adviceOf({ allocations: [{ claim_id: other, paid_amount: 200 }], net: 200 });
    const parts = [
      { id: first.id, amount: 100 },
      { id: second.id, amount: 200 },
    ];
    await books.observeDeposit(parts, { reference: 'DEP-1' });
    const entries = [{ amount: '3.00', bankReference: 'DEP-1', date: '2026-01-07' }];
    expect((await importStatement({ id: 'S1', entries })).counts).toMatchObject({ known: 1, unmatched: 0 });
    expect(await openRows()).toEqual([]);
    expect(
      await sql`select from settlements where project_id = ${books.tenant} and bank_entry_id is null`,
    ).toHaveLength(0);
  });

  test('and differs from it keeps the credit for a person, who can record it only after the settlement is reversed', async () => {
    const [first, second] = [await advised('ERA-1', 300), await advised('ERA-2', 300)];
    const { id } = await books.observe(first, 200, { reference: 'DEP-1' });
    await deposit();
    const [row] = await openRows();
    expect(row).toMatchObject({ doubt: `its reference was used for another settlement, ${id}` });
    const assign = () => assignUnmatchedRow({ sql, author: author() }, row?.row ?? 0, second);
    await expect(assign()).rejects.toMatchObject({
      code: 'invalid_state',
      message: expect.stringContaining(id),
    });
    await importStatement({
      id: 'S2',
      entries: [{ amount: '3.00', bankReference: 'DEP-1', indicator: 'DBIT', isReversal: true }],
    });
    const takeback = (await openRows()).find(({ type }) => type === 'takeback');
    await expect(takeBackCredit(sql, author(), takeback?.row ?? 0, [])).rejects.toMatchObject({
      code: 'invalid_state',
      message: expect.stringContaining(id),
    });
    await books.reverseSettlement(id);
    expect(await assign()).toMatchObject({ source_reference: 'DEP-1#2' });
  });

  describe('of which a part was reversed before the import', () => {
    /** Records 400 and 600 in minor units, reverses the first, and imports a credit. @returns the settlements */
    async function reversedInPart(amount: string) {
      const [first, second] = [await advised('ERA-1', 400), await advised('ERA-2', 600)];
      const parts = [
        { id: first.replace('rem_', 'adv_'), amount: 400 },
        { id: second.replace('rem_', 'adv_'), amount: 600 },
      ];
      const { id } = await books.observeDeposit(parts, { reference: 'DEP-1' });
      await books.reverseSettlement(id);
      const entries = [{ amount, bankReference: 'DEP-1', date: '2026-01-07' }];
      const { unmatched } = await importStatement({ id: 'S1', entries });
      expect(unmatched).toMatchObject([{ kind: 'kept', reason: `its settlement ${id} was reversed` }]);
      const [row] = await openRows();
      const assign = () => assignUnmatchedRow({ sql, author: author() }, row?.row ?? 0, first);
      return { open: row?.open, assign, settlements: await settled() };
    }

    test('and recorded again, the credit is recorded', async () => {
      const [first, second] = [await advised('ERA-1', 400), await advised('ERA-2', 600)];
      const parts = [first, second].map((id, index) => ({
        id: id.replace('rem_', 'adv_'),
        amount: [400, 600][index] ?? 0,
      }));
      const { id } = await books.observeDeposit(parts, { reference: 'DEP-1' });
      await books.reverseSettlement(id);
      await books.observe(first, 400, { reference: 'DEP-1#3' });
      const entries = [{ amount: '10.00', bankReference: 'DEP-1', date: '2026-01-07' }];
      expect((await importStatement({ id: 'S1', entries })).unmatched).toEqual([]);
      expect(await openRows()).toEqual([]);
    });

    test('leaves that part of the credit open', async () => {
      const { open, assign } = await reversedInPart('10.00');
      expect(open).toBe(400);
      expect(await assign()).toMatchObject({
        ...{ amount: { observed: 400 }, source_reference: 'DEP-1#3' },
      });
      expect(await openRows()).toEqual([]);
    });

    test('keeps a credit that differs for a person, who can record it only after the other part is reversed', async () => {
      const { open, assign, settlements } = await reversedInPart('9.00');
      const other = settlements.find(({ status }) => status !== 'reversed')?.id ?? '';
      expect(open).toBe(900);
      await expect(assign()).rejects.toMatchObject({
        code: 'invalid_state',
        message: expect.stringContaining(other),
      });
      await books.reverseSettlement(other);
      expect(await assign()).toMatchObject({ amount: { observed: 900 } });
    });
  });

  describe('with the reference of a batch', () => {
    const transactions = ['4.00', '6.00'].map((part) => `<TxDtls><Amt Ccy="KES">${part}</Amt></TxDtls>`);
    const batch = () =>
      importStatement({
        id: 'S1',
        entries: [{ amount: '10.00', bankReference: 'DEP-1', details: transactions.join('') }],
      });
    const assignAll = async (remittance: string) => {
      for (const { row } of await openRows())
        await assignUnmatchedRow({ sql, author: author() }, row, remittance);
    };

    test.each(['DEP-1', 'dep-1#2'.toUpperCase()])(
      'is rejected after its transactions were imported, as %s',
      async (reference) => {
        const remittance = await advised('ERA-1', 1_000);
        await batch();
        await expect(books.observe(remittance, 1_000, { reference })).rejects.toMatchObject({
          code: 'invalid_state',
          message: expect.stringMatching(/row \d+, one of them, has DEP-1\/1\/1/),
        });
        await assignAll(remittance);
        expect(await books.status(remittance)).toBe('reconciled');
        await expect(books.observe(remittance, 1_000, { reference })).rejects.toMatchObject({
          code: 'invalid_state',
        });
      },
    );

    test('and was recorded before the import keeps the transactions for a person, who can record them only after it is reversed', async () => {
      const remittance = await advised('ERA-1', 1_000);
      const { id } = await books.observe(remittance, 1_000, { reference: 'DEP-1' });
      await batch();
      await expect(assignAll(remittance)).rejects.toMatchObject({
        code: 'invalid_state',
        message: expect.stringContaining(id),
      });
      await books.reverseSettlement(id);
      await assignAll(remittance);
      expect(await books.status(remittance)).toBe('reconciled');
    });
  });

  test('that is a part of the credit by its reference records it too', async () => {
    const remittance = await advised('ERA-1', 300);
    await deposit();
    await books.observe(remittance, 200, { reference: 'DEP-1#2' });
    expect(await openRows()).toMatchObject([{ amount: 300, open: 100 }]);
    await expect(books.observe(remittance, 200, { reference: 'DEP-1#3' })).rejects.toMatchObject({
      code: 'invalid_state',
    });
  });

  test('in parts of several advices records the credit with all of them', async () => {
    const claims = [await books.adjudicate(100), await books.adjudicate(200)];
    const advices = await Promise.all(
      claims.map((claim_id, index) =>
        books.adviceOf({
          allocations: [{ claim_id, paid_amount: 100 * (index + 1) }],
          net: 100 * (index + 1),
        }),
      ),
    );
    await deposit();
    const parts = advices.map(({ id }, index) => ({ id, amount: 100 * (index + 1) }));
    await books.observeDeposit(parts, { reference: 'DEP-1' });
    expect(await openRows()).toEqual([]);
    expect(await settled()).toHaveLength(2);
  });
});

test('two assignments of one deposit at once never record more than it has', async () => {
  const remittances = [await advised('ERA-1', 300), await advised('ERA-2', 300)];
  await importStatement({ id: 'S1', entries: [{ amount: '3.00', bankReference: 'DEP-1' }] });
  const [row] = await openRows();
  await Promise.allSettled(
    remittances.flatMap((id) =>
      [100, 200, 300].map((amount) =>
        assignUnmatchedRow({ sql, author: author() }, row?.row ?? 0, id, amount),
      ),
    ),
  );
  const recorded = (await settled()).reduce((sum, { amount }) => sum + amount, 0);
  const open = (await openRows()).reduce((sum, entry) => sum + entry.open, 0);
  expect(recorded + open).toBe(300);
});

test('an import lists an entry again while another transaction records it', async () => {
  await importStatement({ id: 'S1', entries: [{ amount: '3.00', bankReference: 'DEP-1' }] });
  const [{ row } = { row: 0 }] = await openRows();
  await sql.begin(async (recording) => {
    await recordParts(recording, books.tenant, [{ row, amount: 100 }]);
    await sql.begin(async (listing) => {
      await listing`set local lock_timeout = '2s'`;
      await listEntries(listing, books.tenant, [{ account: '0001', statement: 'S2', page: null, row }]);
    });
  });
});

test('a part of a list of acts is recorded once, also by two executions at once and when nothing is open any more; its equal is another part', async () => {
  const remittance = await advised('ERA-1', 500);
  await importStatement({ id: 'S1', entries: [{ amount: '3.00', bankReference: 'DEP-1' }] });
  const [row] = await openRows();
  const assign = (amount: number | null, ordinal: number) =>
    assignUnmatchedRow({ sql, author: author() }, row?.row ?? 0, remittance, amount, ordinal);
  const [first, ...others] = await Promise.all([1, 1, 1].map((ordinal) => assign(100, ordinal)));
  expect(others.map((each) => each?.id)).toEqual([first?.id, first?.id]);
  expect(await openRows()).toMatchObject([{ open: 200 }]);
  const second = await assign(100, 2);
  expect(second?.id).not.toBe(first?.id);
  const rest = await assign(null, 1);
  expect(rest).toMatchObject({ amount: { observed: 100 } });
  for (const again of [assign(100, 1), assign(100, 2), assign(null, 1)])
    expect(await again).toMatchObject({ source_reference: expect.stringContaining('DEP-1') });
  expect(await settled()).toHaveLength(3);
  await books.reverseSettlement(rest?.id ?? '');
  expect((await assign(null, 1))?.id).not.toBe(rest?.id);
});

describe('references that people type', () => {
  const typed = [
    ['a no-break space', 'BANK-100\u00a0'],
    ['a space', ' BANK-100'],
    ['a tab', 'BANK-\t100'],
    ['a line feed', 'BANK-100\n'],
    ['a zero-width space', 'BANK\u200b-100'],
    ['full width', 'ＢＡＮＫ-100'],
  ] as const;

  test.each(typed)(
    '%s is no difference between settlements, nor between remittances',
    async (_name, reference) => {
      const remittance = await advised('BANK-100', 200_000);
      await books.observe(remittance, 100_000, { reference: 'BANK-100' });
      await expect(books.observe(remittance, 100_000, { reference })).rejects.toMatchObject({
        code: 'duplicate_settlement_reference',
      });
      await expect(advised(reference, 1)).rejects.toMatchObject({ code: 'duplicate_remittance_reference' });
      expect(await books.status(remittance)).toBe('received');
    },
  );

  test('are stored as they were given, and case is a difference', async () => {
    const remittance = await advised('era\u00a01', 200);
    await advised('ERA 1', 200);
    const { source_reference } = await books.observe(remittance, 100, { reference: ' bank 1' });
    expect(source_reference).toBe(' bank 1');
    await books.observe(remittance, 100, { reference: 'BANK 1' });
    expect(await books.status(remittance)).toBe('reconciled');
  });

  test('without a visible character are rejected', async () => {
    const remittance = await advised('ERA-1', 200);
    await expect(books.observe(remittance, 100, { reference: ' \u200b\u00a0' })).rejects.toMatchObject({
      code: 'validation_failed',
      message: '/source_reference must have at least one visible character.',
    });
    await expect(advised('\u200b\u200b\u200b', 1)).rejects.toMatchObject({ code: 'validation_failed' });
  });

  test('in print match the electronic form, and in another case too', async () => {
    const remittance = await advised('RF18539007547034', 100);
    const details =
      '<TxDtls><RmtInf><Strd><CdtrRefInf><Ref>rf18 5390 0754 7034</Ref></CdtrRefInf></Strd></RmtInf></TxDtls>';
    await importStatement({ id: 'S1', entries: [{ amount: '1.00', bankReference: 'A-1', details }] });
    expect(await books.status(remittance)).toBe('reconciled');
  });
});
