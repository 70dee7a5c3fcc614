/**
 * Tests over generated bank files that no money is lost and none is recorded twice: whatever the form of the entries, and however statements are split,
 * repeated, reordered and overlapping, what the bank says is what is stored or reported, after every import; and that on each day the bank's balances,
 * the ledger, the advices and the receivables agree.
 */
import { Readable } from 'node:stream';
import { isRejection } from '@carecover/domain';
import { connectPostgres, type Sql } from '@carecover/postgres';
import { fc } from '@carecover/testing';
import { createTestDatabase, type TestDatabase, testSize } from '@carecover/testing/servers';
import { listOpenEntries } from '../store/bank-entries';
import { entryXml, type StatedEntry, statementFile } from '../testing/bank-inputs';
import { Bookkeeper } from '../testing/bookkeeper';
import { takeBackAsPlanned } from '../testing/take-back';
import { type ClosedDay, closeDay } from './close-day';
import { importSettlements } from './import-settlements';

jest.setTimeout(300_000);

let database: TestDatabase;
let sql: Sql;

beforeAll(async () => {
  database = await createTestDatabase({ services: ['payments'] });
  sql = connectPostgres(database.url('payments'), 20, 'test');
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});

const ACCOUNTS = ['0001', '0002'];
const DAYS = ['2026-11-18', '2026-11-19'];
const REFERENCES = ['ERA-1', 'ERA-2', 'ERA-3'];

/** An entry that the bank books. Its amount is in hundreds of minor units. */
interface Booked {
  readonly account: number;
  readonly day: number;
  readonly form: 'credit' | 'debit' | 'reversal' | 'batch' | 'wrong batch' | 'unreadable';
  readonly amount: number;
  readonly reference: number | null;
  readonly hasBankReference: boolean;
  readonly hasNumber: boolean;
  /** Of its day and account: the part of the statement in which it is, and whether a notification also has it. */
  readonly page: number;
  readonly isNotified: boolean;
}

const booked: fc.Arbitrary<Booked> = fc.record({
  account: fc.nat(ACCOUNTS.length - 1),
  day: fc.nat(DAYS.length - 1),
  form: fc.constantFrom(
    ...(['credit', 'credit', 'credit', 'debit', 'reversal', 'batch', 'wrong batch', 'unreadable'] as const),
  ),
  amount: fc.integer({ min: 1, max: 3 }),
  reference: fc.option(fc.nat(REFERENCES.length - 1)),
  hasBankReference: fc.boolean(),
  hasNumber: fc.boolean(),
  page: fc.integer({ min: 1, max: 2 }),
  isNotified: fc.boolean(),
});

function stated(entry: Booked, index: number, number: number): StatedEntry {
  const reference = entry.reference === null ? undefined : REFERENCES[entry.reference];
  const part = (units: number) =>
    `<TxDtls><Refs><EndToEndId>${reference ?? 'NOTPROVIDED'}</EndToEndId></Refs><Amt Ccy="KES">${units}.00</Amt></TxDtls>`;
  const total = entry.amount * 2;
  const isBatch = entry.form === 'batch' || entry.form === 'wrong batch';
  return {
    amount: isBatch ? `${total}.00` : `${entry.amount}.00`,
    date: DAYS[entry.day] ?? '',
    indicator: entry.form === 'debit' || entry.form === 'reversal' ? 'DBIT' : 'CRDT',
    isReversal: entry.form === 'reversal',
    ...(entry.hasBankReference ? { bankReference: `A-${index}` } : {}),
    // A reference that is too long: the row is rejected, although its amount counts in the bank's balances.
    ...(entry.form === 'unreadable' ? { bankReference: 'A'.repeat(201) } : {}),
    ...(entry.hasNumber ? { entryReference: String(number) } : {}),
    ...(isBatch
      ? { details: part(entry.amount) + part(entry.form === 'batch' ? entry.amount : entry.amount + 1) }
      : reference === undefined
        ? {}
        : { endToEndId: reference }),
  };
}

interface BankFile {
  readonly xml: string;
  /** The page of the statement that it has, such as `0001 2026-11-18 1`; null for a notification. */
  readonly page: string | null;
  readonly day: string;
  /** The indexes of the entries in it. */
  readonly entries: readonly number[];
}

/** Returns the files of a bank: per account and day a statement of two pages, and a notification of some of its entries. */
function filesOf(entries: readonly Booked[]): BankFile[] {
  const files: BankFile[] = [];
  const all = entries.map((entry, index) => ({ entry, index }));
  for (const account of ACCOUNTS.keys())
    for (const day of DAYS.keys()) {
      const own = all.filter(({ entry }) => entry.account === account && entry.day === day);
      const file = (id: string, header: string, chosen: typeof own, balances = '') => {
        if (chosen.length === 0) return;
        const rows = chosen.map(({ entry, index }, place) => entryXml(stated(entry, index, place + 1)));
        const xml = statementFile({ id, header, balances, account: ACCOUNTS[account] ?? '', entries: rows });
        const page = balances === '' ? null : `${ACCOUNTS[account]} ${DAYS[day]} ${chosen[0]?.entry.page}`;
        files.push({ xml, page, day: DAYS[day] ?? '', entries: chosen.map(({ index }) => index) });
      };
      let balance = balanceBefore(entries, account, day);
      const pages = [1, 2].map((page) => own.filter(({ entry }) => entry.page === page));
      for (const [at, chosen] of pages.entries()) {
        const opening = balance;
        balance += chosen.reduce((sum, { entry }) => sum + signed(entry), 0);
        const isFirst = at === 0 || pages[0]?.length === 0;
        const isLast = at === 1 || pages[1]?.length === 0;
        const balances =
          balanceXml(isFirst ? 'OPBD' : 'ITBD', opening, day) +
          balanceXml(isLast ? 'CLBD' : 'ITBD', balance, day);
        file(`S-${account}-${day}`, `<StmtPgntn><PgNb>${at + 1}</PgNb></StmtPgntn>`, chosen, balances);
      }
      file(
        `N-${account}-${day}`,
        '',
        own.filter(({ entry }) => entry.isNotified),
      );
    }
  return files;
}

const unitsOf = ({ form, amount }: Booked) =>
  form === 'batch' || form === 'wrong batch' ? amount * 200 : amount * 100;
const isCredit = ({ form }: Booked) => form !== 'debit' && form !== 'reversal';

const signed = (entry: Booked) => (isCredit(entry) ? unitsOf(entry) : -unitsOf(entry));

/** Returns the balance of an account before a day, in minor units. */
function balanceBefore(entries: readonly Booked[], account: number, day: number): number {
  const earlier = entries.filter((entry) => entry.account === account && entry.day < day);
  return earlier.reduce((sum, entry) => sum + signed(entry), 100_000);
}

function balanceXml(type: string, units: number, day: number): string {
  const indicator = units < 0 ? 'DBIT' : 'CRDT';
  return `<Bal><Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp><Amt Ccy="KES">${(Math.abs(units) / 100).toFixed(2)}</Amt>
<CdtDbtInd>${indicator}</CdtDbtInd><Dt><Dt>${DAYS[day]}</Dt></Dt></Bal>`;
}

/** Closes a day. What payers owe is computed from the records that claims has received, and not from the ledger. */
async function closed(books: Bookkeeper, liability: number, day: string): Promise<ClosedDay> {
  const remittances = await sql<
    { id: string }[]
  >`select id from remittances where project_id = ${books.tenant}`;
  for (const { id: remittanceId } of remittances)
    await books.activities.review({ tenant: books.tenant, remittanceId });
  const settled = [...books.claims.records.values()]
    .flatMap((record) => (record as { amounts?: readonly { amount: number }[] }).amounts ?? [])
    .reduce((sum, { amount }) => sum + amount, 0);
  const readOutstanding = async () => [{ currency: 'KES', amount: liability - settled }];
  return closeDay({ sql, readOutstanding }, books.tenant, { day, timeZone: 'UTC' });
}

/**
 * Compares the bank's balances of each day with the rows of the day, and with the ledger, the advices and the receivables. What the bank says and is
 * not stored is reported as the difference of its statement.
 */
async function checkDays(
  books: Bookkeeper,
  days: readonly string[],
  liability: number,
  entries: readonly Booked[],
  delivered: ReadonlySet<string>,
): Promise<void> {
  for (const day of days) {
    const at = DAYS.indexOf(day);
    const { accounts, positions, rows } = await closed(books, liability, day);
    for (const { differences } of positions) expect(differences).toEqual([]);
    for (const { account, opening, closing, states, differences } of accounts) {
      const amountOf = (kind: string) =>
        differences.filter((each) => each.kind === kind).reduce((sum, { amount }) => sum + (amount ?? 0), 0);
      expect(differences.filter(({ kind }) => kind === 'ledger')).toEqual([]);
      const sum = Object.values(states).reduce((total, { credits, debits }) => total + credits - debits, 0);
      const unlisted = amountOf('unlisted');
      if (opening !== null && closing !== null)
        expect(closing - opening).toBe(sum - unlisted + amountOf('statement'));
      expect(states.open.count).toBe(
        rows.filter((row) => row.account === account && row.state === 'open').length,
      );

      const own = entries.filter((entry) => ACCOUNTS[entry.account] === account && entry.day === at);
      const pages = new Set(own.map(({ page }) => `${account} ${day} ${page}`));
      if ([...pages].every((page) => delivered.has(page))) {
        const before = balanceBefore(entries, ACCOUNTS.indexOf(account), at);
        const after = own.reduce((total, entry) => total + signed(entry), before);
        expect([opening, closing]).toEqual([before, after]);
        const unreadable = own.filter(({ form }) => form === 'unreadable');
        expect(amountOf('statement')).toBe(unreadable.reduce((total, entry) => total + signed(entry), 0));
        const rejected = differences.filter(({ kind }) => kind === 'rejected').map(({ says }) => says);
        const named = (name: string) =>
          rejected.filter((says) => says.startsWith(`statement ${name}-${ACCOUNTS.indexOf(account)}-${at}:`));
        const isNotified = unreadable.some((entry) => entry.isNotified);
        expect(named('S')).toHaveLength(unreadable.length > 0 ? 1 : 0);
        expect(named('N').length).toBeLessThanOrEqual(isNotified ? 1 : 0);
        expect(rejected).toHaveLength(named('S').length + named('N').length);
      }
    }
  }
}

async function snapshot(books: Bookkeeper): Promise<unknown> {
  return {
    entries: await sql`select * from bank_entries where project_id = ${books.tenant} order by id`,
    settlements: await sql`select * from settlements where project_id = ${books.tenant} order by id`,
    postings: await sql`select * from postings where project_id = ${books.tenant} order by id`,
    listed:
      await sql`select * from bank_statement_entries where project_id = ${books.tenant} order by entry_id, statement, page`,
  };
}

async function importFile(books: Bookkeeper, { xml }: BankFile) {
  const reported: { amount: number | null }[] = [];
  const counts = await importSettlements({
    sql,
    isDryRun: false,
    author: { tenant: books.tenant, environment: 'sandbox', authority: 'operator:test' },
    file: 'bank.xml',
    format: 'camt',
    open: () => Readable.from([xml]),
    onUnmatched: (row) => reported.push(row),
    onIgnored: (row) => reported.push(row),
  });
  expect(counts.rows).toBe(
    counts.matched + counts.known + counts.ignored + counts.dismissed + counts.unmatched,
  );
  expect(reported).toHaveLength(counts.ignored + counts.unmatched);
}

/** Compares what is stored with what the bank has said so far. */
async function checkConservation(
  books: Bookkeeper,
  entries: readonly Booked[],
  delivered: ReadonlySet<number>,
): Promise<void> {
  const [stored] = await sql<
    Record<'credits' | 'certainCredits' | 'debits' | 'certainDebits' | 'recorded' | 'wrong', number>[]
  >`
    select coalesce(sum(amount) filter (where type = 'credit'), 0)::bigint as credits,
      coalesce(sum(amount) filter (where type = 'credit' and (doubt is null or doubt like 'the bank%' and doubt not like '%; and %')), 0)::bigint as "certainCredits",
      coalesce(sum(amount) filter (where type in ('debit', 'takeback')), 0)::bigint as debits,
      coalesce(sum(recorded), 0)::bigint as recorded,
      count(*) filter (where recorded <> (
        select coalesce(sum(amount), 0) from settlements where bank_entry_id = entry.id and status <> 'reversed')) as wrong
    from bank_entries entry where project_id = ${books.tenant}`;
  const [settled] = await sql<{ sum: number }[]>`
    select coalesce(sum(amount), 0)::bigint as sum from settlements where project_id = ${books.tenant} and status <> 'reversed'`;
  const said = (chosen: (entry: Booked) => boolean) =>
    entries
      .filter((entry, index) => delivered.has(index) && entry.form !== 'unreadable' && chosen(entry))
      .reduce((sum, entry) => sum + unitsOf(entry), 0);
  // Nothing is lost. What is stored beyond what the bank says is in doubt, and no settlement records it.
  expect(stored?.credits).toBeGreaterThanOrEqual(said(isCredit));
  expect(stored?.certainCredits).toBeLessThanOrEqual(said(isCredit));
  expect(stored?.debits).toBeGreaterThanOrEqual(said((entry) => !isCredit(entry)));
  if (stored?.credits === stored?.certainCredits) expect(stored?.credits).toBe(said(isCredit));
  expect(stored?.wrong).toBe(0);
  expect(stored?.recorded).toBe(settled?.sum);
  expect(settled?.sum).toBeLessThanOrEqual(said(isCredit));
  for (const sum of Object.values(await books.sums())) expect(sum).toBe(0);
}

test('after every import, what the bank says is what is recorded, kept or in doubt; a second import changes nothing', async () => {
  const scenario = fc.record({
    entries: fc.array(booked, { minLength: 1, maxLength: 8 }),
    order: fc.array(fc.nat(100), { minLength: 12, maxLength: 12 }),
  });
  await fc.assert(
    fc.asyncProperty(scenario, async ({ entries, order }) => {
      const books = new Bookkeeper(sql);
      for (const reference of REFERENCES.slice(0, 2))
        await books.advise({ [await books.adjudicate(100_000)]: 100_000 }, { reference });
      const files = filesOf(entries);
      const delivered = new Set<number>();
      const pages = new Set<string>();
      const liability = 200_000;
      const queue = [...order.map((at) => files[at % files.length]), ...files].flatMap((file) => file ?? []);
      for (const file of queue) {
        await importFile(books, file);
        for (const index of file.entries) delivered.add(index);
        if (file.page !== null) pages.add(file.page);
        await checkConservation(books, entries, delivered);
        await checkDays(books, [file.day], liability, entries, pages);
      }
      const before = await snapshot(books);
      for (const file of files) await importFile(books, file);
      expect(await snapshot(books)).toEqual(before);

      const author = { tenant: books.tenant, environment: 'sandbox', authority: 'operator:test' } as const;
      for (const { type, row } of await listOpenEntries(sql, books.tenant))
        if (type === 'takeback')
          await takeBackAsPlanned(sql, author, row).catch((error) => {
            if (!isRejection(error)) throw error;
          });
      await checkConservation(books, entries, delivered);
      await checkDays(books, DAYS, liability, entries, pages);
      const resolved = await snapshot(books);
      for (const file of files) await importFile(books, file);
      await checkConservation(books, entries, delivered);
      expect(await snapshot(books)).toEqual(resolved);
    }),
    { numRuns: testSize({ ci: 12, soak: 2_000 }) },
  );
});
