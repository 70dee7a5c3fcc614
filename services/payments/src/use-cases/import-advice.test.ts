import { Readable } from 'node:stream';
import { newId } from '@carecover/domain';
import { connectPostgres, type Sql } from '@carecover/postgres';
import { createTestDatabase, type TestDatabase, testSize } from '@carecover/testing/servers';
import { testCaller } from '@carecover/testing/services';
import { type AdviceHeader, readAdviceFile } from '../advice-files/advice-file';
import { paymentAdviceResource } from '../resources';
import { remittanceIdOf } from '../rules/advice';
import { findPaymentAdvice } from '../store/payment-advices';
import { Bookkeeper } from '../testing/bookkeeper';
import { measured } from '../testing/measured';
import { verifyLedger } from '../verify';
import { importPaymentAdvice } from './import-advice';

jest.setTimeout(900_000);

let database: TestDatabase;
let sql: Sql;
let admin: Sql;
let books: Bookkeeper;

beforeAll(async () => {
  database = await createTestDatabase({ services: ['payments'] });
  sql = connectPostgres(database.url('payments'), 20, 'test');
  admin = connectPostgres(database.adminUrl, 2, 'test');
});
afterAll(async () => {
  await Promise.all([sql.end(), admin.end()]);
  await database.drop();
});
beforeEach(() => {
  books = new Bookkeeper(sql);
});
afterEach(async () => {
  for (const sum of Object.values(await books.sums())) expect(sum).toBe(0);
  expect((await verifyLedger(admin, { claims: false })).differences).toEqual([]);
});

/** The lines of the large advice. */
const LINES = testSize({ ci: 1_200, soak: 10_000 });
const CONCURRENCY = 16;

const header = (net: number, others: Partial<AdviceHeader> = {}): AdviceHeader => ({
  ...{ payer_reference: newId('era-'), payer: 'sha', currency: 'KES', received_at: '2026-01-06T10:00:00Z' },
  net,
  ...others,
});
const read = async (text: string, format: 'csv' | 'lines', others: Partial<AdviceHeader> = {}) =>
  (await readAdviceFile(Readable.from([Buffer.from(text)]), format, header(290, others))).advice;

async function importFile(
  text: string,
  of: AdviceHeader,
  options: { digest?: string; replaces?: string; isDryRun?: boolean } = {},
) {
  const { advice: input } = await readAdviceFile(Readable.from([Buffer.from(text)]), 'csv', of);
  const { digest = newId('file_'), replaces = null, isDryRun = false } = options;
  const author = testCaller(books.tenant);
  return importPaymentAdvice(books.deps, { author, digest, replaces, isDryRun }, input);
}

async function adviceOf(id: string | null) {
  const row = await findPaymentAdvice(sql, books.tenant, id ?? '');
  return row && paymentAdviceResource(row);
}

describe('the rows of a file', () => {
  const lines = {
    allocations: [{ claim_id: 'clm_1', paid_amount: 500, reason_codes: ['fee_schedule', 'late'] }],
    denials: [{ claim_id: 'clm_2' }],
    recoveries: [{ claim_id: 'clm_3', amount: 200 }],
    adjustments: [{ kind: 'fee', amount: -10 }],
  };

  test('are the lines of the advice, in CSV and in JSON lines', async () => {
    const csv = [
      'type;claim_id;amount;kind;reason_codes',
      'allocation;clm_1;500;;fee_schedule late',
      'denial;clm_2;0;;',
      'recovery;clm_3;200;;',
      'adjustment;;-10;fee;',
    ].join('\r\n');
    const json = [
      { type: 'allocation', claim_id: 'clm_1', amount: 500, reason_codes: ['fee_schedule', 'late'] },
      { type: 'denial', claim_id: 'clm_2' },
      { type: 'recovery', claim_id: 'clm_3', amount: 200 },
      { type: 'adjustment', kind: 'fee', amount: -10 },
    ];
    expect(await read(csv, 'csv')).toMatchObject({ net: 290, payer: 'sha', ...lines });
    expect(await read(json.map((row) => JSON.stringify(row)).join('\n'), 'lines')).toMatchObject(lines);
  });

  test('that are invalid are named by their lines, with all that is wrong', async () => {
    const csv = [
      'type,claim_id,amount,kind,reason_codes',
      'payment,clm_1,500,,',
      'allocation,clm_1,5.00,,',
      'allocation,bkg_1,0,,',
      'denial,clm_2,7,,',
      'adjustment,,-10,tax,',
    ].join('\n');
    await expect(read(csv, 'csv')).rejects.toThrow(
      /line 2: type must be.*line 3: amount must be.*line 4: claim_id must .*line 4: amount must.*line 5: amount.*line 6: kind must/s,
    );
    await expect(read('{"type":"allocation","claim_id":"clm_1"}\n{', 'lines')).rejects.toThrow(
      /line 2: it is no JSON; line 1: amount/,
    );
    await expect(
      read('type,amount,kind\nadjustment,1,fee', 'csv', { currency: 'XXX' as never, net: 0.5 }),
    ).rejects.toThrow(/\/currency.*\/net/);
    await expect(read('type,amount', 'csv')).rejects.toThrow('at least one line');
    await expect(read('claim_id,amount\nclm_1,5', 'csv')).rejects.toThrow('type');
  });

  test('are at most 10,000, and a longer file is read no further', async () => {
    let given = 0;
    function* endless() {
      yield Buffer.from('type,claim_id,amount\n');
      for (; given < 1_000_000; given += 1) yield Buffer.from(`allocation,clm_${given},1\n`);
    }
    await expect(readAdviceFile(Readable.from(endless()), 'csv', header(1))).rejects.toThrow('10,000');
    expect(given).toBeLessThan(20_000);
  });
});

describe('an imported advice', () => {
  test('is recorded once, also by imports at the same time, and not by a dry run', async () => {
    const claim = await books.adjudicate(100);
    const text = `type,claim_id,amount\nallocation,${claim},80`;
    const of = header(80);
    expect(await importFile(text, of, { isDryRun: true })).toEqual({ id: null, isKnown: false });
    expect(await books.balances(claim)).toMatchObject({ remitted: 0 });
    const digest = newId('file_');
    const imports = await Promise.all([1, 2, 3].map(() => importFile(text, of, { digest })));
    expect(new Set(imports.map(({ id }) => id)).size).toBe(1);
    expect(imports.filter(({ isKnown }) => !isKnown)).toHaveLength(1);
    expect(await books.balances(claim)).toMatchObject({ remitted: 80 });
    await expect(importFile(text, { ...of, net: 81 })).rejects.toMatchObject({ code: 'advice_unbalanced' });
    await expect(importFile(text, of)).rejects.toMatchObject({ code: 'duplicate_remittance_reference' });
  });

  test('can replace an advice in the same transaction, once; a rejected one leaves the other as it is', async () => {
    const claim = await books.adjudicate(100);
    const old = await books.adviceOf({
      payer_reference: 'ERA-9',
      allocations: [{ claim_id: claim, paid_amount: 100 }],
      net: 100,
    });
    const file = (amount: number) => `type,claim_id,amount\nallocation,${claim},${amount}`;
    const of = (net: number) => header(net, { payer_reference: 'ERA-9' });
    await expect(importFile(file(101), of(101), { replaces: old.id })).rejects.toMatchObject({
      code: 'over_allocation',
    });
    expect((await adviceOf(old.id))?.status).toBe('received');
    const dry = await importFile(file(60), of(60), { replaces: old.id, isDryRun: true });
    expect([dry.id, (await adviceOf(old.id))?.status]).toEqual([null, 'received']);
    const options = { replaces: old.id, digest: newId('file_') };
    const first = await importFile(file(60), of(60), options);
    expect(await importFile(file(60), of(60), options)).toEqual({ ...first, isKnown: true });
    expect(await adviceOf(first.id)).toMatchObject({ replaces: old.id, net: 60 });
    expect(await adviceOf(old.id)).toMatchObject({ status: 'withdrawn', replaced_by: first.id });
    await expect(importFile(file(60), of(60), { replaces: newId('adv_') })).rejects.toMatchObject({
      code: 'resource_not_found',
    });
  });

  test('of many lines is recorded, delivered in parts, settled by one deposit, and withdrawn', async () => {
    const claims: string[] = [];
    const worker = async () => {
      while (claims.length < LINES - 2) claims.push(await books.adjudicate(1_000 + claims.length));
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, worker));
    const paid = claims.slice(0, LINES - 2);
    const net = paid.length * 500 - 7;
    const text = [
      'type,claim_id,amount,kind',
      ...paid.map((claim) => `allocation,${claim},500,`),
      'adjustment,,-7,fee',
    ].join('\n');
    const of = header(net);
    const digest = newId('file_');
    const name = `of an advice of ${LINES} lines`;
    const { id } = await measured(`the import ${name}`, () => importFile(text, of, { digest }));
    expect(await importFile(text, of, { digest })).toEqual({ id, isKnown: true });
    const remittanceId = remittanceIdOf(id ?? '');
    const review = () => books.activities.review({ tenant: books.tenant, remittanceId });
    await measured(`the delivery ${name}`, review);
    const parts = Math.ceil(paid.length / 1_000);
    expect(books.claims.records.size).toBe(parts);
    const settlement = await measured(`the settlement ${name}`, () => books.observe(remittanceId, net));
    expect(await books.status(remittanceId)).toBe('reconciled');
    expect(books.claims.records.size).toBe(2 * parts);
    expect(await books.balances(paid.at(-1) ?? '')).toMatchObject({ remitted: 0, cash_observed: 500 });
    await measured(`the reversal ${name}`, () => books.reverse(settlement));
    await measured(`the withdrawal ${name}`, () => books.withdraw(id ?? ''));
    expect(await books.balances(paid.at(-1) ?? '')).toMatchObject({ remitted: 0, cash_observed: 0 });
    await measured(`the verification ${name}`, () => verifyLedger(admin, { claims: false }));
  });
});
