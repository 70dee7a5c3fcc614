/** Imports a statement of many payments in one batch, and closes its day: the time and the memory must not grow faster than the statement. */
import { Readable } from 'node:stream';
import { connectPostgres, type Sql } from '@carecover/postgres';
import { createTestDatabase, type TestDatabase, testSize } from '@carecover/testing/servers';
import { entryXml, statementFile } from '../testing/bank-inputs';
import { Bookkeeper } from '../testing/bookkeeper';
import { measured } from '../testing/measured';
import { closeDay } from './close-day';
import { importSettlements } from './import-settlements';

jest.setTimeout(900_000);

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

const PAYMENTS = testSize({ ci: 450, soak: 10_000 });
const CONCURRENCY = 16;
const DAY = '2026-11-18';

/** Advises one remittance per payment, of one claim each. */
async function advise(books: Bookkeeper): Promise<void> {
  const numbers = Array.from({ length: PAYMENTS }, (_, index) => index).values();
  const worker = async () => {
    for (const number of numbers) {
      const amount = 100 + number;
      await books.advise({ [await books.adjudicate(amount)]: amount }, { reference: `ERA-${number}` });
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}

/** Returns a statement with one batch of all payments, which has one reference of the bank. */
function batchFile(): string {
  const amounts = Array.from({ length: PAYMENTS }, (_, index) => 100 + index);
  const total = amounts.reduce((sum, amount) => sum + amount, 0);
  const major = (amount: number) => (amount / 100).toFixed(2);
  const transactions = amounts.map(
    (amount, index) =>
      `<TxDtls><Refs><EndToEndId>ERA-${index}</EndToEndId></Refs><Amt Ccy="KES">${major(amount)}</Amt></TxDtls>`,
  );
  const details = `<Btch><NbOfTxs>${PAYMENTS}</NbOfTxs><TtlAmt Ccy="KES">${major(total)}</TtlAmt></Btch>${transactions.join('\n')}`;
  const balance = (type: string, amount: number) =>
    `<Bal><Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp><Amt Ccy="KES">${major(amount)}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>${DAY}</Dt></Dt></Bal>`;
  return statementFile({
    id: 'S1',
    balances: balance('OPBD', 0) + balance('CLBD', total),
    entries: [entryXml({ amount: major(total), date: DAY, bankReference: 'BATCH-1', details })],
  });
}

test('each payment of a large batch is recorded once under a reference of its own, and the day is equal', async () => {
  const books = new Bookkeeper(sql);
  await advise(books);
  const file = batchFile();
  const importFile = () =>
    importSettlements({
      sql,
      isDryRun: false,
      author: { tenant: books.tenant, environment: 'sandbox', authority: 'operator:test' },
      file: 'batch.xml',
      format: 'camt',
      open: () => Readable.from([Buffer.from(file)]),
    });
  expect(await measured(`the import of ${PAYMENTS} payments`, importFile)).toMatchObject({
    rows: PAYMENTS,
    matched: PAYMENTS,
    unmatched: 0,
  });
  const [open] = await sql<{ count: number }[]>`
    select count(*)::integer as count from remittances where project_id = ${books.tenant} and status <> 'reconciled'`;
  expect(open?.count).toBe(0);
  const closed = await measured(`the closing of the day of ${PAYMENTS} payments`, () =>
    closeDay({ sql, readOutstanding: async () => [] }, books.tenant, { day: DAY, timeZone: 'UTC' }),
  );
  expect(closed).toMatchObject({
    is_equal: true,
    accounts: [{ states: { matched: { count: PAYMENTS }, open: { count: 0 } } }],
    rows: [],
  });
  expect(await measured(`the second import of ${PAYMENTS} payments`, importFile)).toMatchObject({
    matched: 0,
    known: PAYMENTS,
  });
});
