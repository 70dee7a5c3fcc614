/**
 * Tests over generated bank files that no money is lost and none is recorded twice: whatever the form of the entries, and however statements are split,
 * repeated, reordered and overlapping, what the bank says is what is stored, after every import.
 */
import { Readable } from 'node:stream';
import { isRejection } from '@carecover/domain';
import { connectPostgres, type Sql } from '@carecover/postgres';
import { fc } from '@carecover/testing';
import { createTestDatabase, type TestDatabase, testSize } from '@carecover/testing/servers';
import { listOpenEntries } from '../store/bank-entries';
import { entryXml, type StatedEntry, statementFile } from '../testing/bank-inputs';
import { Bookkeeper } from '../testing/bookkeeper';
import { importSettlements } from './import-settlements';
import { takeBackCredit } from './take-back-credit';

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
  readonly form: 'credit' | 'debit' | 'reversal' | 'batch' | 'wrong batch';
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
  form: fc.constantFrom('credit', 'credit', 'credit', 'debit', 'reversal', 'batch', 'wrong batch'),
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
      const file = (id: string, header: string, chosen: typeof own) => {
        if (chosen.length === 0) return;
        const rows = chosen.map(({ entry, index }, place) => entryXml(stated(entry, index, place + 1)));
        const xml = statementFile({ id, header, account: ACCOUNTS[account] ?? '', entries: rows });
        files.push({ xml, entries: chosen.map(({ index }) => index) });
      };
      for (const page of [1, 2])
        file(
          `S-${account}-${day}`,
          `<StmtPgntn><PgNb>${page}</PgNb></StmtPgntn>`,
          own.filter(({ entry }) => entry.page === page),
        );
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

async function snapshot(books: Bookkeeper): Promise<unknown> {
  return {
    entries: await sql`select * from bank_entries where project_id = ${books.tenant} order by id`,
    settlements: await sql`select * from settlements where project_id = ${books.tenant} order by id`,
    postings: await sql`select * from postings where project_id = ${books.tenant} order by id`,
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
      .filter((entry, index) => delivered.has(index) && chosen(entry))
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
      const queue = [...order.map((at) => files[at % files.length]), ...files].flatMap((file) => file ?? []);
      for (const file of queue) {
        await importFile(books, file);
        for (const index of file.entries) delivered.add(index);
        await checkConservation(books, entries, delivered);
      }
      const before = await snapshot(books);
      for (const file of files) await importFile(books, file);
      expect(await snapshot(books)).toEqual(before);

      const author = { tenant: books.tenant, environment: 'sandbox', authority: 'operator:test' } as const;
      for (const { type, row } of await listOpenEntries(sql, books.tenant))
        if (type === 'takeback')
          await takeBackCredit(sql, author, row).catch((error) => {
            if (!isRejection(error)) throw error;
          });
      await checkConservation(books, entries, delivered);
      const resolved = await snapshot(books);
      for (const file of files) await importFile(books, file);
      await checkConservation(books, entries, delivered);
      expect(await snapshot(books)).toEqual(resolved);
    }),
    { numRuns: testSize({ ci: 25, soak: 2_000 }) },
  );
});
