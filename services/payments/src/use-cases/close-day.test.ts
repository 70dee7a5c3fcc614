/** Tests that closing a day says where each row ends, and in what the bank, the ledger, the advices and the receivables differ. */
import { Readable } from 'node:stream';
import { connectPostgres, type Sql } from '@carecover/postgres';
import { createTestDatabase, type TestDatabase } from '@carecover/testing/servers';
import { newTenant } from '@carecover/testing/services';
import { listOpenEntries } from '../store/bank-entries';
import type { EntryDecision } from '../store/entry-resolutions';
import { entryXml, type StatedEntry, statementFile } from '../testing/bank-inputs';
import { Bookkeeper } from '../testing/bookkeeper';
import { takeBackAsPlanned } from '../testing/take-back';
import { assignUnmatchedRow } from './assign-unmatched-row';
import { closeDay } from './close-day';
import { importSettlements } from './import-settlements';
import { resolveEntry } from './resolve-entry';

let database: TestDatabase;
let sql: Sql;
let books: Bookkeeper;
/** What the imports of the test report about statements. */
let reported: string[];

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
  reported = [];
});

const DAY = '2026-11-18';
const author = () => ({ tenant: books.tenant, environment: 'sandbox', authority: 'operator:test' }) as const;

function balance(type: 'OPBD' | 'CLBD' | 'ITBD', amount: string, day = DAY): string {
  return `<Bal><Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp><Amt Ccy="KES">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd>
<Dt><Dt>${day}</Dt></Dt></Bal>`;
}

interface Stated {
  readonly id?: string;
  readonly day?: string;
  readonly opening?: string;
  readonly closing?: string;
  readonly number?: number;
  readonly header?: string;
  readonly entries: readonly StatedEntry[];
}

async function importStatement({ id = 'S1', day = DAY, opening, closing, number, header, entries }: Stated) {
  const balances =
    opening === undefined || closing === undefined
      ? ''
      : balance('OPBD', opening, day) + balance('CLBD', closing, day);
  const xml = statementFile({
    id,
    header: (header ?? '') + (number === undefined ? '' : `<ElctrncSeqNb>${number}</ElctrncSeqNb>`),
    balances,
    entries: entries.map((entry) => entryXml({ date: day, ...entry })),
  });
  return importFile(xml, 'bank.xml', 'camt');
}

function importFile(text: string, file: string, format: 'camt' | 'csv') {
  const open = () => Readable.from([Buffer.from(text)]);
  return importSettlements({
    sql,
    isDryRun: false,
    author: author(),
    file,
    format,
    open,
    timeZone: 'Africa/Nairobi',
    onStatement: ({ differences }) => reported.push(...differences),
  });
}

function close(day: string | null = DAY, outstanding = 0) {
  const readOutstanding = async () => [{ currency: 'KES', amount: outstanding }];
  return closeDay({ sql, readOutstanding }, books.tenant, { day, timeZone: 'Africa/Nairobi' });
}

async function advised(reference: string, amount: number): Promise<string> {
  return books.advise({ [await books.adjudicate(amount)]: amount }, { reference });
}

async function decide(reference: string, decision: EntryDecision): Promise<boolean> {
  const [row] = await sql<{ id: number }[]>`
    select id from bank_entries where project_id = ${books.tenant} and source_reference = ${reference}`;
  return resolveEntry(sql, author(), row?.id ?? 0, decision);
}

const says = (closed: Awaited<ReturnType<typeof close>>) =>
  [...closed.accounts, ...closed.positions].flatMap(({ differences }) =>
    differences.map((each) => each.says),
  );

const TOMORROW = () => new Date(Date.now() + 86_400_000);

test('each row of a day ends in one state, and what waits is the difference between bank and ledger', async () => {
  await advised('ERA-1', 100_000);
  await importStatement({
    opening: '50.00',
    closing: '2340.00',
    entries: [
      { bankReference: 'A-1', amount: '1000.00', endToEndId: 'ERA-1' },
      { bankReference: 'A-2', amount: '700.00', endToEndId: 'ERA-2' },
      { bankReference: 'A-3', amount: '600.00' },
      { bankReference: 'A-4', amount: '10.00', indicator: 'DBIT' },
    ],
  });
  const open = await close();
  expect(open).toMatchObject({ day: DAY, is_equal: false });
  expect(open.accounts).toMatchObject([
    {
      account: '0001',
      currency: 'KES',
      opening: 5_000,
      closing: 234_000,
      statements: [{ statement: 'S1', opening: 5_000, closing: 234_000 }],
      states: {
        matched: { count: 1, credits: 100_000, debits: 0 },
        expected: { count: 0 },
        returned: { count: 0 },
        not_ours: { count: 1, credits: 0, debits: 1_000 },
        open: { count: 2, credits: 130_000, debits: 0 },
      },
      differences: [{ kind: 'open', amount: 130_000 }],
    },
  ]);
  expect(open.rows).toMatchObject([
    {
      source_reference: 'A-2',
      state: 'open',
      reason: 'no remittance has the reference ERA-2',
      ...{ decided_by: null, remittance_id: null, is_decidable: true },
    },
    { source_reference: 'A-3', state: 'open', reason: 'it names no remittance' },
    {
      ...{ source_reference: 'A-4', state: 'not_ours', reason: 'it is a debit', decided_by: null },
      is_decidable: false,
    },
  ]);

  expect(await decide('A-2', { kind: 'expected', until: TOMORROW(), reason: 'the advice follows' })).toBe(
    true,
  );
  expect(await decide('A-3', { kind: 'not_ours', reason: 'rent of the subtenant' })).toBe(true);
  const equal = await close();
  expect(equal).toMatchObject({ is_equal: true });
  expect(equal.rows).toMatchObject([
    {
      state: 'expected',
      reason: 'the advice follows',
      decided_by: 'operator:test',
      expected_until: expect.any(Date),
    },
    { state: 'not_ours', reason: 'rent of the subtenant', decided_by: 'operator:test' },
    { state: 'not_ours', reason: 'it is a debit' },
  ]);
  expect(await listOpenEntries(sql, books.tenant)).toEqual([]);
});

describe('a decision about a row', () => {
  beforeEach(async () => {
    await importStatement({ entries: [{ bankReference: 'A-1', amount: '700.00', endToEndId: 'ERA-1' }] });
  });

  test('is undone once, with a reason', async () => {
    const reopened = { kind: 'reopened', reason: 'a mistake' } as const;
    expect(await decide('A-1', reopened)).toBe(false);
    for (const decision of [
      { kind: 'not_ours', reason: 'a refund' },
      { kind: 'expected', until: TOMORROW(), reason: 'the advice follows' },
    ] as const) {
      expect(await decide('A-1', decision)).toBe(true);
      expect(await listOpenEntries(sql, books.tenant)).toEqual([]);
      expect(await decide('A-1', reopened)).toBe(true);
      expect(await listOpenEntries(sql, books.tenant)).toHaveLength(1);
      expect(await decide('A-1', reopened)).toBe(false);
    }
    const history = await sql<{ kind: string; authority: string }[]>`
      select kind, authority from bank_entry_resolutions where project_id = ${books.tenant} order by id`;
    expect(history.map(({ kind }) => kind)).toEqual(['not_ours', 'reopened', 'expected', 'reopened']);
  });

  test('that expects it ends at its time, and an import until then counts it as dismissed', async () => {
    await decide('A-1', { kind: 'expected', until: TOMORROW(), reason: 'the advice follows' });
    const again = () =>
      importStatement({ entries: [{ bankReference: 'A-1', amount: '700.00', endToEndId: 'ERA-1' }] });
    expect(await again()).toMatchObject({ dismissed: 1, unmatched: 0 });
    await sql`update bank_entries set expected_until = platform.now() where project_id = ${books.tenant}`;
    expect(await listOpenEntries(sql, books.tenant)).toHaveLength(1);
    expect((await close()).accounts[0]?.states.open.count).toBe(1);
    expect(await again()).toMatchObject({ dismissed: 0, unmatched: 1 });
  });

  test('does not keep a credit from its remittance', async () => {
    await decide('A-1', { kind: 'expected', until: TOMORROW(), reason: 'the advice follows' });
    await advised('ERA-1', 70_000);
    const again = { entries: [{ bankReference: 'A-1', amount: '700.00', endToEndId: 'ERA-1' }] };
    expect(await importStatement(again)).toMatchObject({ matched: 1 });
    expect(await close()).toMatchObject({ is_equal: true, rows: [] });
    expect(await decide('A-1', { kind: 'not_ours', reason: 'late' })).toBe(false);
  });

  test('needs a reason and a time that has not passed', async () => {
    const rejected = { code: 'validation_failed' };
    for (const reason of ['', ' ', 'x'.repeat(201)])
      await expect(decide('A-1', { kind: 'not_ours', reason })).rejects.toMatchObject(rejected);
    const past = { kind: 'expected', until: new Date(0), reason: 'why' } as const;
    await expect(decide('A-1', past)).rejects.toMatchObject(rejected);
  });

  test('of another project is not possible', async () => {
    const [row] = await listOpenEntries(sql, books.tenant);
    const other = { ...author(), tenant: newTenant() };
    expect(await resolveEntry(sql, other, row?.row ?? 0, { kind: 'not_ours', reason: 'why' })).toBe(false);
    const foreign = await closeDay({ sql, readOutstanding: async () => [] }, other.tenant, {
      day: DAY,
      timeZone: 'UTC',
    });
    expect(foreign).toMatchObject({ is_equal: true, accounts: [], positions: [], rows: [] });
  });
});

test('a returned credit and what the bank took back are returned on their days', async () => {
  const remittance = await advised('ERA-1', 70_000);
  const credit = { bankReference: 'A-1', amount: '700.00', endToEndId: 'ERA-1' };
  await importStatement({ opening: '0.00', closing: '700.00', entries: [credit] });
  await importStatement({
    id: 'S2',
    day: '2026-11-19',
    opening: '700.00',
    closing: '0.00',
    entries: [{ ...credit, bankReference: 'B-1', indicator: 'DBIT', isReversal: true }],
  });
  expect(says(await close('2026-11-19', 0))).toEqual(['1 row waits for a person']);
  const [takeback] = await listOpenEntries(sql, books.tenant);
  await takeBackAsPlanned(sql, author(), takeback?.row ?? 0);
  for (const [day, sums] of [
    [DAY, { count: 1, credits: 70_000, debits: 0 }],
    ['2026-11-19', { count: 1, credits: 0, debits: 70_000 }],
  ] as const) {
    const closed = await close(day, 70_000);
    expect([day, says(closed)]).toEqual([day, []]);
    expect(closed.accounts[0]?.states.returned).toEqual(sums);
    expect(closed.rows).toMatchObject([
      { state: 'returned', reason: expect.stringMatching(/row \d+/), is_decidable: false },
    ]);
  }
  expect(await books.status(remittance)).toBe('received');
});

test('a row whose settlement waits unmatched is open, with its remittance', async () => {
  const remittance = await advised('ERA-1', 50_000);
  await importStatement({ entries: [{ bankReference: 'A-1', amount: '700.00', endToEndId: 'ERA-1' }] });
  const closed = await close(DAY, 50_000);
  expect(closed.rows).toMatchObject([
    {
      ...{ state: 'open', part: 70_000, remittance_id: remittance, is_decidable: false },
      reason: expect.stringContaining(`waits unmatched in ${remittance}`),
    },
  ]);
  expect(await decide('A-1', { kind: 'not_ours', reason: 'rent' })).toBe(false);
  expect(says(closed)).toEqual(['1 row waits for a person']);
});

test('the parts of a divided row are in their states, and the row in one', async () => {
  const remittance = await advised('ERA-9', 30_000);
  await importStatement({
    opening: '0.00',
    closing: '700.00',
    entries: [{ bankReference: 'A-1', amount: '700.00' }],
  });
  const [row] = await listOpenEntries(sql, books.tenant);
  await assignUnmatchedRow({ sql, author: author() }, row?.row ?? 0, remittance, 30_000);
  await decide('A-1', { kind: 'not_ours', reason: 'the rest is rent' });
  const { accounts, is_equal } = await close();
  expect(is_equal).toBe(true);
  expect(accounts[0]?.states).toMatchObject({
    matched: { count: 0, credits: 30_000 },
    not_ours: { count: 1, credits: 40_000 },
  });
});

describe('an advice with other lines than payments', () => {
  test('whose net a row shows leaves no difference', async () => {
    const [paid, old] = [await books.adjudicate(10_000), await books.adjudicate(5_000)];
    await books.observe(await books.advise({ [old]: 5_000 }), 5_000, {
      observedAt: '2026-11-01T00:00:00Z',
    });
    await books.adviceOf({
      payer_reference: 'ERA-NET',
      allocations: [{ claim_id: paid, paid_amount: 10_000 }],
      recoveries: [{ claim_id: old, amount: 2_000 }],
      adjustments: [{ kind: 'fee', amount: -500 }],
      net: 7_500,
    });
    await importStatement({
      opening: '0.00',
      closing: '75.00',
      entries: [{ bankReference: 'A-1', amount: '75.00', endToEndId: 'ERA-NET' }],
    });
    const outstanding = 2_000;
    const closed = await close(DAY, outstanding);
    expect(says(closed)).toEqual([]);
    expect(closed).toMatchObject({ is_equal: true });
  });

  test('whose net needs no transfer is no settlement that a row must show', async () => {
    const claim = await books.adjudicate(5_000);
    await books.observe(await books.advise({ [claim]: 5_000 }), 5_000, {
      observedAt: '2026-11-01T00:00:00Z',
    });
    await books.adviceOf({
      received_at: `${DAY}T10:00:00Z`,
      allocations: [{ claim_id: claim, paid_amount: 2_000 }],
      recoveries: [{ claim_id: claim, amount: 2_000 }],
      net: 0,
    });
    expect(says(await close())).toEqual([]);
  });

  test('of which the deposit of a takeback comes before that of the payment agrees with the receivables', async () => {
    const [claim, other] = [await books.adjudicate(5_000), await books.adjudicate(3_000)];
    await books.advise({ [claim]: 5_000 });
    const { remittance_id } = await books.adviceOf({
      allocations: [{ claim_id: other, paid_amount: 3_000 }],
      recoveries: [{ claim_id: claim, amount: 2_000 }],
      net: 1_000,
    });
    await books.observe(remittance_id, 1_000, { observedAt: '2026-11-01T00:00:00Z' });
    expect(says(await close(DAY, 5_000))).toEqual([]);
  });
});

describe('a statement', () => {
  const entry = { bankReference: 'A-1', amount: '100.00', indicator: 'DBIT' } as const;

  test('of which a row is rejected differs by its amount', async () => {
    const long = { amount: '25.00', bankReference: 'x'.repeat(201) };
    await importStatement({ opening: '100.00', closing: '25.00', entries: [entry, long] });
    expect(says(await close())).toEqual([
      'statement S1: 1 row was rejected and not stored',
      'statement S1: it opens with 100.00 KES and closes with 25.00 KES, and its stored rows are -100.00 KES',
    ]);
  });

  test('that says another total, follows a gap, or opens with another balance is reported', async () => {
    await importStatement({
      id: 'S1',
      day: '2026-11-17',
      number: 1,
      opening: '200.00',
      closing: '200.00',
      entries: [],
    });
    await importStatement({ id: 'S3', number: 3, opening: '150.00', closing: '50.00', entries: [entry] });
    expect(says(await close())).toEqual([
      'statement S3 no. 3: its number 3 follows 1; those between them were not imported',
      'statement S3 no. 3: it opens with 150.00 KES, and statement S1 no. 1 before it closes with 200.00 KES',
    ]);
    const between = { id: 'S2', day: '2026-11-17', number: 2, opening: '200.00', closing: '150.00' };
    await importStatement({ ...between, entries: [{ ...entry, bankReference: 'A-0', amount: '50.00' }] });
    expect(says(await close())).toEqual([]);
    expect(says(await close('2026-11-17'))).toEqual([]);
  });

  test('follows the one that closed before it, although an earlier year or a notification has the number between', async () => {
    const numbered = (id: string, day: string, number: number) =>
      importStatement({ id, day, number, opening: '0.00', closing: '0.00', entries: [] });
    await numbered('Y1-1', '2025-11-16', 1);
    await numbered('Y1-2', '2025-11-17', 2);
    await numbered('Y1-3', '2025-11-18', 3);
    await numbered('Y2-1', '2026-11-15', 1);
    await numbered('Y2-2', '2026-11-16', 2);
    await importStatement({
      id: 'N3',
      day: '2026-11-17',
      number: 3,
      entries: [{ ...entry, bankReference: 'A-9' }],
    });
    expect(reported).toEqual([]);
    await numbered('Y2-4', DAY, 4);
    expect(reported).toEqual(['statement 4 follows 2: those between them were not imported']);
    expect(says(await close())).toEqual([
      'statement Y2-4 no. 4: its number 4 follows 2; those between them were not imported',
    ]);
  });

  test('that came in two forms has the sum of its entries once', async () => {
    const forms = [undefined, '<StmtPgntn><PgNb>1</PgNb><LastPgInd>true</LastPgInd></StmtPgntn>'];
    for (const header of forms)
      await importStatement({
        ...(header === undefined ? {} : { header }),
        opening: '100.00',
        closing: '0.00',
        entries: [entry],
      });
    expect(says(await close())).toEqual([]);
  });

  test('of several pages is compared as a whole, and its missing last page is reported', async () => {
    const page = (number: number) => `<StmtPgntn><PgNb>${number}</PgNb></StmtPgntn>`;
    const statement = (
      number: number,
      from: ['OPBD' | 'ITBD', string],
      to: ['CLBD' | 'ITBD', string],
      reference: string,
    ) =>
      importFile(
        statementFile({
          id: 'S1',
          header: page(number),
          balances: balance(...from) + balance(...to),
          entries: [{ ...entry, date: DAY, bankReference: reference }],
        }),
        `page-${number}.xml`,
        'camt',
      );
    await statement(1, ['OPBD', '300.00'], ['ITBD', '200.00'], 'A-1');
    expect(says(await close())).toEqual(['statement S1: its last page was not imported']);
    await statement(2, ['ITBD', '200.00'], ['CLBD', '100.00'], 'A-2');
    const closed = await close();
    expect(says(closed)).toEqual([]);
    expect(closed.accounts).toMatchObject([{ opening: 30_000, closing: 10_000 }]);
  });

  test('that does not list a row of the day leaves it as a difference', async () => {
    await importStatement({ opening: '100.00', closing: '0.00', entries: [entry] });
    await importStatement({ id: 'N1', entries: [entry, { ...entry, bankReference: 'A-2' }] });
    expect(says(await close())).toEqual(['1 row is in no imported statement of the day']);
  });

  test('without balances, and rows of a CSV file, have no balance to compare', async () => {
    await importFile(
      'source_reference,payer_reference,currency,amount,observed_at\nB-1,,KES,100,2026-11-18\n',
      'bank.csv',
      'csv',
    );
    expect((await close()).accounts).toMatchObject([{ account: '', opening: null, closing: null }]);
    await decide('B-1', { kind: 'not_ours', reason: 'rent' });
    expect(await close()).toMatchObject({ is_equal: true });
  });
});

describe('the position of a project', () => {
  test('is equal to what claims says, and each difference is reported', async () => {
    const claim = await books.adjudicate(500);
    await books.advise({ [claim]: 300 });
    expect(await close(DAY, 500)).toMatchObject({
      is_equal: true,
      positions: [
        { currency: 'KES', settled: 0, advised: 300, outstanding: 500, advices: 300, receivables: 500 },
      ],
    });
    expect(says(await close(DAY, 400))).toEqual([
      'what payers owe is 5.00 KES in the ledger and 4.00 KES by the receivables',
    ]);
  });

  test('without the claims service says that the receivables are not known', async () => {
    await books.adjudicate(500);
    books.claims.outstanding = null;
    const readOutstanding = () => books.claims.outstandingAt();
    const closed = await closeDay({ sql, readOutstanding }, books.tenant, { day: DAY, timeZone: 'UTC' });
    expect(says(closed)).toEqual([
      'the receivables in KES are not known: the claims service did not respond',
    ]);
  });

  test('names the settlements of the day that no row shows, by the days of the time zone', async () => {
    const remittance = await books.advise({ [await books.adjudicate(500)]: 500 });
    // 01:00 of the 18th in Nairobi.
    await books.createSettlement(remittance, 500, { reference: 'B-1', observedAt: '2026-11-17T22:00:00Z' });
    expect(says(await close())).toEqual([
      expect.stringContaining('with the reference B-1, and no imported row shows it'),
    ]);
    expect(says(await close('2026-11-17'))).toEqual([]);
    await importStatement({ entries: [{ bankReference: 'B-1', amount: '5.00' }] });
    expect(await close()).toMatchObject({ is_equal: true, rows: [] });
  });
});

test('the last day of the imported files is closed if none is named, and nothing without a file', async () => {
  expect(await close(null)).toMatchObject({ day: null, is_equal: true, accounts: [] });
  await importStatement({ opening: '0.00', closing: '0.00', entries: [], day: '2026-11-20' });
  await importStatement({ id: 'S2', entries: [{ bankReference: 'A-1', amount: '5.00', indicator: 'DBIT' }] });
  expect(await close(null)).toMatchObject({ day: '2026-11-20' });
});

test.each([['2026-02-30'], ['yesterday'], ['2026-11-18T00:00:00Z']])('%s is no day', async (day) => {
  await expect(close(day)).rejects.toMatchObject({ code: 'validation_failed' });
});
